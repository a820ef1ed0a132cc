"""Making a ledger, and bringing an older one up to this version."""

from gatewright.ledger import postgres_setup, schema, sources
from gatewright.ledger.postgres import PostgresLedger
from gatewright.ledger.protocol import Ledger


def init(ledger: Ledger) -> bool:
    """Make a ledger where there is none; whether there was none. Raises LedgerError."""
    if isinstance(ledger, PostgresLedger):
        return postgres_setup.init(ledger.url)
    with sources.opened(ledger) as source:
        if source is not None:
            return False
    with ledger.writing():
        return True


def migrate(ledger: Ledger) -> tuple[int, int] | None:
    """The schema versions before and after; None where there is no ledger. Raises LedgerError for a newer one.

    There has been one version so far.
    """
    if isinstance(ledger, PostgresLedger):
        return postgres_setup.migrate(ledger.url)
    with sources.opened(ledger) as source:
        return (schema.VERSION, schema.VERSION) if source is not None else None


def grants(ledger: Ledger, role: str) -> list[str]:
    """What gives a role the rights to use a ledger and no more; nothing where that is a matter of files."""
    return postgres_setup.grants(role) if isinstance(ledger, PostgresLedger) else []
