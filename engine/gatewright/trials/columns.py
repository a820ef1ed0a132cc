"""A history as columns in DuckDB: exactly what the reader of rows makes of it, or nothing at all.

Rows that are not of the usual kinds are marked as odd; whoever asks about them reads them one by one.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from msgspec import Struct

from gatewright.expressions.sql import literal
from gatewright.ledger.protocol import Entry
from gatewright.ledger.rows import MAX_AGENTS, read_line, row_of
from gatewright.trials import histories

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_TEXTS = (
    *("decision", "reason", "runtime", "model", "completion_channel", "contract_sha", "tier", "rule", "policy"),
    *("policy_path", "policy_digest", "tier_policy_sha256", "tier_override", "top_approved", "actor", "request_id"),
    *("kind", "job_id"),
)
_WHOLE = ("n_agents", "est_chars")
_PARTS = ("reasons", "warnings", "labels", "facts")
_INTEGERS = frozenset(["BIGINT", "INTEGER", "SMALLINT", "TINYINT", "UINTEGER", "USMALLINT", "UTINYINT"])
_TEXT = frozenset(["VARCHAR"])
_TIMES = _INTEGERS | {"DOUBLE"}
_PATTERN = frozenset("*?[]{}")  #: in a path, DuckDB reads all files that it may stand for
_LONGEST = 1_000_000  #: characters of one text that a gate admits
_MEMORY = "400MB"
_LATEST = 200_000_000_000  #: seconds since the epoch that every calendar here holds


class History(Struct, frozen=True, kw_only=True):
    """The checks of a file as the table `checks`, in the order of their numbers."""

    connection: "DuckDBPyConnection"
    path: str
    rows: int  #: all rows of the file
    others: int  #: those that are no checks

    def entries(self, numbers: Iterable[int]) -> dict[int, Entry]:
        """The rows of these numbers, as they are read one by one."""
        wanted = sorted(set(numbers))
        if self.path.endswith(".parquet"):
            return _of_table(self, wanted)
        return _of_lines(self.path, wanted)


def is_there() -> bool:
    """Whether DuckDB is installed, new enough, and with what it hands its rows over."""
    if find_spec("duckdb") is None or find_spec("pyarrow") is None:
        return False
    import duckdb

    return hasattr(duckdb.DuckDBPyConnection, "to_arrow_reader")  # since 1.5


@contextmanager
def opened(path: str) -> Iterator[History | None]:
    """The history in a file; None for one that has to be read row by row."""
    import duckdb

    if not (path.endswith((".parquet", ".jsonl")) and os.path.isfile(path)) or _PATTERN.intersection(path):
        yield None
        return

    with TemporaryDirectory(prefix="gatewright-") as folder, duckdb.connect() as connection:
        connection.execute(f"SET memory_limit = '{_MEMORY}'")
        connection.execute(f"SET temp_directory = {literal(folder)}")
        connection.execute("SET enable_progress_bar = false")
        yield _read(connection, path, folder)


def _read(connection: "DuckDBPyConnection", path: str, folder: str) -> History | None:
    import duckdb

    try:
        made = _table(connection, path) if path.endswith(".parquet") else _lines(connection, path, folder)
        return _history(connection, path) if made else None
    except duckdb.Error:
        return None  # the reader of rows says what is wrong, if anything is


def _history(connection: "DuckDBPyConnection", path: str) -> History | None:
    query = "SELECT count(*), count(*) FILTER (NOT is_check), count(*) FILTER (unread) FROM every_row"
    found = connection.execute(query).fetchone()
    assert found is not None
    rows, others, unread = found
    return None if unread else History(connection=connection, path=path, rows=rows, others=others)


def _table(connection: "DuckDBPyConnection", path: str) -> bool:
    """The rows of a table in Parquet whose columns are keys; whether they are all of the usual kinds."""
    source = f"read_parquet({literal(path)}, file_row_number = true, hive_partitioning = false)"
    kinds = {row[0]: row[1] for row in connection.execute(_described(source)).fetchall()}
    if {"id", "line"} <= kinds.keys() or not {"ts", "decision"} <= kinds.keys():
        return False
    wanted = {**dict.fromkeys(_TEXTS, _TEXT), **dict.fromkeys(_WHOLE, _INTEGERS), "ts": _TIMES, "at": _TIMES}
    if any(name in kinds and kinds[name] not in expected for name, expected in wanted.items()):
        return False
    columns = {name: f'"{name}"' if name in kinds else "NULL" for name in ("ts", "at", *_TEXTS, *_WHOLE)}
    columns |= {name: f'to_json("{name}")::VARCHAR' if name in kinds else "NULL" for name in _PARTS}
    columns |= {name: f'"{name}"' for name in _PARTS if kinds.get(name) == "JSON"}
    return _made(connection, source, columns, number="file_row_number + 1", odd="FALSE", unsure=False)


def _described(source: str) -> str:
    return f"DESCRIBE SELECT * FROM {source}"  # noqa: S608  a quoted path


def _lines(connection: "DuckDBPyConnection", path: str, folder: str) -> bool:
    """The rows of a file of JSON lines, put into a table first, since they are gone through several times."""
    keys = ("ts", "at", *_TEXTS, *_WHOLE, *_PARTS)
    kinds = ", ".join(f"\"{key}\": 'JSON'" for key in keys)
    source = (
        f"read_json({literal(path)}, format = 'newline_delimited', columns = {{{kinds}}}, ignore_errors = true,"
        " hive_partitioning = false, maximum_object_size = 67108864)"
    )
    columns = {name: f"json_extract_string(\"{name}\", '$')" for name in _TEXTS}
    columns |= {name: f'CASE WHEN {_is_whole(name)} THEN TRY_CAST("{name}" AS BIGINT) END' for name in _WHOLE}
    columns |= {name: f'"{name}"::VARCHAR' for name in _PARTS}
    columns |= {"at": "NULL", "ts": f'CASE WHEN {_is_number("ts")} THEN TRY_CAST("ts" AS DOUBLE) END'}
    odd = [f"json_type(\"{name}\") <> 'VARCHAR'" for name in _TEXTS]
    odd += [f'NOT {_is_whole(name)} OR TRY_CAST("{name}" AS BIGINT) IS NULL' for name in _WHOLE]
    # A key that is null and one that is not there look the same here; rows of our own have them all.
    always = sorted(histories.ALWAYS)
    odd.append("policy_path IS NULL AND (" + " OR ".join(f'"{name}" IS NULL' for name in always) + ")")
    condition = " OR ".join(f"coalesce({each}, FALSE)" for each in odd)
    temporary = f"{folder}/rows.parquet"
    inner = ", ".join(f'{sql} AS "{name}"' for name, sql in columns.items())
    connection.execute(
        f"COPY (SELECT row_number() OVER () AS number, {inner}, ({condition}) AS is_odd FROM {source})"  # noqa: S608
        f" TO {literal(temporary)} (FORMAT parquet)"
    )
    plain = {name: f'"{name}"' for name in columns}
    return _made(connection, f"read_parquet({literal(temporary)})", plain, number="number", odd="is_odd", unsure=True)


def _is_whole(name: str) -> str:
    return f"json_type(\"{name}\") IN ('UBIGINT', 'BIGINT')"


def _is_number(name: str) -> str:
    return f"json_type(\"{name}\") IN ('UBIGINT', 'BIGINT', 'DOUBLE')"


def _made(
    connection: "DuckDBPyConnection", source: str, columns: dict[str, str], *, number: str, odd: str, unsure: bool
) -> bool:
    """Make the views of all rows and of the checks among them.

    unsure: whether a key that is null looks as one that is not there.
    """
    held = ", ".join(f'({sql}) AS "{name}"' for name, sql in columns.items())
    long = " OR ".join(f"coalesce(length({name}) > {_LONGEST}, FALSE)" for name in ("runtime", "model"))
    connection.execute(
        f"""
        CREATE VIEW every_row AS SELECT *,
            coalesce(job_id IS NULL AND kind IS NULL AND decision IN ('ALLOW', 'DENY'), FALSE) AS is_check,
            -- What may be no row, or has no time, is left to the reader of rows.
            (decision IS NULL AND kind IS NULL AND job_id IS NULL)
                OR (is_check AND (ts IS NULL OR NOT isfinite(ts) OR abs(ts) >= {_LATEST})) AS unread,
            (is_odd OR runtime IS NULL OR n_agents IS NULL OR {long}) AS odd,
            CASE WHEN n_agents >= 1 THEN least(n_agents, {MAX_AGENTS}) END AS counted
        FROM (SELECT ({number})::BIGINT AS number, {held}, ({odd}) AS is_odd, {unsure} AS unsure FROM {source})
        """  # noqa: S608  names of ours
    )
    connection.execute(
        'CREATE VIEW checks AS SELECT *, coalesce("at", ts)::DOUBLE AS counts_at FROM every_row WHERE is_check'
    )
    return True


def _of_table(history: History, wanted: list[int]) -> dict[int, Entry]:
    found: dict[int, Entry] = {}
    source = f"read_parquet({literal(history.path)}, file_row_number = true, hive_partitioning = false)"
    history.connection.execute("CREATE OR REPLACE TEMP TABLE wanted (number BIGINT)")
    import pyarrow as pa

    numbers = pa.table({"number": pa.array(wanted, pa.int64())})
    history.connection.register("numbers", numbers)
    query = f"SELECT * FROM {source} WHERE file_row_number + 1 IN (SELECT number FROM numbers)"  # noqa: S608  as above
    for data in history.connection.execute(query).to_arrow_table().to_pylist():
        number = data.pop("file_row_number") + 1
        at = data.get("at")
        found[number] = Entry(
            id=number, row=row_of(histories.told(data), b""), at=float(at) if isinstance(at, int | float) else None
        )
    history.connection.unregister("numbers")
    return found


def _of_lines(path: str, wanted: list[int]) -> dict[int, Entry]:
    found: dict[int, Entry] = {}
    before = 0
    with open(path, "rb") as file:
        lines = (line for line in file if line.strip(b" \t\r\n"))
        for number in wanted:
            line = next(islice(lines, number - before - 1, None)).rstrip(b"\r\n")
            found[number], before = Entry(id=number, row=read_line(line)), number
    return found
