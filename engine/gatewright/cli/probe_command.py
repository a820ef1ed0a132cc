"""`gatewright probe`: the group of commands that look at a worker from outside."""

import click

from gatewright.cli import Commands

NAMES = {
    "model": "which model answers a worker",
    "screen": "what stands on a worker's screen",
}


class ProbeCommands(Commands):
    """The commands of the group."""

    package = "gatewright.cli.probe"
    names = NAMES


@click.group("probe", cls=ProbeCommands)
def command() -> None:
    """Look at a worker from outside.

    \b
    Example:
      gatewright probe model --transcript session.jsonl
      gatewright probe screen --file screen.txt
    """
