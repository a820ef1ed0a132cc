"""`gatewright watch`: tell whether a worker's log still moves."""

import click

from gatewright.cli import watching
from gatewright.cli.options import Seconds
from gatewright.flows.watching import MAX_IDLE, Watch


@click.command("watch")
@click.option("--log", required=True, metavar="FILE", help="The log.")
@click.option(
    "--max-idle",
    type=Seconds(),
    default=MAX_IDLE,
    show_default=True,
    metavar="SECONDS",
    help="How long it may stand still; exactly so long is still well.",
)
@click.option("--follow", is_flag=True, help="Wait until it stalls, or the sentinel is found.")
@click.option("--sentinel", metavar="PATTERN", help="What a line says when the work is done.")
@click.option("--progress", metavar="PATTERN", help="Which lines are progress; else every change of the log is.")
def command(*, log: str, max_idle: float, follow: bool, sentinel: str | None, progress: str | None) -> int:
    """Tell whether a worker's log still moves.

    Prints one JSON object: status, idle_seconds, last_progress_at and reason, and the line with the sentinel if there
    is one. Exits 0 when the log moves or says that the work is done, 3 when it has stalled, 2 when it is missing.

    Patterns are those of `matches` in policies, and are looked for in each line that has its line end. The time of
    progress is the first time in the line, such as 2026-11-29T18:02:11Z; without one, that of the log's last change.

    \b
    Examples:
      gatewright watch --log job.log
      gatewright watch --log job.log --follow --sentinel '^DONE$' --max-idle 600
    """
    watch = Watch(
        log=log,
        max_idle=max_idle,
        sentinel=watching.pattern("--sentinel", sentinel),
        progress=watching.pattern("--progress", progress),
    )
    return watching.run("gatewright", watch, follow=follow)
