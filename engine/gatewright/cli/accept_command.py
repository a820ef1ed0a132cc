"""`gatewright accept`: hold the work of a job to its contract."""

import click
import msgspec

from gatewright.app import App, Gate, Options
from gatewright.cli import checking
from gatewright.cli.options import Output, output_options, place_options
from gatewright.cli.streams import say
from gatewright.errors import FileError
from gatewright.flows import accepting, recording
from gatewright.flows.accepting import AcceptRequest, Judged
from gatewright.flows.accounts import account
from gatewright.model import GateDecision, Stage
from gatewright.model.exits import ExitCode
from gatewright.probes.contract import mentions_of
from gatewright.probes.files import read_file
from gatewright.report import acceptance as report
from gatewright.report.formats import Format, as_json


@click.command("accept")
@click.option("--job", "job_id", required=True, metavar="ID", help="The job, as it was registered.")
@click.option("--contract", required=True, metavar="FILE", help="The contract that tells the worker what to do.")
@click.option("--worktree", metavar="DIR", default=".", help="The top of the worker's worktree.")
@click.option("--base", metavar="REV", help="What the work started from; else where it left the default branch.")
@click.option("--placement", metavar="FILE", help="The three lines in which the worker said where it stands.")
@click.option("--report", metavar="FILE", help="What the worker has written; absolute paths in it are told.")
@click.option("--actor", metavar="NAME", help="Who asks.")
@click.option("--ledger", metavar="FILE|URL", help="The ledger.")
@place_options
@output_options("table", "json", piped="json", styled=False)
def command(*, options: Options, output: Output, ledger: str | None, **request: object) -> int:
    """Accept the work of a job: hold it to its contract, make its evidence again, and record the verdict.

    The work lies in --worktree, or in this folder.

    Everything that differs from the base has to lie within the contract, whether committed, staged or never added. The
    contract's commands are run in the worktree, each within its time, unless the work is refused anyway. What cannot be
    verified is not accepted.

    Prints the verdict with three lists: what passed, what was not run, what remains a risk. Exits 0 when the work is
    accepted and 1 when it is not.

    \b
    Example:
      gatewright accept --job ctx_1a2b --contract contracts/job-17.md --worktree ../widgets-17
    """
    asked = msgspec.convert(request, AcceptRequest)
    app = App(msgspec.structs.replace(options, ledger=ledger))
    judged = _judged(app, asked)
    told = account(judged, _absolute_paths(asked.report))
    decision = judged.decision

    def rendered(wanted: Format) -> str:
        return as_json(report.plain(decision, told)) if wanted.name == "json" else report.text(decision, told)

    output.deliver(rendered)
    return ExitCode.OK if decision.allow else ExitCode.FAILED


def _judged(app: App, request: AcceptRequest) -> Judged:
    """The verdict. Never raises: what goes wrong refuses the work with its own code."""
    found: list[Judged] = []

    def run(gate: Gate) -> recording.Checked:
        found.append(accepting.accept(gate, request, app.ledger(), app.environ))
        return recording.Checked(decision=found[0].decision, facts=found[0].facts)

    def note(decision: GateDecision) -> None:
        accepting.note(decision, request, app.ledger())

    decision = checking.decided(app, Stage.ACCEPT, run, note).decision
    return found[0] if found and found[0].decision is decision else Judged(decision=decision)


def _absolute_paths(path: str | None) -> tuple[str, ...]:
    """The absolute paths in what the worker has written; what cannot be read names none, and that is said."""
    if path is None:
        return ()
    try:
        return mentions_of(read_file(path).decode("utf-8", "replace")).paths
    except FileError as error:
        say("gatewright", f"the report is not looked at: {error}")
        return ()
