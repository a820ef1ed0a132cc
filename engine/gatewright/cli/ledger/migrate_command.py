"""`gatewright ledger migrate`: bring an older ledger up to this version."""

import click

from gatewright.cli.ledger.common import ledger_options, none_there
from gatewright.cli.streams import emit
from gatewright.ledger import upkeep
from gatewright.ledger.protocol import Ledger
from gatewright.model.exits import ExitCode
from gatewright.text import printable


@click.command("migrate")
@ledger_options
def command(*, ledger: Ledger) -> int:
    """Bring a ledger of an older schema version up to that of this program.

    Nothing is migrated by the way: a check on an older ledger is denied until this was run. A newer ledger is refused.

    \b
    Example:
      gatewright ledger migrate --ledger .gatewright/ledger.db
    """
    moved = upkeep.migrate(ledger)
    if moved is None:
        return none_there(ledger)
    before, after = moved
    words = f"from schema version {before} to {after}" if before != after else f"schema version {after} is the newest"
    emit(f"{printable(ledger.name)}: {words}\n")
    return ExitCode.OK
