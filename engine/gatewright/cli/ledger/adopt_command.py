"""`gatewright ledger adopt`: a new proof of a file as it is."""

import click

from gatewright.cli.ledger.common import ledger_options
from gatewright.cli.streams import emit
from gatewright.ledger import adopting
from gatewright.ledger.protocol import Ledger
from gatewright.model.exits import ExitCode
from gatewright.probes.clock import now
from gatewright.text import printable


@click.command("adopt")
@ledger_options
def command(*, ledger: Ledger) -> int:
    """Start a new proof of a file of JSON lines as it is, after it was changed behind the back of the old one.

    All rows are unattested in the new proof, which has an origin of its own, so that checkpoints of the old one no
    longer agree. The old proof is kept beside, with the time in its name. What it has of a line that is as it was, such
    as who asked and under which policy, is taken over.

    \b
    Example:
      gatewright ledger adopt --ledger ledger.jsonl
    """
    kept = adopting.adopt(ledger, now().epoch)
    told = f"; the old one is {kept}" if kept is not None else ""
    emit(f"{printable(f'{ledger.name}: a new proof was started{told}')}\n")
    return ExitCode.OK
