"""Reading a ledger back: its rows in order, a slice at a time, so that nobody waits for whoever reads them all."""

import json
from collections.abc import Mapping
from math import inf

from msgspec import Struct

from gatewright.ledger.book import Book
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.protocol import Entry
from gatewright.ledger.rows import RowKind, read_line, row_of

SLICE = 10_000  #: rows that are read under one lock

_ALL = """
SELECT id, taken_up, coalesce(line, x''), start, more, at FROM rows
WHERE id > :after AND id <= :upto ORDER BY id LIMIT :limit
"""
#: Rows without a time of their own are few, and found by the index as well; the two lists are put into one order.
_WITHIN = """
SELECT id, taken_up, coalesce(line, x''), start, more, at FROM rows WHERE id IN (
    SELECT id FROM (SELECT id FROM rows WHERE ts IS NULL AND id > :after AND id <= :upto ORDER BY id LIMIT :limit)
    UNION ALL
    SELECT id FROM (SELECT id FROM rows NOT INDEXED WHERE ts >= :since AND ts < :until
                    AND id > :after AND id >= :first AND id <= :last ORDER BY id LIMIT :limit)
) ORDER BY id LIMIT :limit
"""


class Span(Struct, frozen=True):
    """From one moment to another, the first included and the last not; either may be open."""

    since: float | None = None
    until: float | None = None

    @property
    def open(self) -> bool:
        """Whether it has neither end."""
        return self.since is None and self.until is None

    def holds(self, ts: float | None) -> bool:
        """Whether a row with that time is to be read; one without a time always is."""
        return ts is None or ((self.since is None or ts >= self.since) and (self.until is None or ts < self.until))


class Stored(Struct, frozen=True):
    """What a book has stored of a row; by default that it is a line which something else has written."""

    id: int
    taken_up: int = 1
    line: bytes = b""
    start: int | None = None
    more: str | None = None
    at: float | None = None

    def entry(self, line: bytes) -> Entry:
        """The row as it is read back; what its line has no key for is put in."""
        row = read_line(line)
        if self.more is not None and row.kind is not RowKind.SKIPPED:
            row = row_of({**row.data, **json.loads(self.more)}, line)
        return Entry(id=self.id, row=row, taken_up=bool(self.taken_up), start=self.start, at=self.at)


def between(book: Book, after: int, upto: int) -> list[Stored]:
    """What is stored of the rows after one and up to another."""
    return _read(book, _ALL, {"after": after, "upto": upto, "limit": upto - after})


def _read(book: Book, query: str, values: Mapping[str, object]) -> list[Stored]:
    return [Stored(*each) for each in book.connection.execute(query, values)]


class Slices:
    """The rows of a book that are there when reading begins, a slice at a time."""

    def __init__(self, span: Span, path: str) -> None:
        self.span, self.path = span, path
        self.after, self.upto = 0, -1
        self.first, self.last = 1, 0
        self.origin, self.ended = "", False

    def read(self, book: Book) -> list[Stored]:
        """The next slice of a book. Raises LedgerError where it is not the book of the slices before."""
        if self.upto < 0:
            self._begin(book)
        elif book.origin != self.origin or book.size < self.upto:
            raise LedgerError(self.path, "it was replaced by another while it was read", "read it again")
        values: dict[str, object] = {"after": self.after, "upto": self.upto, "limit": SLICE}
        if not self.span.open:
            values |= self._times() | {"first": self.first, "last": self.last}
        found = _read(book, _ALL if self.span.open else _WITHIN, values)
        self.ended = len(found) < SLICE
        self.after = found[-1].id if found else self.upto
        return found

    def _begin(self, book: Book) -> None:
        self.origin = book.origin
        self.upto = book.connection.execute("SELECT coalesce(max(id), 0) FROM rows").fetchone()[0]
        if not self.span.open:
            query = "SELECT coalesce(min(id), 1), coalesce(max(id), 0) FROM rows WHERE ts >= :since AND ts < :until"
            self.first, self.last = book.connection.execute(query, self._times()).fetchone()

    def _times(self) -> dict[str, object]:
        since, until = self.span.since, self.span.until
        return {"since": -inf if since is None else since, "until": inf if until is None else until}
