"""A history as columns in DuckDB: exactly what the reader of rows makes of it, or nothing at all.

Rows that are not of the usual kinds are marked as odd; whoever asks about them reads them one by one.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING

from msgspec import Struct

from gatewright.errors import FileError
from gatewright.expressions.sql import literal
from gatewright.ledger.protocol import Entry
from gatewright.trials import lines, tables
from gatewright.trials.views import File, Wanted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_PATTERN = frozenset("*?[]{}")  #: in a path, DuckDB reads all files that it may stand for
_MOST_SEEN = 20_000  #: models, for each tier
_MEMORY = "400MB"


class OtherwiseReadError(Exception):
    """A file in which DuckDB does not find what the reader of rows finds."""


class History(Struct, frozen=True, kw_only=True):
    """The checks of a file as the table `checks`; how many there are of each model and tier, as the table `seen`."""

    file: File
    others: int  #: rows that are no checks
    models: list[str | None]  #: all that are named
    shape: tuple[str, ...]  #: the columns that tell what rows share

    def entries(self, numbers: Iterable[int]) -> dict[int, Entry]:
        """The rows of these numbers, as they are read one by one."""
        found: dict[int, Entry] = _reader(self.file).entries(self.file, sorted(set(numbers)))
        return found


def history(file: File, wanted: Wanted) -> History:
    """The checks of a file. Raises OtherwiseReadError where only the reader of rows can read them."""
    import duckdb

    try:
        shape = _reader(file).make(file, wanted)
        found = _history(file, shape) if shape else None
    except (duckdb.Error, FileError):
        found = None  # the reader of rows says what is wrong, if anything is
    if found is None:
        raise OtherwiseReadError
    return found


def _reader(file: File) -> ModuleType:
    return tables if file.path.endswith(".parquet") else lines


def is_there() -> bool:
    """Whether DuckDB is installed, new enough, and with what it hands its rows over."""
    if find_spec("duckdb") is None or find_spec("pyarrow") is None:
        return False
    import duckdb

    return hasattr(duckdb.DuckDBPyConnection, "to_arrow_reader")  # since 1.5


@contextmanager
def opened(path: str) -> Iterator[File | None]:
    """A file for DuckDB; None for one that has to be read row by row."""
    if not (path.endswith((".parquet", ".jsonl")) and os.path.isfile(path)) or _PATTERN.intersection(path):
        yield None
        return

    with _folder() as folder:
        if folder is None:
            yield None
            return
        with _connected(folder) as connection:
            yield File(connection=connection, name=path, path=path, folder=folder)


@contextmanager
def spooled(name: str, entries: Iterable[Entry]) -> Iterator[File | None]:
    """The rows of a ledger as a file for DuckDB; None where they have to be gone through row by row."""
    with _folder() as folder:
        path = f"{folder}/ledger.jsonl"
        written = lines.write(path, entries) if folder is not None else None
        if folder is None or written is None:
            yield None
            return
        with _connected(folder) as connection:
            yield File(connection=connection, name=name, path=path, folder=folder, written=written)


@contextmanager
def _folder() -> Iterator[str | None]:
    """A place for files; None where there is no room, or none that may be written to."""
    try:
        place = TemporaryDirectory(prefix="gatewright-", ignore_cleanup_errors=True)
    except OSError:
        yield None
        return
    with place as folder:
        yield folder


@contextmanager
def _connected(folder: str) -> Iterator["DuckDBPyConnection"]:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(f"SET memory_limit = '{_MEMORY}'")
        connection.execute(f"SET temp_directory = {literal(folder)}")
        connection.execute("SET enable_progress_bar = false")
        yield connection


def _history(file: File, shape: tuple[str, ...]) -> History | None:
    file.connection.execute(
        "CREATE TEMP TABLE seen AS SELECT model, lower(tier) AS tier, count(*) AS number,"
        " count(*) FILTER (NOT is_check) AS others, count(*) FILTER (unread) AS unread"
        " FROM every_row GROUP BY model, lower(tier) LIMIT 1 + $1",
        [_MOST_SEEN],
    )
    seen = file.connection.execute("SELECT model, others, unread FROM seen").fetchall()
    if len(seen) > _MOST_SEEN or any(unread for *_, unread in seen):
        return None
    return History(
        file=file,
        others=sum(others for _, others, _ in seen) - file.skipped,
        models=list({None: None, **{model: None for model, *_ in seen}}),
        shape=shape,
    )
