"""Tasks, dispatches and events of the orchestrators that keep none of their own, in the ledger's database.

The text of a task is not among them: a ledger holds no instructions, only their digest.
"""

import os
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from msgspec import Struct

from gatewright.digests import sha256
from gatewright.ledger import locks, places, schema
from gatewright.ledger.sqlite import connected, prepared, told, transaction, unchanged

_TABLES = (
    """CREATE TABLE IF NOT EXISTS tasks (
    id TEXT PRIMARY KEY,
    orchestrator TEXT NOT NULL,
    spec TEXT NOT NULL,        -- SHA-256 of the task's text
    at REAL NOT NULL
) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS dispatches (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    task TEXT NOT NULL REFERENCES tasks (id),
    terminal TEXT NOT NULL,
    status TEXT NOT NULL,      -- pending, dispatched, completed or failed
    failure TEXT NOT NULL DEFAULT '',
    at REAL NOT NULL
)""",
    """CREATE TABLE IF NOT EXISTS events (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    dispatch TEXT NOT NULL REFERENCES dispatches (id),
    outcome TEXT NOT NULL,
    text TEXT NOT NULL,
    delivery TEXT NOT NULL DEFAULT '',     -- the batch that it was last handed out with
    acknowledged INTEGER NOT NULL DEFAULT 0,
    UNIQUE (dispatch, type)
)""",
    """CREATE TABLE IF NOT EXISTS handled (
    orchestrator TEXT NOT NULL,
    event TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (orchestrator, event)
) WITHOUT ROWID""",
)
_DISPATCHES = "SELECT d.id, task, terminal, status, failure FROM dispatches d JOIN tasks t ON t.id = task"
_EVENTS = (
    "SELECT e.delivery, e.id, e.type, d.task, e.dispatch, e.outcome, e.text FROM events e "
    "JOIN dispatches d ON d.id = e.dispatch JOIN tasks t ON t.id = d.task"
)
_BATCH = 50
_RECENT = 500  #: dispatches that are ever listed at once


class DispatchRow(Struct, frozen=True, kw_only=True):
    """A dispatch as it is kept."""

    id: str
    task: str
    terminal: str
    status: str
    failure: str = ""


class EventRow(Struct, frozen=True, kw_only=True):
    """An event as it is kept."""

    id: str
    type: str
    task: str
    dispatch: str
    outcome: str
    text: str


class TaskBook:
    """Tasks, dispatches and events at a path. Every method raises LedgerError when the database cannot be used."""

    def __init__(self, path: str) -> None:
        self.path = path

    def add_task(self, orchestrator: str, spec: str, at: float) -> str:
        """Keep a task; its new id."""
        task = f"task_{secrets.token_hex(6)}"
        digest = sha256(spec.encode("utf-8", "surrogatepass"))
        with self._writing() as connection:
            connection.execute("INSERT INTO tasks VALUES (?, ?, ?, ?)", (task, orchestrator, digest, at))
        return task

    def add_dispatch(self, task: str, terminal: str, at: float) -> str:
        """Keep that a task is about to be typed into a terminal; the id of the new, pending dispatch."""
        dispatch = f"ctx_{secrets.token_hex(6)}"
        row = (dispatch, task, terminal, "pending", at)
        with self._writing() as connection:
            connection.execute("INSERT INTO dispatches (id, task, terminal, status, at) VALUES (?, ?, ?, ?, ?)", row)
        return dispatch

    def mark(self, dispatch: str, status: str, failure: str = "") -> None:
        """Say where a dispatch is now."""
        with self._writing() as connection:
            connection.execute(
                "UPDATE dispatches SET status = ?, failure = ? WHERE id = ?", (status, failure, dispatch)
            )

    def dispatch_of(self, orchestrator: str, task: str) -> DispatchRow | None:
        """The newest dispatch of a task."""
        found = self._dispatches("t.id = ? AND t.orchestrator = ? ORDER BY number DESC LIMIT 1", (task, orchestrator))
        return found[0] if found else None

    def active(self, orchestrator: str) -> Sequence[DispatchRow]:
        """The dispatches of an orchestrator that have not ended."""
        return self._dispatches("t.orchestrator = ? AND status IN ('pending', 'dispatched')", (orchestrator,))

    def recent(self, orchestrator: str) -> Sequence[DispatchRow]:
        """The newest dispatches of an orchestrator, whatever became of them, the newest first."""
        return self._dispatches(f"t.orchestrator = ? ORDER BY number DESC LIMIT {_RECENT}", (orchestrator,))

    def end(self, dispatch: str, *, succeeded: bool, text: str) -> None:
        """Keep that a dispatch has ended, once; what is told of it later changes nothing."""
        event = f"msg_{secrets.token_hex(6)}"
        outcome = "succeeded" if succeeded else "failed"
        with self._writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO events (id, type, dispatch, outcome, text) VALUES (?, 'worker_done', ?, ?, ?)",
                (event, dispatch, outcome, text),
            )
            connection.execute(
                "UPDATE dispatches SET status = ?, failure = ? WHERE id = ? AND status IN ('pending', 'dispatched')",
                ("completed" if succeeded else "failed", "" if succeeded else text, dispatch),
            )

    def batch(self, orchestrator: str, acknowledge: str = "") -> tuple[str, Sequence[EventRow], bool]:
        """The delivery, its events, and whether they were handed out before.

        acknowledge: the delivery whose events have been handled; an unknown one acknowledges nothing.

        Who waits asks again and again, so that nothing is written, and no check kept waiting, while there is nothing.
        """
        if not acknowledge and not self._has_events(orchestrator):
            return "", [], False
        with self._writing() as connection:
            if acknowledge:
                connection.execute("UPDATE events SET acknowledged = 1 WHERE delivery = ?", (acknowledge,))
            waiting = _events(connection, orchestrator, "e.delivery <> ''")
            if waiting:
                return waiting[0][0], [event for _, event in waiting], True
            found = [event for _, event in _events(connection, orchestrator, "e.delivery = ''")]
            delivery = f"delivery_{secrets.token_hex(6)}" if found else ""
            connection.executemany(
                "UPDATE events SET delivery = ? WHERE id = ?", [(delivery, event.id) for event in found]
            )
            return delivery, found, False

    @contextmanager
    def handling(self, wait: float) -> Iterator[None]:
        """Be the only one who handles events, for as long as that takes; it ends with the process however that ends."""
        places.made_folder(self.path)
        with locks.locked(os.path.splitext(self.path)[0] + ".events.lock", wait=wait):
            yield

    def handled(self, orchestrator: str, events: Sequence[str]) -> frozenset[str]:
        """Which of some events have been handled, in whichever process."""
        with self._writing() as connection:
            query = "SELECT 1 FROM handled WHERE orchestrator = ? AND event = ?"
            found = (each for each in events if connection.execute(query, (orchestrator, each)).fetchone())
            return frozenset(found)

    def keep_handled(self, orchestrator: str, event: str, at: float) -> None:
        """Keep that an event has been handled."""
        with self._writing() as connection:
            connection.execute("INSERT OR IGNORE INTO handled VALUES (?, ?, ?)", (orchestrator, event, at))

    def _has_events(self, orchestrator: str) -> bool:
        with self._reading() as connection:
            return connection is not None and bool(_events(connection, orchestrator, "1 = 1"))

    def _dispatches(self, condition: str, values: tuple[str, ...]) -> Sequence[DispatchRow]:
        with self._reading() as connection:
            if connection is None:
                return []
            rows = connection.execute(f"{_DISPATCHES} WHERE {condition}", values).fetchall()
        keys = DispatchRow.__struct_fields__
        return [DispatchRow(**dict(zip(keys, row, strict=True))) for row in rows]

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        places.made_folder(self.path)
        places.is_there(self.path)
        with locks.locked(self._lock), told(self.path):
            places.made_file(self.path)
            connection = connected(self.path)
            try:
                prepared(connection, self.path)
                with transaction(connection):
                    for table in _TABLES:
                        connection.execute(table)
                    yield connection
            finally:
                connection.close()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        if not places.is_there(self.path):
            yield None
            return
        with locks.shared(self._lock), told(self.path), unchanged(self.path) as connection:
            if not schema.is_empty(connection):
                schema.check(connection, self.path)
            found = connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'dispatches'").fetchone()[0]
            yield connection if found else None

    @property
    def _lock(self) -> str:
        return os.path.splitext(self.path)[0] + ".lock"


def _events(connection: sqlite3.Connection, orchestrator: str, condition: str) -> list[tuple[str, EventRow]]:
    order = f"AND NOT e.acknowledged AND {condition} ORDER BY e.number LIMIT {_BATCH}"
    rows = connection.execute(f"{_EVENTS} WHERE t.orchestrator = ? {order}", (orchestrator,))
    keys = EventRow.__struct_fields__
    return [(delivery, EventRow(**dict(zip(keys, row, strict=True)))) for delivery, *row in rows]
