"""`gatewright ledger show`: rows to look at."""

import click

from gatewright.cli.ledger.common import ledger_options, none_there
from gatewright.cli.options import Output, output_options, width
from gatewright.cli.streams import say
from gatewright.errors import UsageError
from gatewright.ledger.looking import Seen, Shelf, shelf
from gatewright.ledger.protocol import Ledger
from gatewright.model.exits import ExitCode
from gatewright.report import evidence as report
from gatewright.report.formats import Format, as_json

_MOST = 2**31 - 1  #: rows that are ever shown at once
_LAST = 2**63 - 1  #: the highest number that a row can have
_HEX = frozenset("0123456789abcdef")


@click.command("show")
@click.option("-n", "count", type=click.IntRange(1), default=10, show_default=True, help="How many rows at most.")
@click.option("--row", type=click.IntRange(1), metavar="NUMBER", help="The row of that number, key by key.")
@click.option("--contract", metavar="SHA256", help="Only rows of contracts whose hash starts so.")
@ledger_options
@output_options("table", "json")
def command(*, ledger: Ledger, output: Output, count: int, row: int | None, contract: str | None) -> int:
    """Show the newest rows of the ledger, those of a contract, or one.

    Exits 5 when there is none.

    \b
    Example:
      gatewright ledger show -n 3
    """
    with shelf(ledger) as found:
        if found is None:
            return none_there(ledger)
        rows = _rows(found, count, row, contract)
    output.deliver(lambda each: _rendered(each, rows, whole=row is not None))
    if rows:
        return ExitCode.OK
    say("gatewright", f"{ledger.name}: {_missing(row, contract)}")
    return ExitCode.NOTHING


def _missing(row: int | None, contract: str | None) -> str:
    if row is not None:
        return f"there is no row {row:,} in it"
    return "there is no row in it" if contract is None else f"there is no row of contract `{contract}` in it"


def _rows(found: Shelf, count: int, row: int | None, contract: str | None) -> list[Seen]:
    if row is not None:
        return found.numbered(row) if row <= _LAST else []
    if contract is None:
        return found.newest(min(count, _MOST))
    prefix = contract.strip().lower()
    if not prefix or not _HEX.issuperset(prefix):
        raise UsageError(f"`{contract}` is not the start of a hash", "give some of its hex digits")
    return found.of_contracts(prefix, min(count, _MOST))


def _rendered(wanted: Format, rows: list[Seen], *, whole: bool) -> str:
    if wanted.name == "json":
        return as_json([report.seen_plain(row) for row in rows])
    if whole:
        return "".join(report.seen_text(row) for row in rows)
    return report.seen_table(rows, style=wanted.style, width=width())
