"""Rows to look at: the newest, one by its number, or those of a contract."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import LiteralString, Protocol, cast

from msgspec import Struct, json

from gatewright.ledger.postgres import PostgresLedger
from gatewright.ledger.postgres_link import Link
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.rows import read_line
from gatewright.ledger.sources import Source, opened

_SEEN = "SELECT id, at, kind, taken_up, settled_by, line, start, length, more FROM rows"


class Seen(Struct, frozen=True, kw_only=True):
    """A row as it is kept."""

    id: int
    at: float  #: ledger time
    kind: str
    taken_up: bool
    settled_by: int | None
    line: bytes
    data: Mapping[str, object]  #: what is in the line, and what is kept beside it


class Shelf(Protocol):
    """Where rows are looked up."""

    def newest(self, count: int) -> list[Seen]:
        """The last rows, oldest first."""

    def numbered(self, number: int) -> list[Seen]:
        """The row of a number, if there is one."""

    def of_contracts(self, prefix: str, count: int) -> list[Seen]:
        """The first rows of contracts whose hash starts so, oldest first."""


@contextmanager
def shelf(ledger: Ledger) -> Iterator[Shelf | None]:
    """Where the rows of a ledger are looked up; None where there is no ledger. Raises LedgerError."""
    if isinstance(ledger, PostgresLedger):
        with ledger.looking() as (link, _):
            yield _Tables(link)
        return
    with opened(ledger) as source:
        yield _Book(source) if source is not None else None


class _Book:
    """Rows in a book of SQLite, with their lines in it or in a file."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def newest(self, count: int) -> list[Seen]:
        return self._rows("ORDER BY id DESC LIMIT ?", count)[::-1]

    def numbered(self, number: int) -> list[Seen]:
        return self._rows("WHERE id = ?", number)

    def of_contracts(self, prefix: str, count: int) -> list[Seen]:
        return self._rows("WHERE contract >= ? AND contract < ? ORDER BY id LIMIT ?", prefix, prefix + "g", count)

    def _rows(self, condition: str, *values: object) -> list[Seen]:
        return [self._row(raw) for raw in self.source.connection.execute(f"{_SEEN} {condition}", values)]

    def _row(self, raw: tuple[int, float, str, int, int | None, bytes, int, int, str | None]) -> Seen:
        *seen, line, start, length, more = raw
        text = line if self.source.file is None else self.source.file.between(start, start + length)
        return _seen((*seen, text), json.decode(more) if more is not None else {})


class _Tables:
    """Rows in a PostgreSQL database."""

    def __init__(self, link: Link) -> None:
        self.link = link

    def newest(self, count: int) -> list[Seen]:
        return self._rows("gatewright.newest_rows(%s)", count)[::-1]

    def numbered(self, number: int) -> list[Seen]:
        return self._rows("gatewright.numbered_row(%s)", number)

    def of_contracts(self, prefix: str, count: int) -> list[Seen]:
        return self._rows("gatewright.rows_of_contracts(%s, %s, %s)", prefix.encode(), f"{prefix}g".encode(), count)

    def _rows(self, function: LiteralString, *values: object) -> list[Seen]:
        query = f"SELECT id, at, kind, taken_up, settled_by, line FROM {function}"  # noqa: S608  names of ours
        return [_seen(raw) for raw in self.link.rows(query, values)]


def _seen(raw: Sequence[object], beside: Mapping[str, object] = MappingProxyType({})) -> Seen:
    """A row of what stands in its columns. beside: what is kept of it that its line has no key for."""
    number, at, kind, taken_up, settled_by, line = cast("tuple[int, float, str, int, int | None, bytes]", raw)
    data = {**read_line(line).data, **beside}
    return Seen(id=number, at=at, kind=kind, taken_up=bool(taken_up), settled_by=settled_by, line=line, data=data)
