"""`gatewright ledger prune`: take the rows of old months out into an archive."""

import os
from datetime import UTC, datetime

import click

from gatewright.app import App, Options
from gatewright.cli.ledger.common import ledger_options
from gatewright.cli.streams import emit
from gatewright.errors import UsageError
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.pruning import prune
from gatewright.model.exits import ExitCode
from gatewright.probes.tiers import read_tier_policy
from gatewright.text import counted, printable


@click.command("prune")
@click.option("--before", required=True, metavar="DATE", help="Months that ended by then, such as 2026-10-01.")
@click.option("--archive", metavar="DIR", help="The folder of the archives.")
@click.option("--tier-policy", metavar="FILE", help="The tier table, in the place of the one in force.")
@ledger_options
def command(*, ledger: Ledger, before: str, archive: str | None, tier_policy: str | None) -> int:
    """Take the rows of whole old months out of a ledger in SQLite, into an archive that is verified first.

    Rows stay that are younger than 31 days or than the window of the tier table, and all behind a check that waits for
    its registration. Chain, totals and attempts go on from what was taken out. JSONL is never shortened.

    \b
    Example:
      gatewright ledger prune --before 2026-10-01 --archive archives
    """
    until = _time(before)
    folder = archive or os.path.dirname(os.path.abspath(ledger.name))
    table = read_tier_policy(App(Options(tier_policy=tier_policy)).tier_policy_path()).table
    if table is None:
        raise UsageError("the tier table cannot be read, so its window is not known", "name one with --tier-policy")
    pruned = prune(ledger, until, folder, float(table.window_seconds))
    told = f"{counted(pruned.rows, 'row')} taken out into {pruned.archive}" if pruned.rows else "no row was taken out"
    if pruned.held_by is not None:
        told += f"; row {pruned.held_by:,} waits for its registration, and stays with all behind it"
    emit(f"{printable(told)}\n")
    return ExitCode.OK if pruned.rows else ExitCode.NOTHING


def _time(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise UsageError(f"`{text}` is not a date", "write it as 2026-10-01") from None
