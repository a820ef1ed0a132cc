"""`gatewright ledger import`: take JSON lines up into the ledger."""

import os
from io import BufferedReader

import click

from gatewright.cli.ledger.common import ledger_options
from gatewright.cli.options import Output, output_options
from gatewright.cli.progress import progress
from gatewright.cli.streams import standard_input
from gatewright.ledger import places
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.jsonl import JsonLinesLedger
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.sqlite import SqliteLedger
from gatewright.ledger.transfer import Imported, Progress, take_in
from gatewright.model.exits import ExitCode
from gatewright.report import upkeep as report
from gatewright.report.formats import Format, as_json

_DATABASE = b"SQLite format 3\0"


@click.command("import")
@click.argument("file", metavar="FILE")
@click.option("--append", is_flag=True, help="Put the lines behind the rows that are there.")
@ledger_options
@output_options("table", "json", styled=False)
def command(*, ledger: Ledger, output: Output, file: str, append: bool) -> int:
    """Take the lines of a file up into a ledger, in one step: an export, or the ledger of the older gate.

    Lines, order and times stay as they are; a time in the future counts as now. Lines that are no rows are kept,
    counted and named. What is taken up is marked as written by something else. FILE `-` is standard input.

    \b
    Example:
      gatewright ledger import .dispatch-gate-ledger.jsonl --ledger ledger.db
    """
    with progress("importing") as told:
        imported = _taken_in(ledger, file, told, append=append)
    output.deliver(lambda each: _rendered(each, imported, ledger.name))
    return ExitCode.OK if imported.total else ExitCode.NOTHING


def _taken_in(ledger: Ledger, path: str, told: Progress, *, append: bool) -> Imported:
    if path == "-":
        return take_in(ledger, standard_input(), append=append, progress=told)
    try:
        with open(path, "rb") as lines:
            _refuse_itself(ledger, path, os.fstat(lines.fileno()))
            _refuse_database(path, lines)
            return take_in(ledger, lines, append=append, progress=told)
    except OSError as error:
        raise LedgerError(path, (error.strerror or "it cannot be read").lower()) from None


def _refuse_itself(ledger: Ledger, path: str, given: os.stat_result) -> None:
    """Raise LedgerError where a ledger would be put behind itself."""
    if not isinstance(ledger, SqliteLedger | JsonLinesLedger) or not places.is_there(ledger.path):
        return
    if os.path.samestat(given, os.stat(ledger.path)):
        raise LedgerError(path, "it is the ledger itself, whose rows would count twice", "name another with --ledger")


def _refuse_database(path: str, lines: BufferedReader) -> None:
    """Raise LedgerError for a database, whose pages would all be taken up as lines that are no rows."""
    if lines.peek(len(_DATABASE)).startswith(_DATABASE):
        hint = f"write its lines with `gatewright ledger export --ledger {path}`, and import those"
        raise LedgerError(path, "it is a SQLite database and holds no lines", hint)


def _rendered(wanted: Format, imported: Imported, name: str) -> str:
    return as_json(report.imported_plain(imported)) if wanted.name == "json" else report.imported_text(imported, name)
