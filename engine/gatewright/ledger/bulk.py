"""Many rows taken up at once: what appending does for one, with a statement and a pass over the tree for thousands."""

from collections.abc import Callable, Iterable

from gatewright.digests import sha256
from gatewright.ledger.book import KNOWN, Book, Kept
from gatewright.ledger.chain import beside, stamp_of
from gatewright.ledger.rows import Row, sound

PART = 2048  #: rows that are put into the table at once, at most
_MANY = 64  #: rows from which on the faster hash is worth the time that loading it takes

_INSERT = """
INSERT INTO rows (id, at, ts, kind, decision, reason, agents, account, total, contract, runtime, nth, request_id,
                  job_id, settled_by, taken_up, line, start, length, more, leaf, head)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
"""
_AT, _CONTRACT, _RUNTIME, _SETTLED_BY = 1, 9, 10, 14


def _hasher(rows: int) -> Callable[[bytes], bytes]:
    """SHA-256 for so many rows."""
    if rows < _MANY:
        return sha256
    from hashlib import sha256 as faster

    return lambda data: faster(data).digest()


def _named(text: str | None) -> str | None:
    return None if text is None else sound(text)


def take_up(book: Book, rows: Iterable[tuple[Row, Kept]]) -> None:
    """Add rows that something else has written, each with how it is kept."""
    part = _Part(book)
    for row, kept in rows:
        part.add(row, kept)
        if len(part.rows) >= PART:
            part.put()
    part.put()


class _Part:
    """Rows that are not in the table yet."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.rows: list[list[object]] = []
        self.hashed: list[bytes] = []  #: of each row, what its leaf is made of
        self._waiting: dict[object, list[list[object]]] = {}  #: of each contract, the checks that nothing has settled

    def add(self, row: Row, kept: Kept) -> None:
        """Count a row, and match one that settles with its check."""
        if len(self.book.attempts) >= KNOWN:
            self.put()  # the numbers that are not kept in mind are looked up in the table
        at = self.book.time_of(row)
        account, total = self.book.booked(row, at)
        contract = None if row.contract_sha is None else sound(row.contract_sha)
        nth = self.book.counted(contract) if contract is not None and row.allowed_check else None
        line, length = (row.line, None) if kept.start is None else (None, len(row.line))
        made: list[object] = [
            *(self.book.size + len(self.rows) + 1, at, row.ts, row.kind.value, sound(row.decision), sound(row.reason)),
            *(row.agents, account, total, contract, sound(row.runtime), nth, _named(row.request_id)),
            *(_named(row.job_id), None, line, kept.start, length, kept.more),
        ]
        self.rows.append(made)
        self.hashed.append(beside(row.line, kept.more))
        if nth is not None:
            self._waiting.setdefault(contract, []).append(made)
        elif row.settles:
            self._settle(row, made)

    def _settle(self, row: Row, made: list[object]) -> None:
        """Match a row with a check of its runtime in this part, else with what the table has."""
        if made[_CONTRACT] is None:
            return
        waiting = self._waiting.get(made[_CONTRACT], [])
        for check in reversed(waiting):
            if check[_RUNTIME] == made[_RUNTIME]:
                check[_SETTLED_BY] = made[0]
                waiting[:] = [each for each in waiting if each is not check]
                return
        self.put()
        self.book.settle(row, self.book.size)

    def put(self) -> None:
        """Chain the rows, and put them into the table."""
        hasher = _hasher(len(self.rows))
        leaves = [hasher(b"\x00" + each) for each in self.hashed]
        head = self.book.head
        for made, leaf in zip(self.rows, leaves, strict=True):
            head = hasher(b"\x01" + head + leaf + stamp_of(made[_AT], 1))
            made.extend((leaf, head))
        self.book.connection.executemany(_INSERT, self.rows)
        self.book.head = head
        self.book.frontier.add_all(leaves)
        self.rows, self.hashed = [], []
        self._waiting.clear()
