"""The book of a ledger in PostgreSQL: every question and every writing is a call of one of the schema's functions.

Texts go over as bytes, since PostgreSQL's own hold no NUL and no half of a surrogate pair, and those of requests may.
"""

from collections.abc import Iterable, Sequence
from typing import cast

from gatewright.ledger.book import IN_BOOK, Kept
from gatewright.ledger.clock import TimeBase
from gatewright.ledger.postgres_link import Link, Values
from gatewright.ledger.rows import Row
from gatewright.ledger.tickets import Ticket

REST = b"rest"  #: the chain of rows that have no tier


class PostgresBook:
    """The rows of one ledger, within one transaction."""

    def __init__(self, link: Link, opened: Values) -> None:
        self.link = link
        self.wall, time, self.size = cast("tuple[float, float, int]", opened)
        self.now = TimeBase(time=time)

    # -- counting --------------------------------------------------------------------------------------------------

    def accounts(self, start: str) -> list[str]:
        """The names of accounts that start with `tier:` or `model:`."""
        found = self.link.rows("SELECT gatewright.account_names(%s)", [as_bytes(start)])
        return [as_text(name) for (name,) in found]

    def used(self, names: Iterable[str], since: float) -> int:
        """The agents of rows booked to these accounts at `since` or later, in ledger time."""
        return _int(self.link.row("SELECT gatewright.used(%s, %s)", [_all(names), since]))

    def freed(self, names: Sequence[str], since: float, agents: int) -> float | None:
        """The ledger time of the row with which, oldest first from `since`, so many agents are reached."""
        (found,) = self.link.row("SELECT gatewright.freed(%s, %s, %s)", [_all(names), since, agents])
        return cast("float | None", found)

    def odd_times(self, names: Iterable[str], since: float) -> int:
        """How many of the rows counted since have a time in the future, or none that can be read."""
        return _int(self.link.row("SELECT gatewright.odd_times(%s, %s, %s)", [_all(names), since, self.wall]))

    # -- looking up ------------------------------------------------------------------------------------------------

    def allowed(self, contract_sha: str) -> int:
        """How many checks of a contract were allowed so far."""
        return _int(self.link.row("SELECT gatewright.allowed(%s)", [as_bytes(contract_sha)]))

    def of_request(self, request_id: str) -> int | None:
        """The id of the row that a request id has led to."""
        (found,) = self.link.row("SELECT gatewright.of_request(%s)", [as_bytes(request_id)])
        return cast("int | None", found)

    def of_job(self, job_id: str) -> int | None:
        """The id of the row by which a job was registered."""
        (found,) = self.link.row("SELECT gatewright.of_job(%s)", [as_bytes(job_id)])
        return cast("int | None", found)

    def kept(self, row: int) -> tuple[bytes | None, int, int, str | None]:
        """The line of a row; there is no file, and nothing that a line has no key for."""
        (line,) = self.link.row("SELECT gatewright.line(%s)", [row])
        return cast("bytes", line), 0, 0, None

    def pending(self, prefix: str, runtime: str | None) -> list[tuple[int, str, str, int]]:
        """Allowed checks that wait for a registration, of contracts whose hash starts so, newest first."""
        values = [as_bytes(prefix), as_bytes(prefix + "g"), None if runtime is None else as_bytes(runtime)]
        found = self.link.rows("SELECT id, contract, runtime, nth FROM gatewright.pending(%s, %s, %s)", values)
        rows = cast("list[tuple[int, bytes, bytes, int]]", found)
        return [(row, as_text(contract), as_text(started), nth) for row, contract, started, nth in rows]

    # -- writing ---------------------------------------------------------------------------------------------------

    def append(self, row: Row, kept: Kept = IN_BOOK) -> int:
        """Add a row, count it, and chain it; its id."""
        counted = row.account if row.agents is not None else None
        values = [
            *(row.ts, row.kind.value, as_bytes(row.decision), as_bytes(row.reason), row.agents),
            *(None if counted is None else as_bytes(counted), chain_of(row)),
            *(_bytes_or_none(row.contract_sha), as_bytes(row.runtime), row.allowed_check),
            *(_bytes_or_none(row.request_id), _bytes_or_none(row.job_id), kept.taken_up, row.line),
        ]
        return _int(self.link.row(_APPEND, values))

    # -- tickets ---------------------------------------------------------------------------------------------------

    def tickets(self) -> list[Ticket]:
        """All tickets that are kept in the book."""
        found = self.link.rows("SELECT runtime, contract, issued, count FROM gatewright.all_tickets()")
        rows = cast("list[tuple[bytes, bytes, float, int]]", found)
        return [
            Ticket(runtime=as_text(runtime), contract_sha=as_text(contract), issued_ts=issued, count=count)
            for runtime, contract, issued, count in rows
        ]

    def issue(self, ticket: Ticket) -> None:
        """Keep a ticket, in the place of an older one of the same contract and runtime."""
        self.link.rows("SELECT gatewright.issue(%s, %s, %s, %s)", [*_name(ticket), ticket.issued_ts, ticket.count])

    def consume(self, ticket: Ticket) -> bool:
        """Take a ticket away; whether it was there, which is so for one taker only."""
        (taken,) = self.link.row("SELECT gatewright.consume(%s, %s, %s)", [*_name(ticket), ticket.issued_ts])
        return bool(taken)


_APPEND = "SELECT gatewright.append(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"


def chain_of(row: Row) -> bytes:
    """The chain of evidence that a row belongs to: its tier's, or that of all rows without one."""
    return as_bytes(f"tier:{row.tier.casefold()}") if row.tier else REST


def as_bytes(text: str) -> bytes:
    """A text as it is kept; halves of surrogate pairs are kept as what they are."""
    return text.encode("utf-8", "surrogatepass")


def as_text(kept: object) -> str:
    """The text that was kept so."""
    assert isinstance(kept, bytes)
    return kept.decode("utf-8", "surrogatepass")


def _bytes_or_none(text: str | None) -> bytes | None:
    return None if text is None else as_bytes(text)


def _all(names: Iterable[str]) -> list[bytes]:
    return [as_bytes(name) for name in names]


def _name(ticket: Ticket) -> tuple[bytes, bytes]:
    return as_bytes(ticket.runtime), as_bytes(ticket.contract_sha)


def _int(row: Values) -> int:
    return cast("int", row[0])
