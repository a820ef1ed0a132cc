"""`gatewright policies`: the policies in force and what they are made of."""

import click

from gatewright.app import App, Options
from gatewright.cli.options import Output, output_options, place_options, width
from gatewright.errors import FileError
from gatewright.model import Stage
from gatewright.model.exits import ExitCode
from gatewright.policy.loader import load
from gatewright.policy.policies import Policy
from gatewright.probes.files import read_file
from gatewright.report import inventory
from gatewright.report.formats import Format, as_json, table
from gatewright.text import printable

FORMATS = ("table", "json")


@click.command("policies")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@place_options
@output_options(*FORMATS)
def command(*, options: Options, output: Output, files: tuple[str, ...]) -> int:
    """List the policies in force, or what those that are named are made of.

    Without FILE: one row a policy. With FILE: one row a rule, with its codes, levels, overrides and place, and below
    it params, exceptions and freeze.

    \b
    Example:
      gatewright policies
      gatewright policies policies/check.yaml
    """
    app = App(options)
    found = [load(read_file(path), path, app.catalog, app.options.params) for path in files] or in_force(app)
    output.deliver(lambda each: _rendered(each, found, rules=bool(files)))
    return ExitCode.OK if found else ExitCode.NOTHING


def in_force(app: App) -> list[Policy]:
    """The policies of all stages that have one. Raises what loading them raises."""
    found: list[Policy] = []
    for stage in Stage:
        try:
            path = app.policy_path(stage)
        except FileError:
            continue  # no policy is shipped for this stage
        policy = load(read_file(path), path, app.catalog, app.options.params)
        if policy.stage is stage:
            found.append(policy)
    return found


def _rendered(wanted: Format, policies: list[Policy], *, rules: bool) -> str:
    if wanted.name == "json":
        return as_json([inventory.policy_plain(policy) for policy in policies])
    if not rules:
        cells = [inventory.policy_row(policy) for policy in policies]
        return table(cells, inventory.POLICY_HEADERS, style=wanted.style, width=width())
    return "\n".join(_page(policy, wanted.style) for policy in policies)


def _page(policy: Policy, style: str) -> str:
    head = f"{policy.id}   stage {policy.stage.value}, {printable(policy.path)}, sha256 {policy.sha256}\n"
    if policy.freeze is not None:
        head += f"frozen until {policy.freeze.until.text}: {printable(policy.freeze.reason)}\n"
    parts = [
        (inventory.entry_rows(policy), inventory.ENTRY_HEADERS),
        (inventory.param_rows(policy), inventory.PARAM_HEADERS),
        (inventory.exception_rows(policy), inventory.EXCEPTION_HEADERS),
    ]
    tables = [table(rows, headers, style=style, width=width()) for rows, headers in parts if rows]
    return "\n".join([head, *tables])
