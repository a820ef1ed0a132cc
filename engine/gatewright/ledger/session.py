"""A look at a book, and an atomic step on one, whatever its lines and tickets are kept in."""

import json
from collections.abc import Iterable
from typing import Protocol

from gatewright.ledger.book import Kept
from gatewright.ledger.pages import Pages
from gatewright.ledger.protocol import Pending, Plain, Usage
from gatewright.ledger.rows import line_of, read_line, row_of
from gatewright.ledger.tickets import Ticket
from gatewright.model import TicketPath, TierTable
from gatewright.model.tiers import UNKNOWN


class Desk(Protocol):
    """Where lines and tickets are kept."""

    def keep(self, line: bytes, /) -> int | None:
        """Keep a line for good; where it starts in its file, or None where the book itself is to keep it."""

    def line(self, start: int, length: int, /) -> bytes:
        """A line that is kept in a file."""

    def ticket_time(self) -> float:
        """The clock that tickets grow old by."""

    def ticket_place(self, runtime: str, contract_sha: str, /) -> TicketPath:
        """Where a ticket is or would be kept."""

    def tickets(self) -> list[Ticket]:
        """All valid tickets."""

    def issue(self, ticket: Ticket, /) -> None:
        """Keep a ticket."""

    def consume(self, ticket: Ticket, /) -> bool:
        """Take a ticket away; whether it was there."""


class BookDesk:
    """Keeps lines and tickets in the book itself."""

    def __init__(self, book: Pages) -> None:
        self.tickets, self.issue, self.consume = book.tickets, book.issue, book.consume
        self.book = book

    def keep(self, _line: bytes) -> int | None:
        """The book keeps it."""
        return None

    def line(self, _start: int, _length: int) -> bytes:
        """There is no file."""
        raise AssertionError("lines are kept in the book")

    def ticket_time(self) -> float:
        """Ledger time."""
        return self.book.now.time

    def ticket_place(self, _runtime: str, _contract_sha: str) -> TicketPath:
        """A ticket is a row, and no name can lead it elsewhere."""
        return TicketPath(inside=True)


class BookSession:
    """A step on a book."""

    def __init__(self, book: Pages, desk: Desk) -> None:
        self.book, self.desk = book, desk

    @property
    def time(self) -> float:
        """Ledger time."""
        return self.book.now.time

    @property
    def wall(self) -> float:
        """The wall clock."""
        return self.book.wall

    @property
    def ticket_time(self) -> float:
        """The clock that tickets grow old by."""
        return self.desk.ticket_time()

    # -- counting --------------------------------------------------------------------------------------------------

    def usage(self, tier: str, table: TierTable, agents: int) -> Usage:
        """What a tier has used up within the window of a table, and when there is room for `agents` more."""
        names = list(accounts_of(tier, table, self.book.accounts("model:")))
        since = self.time - table.window_seconds
        used = self.book.used(names, since)
        cap = table.caps.get(tier)
        frees_at = None
        if cap is not None and agents <= cap < used + agents:
            left = self.book.freed(names, since, used + agents - cap)
            # Told by the wall clock, which is what people wait by.
            frees_at = None if left is None else left + table.window_seconds - self.time + self.wall
        return Usage(agents=used, frees_at=frees_at, odd_times=self.book.odd_times(names, since))

    # -- looking up ------------------------------------------------------------------------------------------------

    def attempts(self, contract_sha: str) -> int:
        """How many checks of a contract were allowed so far."""
        return self.book.allowed(contract_sha)

    def of_request(self, request_id: str) -> Plain | None:
        """The row that a request id has led to."""
        return self._data(self.book.of_request(request_id))

    def of_job(self, job_id: str) -> Plain | None:
        """The row by which a job was registered."""
        return self._data(self.book.of_job(job_id))

    def _data(self, row: int | None) -> Plain | None:
        if row is None:
            return None
        line, start, length, more = self.book.kept(row)
        found = dict(read_line(self.desk.line(start, length) if line is None else line).data)
        if more is not None:
            found |= json.loads(more)
        return found

    def tickets(self) -> list[Ticket]:
        """All valid tickets, expired ones included."""
        return self.desk.tickets()

    def ticket_place(self, runtime: str, contract_sha: str) -> TicketPath:
        """Where the ticket of a contract and runtime is or would be kept."""
        return self.desk.ticket_place(runtime, contract_sha)

    def pending(self, prefix: str, runtime: str | None) -> list[Pending]:
        """Allowed checks that wait for a registration, of contracts whose hash starts so, newest first."""
        return [
            Pending(contract_sha=each[1], runtime=each[2], attempt=each[3], data=self._data(each[0]) or {})
            for each in self.book.pending(prefix, runtime)
        ]

    # -- writing ---------------------------------------------------------------------------------------------------

    def append(self, data: Plain, more: Plain) -> None:
        """Add a row. more: what the older tool's rows have no key for."""
        start = self.desk.keep(line_of(data).encode())
        if start is None:
            self.book.append(row_of({**data, **more}))
        else:
            self.book.append(row_of(data), Kept(start=start, more=line_of(more) if more else None))

    def issue(self, ticket: Ticket) -> None:
        """Keep a ticket, in the place of an older one of the same contract and runtime."""
        self.desk.issue(ticket)

    def consume(self, ticket: Ticket) -> bool:
        """Take a ticket away; whether it was there, which is so for one taker only."""
        return self.desk.consume(ticket)

    def sweep(self) -> None:
        """Forget tickets that are past their time to live and the grace after it."""
        for ticket in self.desk.tickets():
            if ticket.forgotten(self.ticket_time):
                self.desk.consume(ticket)


def accounts_of(tier: str, table: TierTable, by_model: Iterable[str]) -> Iterable[str]:
    """The accounts that count for a tier under a table: its own, and those of models that are in it.

    Rows without a tier are booked by model, and rows without either by no name at all, which is in no tier.
    """
    yield f"tier:{tier.casefold()}"
    for name in by_model:
        model = name.removeprefix("model:")
        if (table.match(model).tier if model else UNKNOWN) == tier:
            yield name
