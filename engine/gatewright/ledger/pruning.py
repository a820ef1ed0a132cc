"""Taking old rows out of a ledger into an archive: verified there first, and remembered by what chain and tree were.

Rows go from the first one on, without gaps, so that what is left still is one chain.
"""

import json
import os
from datetime import UTC, datetime

from msgspec import Struct

from gatewright.ledger import archives, deriving, sources
from gatewright.ledger.archives import Archived
from gatewright.ledger.book import Book
from gatewright.ledger.chain import Frontier, head_of, leaf_of, stamp_of
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.rows import read_line
from gatewright.ledger.session import BookSession
from gatewright.ledger.sqlite import SqliteLedger
from gatewright.ledger.verifying import verify

KEPT_SECONDS = 31 * 86_400  #: rows are kept for at least so long, however short the windows are

_LAST = """
SELECT min(coalesce((SELECT min(id) - 1 FROM rows WHERE at >= :until), max(id)), max(id) - 1) FROM rows
"""
#: The first check that goes no further than the last row, and that has not been settled by then.
_OPEN = "SELECT min(id) FROM rows WHERE id <= :last AND nth IS NOT NULL AND (settled_by IS NULL OR settled_by > :last)"


class Pruned(Struct, frozen=True, kw_only=True):
    """What was taken out."""

    rows: int = 0
    archive: str = ""
    held_by: int | None = None  #: a check that waits for its registration, and keeps what is behind it


def prune(ledger: Ledger, before: datetime, folder: str, window: float) -> Pruned:
    """Take the rows of whole months before a time out of a ledger.

    folder: where the archive goes.
    window: the longest window that is counted over, in seconds.

    Raises LedgerError for a ledger that does not hold, or is of another kind.
    """
    if not isinstance(ledger, SqliteLedger):
        hint = "export it, and import what is to go on into a ledger in SQLite"
        raise LedgerError(ledger.name, "only a ledger in SQLite can be pruned: JSONL is never shortened", hint)
    with sources.opened(ledger) as source:
        if source is None:
            return Pruned()
        found = verify(source)
        if not found.holds:
            raise LedgerError(ledger.path, found.faults[0].message, "`gatewright ledger verify` tells more")
    with ledger.writing() as session:
        assert isinstance(session, BookSession)
        assert isinstance(session.book, Book)
        return _prune(session.book, before, folder, max(window, KEPT_SECONDS))


def _prune(book: Book, before: datetime, folder: str, kept: float) -> Pruned:
    newest = datetime.fromtimestamp(book.now.time - kept, UTC)
    until = min(before, newest).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    first = (book.connection.execute("SELECT min(id) FROM rows").fetchone()[0]) or 1
    last, held_by = _last(book, until.timestamp())
    if last < first:
        return Pruned(held_by=held_by)
    name = f"{book.origin.rpartition('/')[2]}-{first}-{last}{archives.kind_of_archive()}"
    path = os.path.join(folder, name)
    archives.write(path, _rows(book, last))
    _seal(book, path, last)
    return Pruned(rows=last - first + 1, archive=path, held_by=held_by)


def _last(book: Book, until: float) -> tuple[int, int | None]:
    """The last row that may go, and the check in front of which it stands, if one is still open there."""
    last, held_by = book.connection.execute(_LAST, {"until": until}).fetchone()[0] or 0, None
    while (found := book.connection.execute(_OPEN, {"last": last}).fetchone()[0]) is not None:
        last, held_by = found - 1, found
    return last, held_by


def _rows(book: Book, last: int) -> "list[Archived] | map[Archived]":
    query = "SELECT id, line, at, taken_up, leaf, head FROM rows WHERE id <= ? ORDER BY id"
    return map(Archived._make, book.connection.execute(query, (last,)))


def _seal(book: Book, path: str, last: int) -> None:
    """Read the archive back, and where it is what the ledger has, let go of the rows."""
    run = book.connection.execute
    before = archives.seals(book.connection)
    number = before[-1].last if before else 0
    head = before[-1].head if before else b""
    frontier = Frontier(number, before[-1].frontier if before else b"")
    sums = deriving.sums_of(before[-1].sums if before else "{}")
    for row in archives.read(path):
        number += 1
        leaf = leaf_of(row.line)
        head = head_of(head, leaf, stamp_of(row.at, row.taken_up))
        if row.id != number or (leaf, head) != (row.leaf, row.head):
            raise LedgerError(path, f"row {number:,} of the archive is not the ledger's", "nothing was taken out")
        frontier.add(leaf)
        deriving.derived(read_line(row.line), sums, row.at)
    kept = run("SELECT head FROM rows WHERE id = ?", (last,)).fetchone()[0]
    if (number, head) != (last, kept):
        raise LedgerError(path, "the archive is not whole", "nothing was taken out")
    come_to = json.dumps({name: [each.total, each.newest, each.muddled] for name, each in sums.items()})
    values = (last, book.now.time, head, frontier.stored(), come_to, os.path.basename(path), archives.digest_of(path))
    run("INSERT INTO sealed VALUES (?, ?, ?, ?, ?, ?, ?)", values)
    run(
        "INSERT OR REPLACE INTO sealed_contracts "
        "SELECT contract, max(nth) FROM rows WHERE id <= ? AND nth IS NOT NULL GROUP BY contract",
        (last,),
    )
    run(
        "INSERT OR REPLACE INTO sealed_jobs SELECT job_id, min(id) FROM rows "
        "WHERE id <= ? AND job_id IS NOT NULL AND kind = 'registration' AND decision = 'ALLOW' GROUP BY job_id",
        (last,),
    )
    run("DELETE FROM rows WHERE id <= ?", (last,))
