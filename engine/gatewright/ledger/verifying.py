"""Going through a ledger: lines against leaves, leaves against the chain and the tree, and those against what is known.

One pass from the first row to the last, in constant memory. Where the pass stops, `diagnosis` finds out what was done;
where it does not, `deriving` compares what was booked with what the lines give.
"""

import math
import os
import sqlite3
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from gatewright.ledger import archives, deriving, diagnosis, hashing
from gatewright.ledger.chain import Frontier, beside, stamps_of
from gatewright.ledger.checkpoints import Checkpoint
from gatewright.ledger.diagnosis import ENTRIES, Entry, Position, Raw
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.faults import Audit, Fault, Harm, Tally
from gatewright.ledger.hashing import are_of
from gatewright.ledger.sources import FileLines, Source, State, state_of
from gatewright.text import shown

BATCH = 4096

Progress = Callable[[int, int], None]


def _quiet(_done: int, _total: int) -> None:
    """Tell nobody."""


def verify(
    source: Source,
    checkpoints: Sequence[Checkpoint] = (),
    *,
    chain_only: bool = False,
    archive: str | None = None,
    progress: Progress = _quiet,
) -> Audit:
    """Go through a ledger.

    checkpoints: what was true of it before; their signatures are the caller's business.
    chain_only: leave out the database's own check and everything that was derived from lines.
    archive: the folder of the archives; without it, what was taken out is taken at the ledger's word.

    Raises LedgerError for an archive that cannot be read.
    """
    try:
        state = state_of(source.connection)
        if (odd := _odd(state)) is not None:
            return Audit(tally=Tally(), faults=(odd,))
        with hashing.apart(state.size) as links:
            # Whatever does not hold is found once more by this process alone, which looks at it row by row.
            found = links and _audit(_Walk(source, checkpoints, progress, archive, links), chain_only=chain_only)
        if found and found.holds:
            return found
        return _audit(_Walk(source, checkpoints, progress, archive, hashing.Here()), chain_only=chain_only)
    except sqlite3.Error as error:
        fault = Fault(harm=Harm.DAMAGED, message=f"SQLite cannot read the database: {error}")
        return Audit(tally=Tally(), faults=(fault,))


def _odd(state: State) -> Fault | None:
    """A figure of the whole that is of another kind than the table's, and that nothing can be compared with."""
    for name, value in (("size", state.size), ("covered", state.covered), ("time", state.time)):
        if not (isinstance(value, int) or (name == "time" and (value is None or isinstance(value, float)))):
            return Fault(harm=Harm.DAMAGED, message=f"what the ledger says of its {name} is {shown(value)}")
    return None


def _audit(walk: "_Walk", *, chain_only: bool) -> Audit:
    source = walk.source
    damage = [] if chain_only else _damage(source.connection)
    if damage:
        return Audit(tally=Tally(), faults=tuple(damage))
    faults = walk.faults()
    if not faults and not chain_only:
        faults = list(deriving.faults(source, walk.progress))
    query = "SELECT count(*) FROM rows WHERE kind = 'skipped'"
    walk.tally.skipped = source.connection.execute(query).fetchone()[0]
    return Audit(tally=walk.tally, faults=tuple(faults), checkpoints=tuple(walk.agreed))


def _damage(connection: sqlite3.Connection) -> list[Fault]:
    said = [row[0] for row in connection.execute("PRAGMA integrity_check(5)")]
    return [Fault(harm=Harm.DAMAGED, message=f"SQLite says of the database: {text}") for text in said if text != "ok"]


class _Walk:
    """One pass over the rows."""

    def __init__(
        self,
        source: Source,
        checkpoints: Sequence[Checkpoint],
        progress: Progress,
        archive: str | None,
        links: hashing.Links,
    ) -> None:
        self.source, self.progress, self.archive, self.links = source, progress, archive, links
        self.state = state_of(source.connection)
        self.waiting = sorted(checkpoints, key=lambda each: each.size)
        self.agreed: list[str] = []
        self.position = Position(row=0, head=b"", end=0)
        self.newest = -math.inf
        self.tally = Tally(size=self.state.size, origin=self.state.origin)

    def faults(self) -> list[Fault]:
        """The first thing that does not hold; nothing where all does."""
        fault = self._foreign() or self._sealed() or self._met()
        if fault is not None:
            return [fault]
        for batch in self._batches():
            fault = self._gone_through(batch)
            if fault is not None:
                return [fault]
            self.progress(self.position.row, self.state.size)
        frontier, self.tally.head = self.links.state()
        self.tally.root = frontier.root()
        found = self._unlinked() or self._end(frontier) or self._unmet()
        return [found] if found is not None else []

    def _foreign(self) -> Fault | None:
        for each in self.waiting:
            if each.origin != self.state.origin:
                message = f"checkpoint {each.name} is of `{each.origin}`, and this ledger is `{self.state.origin}`"
                return Fault(harm=Harm.REWRITTEN, message=message)
        return None

    def _sealed(self) -> Fault | None:
        """Go through the archives, or begin behind them."""
        for seal in archives.seals(self.source.connection):
            self.tally.sealed = seal.last
            if self.archive is None:
                self.position = Position(row=seal.last, head=seal.head, end=0)
                self.links.begin(Frontier(seal.last, seal.frontier), seal.head)
                early = [each.name for each in self.waiting if each.size < seal.last]
                if early:
                    problem = f"checkpoint {early[0]} is of rows that were taken out"
                    raise LedgerError(self.source.path, problem, "give their folder with --archive")
            elif (fault := self._archived(seal, os.path.join(self.archive, seal.archive))) is not None:
                return fault
        self.tally.rows = self.tally.unattested = 0
        return None

    def _archived(self, seal: archives.Seal, path: str) -> Fault | None:
        """Go through one archive. It was read whole once, so that anything but its very bytes is a fault."""
        if archives.digest_of(path) != seal.digest:
            message = f"the archive {path} is not the one that the rows were taken out into"
            return Fault(harm=Harm.EDITED, message=message, row=self.position.row + 1)
        rows = (
            (each.id, each.line, 0, 0, None, each.at, each.taken_up, each.leaf, each.head)
            for each in archives.read(path)
        )
        while batch := list(islice(rows, self._wanted())):
            if (fault := self._gone_through(batch)) is not None:
                return fault
        frontier, head = self.links.state()
        if (self.position.row, head, frontier.stored()) != seal[:1] + seal[2:4]:
            message = f"the archive {path} does not lead to where the ledger goes on"
            return Fault(harm=Harm.REWRITTEN, message=message, row=self.position.row)
        return None

    def _batches(self) -> Iterator[Sequence[Raw]]:
        """The rows, in parts that end where a checkpoint wants to be asked."""
        cursor = self.source.connection.execute(ENTRIES)
        while batch := cursor.fetchmany(self._wanted()):
            yield batch

    def _wanted(self) -> int:
        sizes = (each.size - self.position.row for each in self.waiting)
        return min(BATCH, next((left for left in sizes if left > 0), BATCH))

    def _gone_through(self, batch: Sequence[Raw]) -> Fault | None:
        held = self._added(batch)
        if held is None or not self.links.holds:
            return self._stopped(batch)
        self.position = held
        self.tally.rows += len(batch)
        return self._met()

    def _added(self, batch: Sequence[Raw]) -> Position | None:
        """The position behind rows that are put to the chain and the tree; None where one of them cannot be."""
        *columns, times, marks, leaves, heads = zip(*batch, strict=True)
        try:
            lines, end = _lines_of(self.source, columns, self.position)
            self.links.add(lines, leaves, stamps_of(times, marks), heads)
        except _OF_ANOTHER_KIND:
            return None
        self.newest = max(self.newest, *times)
        self.tally.unattested += sum(marks)
        return Position(row=self.position.row + len(batch), head=heads[-1], end=end)

    def _stopped(self, batch: Sequence[Raw]) -> Fault:
        """What was done in a batch that does not hold."""
        position = self.position
        for raw in batch:
            entry = Entry(*raw)
            try:
                (line,), end = _lines_of(self.source, [[each] for each in raw[:5]], position)
                holds = are_of([entry.leaf], [line]) and entry.follows(position.head)
            except _OF_ANOTHER_KIND:
                holds = False
            if not holds:
                self.tally.rows = position.row
                return diagnosis.fault(self.source, raw, position, self.state.size)
            position = Position(row=position.row + 1, head=entry.head, end=end)
        return _UNLINKED

    def _unlinked(self) -> Fault | None:
        """Another process says of all rows at once that they do not follow each other."""
        return None if self.links.holds else _UNLINKED

    def _met(self) -> Fault | None:
        """Compare with the checkpoints of this size; the first that the ledger does not agree with."""
        size = self.position.row
        while self.waiting and self.waiting[0].size == size:
            checkpoint = self.waiting.pop(0)
            frontier, head = self.links.state()
            if checkpoint.root != frontier.root() or checkpoint.head not in (None, head):
                since = f"rows 1 to {checkpoint.size}" if not self.agreed else f"a row up to {checkpoint.size}"
                known = f", and behind what {self.agreed[-1]} holds" if self.agreed else ""
                message = f"{since}{known} are not what checkpoint {checkpoint.name} was made of"
                return Fault(harm=Harm.REWRITTEN, message=message, row=size or None)
            self.agreed.append(checkpoint.name)
        return None

    def _unmet(self) -> Fault | None:
        """A checkpoint of more rows than there are: the ledger has shrunk."""
        if not self.waiting:
            return None
        checkpoint, size = self.waiting[0], self.position.row
        message = f"checkpoint {checkpoint.name} is of {checkpoint.size:,} rows, and the ledger has {size:,}"
        return Fault(harm=Harm.ROLLED_BACK, message=message, row=size + 1)

    def _end(self, frontier: Frontier) -> Fault | None:
        """Compare the last row with what the ledger says of the whole."""
        return diagnosis.end_fault(self.source, self.position, frontier, self.newest, self.tally)


_UNLINKED = Fault(harm=Harm.REWRITTEN, message="the rows do not follow each other")


#: What a value of another kind than the table's leads to, and a row that is not in its place.
_OF_ANOTHER_KIND = (TypeError, ValueError, AttributeError, struct.error)


def _lines_of(source: Source, columns: Sequence[Sequence[Any]], position: Position) -> tuple[Sequence[bytes], int]:
    """What is hashed of rows, and where the line of the last one ends in the file.

    columns: numbers, lines, starts, lengths, and what is kept beside the lines.

    Raises one of the errors above where numbers are missing, or a line does not stand where it should.
    """
    numbers, lines, starts, lengths, mores = columns
    if list(numbers) != list(range(position.row + 1, position.row + 1 + len(numbers))):
        raise ValueError
    end = position.end
    if source.file is not None:
        quick = source.file.rows(starts, lengths, end) if lines.count(None) == len(lines) else None
        if quick is not None:
            lines, end = quick, starts[-1] + lengths[-1]
        else:
            lines, end = _lines_in(source.file, zip(lines, starts, lengths, strict=True), end)
    if mores.count(None) < len(mores):
        lines = tuple(beside(line, more) for line, more in zip(lines, mores, strict=True))
    return lines, end


def _lines_in(
    file: FileLines, kept: Iterable[tuple[bytes | None, int, int]], end: int
) -> tuple[tuple[bytes, ...], int]:
    """The lines of rows whose places are known, and where the last one ends. Raises ValueError, or TypeError."""
    found = []
    for line, start, length in kept:
        found.append(file.row(line, start, length, end))
        end = start + length
    return tuple(found), end
