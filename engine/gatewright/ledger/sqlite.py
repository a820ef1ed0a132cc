"""The ledger in one SQLite file: the embedded default.

Every commit is synced before it is answered (WAL, `synchronous=FULL`). All of opening, writing, checkpointing and
closing happens under our own exclusive lock: SQLite's own waiting is unfair under load, and a fault of its versions up
to 3.51.2 can lose rows when two connections checkpoint at once, which no two of ours ever do.
"""

import os
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext

from gatewright.ledger import locks, places, schema
from gatewright.ledger.book import Book
from gatewright.ledger.clock import Clock, SystemClock
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.history import Slices, Span
from gatewright.ledger.protocol import Entry, Look, Session
from gatewright.ledger.session import BookDesk, BookSession

_BUSY_SECONDS = 30.0


class SqliteLedger:
    """A ledger in a SQLite file at a path."""

    def __init__(self, path: str, clock: Clock | None = None) -> None:
        self.name = self.path = path
        self.clock = clock or SystemClock()

    @property
    def lock_path(self) -> str:
        """The file whose lock admits one process at a time: `ledger.lock` beside `ledger.db`."""
        return os.path.splitext(os.path.realpath(self.path))[0] + ".lock"

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One atomic step, which ends in a commit that outlives a loss of power, or in an error and no trace."""
        places.made_folder(self.path)
        places.refuse_network(self.path)
        places.is_there(self.path)
        with locks.locked(self.lock_path), told(self.path):
            places.made_ledger(self.path)
            connection = connected(self.path)
            try:
                prepared(connection, self.path)
                with transaction(connection):
                    book = Book(connection, self.clock)
                    yield BookSession(book, BookDesk(book))
                    book.save()
            finally:
                connection.close()

    @contextmanager
    def reading(self) -> Iterator[Look]:
        """A look at the ledger that leaves every byte as it was; a ledger that is not there is an empty one."""
        if not places.is_there(self.path):
            with empty_book(self.clock) as book:
                yield BookSession(book, BookDesk(book))
            return
        with self._locked() as connection, opened(connection, self.path, self.clock) as book:
            yield BookSession(book, BookDesk(book))

    def rows(self, since: float | None = None, until: float | None = None) -> Iterator[Entry]:
        """The rows of a span of time, in order; the lock is held for a slice of them at a time."""
        if not places.is_there(self.path):
            return
        slices = Slices(Span(since, until), self.path)
        with self._copy_after_a_crash() as copy:
            while not slices.ended:
                with (
                    nullcontext(copy) if copy is not None else self._locked() as connection,
                    opened(connection, self.path, self.clock) as book,
                ):
                    kept = slices.read(book)
                yield from (each.entry(each.line) for each in kept)

    @contextmanager
    def _locked(self) -> Iterator[sqlite3.Connection]:
        with locks.shared(self.lock_path), told(self.path), unchanged(self.path) as connection:
            yield connection

    @contextmanager
    def _copy_after_a_crash(self) -> Iterator[sqlite3.Connection | None]:
        """Where a crash has left a log, one copy for all slices, which needs no lock; else None."""
        with ExitStack() as copies:
            with locks.shared(self.lock_path), told(self.path):
                copy = copies.enter_context(copied(self.path)) if left_beside(self.path) else None
            yield copy


def connected(path: str) -> sqlite3.Connection:
    """A connection whose transactions are begun and ended by hand. Raises sqlite3.Error."""
    return sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def prepared(connection: sqlite3.Connection, path: str) -> None:
    """Have each commit synced, and make an empty database a ledger. Raises LedgerError and sqlite3.Error."""
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    # Where there is no WAL, only EXTRA syncs the folder too, without which the last commit may be lost with the power.
    connection.execute(f"PRAGMA synchronous = {'FULL' if mode == 'wal' else 'EXTRA'}")
    if schema.is_empty(connection):
        schema.create(connection, f"gatewright/{secrets.token_hex(8)}")
    schema.check(connection, path)


@contextmanager
def opened(connection: sqlite3.Connection, path: str, clock: Clock) -> Iterator[Book]:
    """The book in a database that is only read; an empty file is an empty book."""
    if schema.is_empty(connection):
        with empty_book(clock) as book:
            yield book
        return
    schema.check(connection, path)
    yield Book(connection, clock)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction that ends in a commit, or in an error and a roll back."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # SQLite may have rolled back itself, as it does on a full disk
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def told(path: str) -> Iterator[None]:
    """Tell what SQLite or the system says of a ledger as a LedgerError."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error).lower()
        if "unable to open" in text:
            text = _refused(path) or text
        hint = "check the disk, the permissions and the file; `gatewright ledger doctor` looks closer"
        if "not a database" in text:
            hint = "name another file with --ledger; a name that ends in .jsonl is kept as JSON lines"
        raise LedgerError(path, text, hint) from None
    except OSError as error:
        raise LedgerError(path, places.said(error), "check the path and permissions") from None


def _refused(path: str) -> str:
    """What the system says to opening a file, of which SQLite tells no more than that it could not; else nothing."""
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))
    except OSError as error:
        return places.said(error)
    return ""


@contextmanager
def empty_book(clock: Clock) -> Iterator[Book]:
    """A book in memory, with nothing in it."""
    connection = connected(":memory:")
    try:
        schema.create(connection, "")
        yield Book(connection, clock)
    finally:
        connection.close()


@contextmanager
def unchanged(path: str) -> Iterator[sqlite3.Connection]:
    """A connection that reads a database and leaves its folder as it is: no log, no lock, no index file.

    A log or journal that a crash has left is read too, from a copy, since reading it in place would write.
    """
    if left_beside(path):
        with copied(path) as connection:
            yield connection
        return
    connection = sqlite3.connect(f"{_uri(path)}?mode=ro&immutable=1", uri=True, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


def left_beside(path: str) -> list[str]:
    """What stands beside a database and belongs to it: the end of its log, or of its journal."""
    path = os.path.realpath(path)  # which SQLite names them after
    ends = [end for end in ("-wal", "-journal") if os.path.exists(path + end)]
    return [end for end in ends if os.path.getsize(path + end) > 0]


@contextmanager
def copied(path: str) -> Iterator[sqlite3.Connection]:
    """A connection to a copy of a database, which goes away with it."""
    path = os.path.realpath(path)
    with tempfile.TemporaryDirectory(prefix="gatewright-") as folder:
        copy = shutil.copy(path, os.path.join(folder, "ledger.db"))
        for end in left_beside(path):
            shutil.copy(path + end, copy + end)
        connection = connected(copy)
        try:
            yield connection
        finally:
            connection.close()


def _uri(path: str) -> str:
    from urllib.parse import quote

    return "file:" + quote(os.path.abspath(path).encode("utf-8", "surrogateescape"))
