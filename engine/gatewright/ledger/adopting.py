"""A new proof of a file of JSON lines as it is, where the old one no longer fits."""

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext
from datetime import UTC, datetime
from functools import partial
from glob import escape, glob

from gatewright.ledger import places, schema
from gatewright.ledger.chain import leaf_of
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.jsonl import JsonLinesLedger, Recall, nothing
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.rows import Row
from gatewright.ledger.sqlite import connected, left_beside, unchanged

_ENDS = ("-journal", "-wal", "-shm")  #: of what SQLite keeps beside a database
_OF_THE_SYSTEM = frozenset(
    [
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
    ]
)
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
    change = _Change(ledger.proof_path, now)
    with JsonLinesLedger(ledger.path, ledger.tickets, ledger.clock, change.recalling, change.new).writing():
        pass  # it takes all lines up
    return change.kept


class _Change:
    """From the old proof to a new one, which is made whole beside it before anything else is changed.

    Whoever is stopped on the way leaves the old proof in force, or the new one; and the next one begins anew.
    """

    def __init__(self, path: str, now: float) -> None:
        self.path, self.now = path, now
        self.place = os.path.realpath(path)  #: a link to a proof stays, and leads to the new one
        self.new, self.half = f"{self.place}.adopting", f"{path}.adopting.copy"
        self.kept: str | None = None  #: where the old proof is kept, if there was one

    @contextmanager
    def recalling(self) -> Iterator[Recall]:
        """What the old proof has of lines that still are what it was made of; at the end, the new one takes its place.

        Raises LedgerError, or OSError.
        """
        there = places.is_there(self.path)
        if there:
            self.kept = self._name()
            _settled(self.place)
        self._clear()
        try:
            with _recalled(self.path) if there else nullcontext(nothing) as recall:
                yield recall
            if self.kept is not None:
                self._keep(self.kept)
            self._exchange()
        finally:
            self._clear()

    def _name(self) -> str:
        stopped = (name for name in glob(f"{escape(self.path)}.*Z") if _are_same(name, self.place))
        kept = next(stopped, f"{self.path}.{datetime.fromtimestamp(self.now, UTC):%Y%m%dT%H%M%SZ}")
        if os.path.lexists(kept) and not _are_same(kept, self.place):
            raise LedgerError(kept, "it is there already", "wait a second and try again")
        return kept

    def _keep(self, kept: str) -> None:
        """Give the old proof its second name, behind all that belongs to it."""
        for end in (*left_beside(self.place), ""):
            _remove(kept + end)  # the same, where somebody was stopped behind this
            try:
                os.link(self.place + end, kept + end)
            except OSError:  # not every file system has second names
                self._copy(self.place + end, kept + end)
        _sync(kept)

    def _copy(self, path: str, copy: str) -> None:
        shutil.copy2(path, self.half)
        with open(self.half, "rb") as file:
            os.fsync(file.fileno())
        os.rename(self.half, copy)

    def _exchange(self) -> None:
        """Put the new proof in the place of the old one, of which nothing may be left beside it."""
        for end in _ENDS:
            _remove(self.place + end)
        os.replace(self.new, self.place)
        _sync(self.place)

    def _clear(self) -> None:
        """Remove what somebody who was stopped has left half made."""
        for path in (self.new, *(self.new + end for end in _ENDS), self.half):
            _remove(path)


def _settled(path: str) -> None:
    """Have SQLite finish what a crash has left beside a proof, as whoever writes to it next would."""
    if not left_beside(path):
        return
    try:
        with closing(connected(path)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        if _is_of_the_system(error):
            raise _unread(path, error) from None  # else it is no proof, and kept with what is beside it


@contextmanager
def _recalled(path: str) -> Iterator[Recall]:
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(unchanged(path))
            is_proof = _is_proof(connection, path)
        except (OSError, sqlite3.Error) as error:
            raise _unread(path, error) from None
        yield partial(_kept_beside, path, connection) if is_proof else nothing


def _is_proof(connection: sqlite3.Connection, path: str) -> bool:
    """Raises LedgerError for one that only a newer program can read: it may be in perfect order."""
    try:
        newer = schema.newer(connection, path)
        if newer is None:
            schema.check(connection, path)
    except LedgerError:
        return False
    except sqlite3.Error as error:
        if _is_of_the_system(error):
            raise
        return False
    if newer is not None:
        raise newer
    return True


def _kept_beside(path: str, connection: sqlite3.Connection, row: Row) -> str | None:
    """What stands beside a row's line in a proof whose leaf fits both, as far as the proof can be read."""
    try:
        for more, leaf in connection.execute(_BESIDE, (row.ts, len(row.line))):
            if isinstance(more, str) and leaf == leaf_of(row.line, more) and isinstance(json.loads(more), dict):
                return more
    except sqlite3.Error as error:
        if _is_of_the_system(error):
            raise _unread(path, error) from None
    except (ValueError, RecursionError):
        return None
    return None


def _is_of_the_system(error: sqlite3.Error) -> bool:
    """Whether it is the machine that did not do what was asked, and not the file that cannot be read."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _OF_THE_SYSTEM


def _unread(path: str, error: OSError | sqlite3.Error) -> LedgerError:
    said = places.said(error) if isinstance(error, OSError) else str(error)
    hint = "try again; where it stays so, move the proof away: what it knows of the lines is not taken over then"
    return LedgerError(path, f"what the old proof knows cannot be read: {said}", hint)


def _are_same(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:  # a link that leads nowhere
        return False


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise LedgerError(path, f"it cannot be removed: {places.said(error)}", "remove it, and try again") from None


def _sync(path: str) -> None:
    places.sync_folder(os.path.dirname(os.path.abspath(path)))
