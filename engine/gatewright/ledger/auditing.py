"""Going through a ledger of any kind, and what it calls itself."""

from collections.abc import Sequence

from gatewright.ledger import postgres_verify, sources, verifying
from gatewright.ledger.checkpoints import Checkpoint
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.faults import Audit
from gatewright.ledger.postgres import PostgresLedger
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.verifying import Progress


def audit(
    ledger: Ledger,
    checkpoints: Sequence[Checkpoint],
    progress: Progress,
    *,
    chain_only: bool = False,
    archive: str | None = None,
) -> Audit | None:
    """Go through a ledger; None where there is none. Raises LedgerError where it cannot be read."""
    if isinstance(ledger, PostgresLedger):
        if archive is not None:
            problem = "nothing was taken out of a ledger in PostgreSQL"
            raise LedgerError(ledger.name, problem, "leave --archive out")
        return postgres_verify.verify(ledger, checkpoints, progress, chain_only=chain_only)
    with sources.opened(ledger) as source:
        if source is None:
            return None
        return verifying.verify(source, checkpoints, chain_only=chain_only, archive=archive, progress=progress)


def origin_of(ledger: Ledger) -> str | None:
    """What a ledger is called by in its checkpoints; None where there is none."""
    if isinstance(ledger, PostgresLedger):
        with ledger.connected() as link:
            return str(link.row("SELECT gatewright.origin()")[0])
    with sources.opened(ledger) as source:
        return sources.state_of(source.connection).origin if source is not None else None
