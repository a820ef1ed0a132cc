"""`dispatch-gate`: the older command's flags, streams and exit codes, so that scripts written for it run unchanged."""

from collections.abc import Sequence

import click

from gatewright.cli import Commands, run
from gatewright.cli.older_words import spelt_out

PROGRAM = "dispatch-gate"


class OlderCommands(Commands):
    """The commands of the older gate."""

    package = "gatewright.cli.older"
    names = {  # noqa: RUF012  as in the class above
        "check": "decide whether a worker may be started",
        "register": "prove a job and settle the check that allowed it",
        "watch": "tell whether a worker's log still moves",
        "report": "tell what was asked, allowed and denied",
    }

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words up to the command, each option by its whole name."""
        return super().parse_args(ctx, spelt_out(self, ctx, args))


@click.group(cls=OlderCommands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--ledger", metavar="FILE", help="The ledger's path.")
@click.pass_context
def dispatch_gate(context: click.Context, *, ledger: str | None) -> None:
    """Decide whether a worker may be started.

    Standard output carries one JSON object; standard error carries text for people. A denial exits 2, wrong usage 64.
    `check` is a policy decision before a dispatch, not permission to run: a dispatch exists once it is registered.
    """
    context.obj = ledger


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit."""
    run(dispatch_gate, PROGRAM, arguments)
