"""A new proof of a file of JSON lines as it is, where the old one no longer fits."""

import os
import sqlite3
from datetime import UTC, datetime

from gatewright.ledger import locks, places, schema
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.jsonl import JsonLinesLedger
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.sqlite import unchanged


def adopt(ledger: Ledger, now: float) -> str | None:
    """Start a new proof, in which every row is unattested; where the old proof is kept, None if there was none.

    Raises LedgerError for a ledger of another kind, where there is no file, and where a newer program keeps the proof.
    """
    if not isinstance(ledger, JsonLinesLedger):
        problem = "only a file of JSON lines has a proof beside it"
        raise LedgerError(ledger.name, problem, "export the rows and import them into a new ledger")
    if not places.is_there(ledger.path):
        raise LedgerError(ledger.path, "there is no such file", "name the ledger with --ledger")
    kept = _put_aside(ledger, now)
    with ledger.writing():  # which takes all lines up
        return kept


def _put_aside(ledger: JsonLinesLedger, now: float) -> str | None:
    places.made_folder(ledger.lock_path)
    with locks.locked(ledger.lock_path):
        if not places.is_there(ledger.proof_path):
            return None
        _refuse_newer(ledger.proof_path)
        kept = f"{ledger.proof_path}.{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%SZ}"
        if os.path.lexists(kept):
            raise LedgerError(kept, "it is there already", "wait a second and try again")
        try:
            for end in ("-journal", ""):  # the journal of a crash belongs to its proof
                if os.path.exists(ledger.proof_path + end):
                    os.rename(ledger.proof_path + end, kept + end)
            places.sync_folder(os.path.dirname(os.path.abspath(ledger.path)))
        except OSError as error:
            raise LedgerError(ledger.proof_path, places.said(error), "check the folder's permissions") from None
        return kept


def _refuse_newer(path: str) -> None:
    """Raise LedgerError for a proof that only a newer program can read: it may be in perfect order."""
    try:
        with unchanged(path) as connection:
            newer = schema.newer(connection, path)
    except (LedgerError, OSError, sqlite3.Error):
        return  # what nobody can read is put aside
    if newer is not None:
        raise newer
