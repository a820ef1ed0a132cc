"""What a book is to those who open it, whatever kind of database its pages are in."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from gatewright.ledger.book import IN_BOOK, Kept
from gatewright.ledger.clock import TimeBase
from gatewright.ledger.rows import Row
from gatewright.ledger.tickets import Ticket


class Pages(Protocol):
    """The rows of one ledger, open within one transaction."""

    now: TimeBase
    wall: float

    @property
    def size(self) -> int:
        """How many lines there have been."""

    def accounts(self, start: str) -> list[str]:
        """The names of accounts that start with `tier:` or `model:`."""

    def used(self, names: Iterable[str], since: float) -> int:
        """The agents of rows booked to these accounts at `since` or later, in ledger time."""

    def freed(self, names: Sequence[str], since: float, agents: int) -> float | None:
        """The ledger time of the row with which, oldest first from `since`, so many agents are reached."""

    def odd_times(self, names: Iterable[str], since: float) -> int:
        """How many of the rows counted since have a time in the future, or none that can be read."""

    def allowed(self, contract_sha: str) -> int:
        """How many checks of a contract were allowed so far."""

    def of_request(self, request_id: str) -> int | None:
        """The id of the row that a request id has led to."""

    def of_job(self, job_id: str) -> int | None:
        """The id of the row by which a job was registered."""

    def kept(self, row: int) -> tuple[bytes | None, int, int, str | None]:
        """The line of a row, or its place and length in the file; and what the line has no key for."""

    def pending(self, prefix: str, runtime: str | None) -> list[tuple[int, str, str, int]]:
        """Allowed checks that wait for a registration, of contracts whose hash starts so, newest first."""

    def append(self, row: Row, kept: Kept = IN_BOOK) -> int:
        """Add a row, count it, and chain it; its id."""

    def tickets(self) -> list[Ticket]:
        """All tickets that are kept in the book."""

    def issue(self, ticket: Ticket) -> None:
        """Keep a ticket, in the place of an older one of the same contract and runtime."""

    def consume(self, ticket: Ticket) -> bool:
        """Take a ticket away; whether it was there, which is so for one taker only."""
