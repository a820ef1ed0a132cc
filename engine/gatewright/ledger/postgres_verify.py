"""Going through a ledger in PostgreSQL: each chain from its first row to its last, against what is kept of it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import cast

from msgspec import Struct

from gatewright.ledger.chain import ChainEnd, Frontier, head_of, leaf_of, over, stamp_of
from gatewright.ledger.checkpoints import Checkpoint
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.faults import Audit, Fault, Harm, Tally
from gatewright.ledger.postgres import PostgresLedger
from gatewright.ledger.postgres_book import as_bytes, as_text
from gatewright.ledger.postgres_link import Link
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


class _Mark(Struct, frozen=True):
    """How far a chain went when a checkpoint was made."""

    size: int
    head: bytes
    checkpoint: str


def verify(
    ledger: PostgresLedger, checkpoints: Sequence[Checkpoint], progress: Progress, *, chain_only: bool = False
) -> Audit:
    """Go through all chains as they stand at one moment; the first fault of each.

    checkpoints: what was true of it before; their signatures are the caller's business.
    chain_only: leave out everything that was derived from lines.

    Raises LedgerError where it cannot be read, or a checkpoint does not say where each chain ended.
    """
    for each in checkpoints:
        if each.size and not each.ends:
            hint = "`gatewright ledger checkpoint` on that ledger makes one that does"
            raise LedgerError(each.name, "it does not say where each chain of the ledger ended", hint)
    with ledger.looking() as (link, _):
        walk = _Walk(link, checkpoints, progress, chain_only=chain_only)
        walk.through()
        agreed = () if walk.faults else tuple(each.name for each in checkpoints)
        return Audit(tally=walk.tally, faults=tuple(walk.faults), checkpoints=agreed)


class _Walk:
    """One pass over all chains."""

    def __init__(self, link: Link, checkpoints: Sequence[Checkpoint], progress: Progress, *, chain_only: bool) -> None:
        self.link, self.checkpoints, self.progress, self.chain_only = link, checkpoints, progress, chain_only
        (origin,) = link.row("SELECT gatewright.origin()")
        ends = link.rows("SELECT name, size, head, frontier, total FROM gatewright.heads()")
        self.ends = [_End(*cast("tuple[bytes, int, bytes, bytes, int]", each)) for each in ends]
        self.tally = Tally(size=sum(end.size for end in self.ends), origin=str(origin))
        self.tally.ends = tuple(ChainEnd(end.name, end.size, end.head) for end in self.ends if end.size)
        self.tally.root, self.tally.head = over(self.tally.ends)
        self.totals: Counter[bytes] = Counter()
        self.faults: list[Fault] = []

    def through(self) -> None:
        """Go through all of them."""
        self.faults = list(self._foreign())
        if self.faults:
            return
        for end in self.ends:
            fault = self._chain(end, self._marks(end.name))
            self.faults += [fault] if fault is not None else []
        self.faults += self._lost_chains()
        if not self.faults and not self.chain_only:
            self.faults += self._total_faults()

    def _foreign(self) -> Iterator[Fault]:
        for each in self.checkpoints:
            if each.origin != self.tally.origin:
                message = f"checkpoint {each.name} is of `{each.origin}`, and this ledger is `{self.tally.origin}`"
                yield _fault(Harm.REWRITTEN, message)

    def _marks(self, name: bytes) -> list[_Mark]:
        """What checkpoints say of a chain, the shortest first."""
        found = [
            _Mark(end.size, end.head, each.name) for each in self.checkpoints for end in each.ends if end.name == name
        ]
        return sorted(found, key=lambda mark: mark.size)

    def _lost_chains(self) -> Iterator[Fault]:
        """Chains that a checkpoint names, and that are not there at all."""
        there = {end.name for end in self.ends}
        for each in self.checkpoints:
            for end in each.ends:
                if end.name not in there:
                    yield _rolled_back(_Mark(end.size, end.head, each.name), end.name, 0)

    def _total_faults(self) -> Iterator[Fault]:
        for end in self.ends:
            if (total := self.totals[end.name]) != end.total:
                message = f"`{as_text(end.name)}` has a total of {end.total}, and its rows give {total}"
                yield _fault(Harm.EDITED, message)

    def _chain(self, end: _End, marks: list[_Mark]) -> Fault | None:
        """The first thing in a chain that does not hold."""
        tree, head, place = Frontier(), b"", 0
        while rows := self._rows(end.name, place):
            for row in rows:
                place += 1
                fault = self._row(end, row, head, place)
                if fault is not None:
                    return fault
                head = row.head
                while marks and marks[0].size == place:
                    if (mark := marks.pop(0)).head != head:
                        return _rewritten(mark, end.name, row.id)
            tree.add_all([row.leaf for row in rows])
            self.tally.rows += len(rows)
            self.progress(self.tally.rows, self.tally.size)
        return _end_fault(end, place, head, tree) or (_rolled_back(marks[0], end.name, place) if marks else None)

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
        self.tally.unattested += row.taken_up
        return None if self.chain_only else self._booked(row)

    def _booked(self, row: _Stored) -> Fault | None:
        """Compare what was booked of a row with its line."""
        read = read_line(row.line)
        self.tally.skipped += read.kind is RowKind.SKIPPED
        if read.account is None or read.agents is None:
            if row.booked is None:
                return None
            return _fault(Harm.EDITED, "it is booked, and its line does not count", row.id)
        booked = as_bytes(read.account)
        self.totals[booked] += read.agents
        if (row.booked, row.total) == (booked, self.totals[booked]):
            return None
        return _fault(Harm.EDITED, f"it is not booked to `{read.account}` with its agents, as its line has it", row.id)


def _end_fault(end: _End, place: int, head: bytes, tree: Frontier) -> Fault | None:
    """Compare the last row of a chain with what is kept of the whole."""
    name = as_text(end.name)
    if place != end.size:
        harm = Harm.CUT_OFF if place < end.size else Harm.INSERTED
        return _fault(harm, f"the chain of `{name}` had {end.size} rows, and {place} are there")
    if (head, tree.stored()) != (end.head, end.frontier):
        return _fault(Harm.REWRITTEN, f"the chain of `{name}` does not end in the hashes that are kept of it")
    return None


def _rewritten(mark: _Mark, name: bytes, row: int) -> Fault:
    message = f"the first {mark.size:,} of the chain of `{as_text(name)}` are not what {mark.checkpoint} was made of"
    return _fault(Harm.REWRITTEN, message, row)


def _rolled_back(mark: _Mark, name: bytes, there: int) -> Fault:
    message = f"{mark.checkpoint} is of {mark.size:,} rows in the chain of `{as_text(name)}`, which has {there:,}"
    return _fault(Harm.ROLLED_BACK, f"checkpoint {message}")


def _fault(harm: Harm, message: str, row: int | None = None) -> Fault:
    return Fault(harm=harm, message=message, row=row)
