"""What was done to a ledger: told from the row at which going through it stops.

This is the slow path, taken once: it looks through all rows, or all lines, for where things belong.
"""

import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from gatewright.ledger.chain import Frontier, head_of, leaf_of, stamp_of
from gatewright.ledger.faults import Fault, Harm, Tally
from gatewright.ledger.sources import FileLines, Source, state_of
from gatewright.text import counted

ENTRIES = "SELECT id, line, start, length, more, at, taken_up, leaf, head FROM rows ORDER BY id"


class Entry(NamedTuple):
    """A row as its evidence goes: of these kinds, unless somebody has put others there."""

    id: int
    line: bytes | None
    start: int
    length: int
    more: str | None
    at: float
    taken_up: int
    leaf: bytes
    head: bytes

    def follows(self, head: bytes) -> bool:
        """Whether its head is the one after this one."""
        try:
            return head_of(head, self.leaf, stamp_of(self.at, self.taken_up)) == self.head
        except (TypeError, struct.error):
            return False


#: The same as the database gives it.
Raw: TypeAlias = tuple[int, bytes, int, int, str | None, float, int, bytes, bytes]


class Position(Struct, frozen=True, kw_only=True):
    """How far a ledger holds: the last row, its head, and where its line ends in the file."""

    row: int
    head: bytes
    end: int


def fault(source: Source, raw: Raw, position: Position, size: int) -> Fault:
    """What was done at the row where the ledger stops to hold.

    raw: that row. position: how far it holds. size: how many rows the ledger says there were.
    """
    entry = Entry(*raw)
    row = position.row + 1
    if row > size:
        return _behind(row, size)
    if entry.id > row and (found := _follower(source, position.head, entry.id)) is None:
        missing = entry.id - row
        said = f"row {row:,} is missing" if missing == 1 else f"rows {row:,} to {entry.id - 1:,} are missing"
        return Fault(harm=Harm.DELETED, message=said, row=row)
    if entry.id != row:
        place = f"it stands as row {found:,}" if entry.id > row else f"a row {entry.id:,} stands before it"
        return Fault(harm=Harm.MOVED if entry.id > row else Harm.INSERTED, message=place, row=row)
    if entry.follows(position.head):
        return _line_fault(source, entry, position)
    return _chain_fault(source, entry, position, size)


def _rows(source: Source) -> Iterator[Entry]:
    return (Entry(*raw) for raw in source.connection.execute(ENTRIES))


def _follower(source: Source, head: bytes, but: int) -> int | None:
    """The row whose head is the one after this one."""
    return next((each.id for each in _rows(source) if each.id != but and each.follows(head)), None)


class _Clue(NamedTuple):
    """What another row may tell of the row that is out of place."""

    harm: Harm
    words: str
    fits: Callable[[Entry, Entry, bytes], bool]  #: of the other row, this one, and the head before it


#: In the order in which they are believed.
_CLUES = (
    _Clue(Harm.INSERTED, "it is a copy of row {:,}", lambda other, own, _: (own.leaf, own.head) == other[-2:]),
    _Clue(Harm.MOVED, "it belongs behind what is row {:,} now", lambda other, own, _: own.follows(other.head)),
    _Clue(
        Harm.INSERTED,
        "row {:,} is the one that follows the row before it",
        lambda other, _, before: other.follows(before),
    ),
    _Clue(
        Harm.MOVED,
        "what belongs here stands in row {:,}",
        lambda other, own, before: own._replace(leaf=other.leaf).follows(before),
    ),
)


def _chain_fault(source: Source, entry: Entry, position: Position, size: int) -> Fault:
    """What was done to a row that does not follow the one before it."""
    found: dict[_Clue, int] = {}
    for each in _rows(source):
        if each.id != entry.id:
            found |= {clue: each.id for clue in _CLUES if clue.fits(each, entry, position.head)}
    for clue in _CLUES:
        if clue in found:
            return _told(clue.harm, source, entry, clue.words.format(found[clue]))
    query = "SELECT count(*) + coalesce((SELECT max(last) FROM sealed), 0) FROM rows"
    there = source.connection.execute(query).fetchone()[0]
    if there < size:
        return _told(Harm.DELETED, source, entry, f"a row is missing here: {there:,} are left of {size:,}")
    return _told(Harm.EDITED, source, entry, "its line, its time or its mark does not fit its place in the chain")


def _line_fault(source: Source, entry: Entry, position: Position) -> Fault:
    """What was done to a line whose row is in its place."""
    if source.file is not None:
        return _file_fault(source, source.file, entry, position)
    for each in _rows(source):
        if each.id != entry.id and each.line == entry.line and each.leaf != entry.leaf:
            return _told(Harm.MOVED, source, entry, f"its line stands in row {each.id:,} too")
        if each.id != entry.id and isinstance(each.line, bytes) and leaf_of(each.line) == entry.leaf:
            return _told(Harm.MOVED, source, entry, f"its line stands in row {each.id:,}")
    return _told(Harm.EDITED, source, entry, "its line is not the one that was recorded")


def _told(harm: Harm, source: Source, entry: Entry, message: str) -> Fault:
    line = None
    if source.file is not None and isinstance(entry.start, int):
        line = source.file.number(entry.start)
    return Fault(harm=harm, message=message, row=entry.id, line=line)


# -- a file of lines ---------------------------------------------------------------------------------------------------


def _file_fault(source: Source, file: FileLines, entry: Entry, position: Position) -> Fault:
    """What was done to a file at the row from which on it is not what its proof was made of."""
    if (longer := _longer(file, position)) is not None:
        return longer
    rest = file.lines(position.end)
    place, line = next(rest, (file.size, None))
    number = file.number(place + 1)
    if line is None:
        left = source.connection.execute("SELECT count(*) FROM rows WHERE id >= ?", (entry.id,)).fetchone()[0]
        message = f"the file ends before it: {counted(left, 'row')} are gone"
        return Fault(harm=Harm.CUT_OFF, message=message, row=entry.id, line=number)
    if _is(entry, line):
        message = "empty lines were put in or taken out before it"
        return Fault(harm=Harm.EDITED, message=message, row=entry.id, line=number)
    known = next((each.id for each in _rows(source) if _is(each, line)), None)
    later = any(_is(entry, each) for _, each in rest)
    harm, message = _said(entry.id, known, later=later)
    return Fault(harm=harm, message=message, row=entry.id, line=number)


def _longer(file: FileLines, position: Position) -> Fault | None:
    """A fault where the line of the last row that holds goes on behind its end."""
    if not position.row or file.between(position.end, position.end + 1) in (b"", b"\n"):
        return None
    message = "there is more behind the line that was recorded"
    return Fault(harm=Harm.EDITED, message=message, row=position.row, line=file.number(position.end))


def _is(entry: Entry, line: bytes) -> bool:
    return leaf_of(line, entry.more) == entry.leaf


def _said(row: int, known: int | None, *, later: bool) -> tuple[Harm, str]:
    """What was done, by which row the line in its place is, and whether its own line comes later."""
    if known is None:
        if later:
            return Harm.INSERTED, "a line that nobody recorded stands before it"
        return Harm.EDITED, "its line is not the one that was recorded"
    if known > row:
        if later:
            return Harm.MOVED, f"the line of row {known:,} stands in its place, and its own behind that"
        return Harm.DELETED, f"the line of row {known:,} stands in its place"
    if later:
        return Harm.INSERTED, f"a copy of row {known:,} stands before it"
    return Harm.EDITED, f"a copy of row {known:,} stands in its place"


# -- the end -----------------------------------------------------------------------------------------------------------


def end_fault(source: Source, position: Position, frontier: Frontier, newest: float, tally: Tally) -> Fault | None:
    """Compare the last row with what the ledger says of the whole, and count the lines that wait to be taken up.

    newest: the ledger time of the newest row.
    """
    state = state_of(source.connection)
    row = position.row
    if row < state.size:
        message = f"the ledger says that there were {state.size:,} rows, and ends with row {row:,}"
        return Fault(harm=Harm.CUT_OFF, message=message, row=row + 1)
    if row > state.size:
        return _behind(row, state.size)
    if state.head != position.head or state.frontier != frontier.stored():
        message = "the rows fit each other, and not the head and the tree that the ledger keeps of them"
        return Fault(harm=Harm.REWRITTEN, message=message)
    if row and (state.time is None or state.time < newest):
        message = f"ledger time was set back to {state.time}, before its newest row at {newest}"
        return Fault(harm=Harm.EDITED, message=message, row=row)
    return None if source.file is None else _tail_fault(source.file, position, state.covered, tally)


def _behind(row: int, size: int) -> Fault:
    message = f"the ledger says that there were {size:,} rows, and there is a row {row:,}"
    return Fault(harm=Harm.INSERTED, message=message, row=size + 1)


def _tail_fault(file: FileLines, position: Position, covered: int, tally: Tally) -> Fault | None:
    if covered < position.end or covered > file.size:
        message = f"the proof covers {covered:,} bytes of {file.size:,}, and its rows reach to {position.end:,}"
        return Fault(harm=Harm.CUT_OFF, message=message, row=position.row)
    if (longer := _longer(file, position)) is not None:
        return longer
    if not file.is_blank(position.end, covered):
        place, _ = next(file.lines(position.end), (position.end, b""))
        message = "a line that nobody recorded stands behind the last row"
        return Fault(harm=Harm.INSERTED, message=message, row=position.row + 1, line=file.number(place + 1))
    tally.waiting = sum(1 for _ in file.lines(covered))
    return None
