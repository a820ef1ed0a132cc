"""What a ledger is to the flows: one atomic step to ask and write in, and a look that changes nothing."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from msgspec import Struct

from gatewright.ledger.rows import Row
from gatewright.ledger.tickets import Ticket
from gatewright.model import TicketPath, TierTable

Plain = Mapping[str, object]


class Usage(Struct, frozen=True, kw_only=True):
    """What allowed checks of a tier have used up within its window."""

    agents: int = 0
    frees_at: float | None = None  #: from which moment what is asked for fits; None where it fits now, or never will
    odd_times: int = 0  #: rows among them with a time in the future, or none that can be read


class Pending(Struct, frozen=True, kw_only=True):
    """An allowed check that no registration has been matched with."""

    contract_sha: str
    runtime: str
    attempt: int  #: it was the nth allowed check of its contract
    data: Plain  #: the row itself


class Entry(Struct, frozen=True, kw_only=True):
    """A row as it is read back from a ledger."""

    id: int  #: its number, from 1; of a file of JSON lines, lines that hold nothing but blanks are not counted
    row: Row  #: what it says; its `data` holds what the older tool's rows have no key for as well
    taken_up: bool = False  #: whether something else has written it
    start: int | None = None  #: the first byte of its line, where it is kept in a file
    at: float | None = None  #: ledger time at which it counts; None where nobody has kept it


class Look(Protocol):
    """A ledger as it stands at one moment."""

    @property
    def time(self) -> float:
        """Ledger time, in seconds since the epoch; it never goes back."""

    @property
    def wall(self) -> float:
        """The wall clock, in seconds since the epoch: what rows and ticket files carry."""

    @property
    def ticket_time(self) -> float:
        """The clock that tickets grow old by."""

    def usage(self, tier: str, table: TierTable, agents: int) -> Usage:
        """What a tier has used up within the window of a table, and when there is room for `agents` more."""

    def attempts(self, contract_sha: str) -> int:
        """How many checks of a contract were allowed so far."""

    def of_request(self, request_id: str) -> Plain | None:
        """The row that a request id has led to."""

    def of_job(self, job_id: str) -> Plain | None:
        """The row by which a job was registered."""

    def tickets(self) -> list[Ticket]:
        """All valid tickets, expired ones included."""

    def ticket_place(self, runtime: str, contract_sha: str) -> TicketPath:
        """Where the ticket of a contract and runtime is or would be kept."""

    def pending(self, prefix: str, runtime: str | None) -> list[Pending]:
        """Allowed checks that wait for a registration, of contracts whose hash starts so, newest first."""


class Session(Look, Protocol):
    """One atomic step: what is done in it is there as a whole, or not at all."""

    def append(self, data: Plain, more: Plain) -> None:
        """Add a row. more: what the older tool's rows have no key for."""

    def issue(self, ticket: Ticket) -> None:
        """Keep a ticket, in the place of an older one of the same contract and runtime."""

    def consume(self, ticket: Ticket) -> bool:
        """Take a ticket away; whether it was there, which is so for one taker only."""

    def sweep(self) -> None:
        """Forget tickets that are past their time to live and the grace after it."""


class Ledger(Protocol):
    """A place where decisions are recorded. Everything it does raises LedgerError where it cannot be done."""

    name: str  #: as it was given, without passwords

    def reading(self) -> AbstractContextManager[Look]:
        """A look at the ledger that leaves every byte as it was; a ledger that is not there is an empty one."""

    def rows(self, since: float | None = None, until: float | None = None) -> Iterator[Entry]:
        """The rows whose own time is `since` or later and before `until`, in the order in which they were written.

        Rows without a time that can be read, and lines that are no rows, are in no span and always there. Rows that are
        written meanwhile are left out, and whoever writes them does not wait for whoever reads.
        """

    def writing(self) -> AbstractContextManager[Session]:
        """One atomic step, which ends in a commit that outlives a loss of power, or in an error and no trace."""


class Draft(Struct, frozen=True, kw_only=True):
    """The row of a check as it will be if it is the one that fits."""

    allow: bool
    reason: str
    parts: tuple[bytes, ...]  #: its line around what is not known yet: its number where it is allowed, and its time


class Question(Struct, frozen=True, kw_only=True):
    """A check on which nothing has a bearing but whether the tier's window has room for its agents."""

    tier: str
    table: TierTable
    agents: int
    contract_sha: str
    runtime: str
    request_id: str | None
    room: Draft  #: if there is
    full: Draft  #: if there is not


class Counted(Struct, frozen=True, kw_only=True):
    """What a check was decided by, once it is recorded."""

    usage: Usage
    wall: float  #: the time in its row
    full: bool  #: whether there was no room


@runtime_checkable
class AtOnce(Protocol):
    """A ledger that can count, pick and record by itself, so that nobody waits while a program far away decides."""

    def check_at_once(self, question: Question) -> Counted | None:
        """Record the draft that fits, with its ticket; None, with nothing done, where that takes a step as usual."""
