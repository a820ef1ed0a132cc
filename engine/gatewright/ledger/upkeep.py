"""Making a ledger, and bringing an older one up to this version."""

from gatewright.ledger import schema, sources
from gatewright.ledger.protocol import Ledger


def init(ledger: Ledger) -> bool:
    """Make a ledger where there is none; whether there was none. Raises LedgerError."""
    with sources.opened(ledger) as source:
        if source is not None:
            return False
    with ledger.writing():
        return True


def migrate(ledger: Ledger) -> tuple[int, int] | None:
    """The schema versions before and after; None where there is no ledger. Raises LedgerError for a newer one.

    There has been one version so far.
    """
    with sources.opened(ledger) as source:
        return (schema.VERSION, schema.VERSION) if source is not None else None
