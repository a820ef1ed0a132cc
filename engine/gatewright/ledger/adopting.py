"""A new proof of a file of JSON lines as it is, where the old one no longer fits."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from gatewright.ledger import places, schema
from gatewright.ledger.chain import leaf_of
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.jsonl import JsonLinesLedger, Recall, nothing
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.rows import Row
from gatewright.ledger.sqlite import unchanged

_BESIDE = "SELECT more, leaf FROM rows WHERE ts IS ? AND length = ? AND more IS NOT NULL"


def adopt(ledger: Ledger, now: float) -> str | None:
    """Start a new proof, in which every row is unattested; where the old proof is kept, None if there was none.

    Raises LedgerError for a ledger of another kind, where there is no file, and where a newer program keeps the proof.
    """
    if not isinstance(ledger, JsonLinesLedger):
        problem = "only a file of JSON lines has a proof beside it"
        raise LedgerError(ledger.name, problem, "export the rows and import them into a new ledger")
    if not places.is_there(ledger.path):
        raise LedgerError(ledger.path, "there is no such file", "name the ledger with --ledger")
    aside = _Aside(ledger.proof_path, now)
    with JsonLinesLedger(ledger.path, ledger.tickets, ledger.clock, aside.recalling).writing():  # takes all lines up
        return aside.kept


class _Aside:
    """The old proof, out of the way of the new one."""

    def __init__(self, path: str, now: float) -> None:
        self.path, self.now = path, now
        self.kept: str | None = None  #: where it is, once it was put there

    @contextmanager
    def recalling(self) -> Iterator[Recall]:
        """Put it aside; what it has of lines that still are what it was made of."""
        self.kept = self._put()
        if self.kept is None or not _readable(self.kept):
            yield nothing
            return
        with unchanged(self.kept) as connection:
            yield lambda row: _kept_beside(connection, row)

    def _put(self) -> str | None:
        if not places.is_there(self.path):
            return None
        _refuse_newer(self.path)
        kept = f"{self.path}.{datetime.fromtimestamp(self.now, UTC):%Y%m%dT%H%M%SZ}"
        if os.path.lexists(kept):
            raise LedgerError(kept, "it is there already", "wait a second and try again")
        try:
            for end in ("-journal", ""):  # the journal of a crash belongs to its proof
                if os.path.exists(self.path + end):
                    os.rename(self.path + end, kept + end)
            places.sync_folder(os.path.dirname(os.path.abspath(kept)))
        except OSError as error:
            raise LedgerError(self.path, places.said(error), "check the folder's permissions") from None
        return kept


def _readable(path: str) -> bool:
    try:
        with unchanged(path) as connection:
            schema.check(connection, path)
    except (LedgerError, OSError, sqlite3.Error):
        return False
    return True


def _kept_beside(connection: sqlite3.Connection, row: Row) -> str | None:
    """What stands beside a row's line in a proof whose leaf fits both, as far as the proof can be read."""
    try:
        for more, leaf in connection.execute(_BESIDE, (row.ts, len(row.line))):
            if isinstance(more, str) and leaf == leaf_of(row.line, more) and isinstance(json.loads(more), dict):
                return more
    except (sqlite3.Error, ValueError, RecursionError):
        return None
    return None


def _refuse_newer(path: str) -> None:
    """Raise LedgerError for a proof that only a newer program can read: it may be in perfect order."""
    try:
        with unchanged(path) as connection:
            newer = schema.newer(connection, path)
    except (LedgerError, OSError, sqlite3.Error):
        return  # what nobody can read is put aside
    if newer is not None:
        raise newer
