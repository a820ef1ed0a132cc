"""`gatewright tasks list`: what was allowed, and what has become of it."""

import click

from gatewright.app import App
from gatewright.cli.options import Output, Seconds, output_options, width
from gatewright.cli.reporting import moment
from gatewright.cli.streams import say
from gatewright.cli.tasks.common import with_app
from gatewright.flows.surveying import MAX_IDLE, Means, survey
from gatewright.ledger.errors import LedgerError
from gatewright.model.exits import ExitCode
from gatewright.model.works import WorkState
from gatewright.probes.clock import now
from gatewright.report.formats import as_json
from gatewright.report.works import work_plain, works_table


@click.command("list")
@click.option("--since", default="7d", show_default=True, metavar="TIME", help="Only what was allowed since then.")
@click.option(
    "--state",
    "states",
    type=click.Choice([each.value for each in WorkState]),
    multiple=True,
    metavar="STATE",
    help=f"Only these: {', '.join(each.value for each in WorkState)}.",
)
@click.option(
    "--max-idle",
    type=Seconds(),
    default=MAX_IDLE,
    show_default=True,
    metavar="SECONDS",
    help="How long a worker may write nothing before it counts as stalled.",
)
@output_options("table", "json")
@with_app
def command(*, app: App, output: Output, name: str | None, since: str, states: tuple[str, ...], max_idle: float) -> int:
    """List what was allowed and what has become of it, by the ledger and the orchestrator.

    A check that no job was registered for is `pending`, whatever a worker says; a dispatch that the orchestrator knows
    and no registration names is `unrecorded`. A registration for a sentinel log is `non-orchestrated`, and stays that.
    Exits 1 when the ledger or the orchestrator cannot be asked.

    \b
    Examples:
      gatewright tasks list --since 24h
      gatewright tasks list --state failed --state stalled --json
    """
    means = Means(orchestrator=lambda: app.orchestrator(name), now=lambda: now().epoch, max_idle=max_idle)
    try:
        found = survey(app.ledger(to_read=True), means, moment("--since", since, now().epoch))
    except LedgerError as error:
        say("gatewright", f"ledger {error}")
        return ExitCode.FAILED
    works = [work for work in found.works if not states or work.state.value in states]
    plain = {"works": [work_plain(work) for work in works], "problems": list(found.problems)}
    output.deliver(
        lambda each: as_json(plain) if each.name == "json" else works_table(works, style=each.style, width=width())
    )
    for problem in found.problems:
        say("gatewright", problem)
    return ExitCode.FAILED if found.problems else ExitCode.OK
