"""`gatewright ledger init`: make a ledger before its first row."""

import click

from gatewright.cli.ledger.common import ledger_options
from gatewright.cli.streams import emit
from gatewright.ledger import upkeep
from gatewright.ledger.protocol import Ledger
from gatewright.model.exits import ExitCode
from gatewright.text import printable


@click.command("init")
@click.option("--role", metavar="NAME", default="gate", show_default=True, help="Whose grants to print.")
@ledger_options
def command(*, ledger: Ledger, role: str) -> int:
    """Make a ledger where there is none; one that is there stays as it is.

    The first check makes it too, but for one in PostgreSQL. Made beforehand it shows whether the place will do. Of one
    in PostgreSQL the grants are printed that let a role check and register, and rewrite nothing.

    \b
    Example:
      gatewright ledger init --ledger ledger.jsonl
    """
    made = upkeep.init(ledger)
    emit(f"{printable(ledger.name)}: {'made' if made else 'it is there already'}\n")
    emit("".join(f"{printable(grant)}\n" for grant in upkeep.grants(ledger, role)))
    return ExitCode.OK
