"""`gatewright coverage`: which reason codes the fixtures show, and which narrowly not."""

from collections.abc import Iterator, Sequence

import click

from gatewright.app import App, Options
from gatewright.cli import rendering
from gatewright.cli.fixtures import cases_named
from gatewright.cli.histories import History, history_options, side
from gatewright.cli.options import Output, Percent, exceptions_option, output_options, place_options
from gatewright.cli.streams import say
from gatewright.errors import FileError, PathError, UsageError
from gatewright.ledger.errors import LedgerError
from gatewright.model import Stage
from gatewright.model.coverage import Coverage
from gatewright.model.exits import ExitCode
from gatewright.report import coverage as report
from gatewright.report import lint_formats
from gatewright.report.formats import Format
from gatewright.runner import Gate
from gatewright.text import counted, printable
from gatewright.trials import coverage, production
from gatewright.trials.fixtures import Case
from gatewright.trials.runs import Runner, Trial

FORMATS = ("table", "json", "csv", "markdown", "sarif", "github", "junit", "html")


@click.command("coverage")
@click.argument("paths", nargs=-1, metavar="[FILE|DIR]...")
@click.option("--fail-under", type=Percent(), metavar="PERCENT", help="Exit 1 when less than this is shown.")
@history_options
@place_options
@exceptions_option
@output_options(*FORMATS)
def command(
    *, options: Options, output: Output, history: History, paths: tuple[str, ...], fail_under: float | None
) -> int:
    """Tell for every rule and each reason code that it may give whether fixtures show it.

    A code is shown when one case makes the rule give it, and another one narrowly does not: the smallest change of one
    fact would. Without paths: the fixtures of `gatewright test`, and every policy in force. With --ledger, --history,
    --since or --until: what recorded checks show of the policy of `check`, judged again on their recorded facts. Exits
    1 below --fail-under and when a case does not pass, 5 when there is no case or check.

    \b
    Examples:
      gatewright coverage fixtures --fail-under 100
      gatewright coverage --since 30d
    """
    if history.named() or history.span != (None, None):
        if paths:
            raise UsageError("coverage is told by fixtures or by recorded checks", "leave out one of them")
        return _in_production(options, history, output, fail_under)
    app = App(options)
    cases = cases_named(paths, app)
    if not cases:
        say("gatewright", "no case was found")
        return ExitCode.NOTHING
    trials, found = covered(app, cases, whole=not paths)
    output.deliver(lambda each: rendered(each, found))
    failed = [trial for trial in trials if not trial.passed]
    for trial in failed[:3]:
        say("gatewright", f"{printable(trial.case.id)} does not pass")
    if failed:
        say("gatewright", f"{counted(len(failed), 'case')} of {len(trials)}: `gatewright test` tells why")
        return ExitCode.FAILED
    return _status(found, fail_under)


def _in_production(options: Options, history: History, output: Output, fail_under: float | None) -> int:
    judging = side(options, None)
    try:
        source, entries = history.rows(options, judging.window_seconds)
        found = production.of_rows(source, entries, judging, history.span[0])
    except PathError as error:
        say("gatewright", f"ledger {error}" if isinstance(error, LedgerError) else str(error))
        return ExitCode.FAILED
    if found.lacking:
        say("gatewright", f"{counted(found.lacking, 'check')} not judged: the rows do not hold what a rule needs")
    if not found.coverage.decisions:
        say("gatewright", "no check was found that can be judged")
        return ExitCode.NOTHING
    output.deliver(lambda each: rendered(each, found.coverage))
    return _status(found.coverage, fail_under)


def covered(app: App, cases: Sequence[Case], *, whole: bool) -> tuple[list[Trial], Coverage]:
    """The cases as they were run, and what they show. whole: of every policy in force, run or not."""
    asked = app.options
    runner = Runner(
        app.catalog, app.tier_policy_path(), policy=asked.policy, params=asked.params, exceptions=asked.exceptions
    )
    trials = [runner.run(case) for case in cases]
    gates = list(_in_force(app, runner)) if whole else []
    return trials, coverage.of_cases(coverage.shown_by(trials), gates)


def _in_force(app: App, runner: Runner) -> Iterator[Gate]:
    for stage in Stage if app.options.policy is None else ():
        try:
            path = app.policy_path(stage)
        except FileError:
            continue  # no policy is shipped for this stage
        yield runner.gate_at(path)


def _status(found: Coverage, fail_under: float | None) -> int:
    if not found.codes:
        say("gatewright", "there is no code to show")
        return ExitCode.NOTHING
    if fail_under is not None and found.percent < fail_under:
        say("gatewright", f"{report.percent(found.codes)} is less than {fail_under:g} %")
        return ExitCode.FAILED
    return ExitCode.OK


def rendered(wanted: Format, found: Coverage) -> str:
    """The coverage in a format."""
    more = {"html": _page, "sarif": _sarif, "github": report.github, "junit": report.as_junit}
    return rendering.rendered(wanted, report, found, more)


def _sarif(found: Coverage) -> str:
    return lint_formats.as_sarif(report.problems(found))


def _page(found: Coverage) -> str:
    from gatewright.report import coverage_page, page

    return page.html(coverage_page.page(found))
