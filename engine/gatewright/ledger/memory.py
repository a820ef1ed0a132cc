"""A ledger in memory: a book like that of SQLite's file, which is gone with the process that has it."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from gatewright.ledger import schema
from gatewright.ledger.book import Book, Kept
from gatewright.ledger.clock import Clock
from gatewright.ledger.history import Slices, Span
from gatewright.ledger.protocol import Entry, Look, Plain, Session
from gatewright.ledger.rows import row_of
from gatewright.ledger.session import BookDesk, BookSession
from gatewright.ledger.sqlite import transaction


class MemoryLedger:
    """A ledger for one trial. Counting, tickets and time are those of every other ledger; nothing is kept on a disk."""

    def __init__(self, clock: Clock) -> None:
        self.name, self.clock = "memory", clock
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        schema.create(self.connection, "")

    def close(self) -> None:
        """Forget all rows."""
        self.connection.close()

    def take_up(self, rows: Iterable[Plain]) -> None:
        """Take in rows that something else has written, as an import does."""
        with transaction(self.connection):
            book = Book(self.connection, self.clock)
            for data in rows:
                book.append(row_of(data), Kept(taken_up=True))
            book.save()

    @contextmanager
    def reading(self) -> Iterator[Look]:
        """A look at the rows so far."""
        book = Book(self.connection, self.clock)
        yield BookSession(book, BookDesk(book))

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One atomic step."""
        with transaction(self.connection):
            book = Book(self.connection, self.clock)
            yield BookSession(book, BookDesk(book))
            book.save()

    def rows(self, since: float | None = None, until: float | None = None) -> Iterator[Entry]:
        """The rows of a span of time, in order."""
        slices = Slices(Span(since, until), self.name)
        while not slices.ended:
            kept = slices.read(Book(self.connection, self.clock))
            yield from (each.entry(each.line) for each in kept)
