"""A history in JSON lines as columns: read once, and put into a table, since it is gone through several times.

DuckDB reads a line with a comma too many before a bracket, which JSON forbids; for all others it reads what the reader
of rows reads, or the whole file is left to that.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from gatewright.expressions.sql import literal
from gatewright.ledger.protocol import Entry
from gatewright.ledger.rows import RowKind, line_of, read_line, row_of
from gatewright.trials import histories
from gatewright.trials.views import (
    NAMES,
    OWN,
    SHARED,
    TEXTS,
    WHOLE,
    File,
    Wanted,
    Written,
    any_of,
    columns_of,
    make_views,
    parquet,
    tested,
    told_of,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

#: Keys of lines that are written here: the ledger's time, and which keys are not there that may as well be null.
_TIME, _LACKING = "ledger time", "lacking"
_NO_CHECK = '{"kind":"none"}\n'
_WATCHED = (*sorted(histories.ALWAYS), "tier_override")
_LONGEST_LINE = 4 << 20  #: bytes; twice as much is held by each thread
_ROWS_AT_ONCE = 40_960  #: that are written at once: more of them would leave no memory for a second thread


def make(file: File, wanted: Wanted) -> tuple[str, ...]:
    """The rows of a file of JSON lines, put into a table first, since they are gone through several times.

    What many rows share is put together as one text, which is taken apart once for all of them.
    """
    connection = file.connection
    names = (*NAMES, _TIME, _LACKING) if file.written is not None else NAMES
    kinds = ", ".join(f"\"{name}\": 'JSON'" for name in names)
    lines = (
        f"read_json({literal(file.path)}, format = 'newline_delimited', columns = {{{kinds}}},"
        f" hive_partitioning = false, maximum_object_size = {_LONGEST_LINE})"
    )
    columns = {name: f'"{name}"::VARCHAR' for name in names}
    columns |= {"ts": 'TRY_CAST("ts"::VARCHAR AS DOUBLE)', "unsure": "FALSE" if file.written is not None else "TRUE"}
    columns["at"] = f'TRY_CAST("{_TIME}"::VARCHAR AS DOUBLE)' if file.written is not None else "NULL"
    columns |= {f"{name}_read": f'TRY_CAST("{name}"::VARCHAR AS BIGINT)' for name in WHOLE}
    read = f"(SELECT {columns_of(columns)} FROM {lines})"  # noqa: S608  names of ours
    told = told_of(wanted) | {"shape_text": "shape_text", "shape": "hash(shape_text)"}
    temporary = f"{file.folder}/rows.parquet"
    rows = tested(wanted, f"({_understood(read, spooled=file.written is not None)})")
    # Without a number: only so do several threads write, and still in the order of the lines.
    connection.execute(
        f"COPY (SELECT {columns_of(told)} FROM {rows}) TO {literal(temporary)}"  # noqa: S608  as above
        f" (FORMAT parquet, ROW_GROUP_SIZE {_ROWS_AT_ONCE})"
    )
    if not _shapes(connection, parquet(temporary)):
        return ()
    make_views(file, f"{parquet(temporary)} JOIN shapes USING (shape)")
    return ("shape",)


def _understood(read: str, *, spooled: bool) -> str:
    """Lines whose values are written as JSON, with their shape, and whether they are of the usual kinds."""
    # Whole numbers are written as they are read: 1.0, 1e3 and "1" are not.
    whole = {name: f'coalesce("{name}_read"::VARCHAR = "{name}", FALSE)' for name in WHOLE}
    numbers = ", ".join(f'CASE WHEN {test} THEN "{name}_read" END AS "{name}"' for name, test in whole.items())
    odd = [f"NOT {_is_text(name)}" for name in OWN]
    odd += [f'"{name}" IS NOT NULL AND NOT {test}' for name, test in whole.items()]
    if not spooled:
        # A key that is null and one that is not there look the same here; rows of our own have them all.
        always = " OR ".join(f'"{name}" IS NULL' for name in sorted(histories.ALWAYS))
        odd.append(f"policy_path IS NULL AND ({always})")
    shared = (*SHARED, _LACKING) if spooled else SHARED
    shape = ", chr(10), ".join(f'"{name}"' for name in shared)  # null is as nothing: no value is written so
    vast = f'"n_agents" IS NOT NULL AND "n_agents_read" IS NULL AND TRY_CAST("n_agents" AS DOUBLE) >= {2**63}'
    columns = columns_of({"shape_text": f"concat({shape})", "odd_kinds": any_of(odd), "vast": any_of([vast])})
    return f"SELECT * REPLACE ({numbers}), {columns} FROM {read}"  # noqa: S608  names of ours


def _shapes(connection: "DuckDBPyConnection", table: str) -> bool:
    """Make the table of all shapes, taken apart; whether each has a number of its own."""
    columns = {name: f"nullif(parts[{at}], '')" for at, name in enumerate(SHARED, 1)}
    texts = [name for name in SHARED if name in TEXTS]
    said = {name: f"json_extract_string(\"{name}\"::JSON, '$')" if name in texts else f'"{name}"' for name in SHARED}
    said |= {"odd_shape": any_of(f"NOT {_is_text(name)}" for name in texts)}
    distinct = f"SELECT DISTINCT shape, shape_text FROM {table}"  # noqa: S608  a quoted path
    parts = f"SELECT shape, string_split(shape_text, chr(10)) AS parts FROM ({distinct})"  # noqa: S608
    connection.execute(
        f"CREATE TEMP TABLE shapes AS SELECT shape, {columns_of(said)} FROM"  # noqa: S608
        f" (SELECT shape, {columns_of(columns)} FROM ({parts}))"
    )
    found = connection.execute("SELECT count(*) = count(DISTINCT shape) FROM shapes").fetchone()
    return found == (True,)


def _is_text(name: str) -> str:
    """Whether what is written is a text."""
    return f'starts_with("{name}", \'"\')'


def entries(file: File, wanted: Sequence[int]) -> dict[int, Entry]:
    """The rows of these numbers."""
    found: dict[int, Entry] = {}
    before = file.before
    with open(file.path, "rb") as opened:
        lines = (line for line in opened if line.strip(b" \t\r\n"))
        for number in wanted:
            line = next(islice(lines, number - before - 1, None), b"").rstrip(b"\r\n")
            found[number], before = _entry(number, line, spooled=file.written is not None), number
    return found


def _entry(number: int, line: bytes, *, spooled: bool) -> Entry:
    row = read_line(line)
    if not spooled:
        return Entry(id=number, row=row)
    data = dict(row.data)
    at = data.pop(_TIME, None)
    data.pop(_LACKING, None)
    return Entry(id=number, row=row_of(data, line), at=at if isinstance(at, float) else None)


def write(path: str, entries: Iterable[Entry]) -> Written | None:
    """Write the rows of a ledger as lines that tell its time too; of what is no check, that there was something.

    None where one of them would not be read back as it is, with its number.
    """
    before = skipped = 0
    # There may be no room, and a table may hold what no line can.
    with suppress(OSError, TypeError, ValueError), open(path, "x", encoding="ascii") as file:
        for place, entry in enumerate(entries, 1):
            kind, data = entry.row.kind, entry.row.data
            before = entry.id - place if place == 1 else before
            if entry.id - place != before or data.keys() & {_TIME, _LACKING}:
                return None
            if kind is not RowKind.CHECK:
                skipped += kind is RowKind.SKIPPED
                file.write(_NO_CHECK)
                continue
            lacking = [name for name in _WATCHED if name not in data]
            file.write(f"{line_of({**data, _TIME: entry.at, _LACKING: lacking})}\n")
        file.flush()
        return Written(before, skipped)
    return None
