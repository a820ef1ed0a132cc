"""`gatewright pretrust`: have an agent start in a worktree without a question."""

import click

from gatewright.app import App, Options
from gatewright.cli.options import Output, output_options
from gatewright.cli.streams import say
from gatewright.errors import UsageError
from gatewright.model.exits import ExitCode
from gatewright.probes.clock import now
from gatewright.report import pretrust as report
from gatewright.report.formats import Format, as_json
from gatewright.runtimes.pretrust import RUNTIMES, homes, pretrust
from gatewright.runtimes.pretrust.outcomes import Outcome, TrustError, refusal


@click.command("pretrust")
@click.argument("runtime", type=click.Choice(RUNTIMES))
@click.argument("worktree")
@click.option("--home", metavar="DIR", help="In the place of the home folder; variables that name others do not count.")
@click.option("--accounts-dir", metavar="DIR", help="codex: the folder of accounts, in the place of Orca's.")
@click.option("--projects-dir", metavar="DIR", help="cursor: the folder of projects.")
@click.option("--flip-untrusted", is_flag=True, help="codex: trust even what was explicitly declared untrusted.")
@click.option("--revoke", is_flag=True, help="Take back what this command has added.")
@click.option("--dry-run", is_flag=True, help="Write nothing; show what would be written.")
@output_options("table", "json")
def command(  # noqa: PLR0913  one a flag
    *,
    runtime: str,
    worktree: str,
    home: str | None,
    accounts_dir: str | None,
    projects_dir: str | None,
    flip_untrusted: bool,
    revoke: bool,
    dry_run: bool,
    output: Output,
) -> int:
    """Have an agent start in WORKTREE, an absolute path, without asking whether the folder is trusted.

    One value is added to the agent's own file, in every account; every other byte of it stays. What cannot be done so
    is left as it is and told. The last line begins with `Summary:`, and says `skipped` for a failure. Exits 2 then.

    \b
    Example:
      gatewright pretrust codex "$PWD"
      gatewright pretrust claude "$PWD" --dry-run
    """
    _check_flags(runtime, accounts_dir=accounts_dir, projects_dir=projects_dir, flip=flip_untrusted)
    found = homes.find(App(Options()).environ, home=home, accounts=accounts_dir, projects=projects_dir)
    try:
        outcome = pretrust(
            runtime, worktree, found, now(), revoke=revoke, flip_untrusted=flip_untrusted, dry_run=dry_run
        )
    except TrustError as refused:
        outcome = refusal(runtime, worktree, refused)
    for line in report.lines(outcome):
        say("gatewright", line)
    output.deliver(lambda form: _rendered(outcome, form))
    return ExitCode.OK if outcome.succeeded else ExitCode.DENIED


def _check_flags(runtime: str, *, accounts_dir: str | None, projects_dir: str | None, flip: bool) -> None:
    """Refuse a flag that says nothing of an agent."""
    flags = (
        ("--accounts-dir", "codex", accounts_dir is not None),
        ("--projects-dir", "cursor", projects_dir is not None),
        ("--flip-untrusted", "codex", flip),
    )
    for flag, agent, given in flags:
        if given and agent != runtime:
            raise UsageError(f"`{flag}` says nothing of {runtime}", f"it belongs to `pretrust {agent}`")


def _rendered(outcome: Outcome, form: Format) -> str:
    return as_json(report.plain(outcome)) if form.name == "json" else report.text(outcome, style=form.style)
