"""What going through a ledger brings to light: its size and hashes, and what was done to which of its rows."""

from enum import Enum

from msgspec import Struct

from gatewright.ledger.chain import ChainEnd


class Harm(Enum):
    """What was done to a row."""

    EDITED = "edited"
    DELETED = "deleted"
    INSERTED = "inserted"
    MOVED = "moved"
    CUT_OFF = "cut off"
    ROLLED_BACK = "rolled back"
    REWRITTEN = "rewritten"  #: together with its evidence, so that only a checkpoint tells
    DAMAGED = "damaged"  #: the file itself is broken


class Fault(Struct, frozen=True, kw_only=True):
    """Something that does not hold."""

    harm: Harm
    message: str
    row: int | None = None  #: the first row that it is about
    line: int | None = None  #: its line in the file, where rows are kept in one


class Tally(Struct, kw_only=True):
    """What was gone through."""

    size: int = 0  #: rows ever written, as the ledger says
    rows: int = 0  #: rows that are there
    unattested: int = 0  #: rows among them that something else has written
    skipped: int = 0  #: lines among them that are no rows
    waiting: int = 0  #: lines that the file has beyond what its proof covers
    sealed: int = 0  #: rows that were taken out into archives
    head: bytes = b""
    root: bytes = b""
    origin: str = ""
    ends: tuple[ChainEnd, ...] = ()  #: of its chains, where there are several


class Audit(Struct, frozen=True, kw_only=True):
    """What going through a ledger has found."""

    tally: Tally
    faults: tuple[Fault, ...] = ()
    checkpoints: tuple[str, ...] = ()  #: the checkpoints that it agrees with

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not self.faults
