"""Going through a ledger in PostgreSQL: each chain from its first row to its last, against what is kept of it."""

from collections import Counter
from collections.abc import Callable
from typing import cast

from msgspec import Struct

from gatewright.ledger.chain import Frontier, head_of, leaf_of, stamp_of
from gatewright.ledger.faults import Audit, Fault, Harm, Tally
from gatewright.ledger.postgres import PostgresLedger
from gatewright.ledger.postgres_book import as_bytes, as_text
from gatewright.ledger.postgres_link import VERSION, Link
from gatewright.ledger.rows import RowKind, read_line

BATCH = 4096

Progress = Callable[[int, int], None]


class _End(Struct, frozen=True):
    """What is kept of an account and its chain."""

    name: bytes
    size: int
    head: bytes
    frontier: bytes
    total: int


class _Stored(Struct, frozen=True):
    """A row of a chain as it is kept."""

    id: int
    place: int
    at: float
    taken_up: bool
    line: bytes
    leaf: bytes
    head: bytes
    booked: bytes | None
    total: int | None


def verify(ledger: PostgresLedger, progress: Progress) -> Audit:
    """Go through all chains as they stand at one moment; the first fault of each. Raises LedgerError."""
    with ledger.connected() as link:
        link.rows("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        link.row("SELECT * FROM gatewright.look(%s)", [VERSION])
        walk = _Walk(link, progress)
        walk.through()
        return Audit(tally=walk.tally, faults=tuple(walk.faults))


class _Walk:
    """One pass over all chains."""

    def __init__(self, link: Link, progress: Progress) -> None:
        self.link, self.progress = link, progress
        (origin,) = link.row("SELECT gatewright.origin()")
        ends = link.rows("SELECT name, size, head, frontier, total FROM gatewright.heads()")
        self.ends = [_End(*cast("tuple[bytes, int, bytes, bytes, int]", each)) for each in ends]
        self.tally = Tally(size=sum(end.size for end in self.ends), origin=str(origin))
        self.totals: Counter[bytes] = Counter()
        self.faults: list[Fault] = []

    def through(self) -> None:
        """Go through all of them; root and head of the whole are over the ends of the chains, by name."""
        tree, head = Frontier(), b""
        for end in self.ends:
            fault = self._chain(end)
            self.faults += [fault] if fault is not None else []
            leaf = leaf_of(end.name + b" %d " % end.size + end.head)
            tree.add(leaf)
            head = head_of(head, leaf)
        self.faults += [
            _fault(Harm.EDITED, f"`{as_text(end.name)}` has a total of {end.total}, and its rows give {total}")
            for end in self.ends
            if not self.faults and (total := self.totals[end.name]) != end.total
        ]
        self.tally.root, self.tally.head = tree.root(), head

    def _chain(self, end: _End) -> Fault | None:
        """The first thing in a chain that does not hold."""
        tree, head, place = Frontier(), b"", 0
        while rows := self._rows(end.name, place):
            for row in rows:
                place += 1
                fault = self._row(end, row, head, place)
                if fault is not None:
                    return fault
                head = row.head
                tree.add(row.leaf)
            self.tally.rows += len(rows)
            self.progress(self.tally.rows, self.tally.size)
        name = as_text(end.name)
        if place != end.size:
            harm = Harm.CUT_OFF if place < end.size else Harm.INSERTED
            return _fault(harm, f"the chain of `{name}` had {end.size} rows, and {place} are there")
        if (head, tree.stored()) != (end.head, end.frontier):
            return _fault(Harm.REWRITTEN, f"the chain of `{name}` does not end in the hashes that are kept of it")
        return None

    def _rows(self, name: bytes, after: int) -> list[_Stored]:
        query = """
            SELECT id, place, at, taken_up, line, leaf, head, booked, total FROM gatewright.read_chain(%s, %s, %s)
        """
        return [_Stored(*row) for row in self.link.rows(query, [name, after, BATCH])]  # type: ignore[arg-type]  # as asked

    def _row(self, end: _End, row: _Stored, before: bytes, place: int) -> Fault | None:
        if row.place != place:
            return _fault(Harm.DELETED, f"row {place} of the chain of `{as_text(end.name)}` is gone", row.id)
        if leaf_of(row.line) != row.leaf:
            return _fault(Harm.EDITED, "its line is not the one that was chained", row.id)
        if head_of(before, row.leaf, stamp_of(row.at, row.taken_up)) != row.head:
            return _fault(Harm.EDITED, "its time, its origin or its place is not what was chained", row.id)
        read = read_line(row.line)
        self.tally.unattested += row.taken_up
        self.tally.skipped += read.kind is RowKind.SKIPPED
        if read.account is None or read.agents is None:
            return (
                None if row.booked is None else _fault(Harm.EDITED, "it is booked, and its line does not count", row.id)
            )
        booked = as_bytes(read.account)
        self.totals[booked] += read.agents
        if (row.booked, row.total) != (booked, self.totals[booked]):
            return _fault(
                Harm.EDITED, f"it is not booked to `{read.account}` with its agents, as its line has it", row.id
            )
        return None


def _fault(harm: Harm, message: str, row: int | None = None) -> Fault:
    return Fault(harm=harm, message=message, row=row)
