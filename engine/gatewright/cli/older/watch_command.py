"""`dispatch-gate watch`."""

import click

from gatewright.cli import watching
from gatewright.cli.drop_in import PROGRAM
from gatewright.cli.older_words import OlderCommand
from gatewright.flows.watching import MAX_IDLE, Watch


@click.command("watch", cls=OlderCommand)
@click.option("--log", required=True, help="The worker's log.")
@click.option("--max-idle", type=int, default=int(MAX_IDLE), show_default=True, help="Seconds that it may stand still.")
def command(*, log: str, max_idle: int) -> int:
    """Tell whether a worker's log still moves: exits 0 if it does, 3 if it has stalled, 2 if it is missing.

    \b
    Example:
      dispatch-gate watch --log job.log
    """
    return watching.run(PROGRAM, Watch(log=log, max_idle=max_idle))
