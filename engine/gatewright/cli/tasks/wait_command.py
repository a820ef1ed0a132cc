"""`gatewright tasks wait`: hear what an orchestrator has to tell, and handle it."""

import click

from gatewright.app import App
from gatewright.cli.options import Seconds
from gatewright.cli.streams import emit, say
from gatewright.cli.tasks.common import line_of, plain, with_app
from gatewright.errors import UsageError
from gatewright.flows.completion import Handling, Reader, handled
from gatewright.ledger.tasks import TaskBook
from gatewright.model.exits import ExitCode
from gatewright.orchestrators.protocol import Batch, Event, Orchestrator
from gatewright.probes.clock import now
from gatewright.probes.commands import run
from gatewright.text import is_blank


@click.command("wait")
@click.option(
    "--timeout",
    type=Seconds(),
    default=600.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for the first event.",
)
@click.option("--acknowledge", default="", metavar="DELIVERY", help="The delivery that has been handled.")
@click.option("--exec", "line", metavar="LINE", help="A line for the shell that handles an event, once for each.")
@click.option(
    "--exec-timeout",
    type=Seconds(),
    default=600.0,
    show_default=True,
    metavar="SECONDS",
    help="How long handling one event may take.",
)
@with_app
def command(
    *, app: App, name: str | None, timeout: float, acknowledge: str, line: str | None, exec_timeout: float
) -> int:
    """Wait for events, and print them as one JSON object, or handle each by a command.

    Events come again with every wait until their delivery is acknowledged; acknowledge it when all of it is handled.
    A wait that ends without events prints an empty list, and is no failure.

    With --exec the command gets each event as JSON on its standard input. What it exits with 0 for is handled, once and
    for all readers of this machine; a batch is acknowledged when all of it is. Prints a line of JSON for each event,
    and exits 1 when one could not be handled: it will come again.

    \b
    Examples:
      gatewright tasks wait --timeout 60
      gatewright tasks wait --acknowledge delivery_0123456789ab
      gatewright tasks wait --exec './on-event.sh'
    """
    orchestrator = app.orchestrator(name)
    if line is None:
        emit(line_of(_events(orchestrator.wait(timeout, acknowledge))))
        return ExitCode.OK
    if is_blank(line):
        raise UsageError("`--exec` is blank", "every event would count as handled, and nobody would have seen it")
    if acknowledge:
        raise UsageError("`--acknowledge` beside `--exec`", "what the command handles is acknowledged by itself")
    return _carry_out(orchestrator, TaskBook(app.tasks_path()), line, timeout, exec_timeout)


def _carry_out(orchestrator: Orchestrator, book: TaskBook, line: str, timeout: float, limit: float) -> int:
    code = ExitCode.OK

    def handle(event: Event) -> bool:
        ran = run(line, seconds=limit, told=line_of(_event(event)).encode())
        if not ran.succeeded:
            said = (ran.errors or ran.problem).strip().rpartition("\n")[2]
            why = ran.end.value if ran.status is None else f"it exited with {ran.status}"
            say("gatewright", f"event {event.id}: {why}" + (f": {said}" if said else ""))
        return ran.succeeded

    for each in handled(
        orchestrator, Reader(book=book, handle=handle, now=lambda: now().epoch, seconds=limit), timeout
    ):
        emit(line_of({"event": _event(each.event), "handled": each.handling.value}))
        code = ExitCode.FAILED if each.handling is Handling.FAILED else code
    return code


def _events(batch: Batch) -> dict[str, object]:
    events = [_event(event) for event in batch.events]
    return {"delivery": batch.delivery or None, "events": events, "replayed": batch.replayed}


def _event(event: Event) -> dict[str, object]:
    return {**plain(event), "type": event.type.value}
