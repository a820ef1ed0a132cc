"""Which ledger a name means: a SQLite file, a file of JSON lines, or a PostgreSQL database."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from gatewright.ledger.clock import Clock, SystemClock
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.protocol import Entry, Ledger, Look, Pending, Plain, Usage
from gatewright.ledger.tickets import Ticket
from gatewright.model import TicketPath, TierTable

_SQLITE, _POSTGRES = "sqlite:///", ("postgresql://", "postgres://")


def open_ledger(name: str, tickets: str, *, clock: Clock | None = None, older: bool = False) -> Ledger:
    """The ledger of a name; nothing is opened or made yet.

    name: `postgresql://…`, `sqlite:///PATH`, a path that ends in `.jsonl`, or another path, which is SQLite's.
    tickets: the folder of ticket files, for a ledger of JSON lines.
    older: whether every path is one of JSON lines, as the older tool knows no other.

    Raises LedgerError for a name that is none.
    """
    if name.startswith(_POSTGRES):
        from gatewright.ledger.postgres import PostgresLedger

        return PostgresLedger(name)
    if name.startswith(_SQLITE):
        return _sqlite(name.removeprefix(_SQLITE), clock)
    if "://" in name:
        hint = "name a path, sqlite:///PATH or postgresql://…"
        raise LedgerError(name, "there is no ledger of this kind", hint)
    if not name:
        raise LedgerError(name, "the ledger has no name", "name a path, or leave --ledger out")
    if older or name.endswith(".jsonl"):
        from gatewright.ledger.jsonl import JsonLinesLedger

        return JsonLinesLedger(name, tickets, clock)
    return _sqlite(name, clock)


def _sqlite(path: str, clock: Clock | None) -> Ledger:
    if not path:
        raise LedgerError("sqlite:///", "the path is missing", "write sqlite:///PATH")
    from gatewright.ledger.sqlite import SqliteLedger

    return SqliteLedger(path, clock)


def tasks_path(name: str, other: str) -> str:
    """Where the tasks of this machine are kept: in a SQLite ledger itself, beside JSON lines, else at another place."""
    if name.startswith(_SQLITE):
        return name.removeprefix(_SQLITE)
    if "://" in name:
        return other
    return f"{name}.tasks" if name.endswith(".jsonl") else name


class NoLedger:
    """The ledger that is not there: empty to look at. It spares a dry run from loading a database."""

    def __init__(self, name: str = "") -> None:
        self.name = name

    @contextmanager
    def reading(self) -> Iterator[Look]:
        """An empty ledger."""
        yield Nothing()

    def rows(self, _since: float | None = None, _until: float | None = None) -> Iterator[Entry]:
        """There are none."""
        return iter(())

    def writing(self) -> NoReturn:
        """There is nothing to write to."""
        raise LedgerError(self.name, "there is no ledger")


class Nothing:
    """What an empty ledger looks like."""

    def __init__(self) -> None:
        self.time = self.wall = self.ticket_time = SystemClock().wall()

    def usage(self, _tier: str, _table: TierTable, _agents: int) -> Usage:
        """Nothing was used."""
        return Usage()

    def attempts(self, _contract_sha: str) -> int:
        """No check was made."""
        return 0

    def of_request(self, _request_id: str) -> Plain | None:
        """No request was made."""
        return None

    def of_job(self, _job_id: str) -> Plain | None:
        """No job was registered."""
        return None

    def tickets(self) -> list[Ticket]:
        """There are no tickets."""
        return []

    def ticket_place(self, _runtime: str, _contract_sha: str) -> TicketPath:
        """A ticket would be a row."""
        return TicketPath(inside=True)

    def pending(self, _prefix: str, _runtime: str | None) -> list[Pending]:
        """Nothing waits."""
        return []


def is_missing(name: str) -> bool:
    """Whether a path leads to nothing at all, so that looking needs no database."""
    path = name.removeprefix(_SQLITE)
    return "://" not in path and not os.path.lexists(path)
