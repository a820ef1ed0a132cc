"""Going through a ledger: lines against leaves, leaves against the chain and the tree, and those against what is known.

One pass from the first row to the last, in constant memory. Where the pass stops, `diagnosis` finds out what was done;
where it does not, `deriving` compares what was booked with what the lines give.
"""

import os
import sqlite3
import struct
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

from gatewright.ledger import archives, deriving, diagnosis
from gatewright.ledger.chain import Frontier, stamp_of
from gatewright.ledger.checkpoints import Checkpoint
from gatewright.ledger.diagnosis import ENTRIES, Position, Raw
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.faults import Audit, Fault, Harm, Tally
from gatewright.ledger.sources import Source, state_of

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
        return _audit(_Walk(source, checkpoints, progress, archive), chain_only=chain_only)
    except sqlite3.Error as error:
        fault = Fault(harm=Harm.DAMAGED, message=f"SQLite cannot read the database: {error}")
        return Audit(tally=Tally(), faults=(fault,))


def _audit(walk: "_Walk", *, chain_only: bool) -> Audit:
    source = walk.source
    damage = [] if chain_only else _damage(source.connection)
    if damage:
        return Audit(tally=Tally(), faults=tuple(damage))
    faults = walk.faults()
    if not faults and not chain_only:
        faults = list(deriving.faults(source, walk.progress))
    counts = "SELECT count(*) FROM rows WHERE taken_up = 1", "SELECT count(*) FROM rows WHERE kind = 'skipped'"
    walk.tally.unattested, walk.tally.skipped = (source.connection.execute(query).fetchone()[0] for query in counts)
    return Audit(tally=walk.tally, faults=tuple(faults), checkpoints=tuple(walk.agreed))


def _damage(connection: sqlite3.Connection) -> list[Fault]:
    said = [row[0] for row in connection.execute("PRAGMA integrity_check(5)")]
    return [Fault(harm=Harm.DAMAGED, message=f"SQLite says of the database: {text}") for text in said if text != "ok"]


class _Walk:
    """One pass over the rows."""

    def __init__(
        self, source: Source, checkpoints: Sequence[Checkpoint], progress: Progress, archive: str | None
    ) -> None:
        self.source, self.progress, self.archive = source, progress, archive
        self.state = state_of(source.connection)
        self.waiting = sorted(checkpoints, key=lambda each: each.size)
        self.agreed: list[str] = []
        self.position = Position(row=0, head=b"", end=0)
        self.frontier = Frontier()
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
        self.tally.head, self.tally.root = self.position.head, self.frontier.root()
        found = self._end() or self._unmet()
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
                self.frontier = Frontier(seal.last, seal.frontier)
                early = [each.name for each in self.waiting if each.size < seal.last]
                if early:
                    problem = f"checkpoint {early[0]} is of rows that were taken out"
                    raise LedgerError(self.source.path, problem, "give their folder with --archive")
            elif (fault := self._archived(seal, os.path.join(self.archive, seal.archive))) is not None:
                return fault
        self.tally.rows = 0
        return None

    def _archived(self, seal: archives.Seal, path: str) -> Fault | None:
        """Go through one archive. It was read whole once, so that anything but its very bytes is a fault."""
        if archives.digest_of(path) != seal.digest:
            message = f"the archive {path} is not the one that the rows were taken out into"
            return Fault(harm=Harm.EDITED, message=message, row=self.position.row + 1)
        for each in archives.read(path):
            raw = (each.id, each.line, 0, 0, None, each.at, each.taken_up, each.leaf, each.head)
            if (fault := self._gone_through([raw])) is not None:
                return fault
        if (self.position.row, self.position.head, self.frontier.stored()) != seal[:1] + seal[2:4]:
            message = f"the archive {path} does not lead to where the ledger goes on"
            return Fault(harm=Harm.REWRITTEN, message=message, row=self.position.row)
        return None

    def _batches(self) -> Iterator[Sequence[Raw]]:
        """The rows, in parts that end where a checkpoint wants to be asked."""
        cursor = self.source.connection.execute(ENTRIES)
        while batch := cursor.fetchmany(self._wanted()):
            yield batch

    def _wanted(self) -> int:
        sizes = (each.size - self.frontier.size for each in self.waiting)
        return min(BATCH, next((left for left in sizes if left > 0), BATCH))

    def _gone_through(self, batch: Sequence[Raw]) -> Fault | None:
        held = _holding(self.source, batch, self.position)
        if held is None:
            position = self.position
            for raw in batch:
                after = _holding(self.source, [raw], position)
                if after is None:
                    self.tally.rows = position.row
                    return diagnosis.fault(self.source, raw, position, self.state.size)
                position = after
            raise AssertionError("what holds row by row holds together")
        self.position = held
        self.tally.rows += len(batch)
        self.frontier.add_all([entry[-2] for entry in batch])
        return self._met()

    def _met(self) -> Fault | None:
        """Compare with the checkpoints of this size; the first that the ledger does not agree with."""
        while self.waiting and self.waiting[0].size == self.frontier.size:
            checkpoint = self.waiting.pop(0)
            if checkpoint.root != self.frontier.root() or checkpoint.head not in (None, self.position.head):
                since = f"rows 1 to {checkpoint.size}" if not self.agreed else f"a row up to {checkpoint.size}"
                known = f", and behind what {self.agreed[-1]} holds" if self.agreed else ""
                message = f"{since}{known} are not what checkpoint {checkpoint.name} was made of"
                return Fault(harm=Harm.REWRITTEN, message=message, row=self.frontier.size or None)
            self.agreed.append(checkpoint.name)
        return None

    def _unmet(self) -> Fault | None:
        """A checkpoint of more rows than there are: the ledger has shrunk."""
        if not self.waiting:
            return None
        checkpoint, size = self.waiting[0], self.frontier.size
        message = f"checkpoint {checkpoint.name} is of {checkpoint.size:,} rows, and the ledger has {size:,}"
        return Fault(harm=Harm.ROLLED_BACK, message=message, row=size + 1)

    def _end(self) -> Fault | None:
        """Compare the last row with what the ledger says of the whole."""
        return diagnosis.end_fault(self.source, self.position, self.frontier, self.tally)


def _holding(source: Source, batch: Sequence[Raw], position: Position) -> Position | None:
    """The position after rows that hold; None if one of them does not."""
    row, before, end, file = position.row, position.head, position.end, source.file
    try:
        for number, line, start, length, more, at, taken_up, leaf, head in batch:
            row += 1
            data = line
            if file is not None:
                data, end = file.row(line, start, length, end), start + length
            if more is not None:
                data += b"\n" + more.encode()
            if number != row or sha256(b"\x00" + data).digest() != leaf:
                return None
            before = sha256(b"\x01" + before + leaf + stamp_of(at, taken_up)).digest()
            if before != head:
                return None
    except (TypeError, ValueError, struct.error):
        return None  # a value of another kind than the table's
    return Position(row=row, head=before, end=end)
