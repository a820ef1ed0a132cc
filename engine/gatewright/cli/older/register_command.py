"""`dispatch-gate register`."""

import click
import msgspec

from gatewright.app import App, Options
from gatewright.cli import checking
from gatewright.cli.drop_in import PROGRAM
from gatewright.cli.older_words import OlderCommand
from gatewright.cli.streams import emit, kept_clean
from gatewright.flows.registrations import RegisterRequest
from gatewright.report.formats import as_json


@click.command("register", cls=OlderCommand)
@click.option("--job-id", required=True, help="The job, as the orchestrator or its artifact names it.")
@click.option("--probe-cmd", required=True, help="A line for the shell that prints an artifact.")
@click.option("--contract-sha", help="The contract's hash, or its first 12 digits or more.")
@click.option("--runtime", help="The runtime of the worker.")
@click.option("--orchestration-task", help="The orchestrator's task, unless a sentinel log tells the end.")
@click.option("--tier-policy", help="The tier table.")
@click.option("--declared-model", help="The model that the worker is said to run.")
@click.option("--model-probe-cmd", help="A line for the shell that prints the model it runs.")
@click.pass_obj
def command(ledger: str | None, /, *, tier_policy: str | None, **request: object) -> int:
    """Register a job: prove it, and settle the check that allowed it.

    \b
    Example:
      dispatch-gate register --job-id ctx_1a2b --orchestration-task task_3c4d \\
          --probe-cmd 'orca orchestration dispatch-show --task task_3c4d --json'
    """
    app = App(Options(tier_policy=tier_policy, ledger=ledger))
    asked = msgspec.convert(request, RegisterRequest)
    with kept_clean():
        checked = checking.register(app, asked, app.older_ledger, app.look_up("orca"))
    return checking.told(PROGRAM, checked, lambda: emit(as_json(checked.decision.to_dict())))
