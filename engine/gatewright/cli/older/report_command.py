"""`dispatch-gate report`."""

import click

from gatewright.app import App, Options
from gatewright.cli import reporting
from gatewright.cli.drop_in import PROGRAM
from gatewright.cli.older_words import OlderCommand
from gatewright.cli.streams import emit, say
from gatewright.ledger.errors import LedgerError
from gatewright.model.exits import ExitCode
from gatewright.report import older_audit


@click.command("report", cls=OlderCommand)
@click.option("--today", is_flag=True, help="Only the rows of today, in UTC.")
@click.pass_obj
def command(ledger: str | None, /, *, today: bool) -> int:
    """Tell what was asked, allowed and denied.

    \b
    Example:
      dispatch-gate report --today
    """
    app = App(Options(ledger=ledger))
    span = reporting.span(today=today, since=None, until=None)
    try:
        audit = reporting.audit(PROGRAM, app.older_ledger(to_read=True), span)
    except LedgerError as error:
        say(PROGRAM, f"REPORT_UNAVAILABLE: {error}")
        return ExitCode.DENIED
    emit(older_audit.text(audit))
    return ExitCode.OK
