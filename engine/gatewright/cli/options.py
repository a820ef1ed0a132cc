"""Options that commands share, and what they make of them."""

import math
import os
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

import click
from msgspec import structs

from gatewright.app import Options
from gatewright.cli.streams import OutputError, emit, kept_clean
from gatewright.errors import UsageError
from gatewright.model import Stage
from gatewright.report.formats import Format, parsed

Command = TypeVar("Command", bound=Callable[..., Any])
Value = TypeVar("Value")


class Seconds(click.FloatRange):
    """A span in seconds. What is no number would never be over, since nothing is larger than it."""

    def __init__(self) -> None:
        """From nothing on."""
        super().__init__(min=0)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The seconds. Raises click.BadParameter, for `nan` and `inf` too."""
        found = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"`{value}` is no number of seconds", param, ctx)
        return found


class Percent(click.FloatRange):
    """A share in percent. Nothing is less than what is no number, so that would be a bound that holds nothing."""

    def __init__(self) -> None:
        """From nothing to all."""
        super().__init__(min=0, max=100)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The percentage. Raises click.BadParameter, for `nan` too."""
        found = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"`{value}` is no percentage", param, ctx)
        return found


def place_options(command: Command) -> Command:
    """Where policy, project and plugins are, and the values of params; the command gets them as `options`."""

    @wraps(command)
    def gathered(**given: Any) -> int:
        options = Options(
            policy=given.pop("policy"),
            project=given.pop("project"),
            plugins=tuple(given.pop("plugins")),
            params=_named(given.pop("params"), "param", param),
        )
        with kept_clean():
            status: int = command(options=options, **given)
        return status

    for option in (
        click.option("--param", "params", metavar="NAME=VALUE", multiple=True, help="A value for a param."),
        click.option("-p", "--plugin", "plugins", metavar="MODULE", multiple=True, help="A module with rules."),
        click.option("--project", metavar="DIR", help="The project whose gatewright.toml applies."),
        click.option("--policy", metavar="FILE", help="The policy, in the place of the one in force."),
    ):
        gathered = option(gathered)
    return gathered  # type: ignore[return-value]  # the same command with its options gathered


def exceptions_option(command: Command) -> Command:
    """Whether exceptions hold; the command finds it in its `options`."""

    @wraps(command)
    def gathered(*, no_exceptions: bool, options: Options, **given: Any) -> int:
        status: int = command(options=structs.replace(options, exceptions=not no_exceptions), **given)
        return status

    flag = click.option("--no-exceptions", is_flag=True, help="Decide as if the policy had no exceptions.")
    return flag(gathered)  # type: ignore[return-value]  # the same command with one option more


class Output:
    """The formats that a command was asked for, and where each goes."""

    def __init__(self, formats: Sequence[Format]) -> None:
        self.formats = tuple(formats)

    @property
    def shown(self) -> str:
        """The format on standard output; empty when all go into files."""
        return next((each.name for each in self.formats if not each.file), "")

    def deliver(self, render: Callable[[Format], str]) -> None:
        """Write each format to where it goes."""
        for each in self.formats:
            text = render(each)
            if not each.file:
                emit(text)
                continue
            try:
                with open(each.file, "w", encoding="utf-8") as file:
                    file.write(text)
            except OSError as error:
                raise OutputError((error.strerror or "it cannot be written").lower(), where=each.file) from None


_STYLED = " Tables take a style: `table:github`."


def output_options(*names: str, piped: str = "", styled: bool = True) -> Callable[[Command], Command]:
    """`-f/--format`, and `--json` for `-f json`; the command gets them as `output`.

    names: the formats of the command, the default first.
    piped: the default where no person reads standard output.
    styled: whether what it calls a table is one, which a style can be asked for.
    """

    def decorate(command: Command) -> Command:
        @wraps(command)
        def gathered(**given: Any) -> int:
            default = names[0] if is_terminal() or not piped else piped
            wanted = formats_of(given.pop("formats"), names, as_json=given.pop("as_json"), default=default)
            if not styled and any(each.style for each in wanted):
                raise UsageError("a style was asked for, and this command prints lines", "write `-f table`")
            if any(each.name == "html" for each in wanted):
                from gatewright.report import page

                page.require()  # before the work is done
            status: int = command(output=Output(wanted), **given)
            return status

        gathered = click.option("--json", "as_json", is_flag=True, help="The same as `-f json`.")(gathered)
        return click.option(  # type: ignore[return-value]  # the same command with its options gathered
            "-f",
            "--format",
            "formats",
            metavar="FORMAT[:FILE]",
            multiple=True,
            help=f"One of {', '.join(names)}; into a file after a colon.{_STYLED if styled else ''}",
        )(gathered)

    return decorate


def formats_of(given: Sequence[str], known: Sequence[str], *, as_json: bool, default: str) -> list[Format]:
    """The formats that were asked for, else the default one.

    Raises UsageError for an unknown one, and for two that would share standard output.
    """
    words = [*given, *(["json"] if as_json and not any(word.split(":")[0] == "json" for word in given) else [])]
    found = [parsed(word, known) for word in words] or [Format(default)]
    if sum(not each.file for each in found) > 1:
        raise UsageError("two formats on standard output", "give all but one a file: `json:FILE`")
    return found


def is_terminal() -> bool:
    """Whether a person reads standard output."""
    return sys.__stdout__ is not None and sys.__stdout__.isatty()


def width() -> int:
    """Columns of the terminal; 0 in a pipe, where nothing needs to wrap."""
    try:
        return os.get_terminal_size().columns if is_terminal() else 0
    except (OSError, ValueError):
        return 0


def param(given: str) -> tuple[str, object]:
    """A param from `NAME=VALUE`; the value is JSON where it reads as JSON, else text."""
    from gatewright.expressions import plain_json

    name, sign, text = given.partition("=")
    if not sign or not name:
        raise UsageError(f"`--param {given}` has no value", "write `--param NAME=VALUE`")
    return name, plain_json.read_or_text(text)


def label(given: str) -> tuple[str, str]:
    """A label from `NAME=TEXT`."""
    name, sign, text = given.partition("=")
    if not sign or not name:
        raise UsageError(f"`--label {given}` has no text", "write `--label NAME=TEXT`")
    return name, text


def labels(given: Sequence[str]) -> dict[str, str]:
    """Labels by name, each given once."""
    return _named(given, "label", label)


def _named(given: Sequence[str], what: str, read: Callable[[str], tuple[str, Value]]) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for each in given:
        name, value = read(each)
        if name in found:
            raise UsageError(f"{what} `{name}` is given twice", "give it one value")
        found[name] = value
    return found


def stage_of(name: str | None) -> Stage | None:
    """The stage of that name."""
    return Stage(name) if name is not None else None


STAGES = click.Choice([stage.value for stage in Stage])
