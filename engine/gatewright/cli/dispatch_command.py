"""`gatewright dispatch`: carry a dispatch out, from the gate to the proof that a worker has started."""

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import cache

import click
import msgspec

from gatewright.app import App, Gate, Options
from gatewright.cli import checking
from gatewright.cli.interrupting import Signals
from gatewright.cli.options import Output, labels, output_options
from gatewright.cli.streams import OutputError, emit, kept_clean, say
from gatewright.errors import GatewrightError
from gatewright.flows import recording
from gatewright.flows.check import Surroundings
from gatewright.flows.dispatching.desk import EST_CHARS, Desk, DispatchRequest
from gatewright.flows.dispatching.pipeline import dispatch
from gatewright.model import GateDecision, Stage
from gatewright.model.dispatches import Dispatched, Step
from gatewright.model.exits import DispatchCode
from gatewright.model.screens import Pane
from gatewright.orchestrators.protocol import Screen
from gatewright.probes.clock import now
from gatewright.report import dispatches as report
from gatewright.report.formats import as_json
from gatewright.runtimes.pretrust import homes
from gatewright.runtimes.screens.reading import Reader


@click.command("dispatch")
@click.option("--contract", required=True, metavar="FILE", help="The contract that tells the worker what to do.")
@click.option("--spec", metavar="TEXT", help="The task, word for word as it is typed in.")
@click.option("--worktree", metavar="DIR", help="The top of the worker's worktree.")
@click.option("--terminal", metavar="HANDLE", help="A terminal that is open already, with an agent that waits.")
@click.option("--runtime", metavar="NAME", help="The runtime of the worker.")
@click.option("--model", metavar="ID", help="The model that the worker is to run.")
@click.option("--top-approved", metavar="TEXT", help="Why a model of the top tier may be started.")
@click.option("--tier-override", metavar="TEXT", help="Let this one request pass a tier rule.")
@click.option("--same-host-reason", metavar="TEXT", help="Why the worker may run in its master's runtime.")
@click.option("--est-chars", type=int, default=EST_CHARS, metavar="N", help="Characters of one worker's input.")
@click.option("--transcript-glob", metavar="PATTERN", help="Where this very worker's transcript will be.")
@click.option("--orchestrator", metavar="NAME", help="local, tmux, orca, or a plugin's.")
@click.option("--check-only", is_flag=True, help="Ask the gates, leave nothing behind, and start nothing.")
@click.option("--tier-policy", metavar="FILE", help="The tier table, in the place of the one in force.")
@click.option("--ledger", metavar="FILE|URL", help="The ledger.")
@click.option("--actor", metavar="NAME", help="Who asks.")
@click.option("--label", "given_labels", metavar="NAME=TEXT", multiple=True, help="A label of the request.")
@click.option("--project", metavar="DIR", help="The project whose gatewright.toml applies.")
@click.option("-p", "--plugin", "plugins", metavar="MODULE", multiple=True, help="A module with rules.")
@output_options("table", "json", styled=False)
def command(
    *,
    output: Output,
    orchestrator: str | None,
    tier_policy: str | None,
    ledger: str | None,
    project: str | None,
    plugins: tuple[str, ...],
    given_labels: tuple[str, ...],
    **request: object,
) -> int:
    """Dispatch a worker: ask the gates, start it, register it, and see whether it has begun.

    Each step is told as it ends: on standard output, or with --json on standard error before the one object. A task is
    typed in once and never again, and never into a question.

    Without --runtime an installed one is taken that is not the master's, without --model the first listed one that it
    can run, without --est-chars 3000.

    \b
    Exit status: 0 done, 1 called wrongly or no contract, 2 denied, not approved or
    not trusted, 3 not started, 4 not registered, 5 a question or a limit is in the way.

    \b
    Example:
      gatewright dispatch --contract contracts/job-17.md --worktree "$PWD/../widgets-17" \\
          --runtime codex --model gpt-5.5 --spec "Read contracts/job-17.md and do what it says."
    """
    app = App(Options(project=project, plugins=plugins, tier_policy=tier_policy, ledger=ledger))
    with kept_clean():
        try:
            asked = msgspec.convert({**request, "labels": labels(given_labels)}, DispatchRequest)
            signals = Signals()
            desk = msgspec.structs.replace(desk_of(app, orchestrator), interruptions=signals)
        except GatewrightError as error:
            say("gatewright", str(error))
            return DispatchCode.ARGUMENTS
        signals.listen()
        found = dispatch(desk, asked, _streamed if output.shown == "table" else _said)
    return _told(output, found)


def _told(output: Output, found: Dispatched) -> int:
    """Deliver how it ended; the exit status, which stands whoever hears of it."""
    try:
        output.deliver(
            lambda wanted: as_json(found.to_dict()) if wanted.name == "json" else report.end_line(found) + "\n"
        )
    except GatewrightError as error:
        say("gatewright", f"{error}; {report.end_line(found)}")
    return found.code


def _streamed(step: Step) -> None:
    with suppress(OutputError):  # a reader who has gone stops no dispatch half-way
        emit("\n".join(report.step_lines(step)) + "\n")


def _said(step: Step) -> None:
    say("gatewright", "\n".join(report.step_lines(step)))


def desk_of(app: App, orchestrator: str | None) -> Desk:
    """What a dispatch is carried out with. Raises GatewrightError for configuration that cannot be used."""
    runtimes = app.runtimes()
    screens = app.screens()  # now, since a mistake in them must not be met when a worker has been started
    readers = cache(lambda product: Reader(screens, product))

    def decide(
        stage: Stage, ask: Callable[[Gate], recording.Checked], note: Callable[[GateDecision], None]
    ) -> GateDecision:
        return checking.decided(app, stage, ask, note).decision

    def read(screen: Screen, *, product: str, task: str, now: datetime) -> Pane:
        return readers(product).read(screen.text, task=task, now=now, reason=screen.blocked)

    return Desk(
        decide=decide,
        surroundings=Surroundings(tier_policy=app.tier_policy_path(), known_roots=app.known_roots_path()),
        ledger=app.ledger,
        orchestrator=lambda: app.orchestrator(orchestrator),
        runtimes=runtimes,
        host=app.host(runtimes),
        homes=homes.find(app.environ),
        read=read,
        seek=app.sought,
        now=now,
        sleep=time.sleep,
    )
