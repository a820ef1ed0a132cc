"""`gatewright tasks`: the group of commands about the tasks of an orchestrator."""

import click

from gatewright.cli import Commands

NAMES = {
    "list": "what was allowed, and what has become of it",
    "show": "the dispatch of a task",
    "wait": "hear what there is to tell, and handle it",
}


class TaskCommands(Commands):
    """The commands of the group."""

    package = "gatewright.cli.tasks"
    names = NAMES


@click.group("tasks", cls=TaskCommands)
def command() -> None:
    """Look at what an orchestrator carries out, and hear what it has to tell.

    What a worker or an orchestrator says is a claim: it closes no dispatch in the ledger.

    \b
    Example:
      gatewright tasks list
      gatewright tasks wait --timeout 60
    """
