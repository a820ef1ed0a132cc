"""`gatewright contract`: the group of commands that look after contracts."""

import click

from gatewright.cli import Commands

NAMES = {"lint": "find what is missing or wrong in contracts"}


class ContractCommands(Commands):
    """The commands of the group."""

    package = "gatewright.cli.contract"
    names = NAMES


@click.group("contract", cls=ContractCommands)
def command() -> None:
    """Look after contracts, which tell workers what to do.

    \b
    Example:
      gatewright contract lint contracts
    """
