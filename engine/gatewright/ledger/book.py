"""The book: rows appended and counted in the tables of `schema`, whatever file they are kept in.

A sum over a window is a difference of two running totals, so it costs the same with ten rows and with ten million. Rows
that were taken up out of order are the exception: as long as a window reaches back to them, it is added up.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from msgspec import Struct

from gatewright.ledger.chain import Frontier, head_of, leaf_of, stamp_of
from gatewright.ledger.clock import Clock, TimeBase, ledger_time
from gatewright.ledger.rows import Row, sound
from gatewright.ledger.tickets import Ticket

_INSERT = """
INSERT INTO rows (at, ts, kind, decision, reason, agents, account, total, contract, runtime, nth, request_id, job_id,
                  taken_up, line, start, length, more, leaf, head)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_STATE = """
UPDATE state SET size = ?, head = ?, frontier = ?, time = ?, wall = ?, boot = ?, boot_time = ?, covered = ?
"""


KNOWN = 1 << 18  #: contracts whose number of attempts is kept in mind, at most


class Kept(Struct, frozen=True, kw_only=True):
    """How a row is kept: in the book itself, or in a file at a place."""

    start: int | None = None  #: the first byte of the line in the file; None where the line is kept in the book
    taken_up: bool = False  #: whether something else has written it
    more: str | None = None  #: what the line has no key for, as JSON


IN_BOOK = Kept()


class _Account(Struct):
    """What rows are booked to."""

    id: int
    total: int
    newest: float
    muddled: float | None


class Book:
    """The rows of one ledger, open within one transaction."""

    def __init__(self, connection: sqlite3.Connection, clock: Clock) -> None:
        self.connection = connection
        state = connection.execute("SELECT * FROM state").fetchone()
        self.origin, size, self.head, frontier, time, wall, boot, boot_time, self.covered = state[1:]
        self.frontier = Frontier(size, frontier)
        base = None if time is None else TimeBase(time=time, wall=wall, boot=boot, at=boot_time)
        self.wall = clock.wall()
        self.now = ledger_time(base, self.wall, clock.boot())
        self._accounts: dict[str, _Account] = {}
        self._booked_to: set[str] = set()  #: accounts that `save` has to write
        self.attempts: dict[str, int] = {}  #: of contracts, as far as they are kept in mind
        self._all_attempts = size == 0  #: whether a contract that is not among them has none

    @property
    def size(self) -> int:
        """How many lines there have been."""
        return self.frontier.size

    # -- counting --------------------------------------------------------------------------------------------------

    def accounts(self, start: str) -> list[str]:
        """The names of accounts that start with `tier:` or `model:`."""
        end = start[:-1] + chr(ord(start[-1]) + 1)
        found = self.connection.execute("SELECT name FROM accounts WHERE name >= ? AND name < ?", (start, end))
        return [name for (name,) in found]

    def used(self, names: Iterable[str], since: float) -> int:
        """The agents of rows booked to these accounts at `since` or later, in ledger time."""
        return sum(self._used(name, since) for name in names)

    def _used(self, name: str, since: float) -> int:
        account = self._account(name)
        if account is None:
            return 0
        if account.muddled is not None and since <= account.muddled:
            # Rows that were taken up out of order have totals that say nothing of their times.
            query = "SELECT coalesce(sum(agents), 0) FROM rows WHERE account = ? AND at >= ?"
            return int(self.connection.execute(query, (account.id, since)).fetchone()[0])
        query = "SELECT total - agents FROM rows WHERE account = ? AND at >= ? ORDER BY at, id LIMIT 1"
        before = self.connection.execute(query, (account.id, since)).fetchone()
        return account.total - before[0] if before is not None else 0

    def _account(self, name: str) -> "_Account | None":
        known = self._accounts.get(name)
        if known is None:
            query = "SELECT id, total, newest, muddled FROM accounts WHERE name = ?"
            found = self.connection.execute(query, (name,)).fetchone()
            if found is None:
                return None
            known = self._accounts[name] = _Account(*found)
        return known

    def freed(self, names: Sequence[str], since: float, agents: int) -> float | None:
        """The ledger time of the row with which, oldest first from `since`, so many agents are reached."""
        ids = [account.id for account in map(self._account, names) if account is not None]
        marks = ", ".join("?" * len(ids))
        query = f"SELECT at, agents FROM rows WHERE account IN ({marks}) AND at >= ? ORDER BY at, id"  # noqa: S608  marks
        for at, held in self.connection.execute(query, (*ids, since)):
            agents -= held
            if agents <= 0:
                return float(at)
        return None

    def odd_times(self, names: Iterable[str], since: float) -> int:
        """How many of the rows counted since have a time in the future, or none that can be read."""
        found = 0
        for name in names:
            account = self._account(name)
            if account is None:
                continue
            query = """
                SELECT count(*) FROM rows INDEXED BY odd_rows
                WHERE account IS NOT NULL AND (ts IS NULL OR ts > at) AND at >= ? AND account = ?
                AND (ts IS NULL OR ts > ?)
            """
            found += self.connection.execute(query, (since, account.id, self.wall)).fetchone()[0]
        return found

    # -- looking up ------------------------------------------------------------------------------------------------

    def allowed(self, contract_sha: str) -> int:
        """How many checks of a contract were allowed so far."""
        contract_sha = sound(contract_sha)
        known = self.attempts.get(contract_sha)
        if known is not None or self._all_attempts:
            return known or 0
        query = "SELECT nth FROM rows WHERE contract = ? AND nth IS NOT NULL ORDER BY id DESC LIMIT 1"
        found = self.connection.execute(query, (contract_sha,)).fetchone()
        if found is None:
            query = "SELECT nth FROM sealed_contracts WHERE contract = ?"
            found = self.connection.execute(query, (contract_sha,)).fetchone()
        return found[0] if found is not None else 0

    def of_request(self, request_id: str) -> int | None:
        """The id of the row that a request id has led to."""
        found = self.connection.execute("SELECT id FROM rows WHERE request_id = ?", (sound(request_id),)).fetchone()
        return found[0] if found is not None else None

    def of_job(self, job_id: str) -> int | None:
        """The id of the row by which a job was registered."""
        query = "SELECT id FROM rows WHERE job_id = ? AND kind = 'registration' AND decision = 'ALLOW' LIMIT 1"
        found = self.connection.execute(query, (sound(job_id),)).fetchone()
        if found is None:
            query = "SELECT row FROM sealed_jobs WHERE job_id = ?"
            found = self.connection.execute(query, (sound(job_id),)).fetchone()
        return found[0] if found is not None else None

    def kept(self, row: int) -> tuple[bytes | None, int, int, str | None]:
        """The line of a row, or its place and length in the file; and what the line has no key for.

        Of a row that was taken out into an archive nothing is left.
        """
        query = "SELECT line, start, length, more FROM rows WHERE id = ?"
        found: tuple[bytes | None, int, int, str | None] | None = self.connection.execute(query, (row,)).fetchone()
        return found if found is not None else (b"", 0, 0, None)

    def newest_in_file(self) -> tuple[int, int, str | None, bytes, int] | None:
        """Of the newest line that is kept in a file: place, length, what is kept beside it, leaf, and `taken_up`."""
        query = "SELECT start, length, more, leaf, taken_up FROM rows WHERE start IS NOT NULL ORDER BY id DESC LIMIT 1"
        found: tuple[int, int, str | None, bytes, int] | None = self.connection.execute(query).fetchone()
        return found

    def pending(self, prefix: str, runtime: str | None) -> list[tuple[int, str, str, int]]:
        """Allowed checks that wait for a registration, of contracts whose hash starts so, newest first.

        Each as its id, contract, runtime, and the how-manieth allowed check of its contract it was.
        """
        query = """
            SELECT id, contract, runtime, nth FROM rows
            WHERE nth IS NOT NULL AND settled_by IS NULL AND contract >= ? AND contract < ?
        """
        values: list[object] = [prefix, prefix + "g"]  # behind every hex digit
        if runtime is not None:
            query, values = query + " AND runtime = ?", [*values, runtime]
        return self.connection.execute(query + " ORDER BY id DESC", values).fetchall()

    # -- writing ---------------------------------------------------------------------------------------------------

    def append(self, row: Row, kept: Kept = IN_BOOK) -> int:
        """Add a row, count it, and chain it; its id."""
        at = self.time_of(row) if kept.taken_up else self.now.time
        account, total = self.booked(row, at)
        leaf = leaf_of(row.line, kept.more)
        self.head = head_of(self.head, leaf, stamp_of(at, kept.taken_up))
        self.frontier.add(leaf)
        nth = self.counted(row.contract_sha) if row.allowed_check and row.contract_sha is not None else None
        line, length = (row.line, None) if kept.start is None else (None, len(row.line))
        values = (
            *(at, row.ts, row.kind.value, sound(row.decision), sound(row.reason), row.agents, account, total),
            *(_named(row.contract_sha), sound(row.runtime), nth, _named(row.request_id), _named(row.job_id)),
            *(kept.taken_up, line, kept.start, length, kept.more, leaf, self.head),
        )
        made = self.connection.execute(_INSERT, values).lastrowid
        assert made is not None
        if row.settles:
            self.settle(row, made)
        return made

    def counted(self, contract_sha: str) -> int:
        """The number of one more allowed check of a contract."""
        contract_sha = sound(contract_sha)
        nth = self.allowed(contract_sha) + 1
        if len(self.attempts) >= KNOWN:
            self.attempts.clear()
            self._all_attempts = False
        self.attempts[contract_sha] = nth
        return nth

    def time_of(self, row: Row) -> float:
        """Ledger time of a row that is taken up: its own time, as far as that can be believed."""
        return self.now.time if row.ts is None else min(row.ts, self.now.time)

    def booked(self, row: Row, at: float) -> tuple[int | None, int | None]:
        """Book a row that counts; its account, and the total of that."""
        name = row.account
        if name is None or row.agents is None:
            return None, None
        name = sound(name)
        account = self._account(name)
        if account is None:
            made = self.connection.execute("INSERT INTO accounts (name, total, newest) VALUES (?, 0, ?)", (name, at))
            assert made.lastrowid is not None
            account = self._accounts[name] = _Account(made.lastrowid, 0, at, None)
        account.total += row.agents
        if at < account.newest:
            account.muddled = account.newest
        account.newest = max(account.newest, at)
        self._booked_to.add(name)
        return account.id, account.total

    def settle(self, row: Row, registration: int) -> None:
        """Match a row that settles with the newest allowed check of its contract, of its runtime if there is one."""
        query = """
            UPDATE rows SET settled_by = ? WHERE id = (
                SELECT id FROM rows WHERE nth IS NOT NULL AND settled_by IS NULL AND contract = ?
                ORDER BY runtime = ? DESC, id DESC LIMIT 1)
        """
        self.connection.execute(query, (registration, _named(row.contract_sha), sound(row.runtime)))

    def save(self) -> None:
        """Write what holds for accounts and for the whole; the last thing within a transaction."""
        booked = [self._accounts[name] for name in self._booked_to]
        query = "UPDATE accounts SET total = ?, newest = ?, muddled = ? WHERE id = ?"
        self.connection.executemany(query, [(each.total, each.newest, each.muddled, each.id) for each in booked])
        self._booked_to.clear()
        now = self.now
        values = (self.size, self.head, self.frontier.stored(), now.time, now.wall, now.boot, now.at, self.covered)
        self.connection.execute(_STATE, values)

    # -- tickets ---------------------------------------------------------------------------------------------------

    def tickets(self) -> list[Ticket]:
        """All tickets that are kept in the book."""
        found = self.connection.execute(
            "SELECT runtime, contract, issued, count FROM tickets ORDER BY runtime, contract"
        )
        return [Ticket(runtime=each[0], contract_sha=each[1], issued_ts=each[2], count=each[3]) for each in found]

    def issue(self, ticket: Ticket) -> None:
        """Keep a ticket, in the place of an older one of the same contract and runtime."""
        values = (ticket.runtime, ticket.contract_sha, ticket.issued_ts, ticket.count)
        self.connection.execute("INSERT OR REPLACE INTO tickets VALUES (?, ?, ?, ?)", values)

    def consume(self, ticket: Ticket) -> bool:
        """Take a ticket away; whether it was there, which is so for one taker only."""
        query = "DELETE FROM tickets WHERE runtime = ? AND contract = ? AND issued = ?"
        values = (ticket.runtime, ticket.contract_sha, ticket.issued_ts)
        return self.connection.execute(query, values).rowcount == 1


def _named(text: str | None) -> str | None:
    return None if text is None else sound(text)
