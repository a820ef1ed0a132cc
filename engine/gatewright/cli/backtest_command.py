"""`gatewright backtest`: yesterday's checks under tomorrow's policy."""

import click
from msgspec import structs

from gatewright.app import Options
from gatewright.cli import rendering
from gatewright.cli.histories import History, history_options, side
from gatewright.cli.options import Output, output_options, place_options
from gatewright.cli.streams import say
from gatewright.errors import PathError
from gatewright.ledger.errors import LedgerError
from gatewright.model.backtests import Backtest
from gatewright.model.exits import ExitCode
from gatewright.report import backtests as report
from gatewright.report.formats import Format


@click.command("backtest")
@click.option("--tier-policy", metavar="FILE", help="The tier table, in the place of the one in force.")
@click.option("--against", metavar="FILE", help="A policy to compare with, in the place of the recorded verdicts.")
@click.option("--against-tier-policy", metavar="FILE", help="A tier table to compare with; else the same one.")
@history_options
@place_options
@output_options("table", "json", "csv", "markdown")
def command(
    *,
    options: Options,
    output: Output,
    history: History,
    tier_policy: str | None,
    against: str | None,
    against_tier_policy: str | None,
) -> int:
    """Replay recorded checks under a policy, and tell what would have come out differently.

    What the checks use up is counted anew: one that the policy denies starts no agents, and leaves room for later ones.
    Without --against they are compared with what was recorded. A check whose row does not tell what a rule needs is
    listed, and not guessed. Exits 1 for any difference, 5 when no check can be replayed.

    \b
    Examples:
      gatewright backtest --policy policies/next.yaml --since 30d
      gatewright backtest --tier-policy tighter.yaml --history 2026-10.parquet
    """
    new = side(options, tier_policy)
    old = None
    if against is not None or against_tier_policy is not None:
        old = side(structs.replace(options, policy=against or options.policy), against_tier_policy or tier_policy)
    try:
        found = history.backtest(options, new, old)
    except PathError as error:
        say("gatewright", f"ledger {error}" if isinstance(error, LedgerError) else str(error))
        return ExitCode.FAILED
    output.deliver(lambda each: rendered(each, found))
    return _status(found)


def _status(found: Backtest) -> int:
    if not found.replayed:
        say("gatewright", report.summary(found))
        return ExitCode.NOTHING
    return ExitCode.FAILED if found.differs else ExitCode.OK


def rendered(wanted: Format, found: Backtest) -> str:
    """A back-test in a format."""
    return rendering.rendered(wanted, report, found)
