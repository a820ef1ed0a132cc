"""What the commands of the group have in common: which ledger is meant, what is said when it cannot be used."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from gatewright.app import App, Options
from gatewright.cli.streams import say
from gatewright.errors import FileError
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.protocol import Ledger
from gatewright.model.exits import ExitCode
from gatewright.probes.files import read_file

Command = TypeVar("Command", bound=Callable[..., Any])


def ledger_options(command: Command) -> Command:
    """Which ledger is meant; the command gets it as `ledger`. A ledger that cannot be used is a failure."""

    @wraps(command)
    def gathered(**given: Any) -> int:
        app = App(Options(ledger=given.pop("ledger"), project=given.pop("project")))
        try:
            status: int = command(ledger=app.ledger(), **given)
        except LedgerError as error:
            say("gatewright", str(error))
            return ExitCode.FAILED
        return status

    for option in (
        click.option("--project", metavar="DIR", help="The project whose gatewright.toml applies."),
        click.option("--ledger", metavar="FILE|URL", help="The ledger."),
    ):
        gathered = option(gathered)
    return gathered  # type: ignore[return-value]  # the same command with its options gathered


def none_there(ledger: Ledger) -> int:
    """Say that there is no ledger to look at."""
    say("gatewright", f"{ledger.name}: there is no ledger here, or no proof beside it, yet")
    return ExitCode.NOTHING


def text_of(path: str) -> str:
    """The text of a small file. Raises LedgerError for one that cannot be read."""
    try:
        return read_file(path).decode()
    except FileError as error:
        raise LedgerError(path, error.problem, error.hint) from None
    except UnicodeDecodeError:
        raise LedgerError(path, "it is no text in UTF-8") from None
