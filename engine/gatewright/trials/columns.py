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
from gatewright.trials.views import Wanted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_PATTERN = frozenset("*?[]{}")  #: in a path, DuckDB reads all files that it may stand for
_MOST_SEEN = 20_000  #: models, for each tier
_MEMORY = "400MB"


class History(Struct, frozen=True, kw_only=True):
    """The checks of a file as the table `checks`; how many there are of each model and tier, as the table `seen`."""

    connection: "DuckDBPyConnection"
    path: str
    others: int  #: rows that are no checks
    models: list[str | None]  #: all that are named
    ahead: bool  #: whether the time of a check lies ahead of when it counts
    shape: tuple[str, ...]  #: the columns that tell what rows share

    def entries(self, numbers: Iterable[int]) -> dict[int, Entry]:
        """The rows of these numbers, as they are read one by one."""
        found: dict[int, Entry] = _reader(self.path).entries(self.connection, self.path, sorted(set(numbers)))
        return found


class Source(Struct, frozen=True, kw_only=True):
    """A file that DuckDB can read."""

    connection: "DuckDBPyConnection"
    path: str
    folder: str  #: for what is written meanwhile

    def history(self, wanted: Wanted) -> History | None:
        """Its checks; None where the file has to be read row by row."""
        import duckdb

        try:
            shape = _reader(self.path).make(self.connection, self.path, self.folder, wanted)
            return _history(self, shape) if shape else None
        except (duckdb.Error, FileError):
            return None  # the reader of rows says what is wrong, if anything is


def _reader(path: str) -> ModuleType:
    return tables if path.endswith(".parquet") else lines


def is_there() -> bool:
    """Whether DuckDB is installed, new enough, and with what it hands its rows over."""
    if find_spec("duckdb") is None or find_spec("pyarrow") is None:
        return False
    import duckdb

    return hasattr(duckdb.DuckDBPyConnection, "to_arrow_reader")  # since 1.5


@contextmanager
def opened(path: str) -> Iterator[Source | None]:
    """A file for DuckDB; None for one that has to be read row by row."""
    import duckdb

    if not (path.endswith((".parquet", ".jsonl")) and os.path.isfile(path)) or _PATTERN.intersection(path):
        yield None
        return

    try:
        place = TemporaryDirectory(prefix="gatewright-", ignore_cleanup_errors=True)
    except OSError:  # there is no room, or no place that may be written to
        yield None
        return

    with place as folder, duckdb.connect() as connection:
        connection.execute(f"SET memory_limit = '{_MEMORY}'")
        connection.execute(f"SET temp_directory = {literal(folder)}")
        connection.execute("SET enable_progress_bar = false")
        yield Source(connection=connection, path=path, folder=folder)


def _history(source: Source, shape: tuple[str, ...]) -> History | None:
    source.connection.execute(
        "CREATE TEMP TABLE seen AS SELECT model, lower(tier) AS tier, count(*) AS number,"
        " count(*) FILTER (NOT is_check) AS others, count(*) FILTER (unread) AS unread,"
        ' count(*) FILTER (is_check AND ts > "at") AS ahead'
        " FROM every_row GROUP BY model, lower(tier) LIMIT 1 + $1",
        [_MOST_SEEN],
    )
    seen = source.connection.execute("SELECT model, others, unread, ahead FROM seen").fetchall()
    if len(seen) > _MOST_SEEN or any(unread for _, _, unread, _ in seen):
        return None
    return History(
        connection=source.connection,
        path=source.path,
        others=sum(others for _, others, _, _ in seen),
        models=list({None: None, **{model: None for model, *_ in seen}}),
        shape=shape,
        ahead=any(ahead for *_, ahead in seen),
    )
