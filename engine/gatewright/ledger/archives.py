"""Rows that were taken out of a ledger: the files that they are kept in, and what the ledger remembers of them.

An archive is Parquet where `pyarrow` is installed, else gzipped JSON lines. Either holds all that chain and tree are
made of, so that it can be verified together with the rest.
"""

import gzip
import json
import os
import sqlite3
import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import file_digest
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from gatewright.ledger import places
from gatewright.ledger.errors import LedgerError

if TYPE_CHECKING:
    import pyarrow as pa

_BATCH = 4096


class Archived(NamedTuple):
    """A row in an archive."""

    id: int
    line: bytes
    at: float
    taken_up: int
    leaf: bytes
    head: bytes


class Seal(NamedTuple):
    """What a ledger remembers of one archive: where chain, tree and sums stood behind its last row."""

    last: int
    at: float
    head: bytes
    frontier: bytes
    sums: str
    archive: str
    digest: bytes


def seals(connection: sqlite3.Connection) -> list[Seal]:
    """All archives of a ledger, oldest first."""
    return [Seal(*row) for row in connection.execute("SELECT * FROM sealed ORDER BY last")]


def kind_of_archive() -> str:
    """How the name of an archive ends here."""
    return ".parquet" if find_spec("pyarrow") is not None else ".jsonl.gz"


def write(path: str, rows: Iterable[Archived]) -> None:
    """Write an archive as a whole, for its owner alone; it outlives a loss of power. Raises LedgerError."""
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, places.FILE_MODE))
        (_write_parquet if path.endswith(".parquet") else _write_lines)(beside, rows)
        with open(beside, "rb") as file:
            os.fsync(file.fileno())
        os.replace(beside, path)
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY | os.O_CLOEXEC)
        os.fsync(folder)
        os.close(folder)
    except OSError as error:
        raise LedgerError(path, places.said(error), "name a folder with --archive") from None


def _write_lines(path: str, rows: Iterable[Archived]) -> None:
    with open(path, "wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as file:
        for row in rows:
            texts = {name: b64encode(getattr(row, name)).decode() for name in ("line", "leaf", "head")}
            file.write(json.dumps({**row._asdict(), **texts}).encode() + b"\n")


def _write_parquet(path: str, rows: Iterable[Archived]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    schema = _schema()
    kinds = schema.types
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in _batches(rows):
            columns = [pa.array(column, kind) for column, kind in zip(zip(*batch, strict=True), kinds, strict=True)]
            writer.write_batch(pa.record_batch(columns, schema=schema))


def _schema() -> "pa.Schema":
    import pyarrow as pa

    kinds = (pa.int64(), pa.binary(), pa.float64(), pa.int8(), pa.binary(), pa.binary())
    return pa.schema(list(zip(Archived._fields, kinds, strict=True)))


def _batches(rows: Iterable[Archived]) -> Iterator[Sequence[Archived]]:
    batch: list[Archived] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def read(path: str) -> Iterator[Archived]:
    """The rows of an archive. Raises LedgerError for a file that cannot be read, or is none."""
    try:
        yield from _read_parquet(path) if path.endswith(".parquet") else _read_lines(path)
    except (gzip.BadGzipFile, zlib.error, ValueError, EOFError) as error:
        raise LedgerError(path, f"it is no archive: {error}", "put it back from a copy") from None
    except OSError as error:
        raise LedgerError(path, places.said(error), "name the folder of the archives with --archive") from None


def _read_lines(path: str) -> Iterator[Archived]:
    with gzip.open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            try:
                held = msgspec.json.decode(line, type=dict[str, object])
                row = msgspec.convert([held.get(name) for name in Archived._fields], Archived)
            except (msgspec.MsgspecError, ValueError):
                raise ValueError(f"line {number} is no row of one") from None
            yield row


def _read_parquet(path: str) -> Iterator[Archived]:
    try:
        from pyarrow import parquet
    except ImportError:
        hint = "install gatewright with its extra: `pip install 'gatewright[archive]'`"
        raise LedgerError(path, "Parquet needs the package `pyarrow`", hint) from None
    with parquet.ParquetFile(path) as file:
        _refuse_others(file.schema_arrow)
        for batch in file.iter_batches(_BATCH, columns=list(Archived._fields)):
            if any(column.null_count for column in batch.columns):
                raise ValueError("a value of a row is null")
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                yield Archived(*row)


def _refuse_others(schema: "pa.Schema") -> None:
    """Refuse a table that holds other columns, or columns of other kinds."""
    from pyarrow import types

    held = {column.name: column.type for column in schema}
    for name, kind in ((column.name, column.type) for column in _schema()):
        found = held.get(name)
        if found is None:
            raise ValueError(f"it has no column `{name}`")
        if found != kind and not (types.is_integer(found) and types.is_integer(kind)):
            raise ValueError(f"its column `{name}` is of another kind")


def digest_of(path: str) -> bytes:
    """The SHA-256 of an archive. Raises LedgerError where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file_digest(file, "sha256").digest()
    except OSError as error:
        raise LedgerError(path, places.said(error), "name the folder of the archives with --archive") from None
