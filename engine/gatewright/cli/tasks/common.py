"""What the commands of `gatewright tasks` have in common."""

import json
from collections.abc import Callable
from functools import wraps

import click

from gatewright.app import App, Options
from gatewright.cli.streams import kept_clean, say
from gatewright.model.exits import ExitCode
from gatewright.orchestrators.errors import OrchestratorError


def with_app(step: Callable[..., int]) -> Callable[..., int]:
    """Give a command what it is carried out with, and the name of the orchestrator if there is one."""

    @click.option("--orchestrator", "name", metavar="NAME", help="local, tmux, orca, or a plugin's.")
    @click.option("--ledger", metavar="FILE|URL", help="The ledger, beside whose rows tasks are kept.")
    @click.option("--project", metavar="DIR", help="The project whose gatewright.toml applies.")
    @click.option("-p", "--plugin", "plugins", metavar="MODULE", multiple=True, help="A module with orchestrators.")
    @wraps(step)
    def found(*, ledger: str | None, project: str | None, plugins: tuple[str, ...], **given: object) -> int:
        try:
            with kept_clean():
                return step(app=App(Options(ledger=ledger, project=project, plugins=plugins)), **given)
        except OrchestratorError as error:
            say("gatewright", str(error))
            return ExitCode.FAILED

    return found


def plain(found: object) -> dict[str, object]:
    """The fields of a Struct by name."""
    return {name: getattr(found, name) for name in found.__struct_fields__}  # type: ignore[attr-defined]  # a Struct


def line_of(found: dict[str, object]) -> str:
    """A line of JSON."""
    return json.dumps(found, sort_keys=True, ensure_ascii=True) + "\n"
