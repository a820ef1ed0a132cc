"""A new proof of a file of JSON lines as it is, where the old one no longer fits."""

import os
from datetime import UTC, datetime

from gatewright.ledger import locks, places
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.jsonl import JsonLinesLedger
from gatewright.ledger.protocol import Ledger


def adopt(ledger: Ledger, now: float) -> str | None:
    """Start a new proof, in which every row is unattested; where the old proof is kept, None if there was none.

    Raises LedgerError for a ledger of another kind, and where there is no file.
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
