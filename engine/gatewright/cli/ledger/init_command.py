"""`gatewright ledger init`: make a ledger before its first row."""

import click

from gatewright.cli.ledger.common import ledger_options
from gatewright.cli.streams import emit
from gatewright.ledger import upkeep
from gatewright.ledger.protocol import Ledger
from gatewright.model.exits import ExitCode
from gatewright.text import printable


@click.command("init")
@ledger_options
def command(*, ledger: Ledger) -> int:
    """Make a ledger where there is none; one that is there stays as it is.

    The first check makes it too. Made beforehand it shows whether the place will do.

    \b
    Example:
      gatewright ledger init --ledger ledger.jsonl
    """
    made = upkeep.init(ledger)
    emit(f"{printable(ledger.name)}: {'made' if made else 'it is there already'}\n")
    return ExitCode.OK
