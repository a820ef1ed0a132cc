"""`gatewright check`: decide whether a worker may be started."""

import click
import msgspec

from gatewright.app import App, Options
from gatewright.cli import checking
from gatewright.cli.options import Output, exceptions_option, output_options, place_options
from gatewright.cli.options import labels as read_labels
from gatewright.errors import UsageError
from gatewright.flows.check import CheckRequest


@click.command("check")
@click.option("--runtime", required=True, help="The runtime of the worker.")
@click.option("--contract", required=True, metavar="FILE", help="The contract that tells the worker what to do.")
@click.option("--agents", required=True, type=int, help="How many workers the request starts.")
@click.option("--model", metavar="ID", help="The model that the worker is to run.")
@click.option("--est-chars", type=int, metavar="N", help="Characters of one worker's input.")
@click.option("--completion-channel", metavar="NAME", help="orchestration or sentinel-log.")
@click.option("--tier-policy", metavar="FILE", help="The tier table, in the place of the one in force.")
@click.option("--tier-override", metavar="REASON", help="Let this one request pass a tier rule.")
@click.option("--known-roots", metavar="FILE", help="The known-roots file.")
@click.option("--label", "labels", metavar="NAME=TEXT", multiple=True, help="A label of the request.")
@click.option("--actor", metavar="NAME", help="Who asks.")
@click.option("--request-id", metavar="ID", help="Makes a repeated request the same request.")
@click.option("--no-record", is_flag=True, help="Evaluate only: write no row, no ticket, nothing.")
@click.option("--ledger", metavar="FILE|URL", help="The ledger.")
@place_options
@exceptions_option
@output_options("table", "json", *checking.FORMATS, piped="json")
def command(
    *,
    options: Options,
    output: Output,
    no_record: bool,
    tier_policy: str | None,
    known_roots: str | None,
    ledger: str | None,
    labels: tuple[str, ...],
    **request: object,
) -> int:
    """Decide whether a worker may be started.

    The decision is recorded in the ledger, and an allowed request gets a ticket, which `register` takes. Without
    --est-chars the characters of the contract are counted.

    Prints one decision: a JSON object in a pipe, a table on a terminal. Exits 0 when it is allowed and 2 when it is
    denied; why is said on standard error, or below the table.

    \b
    Example:
      gatewright check --runtime codex --model gpt-5.5 --contract job.md \\
          --agents 2 --completion-channel orchestration
    """
    if not options.exceptions and not no_record:
        raise UsageError("--no-exceptions shows what would be, and is not recorded", "add --no-record")
    asked = msgspec.convert({**request, "labels": read_labels(labels)}, CheckRequest)
    app = App(msgspec.structs.replace(options, tier_policy=tier_policy, known_roots=known_roots, ledger=ledger))
    checked = checking.check(app, asked, app.ledger, record=not no_record)

    def deliver() -> None:
        output.deliver(lambda each: checking.rendered(each, checked))

    return checking.told("gatewright", checked, deliver, reasons_told=output.shown == "table")
