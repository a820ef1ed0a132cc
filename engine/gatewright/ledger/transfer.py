"""Ledgers as lines: written out whatever they are kept in, and taken up again byte for byte."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from msgspec import Struct

from gatewright.ledger import bulk, locks, places
from gatewright.ledger.book import IN_BOOK, Book, Kept
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.jsonl import JsonLinesLedger
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.rows import Row, RowKind, kind_of, line_of, read_line
from gatewright.ledger.session import BookSession
from gatewright.ledger.sources import Source

_LINES = "SELECT id, line, start, length, more FROM rows ORDER BY id"
_EVERY = 4096
_PART = 1 << 22
_CACHE_KIB = 262_144  #: random places of indexes are many times as dear once they do not fit
NAMED = 1000  #: lines that are no rows, at most, whose numbers are kept

Progress = Callable[[int, int], None]


class Imported(Struct, kw_only=True):
    """What was taken up."""

    rows: dict[str, int] = {}  #: how many of each kind
    skipped: list[int] = []  #: the numbers of lines that are no rows, the first of them
    empty: int = 0  #: lines that hold nothing at all, and are no rows

    @property
    def total(self) -> int:
        """All rows."""
        return sum(self.rows.values())

    def count(self, number: int, kind: RowKind) -> None:
        """Count the row of a line."""
        self.rows[kind.value] = self.rows.get(kind.value, 0) + 1
        if kind is RowKind.SKIPPED and len(self.skipped) < NAMED:
            self.skipped.append(number)


def lines_of(source: Source, progress: Progress) -> Iterator[bytes]:
    """The lines of a ledger in their order; what a file's line has no key for is put into it."""
    import json

    size = source.connection.execute("SELECT max(id) FROM rows").fetchone()[0] or 0
    for number, line, start, length, more in source.connection.execute(_LINES):
        text = line if source.file is None else source.file.between(start, start + length)
        if more is not None:
            text = line_of({**read_line(text).data, **json.loads(more)}).encode()
        yield text
        if number % _EVERY == 0:
            progress(number, size)


def take_in(ledger: Ledger, lines: Iterable[bytes], *, append: bool, progress: Progress) -> Imported:
    """Take lines up as rows that something else has written; all of them or none.

    lines: with or without their line ends.
    append: whether they may follow rows that are there.

    Raises LedgerError.
    """
    if isinstance(ledger, JsonLinesLedger):
        return _into_file(ledger, lines, append=append, progress=progress)
    imported = Imported()
    with ledger.writing() as session:
        assert isinstance(session, BookSession)
        book = session.book
        _refuse_more(ledger.name, book.size, append=append)
        rows = _counted(lines, imported, progress)
        if isinstance(book, Book):
            book.connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            bulk.take_up(book, ((row, IN_BOOK) for row in rows))
        else:
            for row in rows:
                book.append(row, Kept(taken_up=True))
    return imported


def _refuse_more(name: str, size: int, *, append: bool) -> None:
    if size and not append:
        raise LedgerError(name, f"it holds {size:,} rows already", "name a new one, or say --append")


def _counted(lines: Iterable[bytes], imported: Imported, progress: Progress) -> Iterator[Row]:
    """The rows of lines, counted on the way."""
    for number, line in _numbered(lines, imported, progress):
        row = read_line(line)
        imported.count(number, row.kind)
        yield row


def _checked(lines: Iterable[bytes], imported: Imported, progress: Progress) -> Iterator[bytes]:
    """The lines that are not empty, counted on the way."""
    for number, line in _numbered(lines, imported, progress):
        imported.count(number, kind_of(line))
        yield line


def _numbered(lines: Iterable[bytes], imported: Imported, progress: Progress) -> Iterator[tuple[int, bytes]]:
    for number, raw in enumerate(lines, 1):
        line = raw.removesuffix(b"\n")
        if not line.strip(b" \t\r"):
            imported.empty += 1
            continue
        yield number, line
        if number % _EVERY == 0:
            progress(number, 0)


def _into_file(ledger: JsonLinesLedger, lines: Iterable[bytes], *, append: bool, progress: Progress) -> Imported:
    """Take lines up into a file: into its place as a whole where it is empty, else behind what is there."""
    imported = Imported()
    places.made_folder(ledger.path)
    places.made_folder(ledger.lock_path)
    beside = f"{ledger.path}.{os.getpid()}.tmp"
    try:
        _written(beside, _checked(lines, imported, progress))
        with locks.locked(ledger.lock_path):
            there = os.path.getsize(ledger.path) if places.is_there(ledger.path) else 0
            if there and not append:
                raise LedgerError(ledger.path, f"it holds {there:,} bytes already", "name a new one, or say --append")
            if there:
                _append(ledger.path, beside)
            else:
                os.replace(beside, ledger.path)
                places.sync_folder(os.path.dirname(os.path.abspath(ledger.path)))
    except OSError as error:
        raise LedgerError(ledger.path, places.said(error), "check the disk and the permissions") from None
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)
    with ledger.writing():  # which takes them up
        return imported


def _written(path: str, lines: Iterable[bytes]) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, places.FILE_MODE), "wb") as file:
        file.writelines(line + b"\n" for line in lines)
        file.flush()
        os.fsync(file.fileno())


def _append(path: str, beside: str) -> None:
    """Put the lines of one file behind those of another, which may lack its last line end."""
    with open(path, "r+b") as file, open(beside, "rb") as more:
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            file.write(b"\n")
        while part := more.read(_PART):
            file.write(part)
        file.flush()
        os.fsync(file.fileno())
