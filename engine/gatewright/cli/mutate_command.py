"""`gatewright mutate`: whether fixtures notice when one thing in a policy is slightly wrong."""

import click

from gatewright.app import App, Options
from gatewright.cli import rendering
from gatewright.cli.fixtures import cases_named
from gatewright.cli.options import Output, output_options, place_options
from gatewright.cli.progress import progress
from gatewright.cli.streams import say
from gatewright.model.exits import ExitCode
from gatewright.model.mutations import Mutation
from gatewright.report import lint_formats
from gatewright.report import mutation as report
from gatewright.report.formats import Format
from gatewright.text import counted, printable
from gatewright.trials import mutation
from gatewright.trials.runs import Runner

FORMATS = ("table", "json", "csv", "markdown", "sarif", "github", "junit")


@click.command("mutate")
@click.argument("paths", nargs=-1, metavar="[FILE|DIR]...")
@click.option("--only", multiple=True, metavar="ID", help="Only mutants of this rule, exception or `params.NAME`.")
@place_options
@output_options(*FORMATS)
def command(*, options: Options, output: Output, paths: tuple[str, ...], only: tuple[str, ...]) -> int:
    """Put one slip at a time into the policies of fixtures, and tell which of them no case notices.

    A slip is a limit one off, another comparison, `or` for `and`, a list with one more or less in it, and a guard, an
    override, an exception or a rule that is gone, or at another level. Files stay as they are. Exits 1 when a mutant
    lives that is not known to be equivalent, or a case does not pass; 5 when there is none.

    \b
    Example:
      gatewright mutate fixtures
    """
    app = App(options)
    cases = cases_named(paths, app)
    if not cases:
        say("gatewright", "no case was found")
        return ExitCode.NOTHING
    runner = Runner(app.catalog, app.tier_policy_path(), policy=options.policy, params=options.params)
    trials = [runner.run(case) for case in cases]
    failed = [trial for trial in trials if not trial.passed]
    if failed:
        say("gatewright", f"{printable(failed[0].case.id)} does not pass")
        say("gatewright", f"{counted(len(failed), 'case')} of {len(trials)}: `gatewright test` tells why")
        return ExitCode.FAILED
    with progress("mutants") as told:
        found = mutation.of_trials(runner, trials, told, only)
    if not found.mutants:
        say("gatewright", "there is no mutant to judge" + (f" of {', '.join(only)}" if only else ""))
        return ExitCode.NOTHING
    output.deliver(lambda each: rendered(each, found))
    return ExitCode.FAILED if found.alive else ExitCode.OK


def rendered(wanted: Format, found: Mutation) -> str:
    """The mutants in a format."""
    more = {"sarif": _sarif, "github": report.github, "junit": report.as_junit}
    return rendering.rendered(wanted, report, found, more)


def _sarif(found: Mutation) -> str:
    return lint_formats.as_sarif(report.problems(found))
