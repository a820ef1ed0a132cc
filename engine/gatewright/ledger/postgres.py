"""The ledger in a PostgreSQL database, which many hosts share.

Time is the server's, and never goes back. Who counts and writes holds a lock until the commit: on the whole ledger, or
where one call of a function does it all, on the counter of its tier alone.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from gatewright.ledger import history
from gatewright.ledger.postgres_at_once import counted_at_once
from gatewright.ledger.postgres_book import PostgresBook
from gatewright.ledger.postgres_link import VERSION, WAIT_SECONDS, Link, Values, linked, without_password
from gatewright.ledger.protocol import Counted, Entry, Look, Question, Session
from gatewright.ledger.rows import read_line
from gatewright.ledger.session import BookDesk, BookSession

_READ = "SELECT id, taken_up, line FROM gatewright.read_rows(%s, %s, %s, %s, %s, %s)"


class PostgresLedger:
    """A ledger in the PostgreSQL database that a URL names."""

    def __init__(self, url: str, wait: float = WAIT_SECONDS) -> None:
        self.url, self.wait = url, wait
        self.name = without_password(url)

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One atomic step, alone on the whole ledger; it ends in a commit, or in an error and no trace."""
        with self.connected() as link, step(link) as session:
            yield session

    @contextmanager
    def reading(self) -> Iterator[Look]:
        """A look at one moment of the ledger, in a transaction that may write nothing."""
        with self.looking() as (link, opened):
            book = PostgresBook(link, opened)
            yield BookSession(book, BookDesk(book))

    @contextmanager
    def looking(self) -> Iterator[tuple[Link, Values]]:
        """A connection that sees one moment of the ledger and writes nothing, and what a book opens with."""
        with self.connected() as link:
            link.rows("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield link, link.row("SELECT * FROM gatewright.look(%s)", [VERSION])

    def rows(self, since: float | None = None, until: float | None = None) -> Iterator[Entry]:
        """The rows of a span of time, in order, as they stand at one moment; nobody waits for whoever reads them."""
        with self.looking() as (link, _):
            link.rows("SET LOCAL idle_in_transaction_session_timeout = 0")
            first, last = link.row("SELECT * FROM gatewright.span(%s, %s)", [since, until])
            after = 0
            while True:
                found = link.rows(_READ, [after, since, until, first, last, history.SLICE])
                for number, taken_up, line in cast("list[tuple[int, bool, bytes]]", found):
                    yield Entry(id=number, row=read_line(line), taken_up=taken_up)
                    after = number
                if len(found) < history.SLICE:
                    return

    def check_at_once(self, question: Question) -> Counted | None:
        """Record the draft that fits, with its ticket; None, with nothing done, where that takes a step as usual."""
        with self.connected() as link:
            return counted_at_once(link, question)

    @contextmanager
    def connected(self) -> Iterator[Link]:
        """A connection for one step. Raises LedgerError."""
        link = self.opened()
        try:
            yield link
        finally:
            link.close()

    def opened(self) -> Link:
        """A new connection. Raises LedgerError."""
        return linked(self.url, self.wait)


@contextmanager
def step(link: Link) -> Iterator[Session]:
    """One atomic step on a connection; where it raises, the connection has to be closed."""
    link.rows("BEGIN")
    book = PostgresBook(link, link.row("SELECT * FROM gatewright.enter(%s)", [VERSION]))
    yield BookSession(book, BookDesk(book))
    link.rows("COMMIT", final=True)
