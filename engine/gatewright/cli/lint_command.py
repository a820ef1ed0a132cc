"""`gatewright lint`: find the mistakes of policies, tier tables and fixtures."""

from collections.abc import Iterator, Sequence

import click
from msgspec import Struct

from gatewright.app import App, Options
from gatewright.cli.options import Output, output_options, place_options
from gatewright.cli.paths import named
from gatewright.cli.streams import say
from gatewright.cli.unused import unused_exceptions
from gatewright.errors import FileError, GatewrightError, Place, PolicyError, Problem, Severity, UsageError
from gatewright.model import Stage
from gatewright.model.exits import ExitCode
from gatewright.policy import analysis, checks, documents, fixes, markers, runtimes, standing, tier_tables
from gatewright.policy.fixes import Mended
from gatewright.policy.loader import load
from gatewright.policy.tree import Tree
from gatewright.probes import clock
from gatewright.probes.files import read_file, replace_file
from gatewright.report import lint_formats
from gatewright.report import problems as report
from gatewright.report.formats import Format, as_json
from gatewright.trials import fixture_checks, fixtures
from gatewright.trials.collecting import codes_for, policies_of
from gatewright.trials.fixtures import KINDS

FORMATS = ("table", "json", *lint_formats.NAMES)
_LISTS = {"runtimes": runtimes.load, "markers": markers.load}


class Linted(Struct, frozen=True):
    """The problems of all files: those that were fixed, and those that are left."""

    files: tuple[str, ...]
    fixed: tuple[Problem, ...]
    left: tuple[Problem, ...]
    failing: frozenset[Severity]  #: what is a failure

    @property
    def failed(self) -> bool:
        """Whether something is left that is a failure."""
        return any(problem.severity in self.failing for problem in self.left)


@click.command("lint")
@click.argument("paths", nargs=-1, metavar="[FILE|DIR]...")
@click.option("--syntax", is_flag=True, help="Read the YAML or JSON only, whatever it is for.")
@click.option("--strict", is_flag=True, help="Let warnings fail too.")
@click.option("--fix", is_flag=True, help="Write what has one right answer into the files.")
@click.option(
    "--level", "levels", metavar="CHECK=LEVEL", multiple=True, help="error, warning, note or off for a check."
)
@place_options
@output_options(*FORMATS, styled=False)
def command(
    *,
    options: Options,
    output: Output,
    paths: tuple[str, ...],
    syntax: bool,
    strict: bool,
    fix: bool,
    levels: tuple[str, ...],
) -> int:
    """Find the mistakes of policies, tier tables and fixtures, all of them at once, each with its place.

    Without paths: the policies and the tier table in force. Exits 1 when there is an error, 5 when there is no file.

    \b
    Example:
      gatewright lint policies/check.yaml
      gatewright lint --fix policies
      gatewright lint --syntax file.yaml -f json
    """
    app = App(options)
    weights = {**app.project.settings.lint_levels, **_levels(levels)}
    files = tuple(named(paths, _is_ours) if paths else _in_force(app))
    if not files:
        say("gatewright", "no file was found")
        return ExitCode.NOTHING
    found = [_linted(file, app, syntax=syntax, fix=fix) for file in files]
    if not syntax:
        found.append(Mended(b"", (), tuple(unused_exceptions(files, app))))
    linted = Linted(
        files,
        tuple(problem for mended in found for problem in mended.fixed),
        tuple(checks.weighed((problem for mended in found for problem in mended.left), weights)),
        frozenset({Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}),
    )
    output.deliver(lambda each: rendered(each, linted))
    return ExitCode.FAILED if linted.failed else ExitCode.OK


def _levels(given: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in given:
        check, _, level = each.partition("=")
        wrong = checks.wrong_level(check, level)
        if wrong is not None:
            raise UsageError(*wrong)
        if check in found:
            raise UsageError(f"`{check}` is given two levels", "give it one")
        found[check] = level
    return found


def _linted(file: str, app: App, *, syntax: bool, fix: bool) -> Mended:
    """The problems of a file, with those that were fixed apart; the file is written only where something was."""
    try:
        data = read_file(file)
        if not fix:
            return Mended(data, (), tuple(_problems(data, file, app, syntax=syntax)))
        mended = fixes.mended(data, file, lambda each: _problems(each, file, app, syntax=syntax))
        if mended.data != data:
            replace_file(file, mended.data)
    except FileError as error:
        return Mended(b"", (), (Problem(place=Place(file, 1, 1), message=str(error), check="file"),))
    return mended


def _is_ours(file: str) -> bool:
    """Whether a file found in a folder may be of a kind that is looked at; one that cannot be read is told of."""
    try:
        return documents.may_be(documents.read(read_file(file), file).tree, KINDS)
    except (FileError, PolicyError):
        return True


def _in_force(app: App) -> Iterator[str]:
    for stage in Stage:
        try:
            yield app.policy_path(stage)
        except FileError:
            continue  # no policy is shipped for this stage
        if app.options.policy is not None:
            return
    yield app.tier_policy_path()


def _problems(data: bytes, file: str, app: App, *, syntax: bool) -> Sequence[Problem]:
    """Everything that is wrong with a file, by what it is: a policy, a tier table or a fixture."""
    try:
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
        fixture = fixtures.load(data, file, codes_for(data, file, app.catalog), frozenset(app.catalog.facts))
        policies = policies_of(data, file, app.catalog)
        return fixture_checks.warnings(fixture.cases, policies[0], app.catalog) if policies else ()
    if kind == "tier table":
        return tier_tables.load(data, file).warnings
    if kind in _LISTS:
        _LISTS[kind](data, file)
        return ()
    policy = load(data, file, app.catalog, app.options.params)
    return [*policy.warnings, *analysis.findings(policy), *standing.problems(policy, clock.today())]


def rendered(wanted: Format, linted: Linted) -> str:
    """What was found, in a format."""
    left, fixed = linted.left, linted.fixed
    if wanted.name == "json":
        return as_json([*report.plain(fixed, fixed=True), *report.plain(left)])
    if wanted.name in lint_formats.NAMES:
        return lint_formats.rendered(wanted.name, left, linted.files, linted.failing)
    summary = report.summary(left, len(linted.files), len(fixed))
    return report.text(fixed, fixed=True) + report.text(left) + f"{summary}\n"
