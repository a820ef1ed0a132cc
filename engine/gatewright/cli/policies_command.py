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
    """List the policies in force, or the rules of those that are named.

    Without FILE: one row a policy. With FILE: one row a rule, with its codes, levels, overrides and place.

    \b
    Example:
      gatewright policies
      gatewright policies policies/check.yaml
    """
    app = App(options)
    found = [load(read_file(path), path, app.catalog, app.options.params) for path in files] or _in_force(app)
    output.deliver(lambda each: _rendered(each, found, rules=bool(files)))
    return ExitCode.OK if found else ExitCode.NOTHING


def _in_force(app: App) -> list[Policy]:
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
    parts = []
    for policy in policies:
        head = f"{policy.id}   stage {policy.stage.value}, {printable(policy.path)}, sha256 {policy.sha256}\n\n"
        cells = inventory.entry_rows(policy)
        parts.append(head + table(cells, inventory.ENTRY_HEADERS, style=wanted.style, width=width()))
    return "\n".join(parts)
