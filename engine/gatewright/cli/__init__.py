"""The command line: parses, prints, exits. One module a command, imported when the command is called."""

import re
import sys
import traceback
from collections.abc import Sequence

import click

from gatewright.cli.streams import OutputError, say, settle
from gatewright.errors import GatewrightError, PolicyError
from gatewright.model.exits import DispatchCode, ExitCode
from gatewright.text import did_you_mean

COMMANDS = {
    "check": "may this worker be started?",
    "dispatch": "start a worker: gates, task, terminal, registration, delivery",
    "register": "is this job the worker that was allowed?",
    "accept": "is the work what its contract allows and asks for?",
    "watch": "does a worker's log still move?",
    "report": "what was asked, allowed and denied in a span of time",
    "tasks": "the tasks of an orchestrator, and what it has to tell",
    "test": "dry-run policies against fixtures",
    "coverage": "which reason codes fixtures show, and which narrowly not",
    "backtest": "recorded checks under another policy: what would change?",
    "mutate": "which slips in a policy no fixture notices",
    "diff": "what does a change of policy mean?",
    "promote": "another level for a rule, with what it would have done",
    "exceptions": "denials let through on purpose: by whom, until when, and whether that is used",
    "lint": "find the mistakes of policies, tier tables and fixtures",
    "contract": "find the mistakes of contracts",
    "fmt": "lay out policies, tier tables and fixtures",
    "explain": "what a reason code means, or why a decision is as it is",
    "rules": "the registered rules",
    "facts": "the facts that rules may read",
    "policies": "the policies in force and what they are made of",
    "probe": "look at a worker from outside",
    "pretrust": "have an agent start in a worktree without a question",
    "ledger": "look after the ledger: verify it, look at it, move it",
    "eval": "evaluate an expression",
    "schema": "JSON Schemas for editors",
}


class Commands(click.Group):
    """The commands of one program, each imported on use."""

    package = "gatewright.cli"
    names = COMMANDS

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        """The names of the commands, in the order in which they are told."""
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  click's signature
        """The command of that name."""
        if cmd_name not in self.names:
            return None
        from importlib import import_module

        command: click.Command = import_module(f"{self.package}.{cmd_name}_command").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the words name, or a usage error with the nearest name."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in self.names:
            hint = did_you_mean(name, self.names)
            ctx.fail(f"unknown command `{name}`" + (f" ({hint})" if hint else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  click's
        """The list of commands, without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.names.items()))


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=False,
    no_args_is_help=False,
)
@click.version_option(package_name="gatewright", prog_name="gatewright", message="%(prog)s %(version)s")
def gatewright() -> None:
    """Decide, and prove, whether an AI agent worker may be started.

    \b
    Exit status: 0 allowed or all pass, 1 something failed, 2 denied,
    3 internal error, 5 nothing to judge, 64 called wrongly.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit. The one place where errors become exit statuses."""
    run(gatewright, "gatewright", arguments)


def run(group: click.Group, program: str, arguments: Sequence[str] | None) -> None:
    """Run a program's command and exit with its status."""
    code = status(group, program, arguments)
    settle(sys.__stdout__)
    settle(sys.__stderr__)
    sys.exit(code)


def status(group: click.Group, program: str, arguments: Sequence[str] | None) -> int:
    """Run a program's command; its exit status. What goes wrong is one line on standard error."""
    usage = _usage_code(group, sys.argv[1:] if arguments is None else arguments)
    try:
        result = group.main(arguments, prog_name=program, standalone_mode=False)
    except click.UsageError as error:
        return _usage(program, error, usage)
    except click.Abort:
        return _told(program, "stopped", 130)
    except OutputError as error:
        return ExitCode.OK if error.left else _told(program, str(error), ExitCode.FAILED)
    except PolicyError as error:
        return _told(program, str(error), ExitCode.FAILED)
    except GatewrightError as error:
        return _told(program, str(error), usage)
    except SystemExit:
        # Nothing of ours exits; click does when help is written to a reader who has gone.
        return ExitCode.OK
    except Exception as error:  # noqa: BLE001  a fault of ours has a status of its own, and its traceback
        say(program, "".join(traceback.format_exception(error)))
        return _told(program, "internal error: please report the lines above", ExitCode.INTERNAL)
    return int(result) if isinstance(result, int) else ExitCode.OK


def _usage_code(group: click.Group, arguments: Sequence[str]) -> int:
    """What calling a command wrongly exits with: of `dispatch` it is one of its own numbers."""
    named = next((word for word in arguments if not word.startswith("-")), "")
    return DispatchCode.ARGUMENTS if group is gatewright and named == "dispatch" else ExitCode.USAGE


def _usage(program: str, error: click.UsageError, code: int) -> int:
    say(program, _in_our_words(error.format_message()))
    if error.ctx is not None:
        say(program, error.ctx.get_usage())
        say(program, f"try `{error.ctx.command_path} --help`")
    return code


def _in_our_words(message: str) -> str:
    """What click says, as everything else is said: in lower case, names in backticks, a hint in parentheses."""
    text = re.sub(r"'([^'\s]+)'", r"`\1`", message[:1].lower() + message[1:])
    text = re.sub(r"\. \(?Did you mean (.+?)\?\)?$", r" (did you mean \1?)", text)
    return text.removesuffix(".")


def _told(program: str, message: str, code: int) -> int:
    say(program, message)
    return code
