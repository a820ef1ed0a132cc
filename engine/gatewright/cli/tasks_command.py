"""`gatewright tasks`: look at what an orchestrator carries out, and hear what it has to tell."""

import json
from collections.abc import Callable
from functools import wraps

import click
import msgspec

from gatewright.app import App, Options
from gatewright.cli.options import Seconds, place_options
from gatewright.cli.streams import emit, say
from gatewright.model.exits import ExitCode
from gatewright.orchestrators.errors import OrchestratorError
from gatewright.orchestrators.protocol import Batch, Orchestrator
from gatewright.text import printable


@click.group("tasks")
def command() -> None:
    """Look at what an orchestrator carries out, and hear what it has to tell.

    What a worker or an orchestrator says is a claim: it closes no dispatch in the ledger.

    \b
    Example:
      gatewright tasks show task_0123456789ab
      gatewright tasks wait --timeout 60
    """


def with_orchestrator(step: Callable[..., int]) -> Callable[..., int]:
    """Give a command the orchestrator in force; what it cannot do is one line, and exit status 1."""

    @click.option("--orchestrator", "name", metavar="NAME", help="local, tmux, orca, or a plugin's.")
    @click.option("--ledger", metavar="FILE|URL", help="The ledger, beside whose rows tasks are kept.")
    @place_options
    @wraps(step)
    def found(*, options: Options, name: str | None, ledger: str | None, **given: object) -> int:
        app = App(msgspec.structs.replace(options, ledger=ledger))
        try:
            return step(orchestrator=app.orchestrator(name), **given)
        except OrchestratorError as error:
            say("gatewright", str(error))
            return ExitCode.FAILED

    return found


@command.command("show")
@click.argument("task")
@with_orchestrator
def show(*, orchestrator: Orchestrator, task: str) -> int:
    """Print the newest dispatch of a task as JSON.

    Exits 1 when the task has none. A registration takes this for its probe: the dispatch's id stands in the output.

    \b
    Example:
      gatewright tasks show task_0123456789ab
    """
    found = orchestrator.dispatch_of(task)
    if found is None:
        say("gatewright", f"task `{printable(task)}` has no dispatch")
        return ExitCode.FAILED
    emit(_line({**_plain(found), "status": found.status.value}))
    return ExitCode.OK


@command.command("wait")
@click.option("--timeout", type=Seconds(), default=600.0, show_default=True, metavar="SECONDS")
@click.option("--acknowledge", default="", metavar="DELIVERY", help="The delivery that has been handled.")
@with_orchestrator
def wait(*, orchestrator: Orchestrator, timeout: float, acknowledge: str) -> int:
    """Wait for events, and print them as one JSON object.

    Events come again with every wait until their delivery is acknowledged; acknowledge it when all of it is handled.
    A wait that ends without events prints an empty list, and is no failure.

    \b
    Example:
      gatewright tasks wait --timeout 60
      gatewright tasks wait --acknowledge delivery_0123456789ab
    """
    emit(_line(_events(orchestrator.wait(timeout, acknowledge))))
    return ExitCode.OK


def _events(batch: Batch) -> dict[str, object]:
    events = [{**_plain(event), "type": event.type.value} for event in batch.events]
    return {"delivery": batch.delivery or None, "events": events, "replayed": batch.replayed}


def _plain(found: object) -> dict[str, object]:
    return {name: getattr(found, name) for name in found.__struct_fields__}  # type: ignore[attr-defined]  # a Struct


def _line(found: dict[str, object]) -> str:
    return json.dumps(found, sort_keys=True, ensure_ascii=True) + "\n"
