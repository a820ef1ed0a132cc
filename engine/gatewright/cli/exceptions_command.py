"""`gatewright exceptions`: which denials are let through on purpose, by whom, until when, and whether that is used."""

import click
from msgspec import structs

from gatewright.app import App, Options
from gatewright.cli import rendering, reporting
from gatewright.cli.options import Output, output_options, place_options
from gatewright.cli.policies_command import in_force
from gatewright.cli.streams import say
from gatewright.ledger.errors import LedgerError
from gatewright.model.exits import ExitCode
from gatewright.policy import standing
from gatewright.probes import clock
from gatewright.report import exceptions as report
from gatewright.report.exceptions import Listed
from gatewright.report.formats import Format

FORMATS = ("table", "json", "csv", "markdown")


@click.command("exceptions")
@click.option("--ledger", metavar="FILE|URL", help="The ledger.")
@click.option("--since", metavar="TIME", help="Only rows of this time or later.")
@click.option("--until", metavar="TIME", help="Only rows before this time.")
@click.option(
    "--soon",
    type=click.IntRange(0, 3650),
    default=standing.SOON_DAYS,
    show_default=True,
    metavar="DAYS",
    help="How near an end is soon.",
)
@click.option("--strict", is_flag=True, help="Let warnings fail too.")
@place_options
@output_options(*FORMATS)
def command(
    *,
    options: Options,
    output: Output,
    ledger: str | None,
    since: str | None,
    until: str | None,
    soon: int,
    strict: bool,
) -> int:
    """List the exceptions of the policies in force: what they let through, who answers for them, and until when.

    With --ledger, --since or --until, how many recorded decisions used each. Exits 5 when there is none, and with
    --strict 1 when one has expired or is not used.

    \b
    Example:
      gatewright exceptions --since 30d --strict
    """
    counted = ledger is not None or since is not None or until is not None
    app = App(structs.replace(options, ledger=ledger))
    used: dict[tuple[str, str], int] | None = None
    if counted:
        span = reporting.span(today=False, since=since, until=until)
        try:
            audit = reporting.audit("gatewright", app.ledger(to_read=True), span)
        except LedgerError as error:
            say("gatewright", f"ledger {error}")
            return ExitCode.FAILED
        used = {(use.exception, use.code): use.decisions for use in audit.exceptions}
    found = _listed(app, soon, used)
    if not found:
        say("gatewright", "the policies in force have no exceptions")
        return ExitCode.NOTHING
    output.deliver(lambda each: _rendered(each, found))
    return ExitCode.FAILED if strict and any(each.wrong for each in found) else ExitCode.OK


def _listed(app: App, soon: int, used: dict[tuple[str, str], int] | None) -> list[Listed]:
    today = clock.today()
    return [
        Listed(
            policy=policy.path,
            exception=each.id,
            code=each.code,
            owner=each.owner,
            until=each.until.isoformat(),
            reason=each.reason,
            where=each.place,
            standing=standing.standing_of(each, today, soon).value,
            expired=not standing.is_live(each, today),
            usable=standing.can_be_used(policy, each),
            used=None if used is None else used.get((each.id, each.code), 0),
        )
        for policy in in_force(app)
        for each in policy.exceptions
    ]


def _rendered(wanted: Format, found: list[Listed]) -> str:
    return rendering.rendered(wanted, report, found)
