"""`gatewright register`: prove that a job is the worker that was allowed, and settle the check."""

import click
import msgspec

from gatewright.app import App, Options
from gatewright.cli import checking
from gatewright.cli.options import Output, output_options, place_options
from gatewright.flows.registrations import RegisterRequest


@click.command("register")
@click.option("--job-id", required=True, metavar="ID", help="The job, as the orchestrator or its artifact names it.")
@click.option("--probe-cmd", required=True, metavar="LINE", help="A line for the shell that prints an artifact.")
@click.option("--contract-sha", metavar="HEX", help="The contract's hash, or its first 12 digits or more.")
@click.option("--runtime", help="The runtime of the worker.")
@click.option(
    "--orchestration-task", metavar="ID", help="The orchestrator's task, unless a sentinel log tells the end."
)
@click.option("--declared-model", metavar="ID", help="The model that the worker is said to run.")
@click.option("--model-probe-cmd", metavar="LINE", help="A line for the shell that prints the model it runs.")
@click.option("--tier-policy", metavar="FILE", help="The tier table, in the place of the one in force.")
@click.option("--actor", metavar="NAME", help="Who asks.")
@click.option("--request-id", metavar="ID", help="Makes a repeated request the same request.")
@click.option("--orchestrator", metavar="NAME", help="local, tmux, orca, or a plugin's.")
@click.option("--ledger", metavar="FILE|URL", help="The ledger.")
@place_options
@output_options("table", "json", *checking.FORMATS, piped="json")
def command(
    *,
    options: Options,
    output: Output,
    tier_policy: str | None,
    orchestrator: str | None,
    ledger: str | None,
    **request: object,
) -> int:
    """Register a job: prove it, and settle the check that allowed it.

    The job is proven when the probe exits with 0 and the job's id is a whole word of what it prints. Each probe has 30
    seconds, and whatever it starts ends with it. The decision is recorded; an allowed one takes the ticket of the
    check. The task is asked for at the orchestrator of --orchestrator, of the project, or else at Orca.

    Prints one decision: a JSON object in a pipe, a table on a terminal. Exits 0 when it is allowed and 2 when it is
    denied; why is said on standard error, or below the table.

    \b
    Example:
      gatewright register --job-id ctx_1a2b --orchestration-task task_3c4d \\
          --probe-cmd 'orca orchestration dispatch-show --task task_3c4d --json' \\
          --contract-sha "$SHA" --declared-model gpt-5.5
    """
    asked = msgspec.convert(request, RegisterRequest)
    app = App(msgspec.structs.replace(options, tier_policy=tier_policy, ledger=ledger))
    checked = checking.register(app, asked, app.ledger, app.look_up(orchestrator))

    def deliver() -> None:
        output.deliver(lambda each: checking.rendered(each, checked))

    return checking.told("gatewright", checked, deliver, reasons_told=output.shown == "table")
