"""The ledger in a PostgreSQL database, which many hosts share.

Time is the server's, and never goes back. Who counts and writes holds a lock until the commit: on the whole ledger, or
where one call of a function does it all, on the counter of its tier alone.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from gatewright.ledger.postgres_at_once import counted_at_once
from gatewright.ledger.postgres_book import PostgresBook
from gatewright.ledger.postgres_link import VERSION, WAIT_SECONDS, Link, linked, without_password
from gatewright.ledger.protocol import Counted, Look, Question, Session
from gatewright.ledger.session import BookDesk, BookSession


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
        with self.connected() as link:
            link.rows("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            book = PostgresBook(link, link.row("SELECT * FROM gatewright.look(%s)", [VERSION]))
            yield BookSession(book, BookDesk(book))

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
