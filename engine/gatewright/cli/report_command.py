"""`gatewright report`: what was asked, allowed and denied in a span of time."""

from collections.abc import Sequence

import click
from msgspec import structs

from gatewright.app import App, Options
from gatewright.cli import reporting
from gatewright.cli.options import Output, output_options, width
from gatewright.cli.policies_command import in_force
from gatewright.cli.streams import say
from gatewright.errors import GatewrightError, UsageError
from gatewright.ledger.errors import LedgerError
from gatewright.model.audits import Audit
from gatewright.model.coverage import Coverage
from gatewright.model.exits import ExitCode
from gatewright.policy import standing
from gatewright.probes import clock
from gatewright.report import audits
from gatewright.report.formats import Format, as_json


@click.command("report")
@click.option("--today", is_flag=True, help="Only the rows of today, in UTC.")
@click.option("--since", metavar="TIME", help="Only rows of this time or later.")
@click.option("--until", metavar="TIME", help="Only rows before this time.")
@click.option(
    "--by",
    "wanted",
    type=click.Choice(audits.SECTIONS),
    multiple=True,
    metavar="SECTION",
    help=f"Only these sections: {', '.join(audits.SECTIONS)}.",
)
@click.option("--ledger", metavar="FILE|URL", help="The ledger.")
@click.option("--project", metavar="DIR", help="The project whose gatewright.toml applies.")
@click.option("--fixtures", metavar="FILE|DIR", multiple=True, help="Fixtures whose coverage a page of HTML has too.")
@output_options("table", "json", "csv", "markdown", "html")
def command(  # noqa: PLR0913  an option each
    *,
    output: Output,
    today: bool,
    since: str | None,
    until: str | None,
    wanted: tuple[str, ...],
    ledger: str | None,
    project: str | None,
    fixtures: tuple[str, ...],
) -> int:
    """Report what was asked, allowed and denied: by model, tier, reason, override, exception, tier table and policy.

    Only allowed checks count as dispatches; registrations have figures of their own. A TIME is a day, which stands for
    its first moment in UTC, a time such as 2026-11-29T18:02:11Z, or an age such as 90m, 24h or 7d.

    \b
    Examples:
      gatewright report --today
      gatewright report --since 7d --by denials -f table -f csv:denials.csv
      gatewright report --since 30d -f html:report.html --fixtures fixtures
    """
    if fixtures and not any(each.name == "html" for each in output.formats):
        raise UsageError("--fixtures is for a page of HTML", "add `-f html:FILE`")
    span = reporting.span(today=today, since=since, until=until)
    app = App(Options(ledger=ledger, project=project))
    shown = _coverage(app, fixtures) if fixtures else None
    try:
        audit = reporting.audit("gatewright", app.ledger(to_read=True), span)
    except LedgerError as error:
        say("gatewright", f"ledger {error}")
        return ExitCode.FAILED
    told = _with_standings(audit, app)
    output.deliver(lambda each: _rendered(each, told, wanted, shown))
    return ExitCode.OK


def _with_standings(audit: Audit, app: App) -> Audit:
    """The audit, with how the exceptions that were used stand now; one that no policy has any more is `gone`."""
    try:
        held = {
            (each.id, each.code): each for policy in in_force(app) if audit.exceptions for each in policy.exceptions
        }
    except GatewrightError:
        return audit  # what was decided is reported, whatever the policies are now
    today = clock.today()
    uses = (
        structs.replace(use, standing=standing.standing_of(found, today).value if found is not None else "gone")
        for use in audit.exceptions
        for found in [held.get((use.exception, use.code))]
    )
    return structs.replace(audit, exceptions=tuple(uses))


def _coverage(app: App, paths: Sequence[str]) -> Coverage:
    """What the fixtures at these paths show. Raises UsageError where there is none."""
    from gatewright.cli.coverage_command import covered
    from gatewright.cli.fixtures import cases_named

    cases = cases_named(paths, app)
    if not cases:
        raise UsageError("--fixtures: no case was found", "give fixture files or folders")
    return covered(app, cases, whole=False)[1]


def _rendered(wanted: Format, audit: Audit, sections: tuple[str, ...], shown: Coverage | None) -> str:
    if wanted.name == "json":
        return as_json(audits.plain(audit, sections))
    if wanted.name == "csv":
        return audits.csv(audit, sections)
    if wanted.name == "markdown":
        return audits.markdown(audit, sections)
    if wanted.name == "html":
        from gatewright.report import audit_page, page

        return page.html(audit_page.page(audit, sections, shown))
    return audits.text(audit, sections, style=wanted.style, width=width())
