"""`gatewright schema`: JSON Schemas for editors."""

import json

import click

from gatewright.app import App, Options
from gatewright.cli.options import place_options
from gatewright.cli.streams import emit
from gatewright.model.exits import ExitCode
from gatewright.policy import contract_schema, editor_schema
from gatewright.trials import fixtures


@click.command("schema")
@click.argument("kind", type=click.Choice(["policy", "tiers", "fixture", "contract", "markers"]), default="policy")
@place_options
def command(*, options: Options, kind: str) -> int:
    """Print the JSON Schema of policies, tier tables, fixtures, contracts or lists of screens.

    Editors with the YAML language server use it through a first line such as

        # yaml-language-server: $schema=policy.schema.json

    \b
    Example:
      gatewright schema policy > policy.schema.json
    """
    catalog = App(options).catalog
    if kind == "policy":
        schema = editor_schema.policy_schema(catalog)
    elif kind == "tiers":
        schema = editor_schema.tier_schema()
    elif kind == "contract":
        schema = contract_schema.schema()
    elif kind == "markers":
        schema = editor_schema.markers_schema()
    else:
        schema = editor_schema.fixture_schema(
            catalog, fixtures.FILE, fixtures.CASE, fixtures.ROW, fixtures.EXPECT, fixtures.STEP, fixtures.FIGURES
        )
    emit(json.dumps(schema, indent=2, ensure_ascii=False) + "\n")
    return ExitCode.OK
