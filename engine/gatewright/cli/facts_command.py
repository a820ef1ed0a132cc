"""`gatewright facts`: the facts that rules may read."""

import click

from gatewright.app import App, Options
from gatewright.cli.options import STAGES, Output, output_options, place_options, width
from gatewright.cli.streams import say
from gatewright.model import Stage
from gatewright.model.exits import ExitCode
from gatewright.report import inventory
from gatewright.report.formats import Format, as_json, table
from gatewright.spec import Fact

FORMATS = ("table", "json")


@click.command("facts")
@click.option("--stage", type=STAGES, default="check", show_default=True, help="The stage whose facts are listed.")
@place_options
@output_options(*FORMATS)
def command(*, options: Options, output: Output, stage: str) -> int:
    """List the facts of a stage: name, type, whether null may stand for it, source, and what it is.

    \b
    Example:
      gatewright facts --stage check
    """
    app = App(options)
    facts = list(app.catalog.facts_of(Stage(stage)).values())
    output.deliver(lambda each: _rendered(each, facts))
    if not facts:
        say("gatewright", f"stage `{stage}` has no facts")
    return ExitCode.OK if facts else ExitCode.NOTHING


def _rendered(wanted: Format, facts: list[Fact]) -> str:
    if wanted.name == "json":
        return as_json([row for fact in facts for row in inventory.fact_plain(fact)])
    return table(inventory.fact_rows(facts), inventory.FACT_HEADERS, style=wanted.style, width=width())
