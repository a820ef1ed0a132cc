"""`dispatch-gate check`."""

import click
import msgspec

from gatewright.app import App, Options
from gatewright.cli import checking
from gatewright.cli.drop_in import PROGRAM
from gatewright.cli.older_words import OlderCommand
from gatewright.cli.streams import emit, kept_clean
from gatewright.flows.check import CheckRequest
from gatewright.report.formats import as_json


@click.command("check", cls=OlderCommand)
@click.option("--runtime", required=True, help="The runtime of the worker.")
@click.option("--model", help="The model that the worker is to run.")
@click.option("--tier-policy", help="The tier table.")
@click.option("--tier-override", help="Let this one request pass a tier rule.")
@click.option("--no-record", is_flag=True, help="Evaluate only: append no row and issue no ticket.")
@click.option("--contract", required=True, help="The contract file.")
@click.option("--agents", required=True, type=int, help="How many workers the request starts.")
@click.option("--est-chars", type=int, help="Characters of one worker's input; else the contract's.")
@click.option("--completion-channel", help="orchestration or sentinel-log.")
@click.pass_obj
def command(ledger: str | None, /, *, no_record: bool, tier_policy: str | None, **request: object) -> int:
    """Decide whether a worker may be started.

    \b
    Example:
      dispatch-gate check --runtime codex --model gpt-5.5 --contract job.md \\
          --agents 2 --completion-channel orchestration
    """
    app = App(Options(tier_policy=tier_policy, ledger=ledger))
    asked = msgspec.convert(request, CheckRequest)
    with kept_clean():
        checked = checking.check(app, asked, app.older_ledger, record=not no_record)
    return checking.told(PROGRAM, checked, lambda: emit(as_json(checked.decision.to_dict())))
