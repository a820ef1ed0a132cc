"""Rows to look at: the newest, one by its number, or those of a contract."""

from collections.abc import Iterator, Mapping

from msgspec import Struct, json

from gatewright.ledger.rows import read_line
from gatewright.ledger.sources import Source

_SEEN = "SELECT id, at, kind, taken_up, line, start, length, more, settled_by FROM rows"


class Seen(Struct, frozen=True, kw_only=True):
    """A row as it is kept."""

    id: int
    at: float  #: ledger time
    kind: str
    taken_up: bool
    settled_by: int | None
    line: bytes
    data: Mapping[str, object]  #: what is in the line, and what is kept beside it


def newest(source: Source, count: int) -> list[Seen]:
    """The last rows, oldest first."""
    rows = source.connection.execute(f"{_SEEN} ORDER BY id DESC LIMIT ?", (count,)).fetchall()
    return [_seen(source, raw) for raw in reversed(rows)]


def by_number(source: Source, number: int) -> list[Seen]:
    """The row of a number, if there is one."""
    return [_seen(source, raw) for raw in source.connection.execute(f"{_SEEN} WHERE id = ?", (number,))]


def by_contract(source: Source, prefix: str) -> Iterator[Seen]:
    """The rows of contracts whose hash starts so, oldest first."""
    found = source.connection.execute(
        f"{_SEEN} WHERE contract >= ? AND contract < ? ORDER BY id", (prefix, prefix + "g")
    )
    return (_seen(source, raw) for raw in found)


def _seen(source: Source, raw: tuple[int, float, str, int, bytes, int, int, str | None, int | None]) -> Seen:
    number, at, kind, taken_up, line, start, length, more, settled_by = raw
    text = line if source.file is None else source.file.between(start, start + length)
    data = dict(read_line(text).data)
    if more is not None:
        data |= json.decode(more)
    return Seen(id=number, at=at, kind=kind, taken_up=bool(taken_up), settled_by=settled_by, line=text, data=data)
