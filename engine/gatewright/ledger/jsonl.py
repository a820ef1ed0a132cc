"""The ledger in a file of JSON lines with ticket files, as the older tool keeps it.

The file is the ledger: it is only ever appended to, and other programs may append to it too. Beside it, in
`FILE.proof`, a book of the same lines is kept, which makes counting cheap and tampering visible; lines of other
programs are taken into it at the next writing.
"""

import errno
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import islice

from gatewright.ledger import bulk, locks, places, schema
from gatewright.ledger.book import Book, Kept
from gatewright.ledger.chain import leaf_of
from gatewright.ledger.clock import Clock, SystemClock
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.history import SLICE, Span, Stored, between
from gatewright.ledger.protocol import Entry, Look, Session
from gatewright.ledger.rows import Row, read_line
from gatewright.ledger.session import BookSession
from gatewright.ledger.sqlite import connected, empty_book, opened, told, transaction, unchanged
from gatewright.ledger.ticket_files import LOCK, TicketFolder
from gatewright.model import TicketPath

_CHUNK = 1 << 20

#: What is known of a line that is taken up and that its keys do not say, as JSON.
Recall = Callable[[Row], str | None]


def nothing(_row: Row) -> None:
    """What is known of a line of another program."""


class JsonLinesLedger:
    """A ledger in a file of JSON lines at a path, with its tickets in a folder."""

    def __init__(
        self,
        path: str,
        tickets: str,
        clock: Clock | None = None,
        recalling: Callable[[], AbstractContextManager[Recall]] = lambda: nullcontext(nothing),
        proof: str = "",
    ) -> None:
        self.name = self.path = path
        self.recalling = recalling  #: entered under the lock, before the proof is opened, and left when it is closed
        self.proof = proof  #: where the book is, if not in its place beside the file
        self.tickets = tickets
        self.clock = clock or SystemClock()

    @property
    def proof_path(self) -> str:
        """The book beside the file."""
        return self.proof or f"{os.path.realpath(self.path)}.proof"

    @property
    def lock_path(self) -> str:
        """The lock that the older tool takes too."""
        return os.path.join(self.tickets, LOCK)

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One atomic step. A row is on disk before its ticket is in place, and both before the answer.

        A step that fails behind its row leaves the row, since nothing is ever cut off: it counts, and has no ticket.
        """
        for path in (self.path, self.lock_path):
            places.made_folder(path)
        places.refuse_network(self.path)
        places.is_there(self.path)
        with locks.locked(self.lock_path), told(self.path), self.recalling() as recall, _appending(self.path) as file:
            places.made_file(self.proof_path)
            connection = connected(self.proof_path)
            try:
                _prepared(connection, self.proof_path)
                yield from self._step(file, connection, recall)
            finally:
                connection.close()

    def _step(self, file: int, connection: sqlite3.Connection, recall: Recall) -> Iterator[Session]:
        folder = TicketFolder(self.tickets)
        try:
            with transaction(connection):
                book = Book(connection, self.clock)
                desk = _FileDesk(file, book, folder, recall)
                desk.catch_up(self.path)
                yield BookSession(book, desk)
                folder.remove_taken()
                book.save()
            folder.put_in_place()
        except BaseException:
            folder.abandon()
            raise

    @contextmanager
    def reading(self) -> Iterator[Look]:
        """A look at the ledger that leaves every byte as it was; a ledger that is not there is an empty one."""
        folder = TicketFolder(self.tickets)
        if not places.is_there(self.path):
            with empty_book(self.clock) as book:
                yield BookSession(book, _FileDesk(-1, book, folder))
            return
        with locks.shared(self.lock_path), told(self.path), _open(self.path, os.O_RDONLY) as file:
            with self._proof(file) as book:
                if book is not None:
                    yield BookSession(book, _FileDesk(file, book, folder))
                    return
            with empty_book(self.clock) as book:
                desk = _FileDesk(file, book, folder)
                desk.take_up(self.path)
                yield BookSession(book, desk)

    def rows(self, since: float | None = None, until: float | None = None) -> Iterator[Entry]:
        """The rows of a span of time, in order, from the file itself; the lock is held for moments only."""
        if not places.is_there(self.path):
            return
        span, after = Span(since, until), 0
        with told(self.path), _open(self.path, os.O_RDONLY) as file:
            with locks.shared(self.lock_path):
                end = os.fstat(file).st_size
            lines = lines_in(file, 0, end)
            while some := list(islice(lines, SLICE)):
                proven = self._proven(file, after, after + len(some))
                for number, (start, line) in enumerate(some, after + 1):
                    stored = proven.get((number, start)) or Stored(number, start=start)
                    entry = stored.entry(line)
                    if span.holds(entry.row.ts):
                        yield entry
                after += len(some)

    def _proven(self, file: int, after: int, upto: int) -> dict[tuple[int, int | None], Stored]:
        """What the proof has on lines, by their number and place; nothing where there is no proof."""
        with locks.shared(self.lock_path):
            if not places.is_there(self.proof_path):
                return {}
            with unchanged(self.proof_path) as connection, opened(connection, self.proof_path, self.clock) as book:
                check_covered(book, file, self.path)
                return {(stored.id, stored.start): stored for stored in between(book, after, upto)}

    @contextmanager
    def _proof(self, file: int) -> Iterator[Book | None]:
        """The book beside the file, if it holds the whole of it; None if it does not."""
        if not places.is_there(self.proof_path):
            yield None
            return
        with unchanged(self.proof_path) as connection, opened(connection, self.proof_path, self.clock) as book:
            check_covered(book, file, self.path)
            yield book if book.covered == os.fstat(file).st_size else None


def _prepared(connection: sqlite3.Connection, path: str) -> None:
    # The book can be made again from the file, so it needs no more than to be whole after a crash.
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("PRAGMA synchronous = FULL")
    if schema.is_empty(connection):
        schema.create(connection, f"gatewright/{secrets.token_hex(8)}")
    schema.check(connection, path)


class _FileDesk:
    """Keeps lines in a file that is open for appending, and tickets in a folder."""

    def __init__(self, file: int, book: Book, folder: TicketFolder, recall: Recall = nothing) -> None:
        self.file, self.book, self.folder, self.recall = file, book, folder, recall
        self.tickets, self.issue, self.consume = folder.tickets, folder.issue, folder.consume

    def ticket_time(self) -> float:
        """The wall clock, which the older tool goes by."""
        return self.book.wall

    def ticket_place(self, runtime: str, contract_sha: str) -> TicketPath:
        """Where a ticket is or would be kept."""
        return self.folder.place(runtime, contract_sha)

    def line(self, start: int, length: int) -> bytes:
        """A line of the file."""
        return os.pread(self.file, length, start)

    def keep(self, line: bytes) -> int | None:
        """Append a line with one write, and sync it; where it starts.

        The bytes before it are never touched.
        """
        while True:
            self._append(self._line_end() + line + b"\n")
            end = os.lseek(self.file, 0, os.SEEK_CUR)
            start = end - len(line) - 1
            if start == 0 or os.pread(self.file, 1, start - 1) == b"\n":
                break  # else a program without our lock has left a torn line just now, and ours is glued to it
        os.fsync(self.file)
        self._take_up(start)  # what a program without our lock has appended meanwhile
        self.book.covered = end
        return start

    def _line_end(self) -> bytes:
        """The line end that the last line lacks, if it was torn off."""
        size = os.fstat(self.file).st_size
        return b"\n" if size and os.pread(self.file, 1, size - 1) != b"\n" else b""

    def _append(self, data: bytes) -> None:
        if os.write(self.file, data) < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def catch_up(self, path: str) -> None:
        """Take up what others have written, for good. Raises LedgerError, or OSError.

        A line that was torn off gets its line end, so that nothing is ever glued to it.
        """
        self._append(self._line_end())
        before = self.book.covered
        self.take_up(path)
        if self.book.covered != before:
            os.fsync(self.file)  # or the book would vouch for lines that a loss of power takes

    def take_up(self, path: str) -> None:
        """Take lines that are not in the book yet into it. Raises LedgerError for a file that is not its file."""
        check_covered(self.book, self.file, path)
        self._take_up(os.fstat(self.file).st_size)

    def _take_up(self, end: int) -> None:
        lines = lines_in(self.file, self.book.covered, end)
        rows = ((read_line(line), start) for start, line in lines)
        bulk.take_up(self.book, ((row, Kept(start=start, more=self.recall(row))) for row, start in rows))
        self.book.covered = max(self.book.covered, end)


def lines_in(file: int, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The lines between two places of a file, each with where it starts; those of blanks are nothing, and left out."""
    parts: list[bytes] = []
    at = start
    while at < end and (chunk := os.pread(file, min(_CHUNK, end - at), at)):
        at += len(chunk)
        *lines, rest = chunk.split(b"\n")
        for each in lines:
            line = b"".join([*parts, each])
            parts.clear()
            if line.strip(b" \t\r"):
                yield start, line
            start += len(line) + 1
        parts += [rest] if rest else []
    if b"".join(parts).strip(b" \t\r"):
        yield start, b"".join(parts)


def check_covered(book: Book, file: int, path: str) -> None:
    """Raise LedgerError where the file no longer is what the book was made of."""
    newest = book.newest_in_file()
    if newest is None:
        return
    start, length, more, leaf, taken_up = newest
    line = os.pread(file, length, start)
    # A line of ours always had its end; one that was taken up may have been caught while it was written.
    longer = not taken_up and os.pread(file, 1, start + length) not in (b"", b"\n")
    if os.fstat(file).st_size < book.covered or leaf_of(line, more) != leaf or longer:
        problem = "its newest rows were changed or cut off behind the back of its proof"
        hint = (
            "`gatewright ledger verify` shows what; `gatewright ledger adopt` starts a new proof from the file as it is"
        )
        raise LedgerError(path, problem, hint)


@contextmanager
def _appending(path: str) -> Iterator[int]:
    places.made_ledger(path)
    with _open(path, os.O_RDWR | os.O_APPEND) as file:
        yield file


@contextmanager
def _open(path: str, flags: int) -> Iterator[int]:
    descriptor = os.open(path, flags | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
