"""A ledger opened to be gone through from the first row to the last, while others go on writing to it."""

import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from operator import add, sub

from msgspec import Struct

from gatewright.ledger import locks, places, schema
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.jsonl import JsonLinesLedger
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.sqlite import SqliteLedger, connected, copied, told, unchanged

_WINDOW = 1 << 22
_BLANK = re.compile(rb"[ \t\r\n]*")


class FileLines:
    """The lines of a file, read in large parts from front to back."""

    def __init__(self, descriptor: int, size: int) -> None:
        self.descriptor, self.size = descriptor, size
        self._at, self._held = 0, b""

    def between(self, start: int, end: int) -> bytes:
        """The bytes from one place up to another, as far as there are any."""
        if not self._at <= start <= end <= self._at + len(self._held):
            end = min(end, self.size)
            self._at = max(start, 0)
            self._held = os.pread(self.descriptor, max(_WINDOW, end - self._at), self._at)[: self.size - self._at]
        return self._held[start - self._at : max(end - self._at, 0)]

    def rows(self, starts: Sequence[int], lengths: Sequence[int], before: int) -> list[bytes] | None:
        """The lines of rows that follow each other with nothing but a line feed between; None where there is more.

        before: where the line before the first one ends.
        """
        ends = list(map(add, starts, lengths))
        if list(map(sub, starts, [before, *ends])) != [starts[0] - before, *[1] * (len(starts) - 1)]:
            return None
        lines = self.between(starts[0], ends[-1]).split(b"\n")
        alike = [*map(len, lines)] == [*lengths] and starts[0] >= before and self.is_blank(before, starts[0])
        return lines if alike else None

    def row(self, kept: object, start: int, length: int, before: int) -> bytes:
        """The line of a row whose place is known. Raises ValueError where there is more than empty lines before it.

        kept: a line in the book, where none should be.
        before: where the line before it ends.
        """
        if kept is not None or length < 0 or start < before or not self.is_blank(before, start):
            raise ValueError
        return self.between(start, start + length)

    def is_blank(self, start: int, end: int) -> bool:
        """Whether all between two lines is a line end and empty lines."""
        gap = self.between(start, end)
        if gap == b"\n":
            return True
        whole = len(gap) == end - start and _BLANK.fullmatch(gap) is not None
        return whole and (gap.startswith(b"\n") if start else True)

    def lines(self, start: int, end: int | None = None) -> Iterator[tuple[int, bytes]]:
        """The lines that are not empty, each with its place."""
        end, rest = self.size if end is None else end, b""
        while start + len(rest) < end:
            chunk = self.between(start + len(rest), min(start + len(rest) + _WINDOW, end))
            if not chunk:
                break
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                if line.strip(b" \t\r"):
                    yield start, line
                start += len(line) + 1
        if rest.strip(b" \t\r"):
            yield start, rest

    def number(self, place: int) -> int:
        """The number of the line that a place is in."""
        number, at = 1, 0
        while at < place:
            chunk = self.between(at, min(at + _WINDOW, place))
            if not chunk:
                break
            number += chunk.count(b"\n")
            at += len(chunk)
        return number


class Source(Struct, frozen=True, kw_only=True):
    """A ledger as it stood at one moment."""

    path: str
    connection: sqlite3.Connection
    file: FileLines | None = None  #: where the lines are, unless the book keeps them


class State(Struct, frozen=True):
    """What the ledger says of itself as a whole."""

    origin: str
    size: int
    head: bytes
    frontier: bytes
    time: float | None
    wall: float | None
    boot: str
    boot_time: float
    covered: int


def state_of(connection: sqlite3.Connection) -> State:
    """What holds for the whole."""
    found = connection.execute("SELECT * FROM state").fetchone()
    return State(*found[1:])


@contextmanager
def opened(ledger: Ledger) -> Iterator[Source | None]:
    """A ledger as it stands now; None where there is none yet. Writers are kept waiting for no longer than a moment.

    Raises LedgerError where it cannot be read.
    """
    if isinstance(ledger, SqliteLedger):
        with _database(ledger) as source:
            yield source
    elif isinstance(ledger, JsonLinesLedger):
        with _file(ledger) as source:
            yield source
    else:
        raise LedgerError(ledger.name, "this command knows no ledger of this kind")


@contextmanager
def _database(ledger: SqliteLedger) -> Iterator[Source | None]:
    path = ledger.path
    if not places.is_there(path):
        yield None
        return
    with told(path), _snapshot(path, ledger.lock_path) as connection:
        yield _source(path, connection)


def _source(path: str, connection: sqlite3.Connection, file: FileLines | None = None) -> Source | None:
    if schema.is_empty(connection):
        return None
    schema.check(connection, path)
    return Source(path=path, connection=connection, file=file)


@contextmanager
def _snapshot(path: str, lock_path: str) -> Iterator[sqlite3.Connection]:
    """A connection that sees the database as it is now, whatever is written from now on."""
    if not (os.access(path, os.W_OK) and os.access(os.path.dirname(os.path.abspath(path)), os.W_OK)):
        with locks.shared(lock_path), unchanged(path) as connection:
            yield connection
        return
    with ExitStack() as stack:
        with locks.locked(lock_path):
            connection = connected(path)
            if connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
                stack.callback(_closed, connection, lock_path)
                connection.execute("PRAGMA query_only = 1")
                connection.execute("BEGIN")
                connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            else:  # a reader would keep writers waiting
                connection.close()
                connection = stack.enter_context(copied(path))
        yield connection


def _closed(connection: sqlite3.Connection, lock_path: str) -> None:
    # The last one to close tidies the log up, which nobody else may do at that moment.
    with locks.locked(lock_path):
        connection.close()


@contextmanager
def _file(ledger: JsonLinesLedger) -> Iterator[Source | None]:
    path = ledger.path
    if not places.is_there(path) or not places.is_there(ledger.proof_path):
        yield None
        return
    with told(path):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            with ExitStack() as stack:
                with locks.shared(ledger.lock_path):
                    size = os.fstat(descriptor).st_size
                    connection = stack.enter_context(copied(ledger.proof_path))
                yield _source(path, connection, FileLines(descriptor, size))
        finally:
            os.close(descriptor)
