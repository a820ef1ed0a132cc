"""`gatewright rules`: the registered rules."""

import click

from gatewright.app import App, Options
from gatewright.catalog import Catalog
from gatewright.cli.options import STAGES, Output, output_options, place_options, stage_of, width
from gatewright.cli.streams import say
from gatewright.errors import UsageError
from gatewright.model import Stage
from gatewright.model.exits import ExitCode
from gatewright.report import inventory
from gatewright.report.formats import Format, as_json, table
from gatewright.text import did_you_mean

FORMATS = ("table", "json")


@click.command("rules")
@click.argument("name", required=False)
@click.option("--stage", type=STAGES, help="Only rules of this stage.")
@place_options
@output_options(*FORMATS)
def command(*, options: Options, output: Output, name: str | None, stage: str | None) -> int:
    """List the registered rules, or show the page of one.

    For each rule: its codes, options, facts, where it was loaded from, and what it is for.

    \b
    Example:
      gatewright rules
      gatewright rules fan-out-cap
    """
    app = App(options)
    if name is not None and name not in app.catalog.rules:
        hint = did_you_mean(name, app.catalog.rules) or "`gatewright rules` lists them"
        raise UsageError(f"there is no rule `{name}`", hint)
    output.deliver(lambda each: _rendered(each, app.catalog, name, stage_of(stage)))
    found = name is not None or inventory.rule_rows(app.catalog, stage_of(stage))
    if not found:
        say("gatewright", f"stage `{stage}` has no rules of its own; its policies are made of conditions")
    return ExitCode.OK if found else ExitCode.NOTHING


def _rendered(wanted: Format, catalog: Catalog, name: str | None, stage: Stage | None) -> str:
    if wanted.name == "json":
        rules = [rule for rule in catalog.rules.values() if stage is None or rule.stage is stage]
        chosen = rules if name is None else [catalog.rules[name]]
        return as_json([inventory.rule_plain(catalog, rule) for rule in chosen])
    if name is not None:
        return inventory.rule_page(catalog, catalog.rules[name])
    return table(inventory.rule_rows(catalog, stage), inventory.RULE_HEADERS, style=wanted.style, width=width())
