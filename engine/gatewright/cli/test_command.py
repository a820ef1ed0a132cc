"""`gatewright test`: dry-run policies against fixtures."""

from collections.abc import Sequence

import click

from gatewright.app import App, Options
from gatewright.cli.fixtures import cases_named
from gatewright.cli.options import Output, exceptions_option, output_options, place_options, width
from gatewright.cli.streams import emit, say
from gatewright.model.coverage import Coverage
from gatewright.model.exits import ExitCode
from gatewright.report import coverage as coverage_report
from gatewright.report import trial_formats
from gatewright.report import trials as report
from gatewright.report.formats import Format, as_json
from gatewright.text import counted, printable
from gatewright.trials import coverage
from gatewright.trials.fixtures import Case
from gatewright.trials.runs import Runner, Trial, selected
from gatewright.trials.telling import run_of

FORMATS = ("table", "json", *trial_formats.NAMES, "html")


@click.command("test")
@click.argument("paths", nargs=-1, metavar="[FILE|DIR]...")
@click.option("-k", "keyword", metavar="EXPR", help="Only cases whose id holds this; and, or, not join words.")
@click.option("-x", "--exitfirst", is_flag=True, help="Stop at the first case that does not pass.")
@click.option("-v", "--verbose", is_flag=True, help="A line a case.")
@click.option("--collect-only", is_flag=True, help="List the cases, run none.")
@click.option("--coverage", "covering", is_flag=True, help="Tell which reason codes the cases show, too.")
@place_options
@exceptions_option
@output_options(*FORMATS)
def command(  # noqa: PLR0913  an option each
    *,
    options: Options,
    output: Output,
    paths: tuple[str, ...],
    keyword: str | None,
    exitfirst: bool,
    verbose: bool,
    collect_only: bool,
    covering: bool,
) -> int:
    """Dry-run policies against fixtures and print the table of denials.

    Without paths: the project's `fixtures` folder, else the shipped one. A case passes when the decision has exactly
    the denials and warnings that it expects. Exits 1 when one does not, 5 when there is none.

    \b
    Example:
      gatewright test fixtures -k budget -v
    """
    app = App(options)
    cases = cases_named(paths, app)
    chosen = selected(cases, keyword)
    if not chosen:
        say(
            "gatewright", f"none of {counted(len(cases), 'case')} fits `-k {keyword}`" if cases else "no case was found"
        )
        return ExitCode.NOTHING
    if collect_only:
        emit("".join(f"{printable(case.id)}\n" for case in chosen))
        return ExitCode.OK
    runner = Runner(
        app.catalog, app.tier_policy_path(), policy=options.policy, params=options.params, exceptions=options.exceptions
    )
    trials = _run(runner, chosen, exitfirst=exitfirst)
    runs = [run_of(trial) for trial in trials]
    deselected = len(cases) - len(chosen)
    shown = coverage.of_cases(coverage.shown_by(trials)) if covering else None
    output.deliver(lambda each: _rendered(each, runs, deselected, shown, verbose=verbose))
    return _status(runs)


def _status(runs: Sequence[report.Run]) -> int:
    if all(run.result is report.Result.SKIP for run in runs):
        say("gatewright", "every case is skipped")
        return ExitCode.NOTHING
    return ExitCode.OK if all(run.passed for run in runs) else ExitCode.FAILED


def _run(runner: Runner, cases: Sequence[Case], *, exitfirst: bool) -> list[Trial]:
    trials: list[Trial] = []
    for case in cases:
        trials.append(runner.run(case))
        if exitfirst and not trials[-1].passed:
            break
    return trials


def _rendered(
    wanted: Format, runs: Sequence[report.Run], deselected: int, shown: Coverage | None, *, verbose: bool
) -> str:
    if wanted.name == "json":
        covered = {"coverage": coverage_report.plain(shown)} if shown is not None else {}
        return as_json({**report.plain(runs), **covered})
    if wanted.name in trial_formats.NAMES:
        return trial_formats.rendered(wanted.name, runs)
    if wanted.name == "html":
        from gatewright.report import page, trials_page

        return page.html(trials_page.page(runs, shown))
    parts = ["".join(f"{report.verbose(run)}\n" for run in runs) if verbose else report.progress(runs)]
    failed = [run for run in runs if not run.passed]
    if failed:
        parts.append(report.title("FAILURES", "=") + "\n" + "\n".join(report.failure(run) for run in failed))
    table = report.denials(runs, style=wanted.style, width=width())
    if table:
        parts.append(report.title("denials", "=") + "\n" + table)
    if shown is not None:
        told = coverage_report.text(shown, style=wanted.style, width=width())
        parts.append(report.title("coverage", "=") + "\n" + told)
    parts.append(report.title(report.summary(runs, deselected), "=") + "\n")
    return "\n".join(parts)
