"""What is said of a ledger that cannot be used."""

from gatewright.errors import PathError


class LedgerError(PathError):
    """A ledger that cannot be read or written: where, why, and what to do. A check denies, and never runs without."""
