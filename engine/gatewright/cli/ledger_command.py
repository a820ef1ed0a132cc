"""`gatewright ledger`: the group of commands that look after the ledger."""

import click

from gatewright.cli import Commands

NAMES = {
    "init": "make a ledger",
    "migrate": "bring an older ledger up to this version",
    "verify": "is the ledger what it was?",
    "checkpoint": "sign what it is now",
    "export": "write it as JSON lines",
    "import": "take JSON lines up into it",
    "prune": "take the rows of old months out into an archive",
    "adopt": "start a new proof of a file as it is",
    "doctor": "look it over: disk, clock, permissions, leftovers",
    "show": "rows, the newest first or those of a contract",
}


class LedgerCommands(Commands):
    """The commands of the group."""

    package = "gatewright.cli.ledger"
    names = NAMES


@click.group("ledger", cls=LedgerCommands)
def command() -> None:
    """Look after the ledger: verify it, look at it, move it.

    \b
    Example:
      gatewright ledger verify
    """
