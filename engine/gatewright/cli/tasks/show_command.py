"""`gatewright tasks show`: the dispatch of a task."""

import click

from gatewright.app import App
from gatewright.cli.streams import emit, say
from gatewright.cli.tasks.common import line_of, plain, with_app
from gatewright.model.exits import ExitCode
from gatewright.text import printable


@click.command("show")
@click.argument("task")
@with_app
def command(*, app: App, name: str | None, task: str) -> int:
    """Print the newest dispatch of a task as JSON.

    Exits 1 when the task has none. A registration takes this for its probe: the dispatch's id stands in the output.

    \b
    Example:
      gatewright tasks show task_0123456789ab
    """
    found = app.orchestrator(name).dispatch_of(task)
    if found is None:
        say("gatewright", f"task `{printable(task)}` has no dispatch")
        return ExitCode.FAILED
    emit(line_of({**plain(found), "status": found.status.value}))
    return ExitCode.OK
