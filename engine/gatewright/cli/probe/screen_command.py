"""`gatewright probe screen`: what stands on a worker's screen, and what became of a task that was typed into it."""

from collections.abc import Callable
from datetime import UTC, datetime

import click

from gatewright.app import App, Options
from gatewright.cli.options import Output, output_options, width
from gatewright.cli.streams import say, standard_input
from gatewright.errors import UsageError
from gatewright.model.exits import ExitCode
from gatewright.model.screens import Delivery, Pane, PaneClass
from gatewright.probes.files import read_file
from gatewright.report import panes as report
from gatewright.report.formats import Format, as_json
from gatewright.runtimes.screens.delivery import confirms, transition
from gatewright.runtimes.screens.reading import Reader

STANDARD_INPUT = "-"


@click.command("screen")
@click.option("--file", "after", required=True, metavar="FILE", help="What the terminal shows; `-` is standard input.")
@click.option("--before", metavar="FILE", help="What it showed before the task was typed in.")
@click.option("--product", default="", metavar="NAME", help="Whose screen it is, such as codex or claude.")
@click.option("--task", default="", metavar="TEXT", help="What was typed in: its own words count for nothing.")
@click.option("--transcript", metavar="FILE", help="The transcript itself.")
@click.option("--columns", type=click.IntRange(1), metavar="N", help="How wide the terminal is.")
@click.option("--at", metavar="TIME", help="When the screen was read, in RFC 3339; left out, now.")
@click.option("--markers", metavar="FILE", help="Screens that are known beside those that ship.")
@click.option("--project", metavar="DIR", help="The project whose gatewright.toml applies.")
@output_options("table", "json")
def command(  # noqa: PLR0913  an argument an option
    *,
    output: Output,
    after: str,
    before: str | None,
    product: str,
    task: str,
    transcript: str | None,
    columns: int | None,
    at: str | None,
    markers: str | None,
    project: str | None,
) -> int:
    """Tell what stands on a screen: a question, a limit, a running turn, a prompt.

    With --before, what became of a task that was typed in between; --transcript is where the worker itself may have
    written it down. Exits 2 when a question or a limit stands in the
    way.

    \b
    Example:
      gatewright probe screen --file screen.txt --before earlier.txt
      tmux capture-pane -p | gatewright probe screen --file - --product claude
    """
    if after == before == STANDARD_INPUT:
        raise UsageError("`-` is given twice", "name a file for one of them")
    reader = Reader(App(Options(markers=markers, project=project)).screens(), product)
    when = _moment(at) if at is not None else datetime.now(UTC)

    def read(file: str) -> Pane:
        return reader.read(_text(file), task=task, now=when, columns=columns)

    seen = read(after)
    if before is None and transcript is None:
        output.deliver(_rendered(report.pane_plain(seen), lambda each: report.pane_table(seen, each.style, width())))
    else:
        told = _delivery(read(before) if before is not None else None, seen, transcript, task)
        shown = report.delivery_plain(told)
        output.deliver(_rendered(shown, lambda each: report.delivery_table(told, each.style, width())))
    return _status(seen)


def _text(file: str) -> str:
    data = standard_input().read() if file == STANDARD_INPUT else read_file(file)
    return data.decode("utf-8", "replace")


def _moment(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise UsageError(f"`--at {text}` is no time with a zone", "write it as 2026-11-29T18:02:11Z")
    return found


def _delivery(before: Pane | None, after: Pane, transcript: str | None, task: str) -> Delivery:
    if transcript is not None and not task:
        raise UsageError("`--transcript` without `--task` confirms nothing", "give the text that was typed in")
    confirmed = transcript is not None and confirms(_text(transcript), task)
    return transition(before, after, transcript_confirms=confirmed)


def _rendered(plain: object, as_table: Callable[[Format], str]) -> Callable[[Format], str]:
    return lambda each: as_json(plain) if each.name == "json" else as_table(each)


def _status(seen: Pane) -> int:
    if seen.pane_class in (PaneClass.HOOK_TRUST, PaneClass.LIMIT):
        return ExitCode.DENIED
    if seen == Pane(pane_class=PaneClass.UNKNOWN):
        say("gatewright", "nothing that is known stands on the screen")
    return ExitCode.OK
