"""`gatewright lint`: find the mistakes of policies, tier tables and fixtures."""

from collections.abc import Iterator, Sequence

import click

from gatewright.app import App, Options
from gatewright.cli.options import Output, output_options, place_options
from gatewright.cli.paths import named
from gatewright.cli.streams import say
from gatewright.cli.test_command import own_codes
from gatewright.errors import FileError, GatewrightError, Place, PolicyError, Problem, Severity
from gatewright.model import Stage
from gatewright.model.exits import ExitCode
from gatewright.policy import analysis, documents, tier_tables
from gatewright.policy.loader import load
from gatewright.policy.tree import Tree
from gatewright.probes.files import read_file
from gatewright.report import problems as report
from gatewright.report.formats import Format, as_json
from gatewright.trials import fixtures
from gatewright.trials.fixtures import KINDS

FORMATS = ("table", "json")


@click.command("lint")
@click.argument("paths", nargs=-1, metavar="[FILE|DIR]...")
@click.option("--syntax", is_flag=True, help="Read the YAML or JSON only, whatever it is for.")
@click.option("--strict", is_flag=True, help="Let warnings fail too.")
@place_options
@output_options(*FORMATS)
def command(*, options: Options, output: Output, paths: tuple[str, ...], syntax: bool, strict: bool) -> int:
    """Find the mistakes of policies, tier tables and fixtures, all of them at once, each with its place.

    Without paths: the policies and the tier table in force. Exits 1 when there is an error, 5 when there is no file.

    \b
    Example:
      gatewright lint policies/check.yaml
      gatewright lint --syntax file.yaml -f json
    """
    app = App(options)
    files = list(named(paths) if paths else _in_force(app))
    if not files:
        say("gatewright", "no file was found")
        return ExitCode.NOTHING
    found = [problem for file in files for problem in _problems(file, app, syntax=syntax)]
    output.deliver(lambda each: _rendered(each, found, len(files)))
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    return ExitCode.FAILED if any(problem.severity in failing for problem in found) else ExitCode.OK


def _in_force(app: App) -> Iterator[str]:
    for stage in Stage:
        try:
            yield app.policy_path(stage)
        except FileError:
            continue  # no policy is shipped for this stage
        if app.options.policy is not None:
            return
    yield app.tier_policy_path()


def _problems(file: str, app: App, *, syntax: bool) -> Sequence[Problem]:
    """Everything that is wrong with a file, by what it is: a policy, a tier table or a fixture."""
    try:
        data = read_file(file)
        document = documents.read(data, file)
        if syntax:
            return document.problems
        return _by_kind(data, file, document.tree, app)
    except PolicyError as error:
        return error.problems
    except GatewrightError as error:
        return [Problem(place=Place(file, 1, 1), message=str(error), check="file")]


def _by_kind(data: bytes, file: str, tree: Tree, app: App) -> Sequence[Problem]:
    kind = documents.kind_of(tree, KINDS)
    if kind == "fixture":
        fixtures.load(
            data, file, frozenset(app.catalog.reasons) | own_codes(data, file, app), frozenset(app.catalog.facts)
        )
        return ()
    if kind == "tier table":
        return tier_tables.load(data, file).warnings
    policy = load(data, file, app.catalog, app.options.params)
    return [*policy.warnings, *analysis.findings(policy)]


def _rendered(wanted: Format, problems: Sequence[Problem], files: int) -> str:
    if wanted.name == "json":
        return as_json(report.plain(problems))
    return report.text(problems) + report.summary(problems, files) + "\n"
