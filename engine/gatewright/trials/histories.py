"""Rows that lie in a file outside of any ledger: archives, exported lines, and tables in Parquet."""

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from gatewright.errors import FileError
from gatewright.ledger import archives
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.protocol import Entry
from gatewright.ledger.rows import read_line, row_of, time_of
from gatewright.probes.files import open_plain
from gatewright.text import printable

if TYPE_CHECKING:
    import pyarrow as pa

#: Keys that every check has: nothing in their column is null in the row, and not a key that it lacks.
ALWAYS = frozenset(["runtime", "model", "n_agents", "est_chars", "completion_channel", "contract_sha"])
PARTS = ("reasons", "warnings", "labels", "facts")  #: keys of objects and lists; all others are texts or numbers
_BATCH = 4096


def entries(path: str) -> Iterator[Entry]:
    """The rows of a file, by the end of its name: `.parquet`, `.jsonl`, or the `.jsonl.gz` of an archive.

    Raises FileError for a file that cannot be read or is of another kind.
    """
    open_plain(path).close()
    if path.endswith(".jsonl"):
        return _lines(path)
    if path.endswith(".jsonl.gz"):
        return _archived(path)
    if path.endswith(".parquet"):
        return _archived(path) if is_archive(path) else _table(path)
    raise FileError(path, "it is no history", "name a file that ends in .parquet, .jsonl or .jsonl.gz")


def _lines(path: str) -> Iterator[Entry]:
    number = start = 0
    with open_plain(path) as file:
        for line in file:
            if line.strip(b" \t\r\n"):
                number += 1
                yield Entry(id=number, row=read_line(line.rstrip(b"\r\n")), start=start)
            start += len(line)


def _archived(path: str) -> Iterator[Entry]:
    try:
        for each in archives.read(path):
            yield Entry(id=each.id, row=read_line(each.line), taken_up=bool(each.taken_up), at=each.at)
    except LedgerError as error:
        raise FileError(path, error.problem, error.hint) from None


def columns(path: str) -> list[tuple[str, "pa.DataType"]]:
    """The columns of a file in Parquet, each with its kind. Raises FileError."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        hint = "install gatewright with its extra: `pip install 'gatewright[backtest]'`"
        raise FileError(path, "Parquet needs the package `pyarrow`", hint) from None
    try:
        return [(column.name, column.type) for column in parquet.read_schema(path)]
    except (ArrowException, OSError) as error:
        raise FileError(path, f"it is no Parquet: {str(error).splitlines()[0]}") from None
    except UnicodeDecodeError:
        raise FileError(path, "it is no Parquet: the name of a column is not UTF-8") from None


def size(path: str) -> int:
    """How large a history is: in rows where that is known beforehand, else in bytes; 0 where it is not."""
    if path.endswith(".parquet"):
        from pyarrow import parquet

        return int(parquet.read_metadata(path).num_rows)
    return os.path.getsize(path) if path.endswith(".jsonl") else 0


def is_archive(path: str) -> bool:
    """Whether a file is named or made like an archive, whose rows stand in it as they were. Raises FileError."""
    if path.endswith(".parquet") and os.path.isfile(path):
        return {"id", "line", "at"} <= {name for name, _ in columns(path)}
    return path.endswith(".jsonl.gz")


def _table(path: str) -> Iterator[Entry]:
    """Rows whose keys are columns."""
    names = [name for name, _ in columns(path)]
    hint = "its columns are the keys of rows"
    if "decision" not in names:
        raise FileError(path, "it has no column `decision`, so it holds no checks", hint)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise FileError(
            path, f"it has more than one column {', '.join(f'`{printable(name)}`' for name in twice)}", hint
        )
    from pyarrow import ArrowException, parquet

    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(_BATCH):
                for data in batch.to_pylist():
                    number += 1
                    yield Entry(id=number, row=row_of(told(data), b""), at=counted_at(data))
    except (ArrowException, OSError) as error:
        raise FileError(path, f"it cannot be read: {str(error).splitlines()[0]}") from None
    except UnicodeDecodeError:
        raise FileError(path, f"it cannot be read: behind row {number} is a text that is not UTF-8") from None


def told(data: Mapping[str, object]) -> dict[str, object]:
    """A row of columns as the object that it was: what is null was no key, but for the keys that each check has.

    Objects and lists may stand in their columns as texts in JSON, which is how DuckDB writes them.
    """
    found = {}
    for name, value in data.items():
        if value is not None or name in ALWAYS:
            found[name] = _read(value) if name in PARTS and isinstance(value, str) else _object(value)
    return found


def _read(text: str) -> object:
    try:
        value = msgspec.json.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return text
    return value if isinstance(value, dict | list) else text


def _object(value: object) -> object:
    """A value without the nulls of records that others have more of; pairs, which maps come as, as a map."""
    if isinstance(value, list) and value and all(isinstance(each, tuple) for each in value):
        value = dict(value)
    if isinstance(value, dict):
        return {key: _object(held) for key, held in value.items() if held is not None}
    return value


def counted_at(data: Mapping[str, object]) -> float | None:
    """When a row of columns counts, in the ledger's time; None where it does not say."""
    at = data.get("at")
    return time_of(at) if isinstance(at, int | float) else None
