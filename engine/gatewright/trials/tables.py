"""A history in Parquet, whose columns are the keys of rows, as columns in DuckDB."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gatewright.ledger.protocol import Entry
from gatewright.ledger.rows import BEYOND, row_of
from gatewright.trials import histories, kept
from gatewright.trials.histories import PARTS
from gatewright.trials.views import (
    NAMES,
    SHARED,
    TEXTS,
    WHOLE,
    File,
    Wanted,
    columns_of,
    make_views,
    parquet,
    tested,
    told_of,
)

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

_INTEGERS = frozenset(["BIGINT", "INTEGER", "SMALLINT", "TINYINT", "UINTEGER", "USMALLINT", "UTINYINT"])
_TEXT = frozenset(["VARCHAR"])
_TIMES = _INTEGERS | {"DOUBLE"}
_FEW = 1000  #: rows that are found by their numbers, and not by going through all
#: Facts that others have written as JSON, in which what is looked for may be spelled in more than one way; as texts
#: they may also be no JSON at all.
_ODD = {
    "JSON": """contains("facts"::VARCHAR, '\\')
    OR (contains("facts"::VARCHAR, '"known_roots"') AND NOT contains("facts"::VARCHAR, '"known_roots":['))""",
    "VARCHAR": f"NOT {kept.UNDERSTOOD}",
}


def make(file: File, wanted: Wanted) -> tuple[str, ...]:
    """Make the views of a table whose columns are keys: what rows share; nothing unless all are of the usual kinds."""
    connection, table = file.connection, parquet(file.path)
    kinds = {row[0]: row[1] for row in connection.execute(_described(table)).fetchall()}
    if {"id", "line"} <= kinds.keys() or not {"ts", "decision"} <= kinds.keys():
        return ()
    expected = {**dict.fromkeys(TEXTS, _TEXT), **dict.fromkeys(WHOLE, _INTEGERS), "ts": _TIMES, "at": _TIMES}
    strange = [name for name, known in expected.items() if name in kinds and kinds[name] not in known]
    listed = histories.columns(file.path)
    if len({name for name, _ in listed}) < len(listed):
        return ()
    strange += [name for name, kind in listed if name in ("at", *NAMES) and name not in strange and not _is_plain(kind)]
    if not _are_empty(connection, table, strange):
        return ()
    kinds = {name: kind for name, kind in kinds.items() if name not in strange}
    columns = {name: f'"{name}"' if name in kinds else "NULL" for name in ("at", *NAMES)}
    columns["at"] = f"CASE WHEN abs({columns['at']}::DOUBLE) < {BEYOND} THEN {columns['at']} END"
    columns |= {name: f'to_json("{name}")::VARCHAR' for name in PARTS if kinds.get(name, "JSON") != "JSON"}
    columns |= {name: f"{columns[name]}::BIGINT" for name in WHOLE}
    columns |= {"odd_kinds": "FALSE", "unsure": "FALSE", "vast": "FALSE"}
    if kinds.get("facts") in _ODD:
        columns |= {"facts": '"facts"', "odd_kinds": _ODD[kinds["facts"]]}
    read = f"(SELECT {columns_of(columns)}, file_row_number FROM {table})"  # noqa: S608  names of ours
    shared = {name: f'"{name}"' for name in SHARED}
    told = columns_of(told_of(wanted) | shared)
    make_views(file, f"(SELECT {told}, file_row_number, FALSE AS odd_shape FROM {tested(wanted, read)})")  # noqa: S608
    return SHARED


def _are_empty(connection: "DuckDBPyConnection", table: str, names: Sequence[str]) -> bool:
    """Whether columns hold nothing but null: some programs write no kind for them, which is read as a number."""
    counts = ", ".join(["0", *(f'count("{name}")' for name in names)])
    found = connection.execute(f"SELECT {counts} FROM {table}").fetchone()  # noqa: S608  names of ours
    return found is not None and not any(found)


def _is_plain(kind: "pa.DataType") -> bool:
    """Whether the reader of rows and DuckDB make the same of a kind: not of durations, say, which are numbers to it."""
    from pyarrow import types

    if str(kind) == "extension<arrow.json>":
        return True
    if types.is_dictionary(kind):
        return _is_plain(kind.value_type)
    if types.is_nested(kind):
        return all(_is_plain(kind.field(at).type) for at in range(kind.num_fields))
    texts = (types.is_string, types.is_large_string, types.is_string_view)
    tests = (*texts, types.is_integer, types.is_float64, types.is_boolean, types.is_null)
    return any(test(kind) for test in tests)


def _described(source: str) -> str:
    return f"DESCRIBE SELECT * FROM {source}"  # noqa: S608  a quoted path


def entries(file: File, wanted: Sequence[int]) -> dict[int, Entry]:
    """The rows of these numbers."""
    found: dict[int, Entry] = {}
    import pyarrow as pa

    file.connection.register("numbers", pa.table({"number": pa.array(wanted, pa.int64())}))
    among = "SELECT number - 1 FROM numbers"
    if 0 < len(wanted) <= _FEW:
        among = ", ".join(str(number - 1) for number in wanted)
    query = f"SELECT * FROM {parquet(file.path)} WHERE file_row_number IN ({among})"  # noqa: S608  numbers
    for data in file.connection.execute(query).to_arrow_table().to_pylist():
        number = data.pop("file_row_number") + 1
        found[number] = Entry(id=number, row=row_of(histories.told(data), b""), at=histories.counted_at(data))
    file.connection.unregister("numbers")
    return found
