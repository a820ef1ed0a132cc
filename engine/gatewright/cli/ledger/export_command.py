"""`gatewright ledger export`: the ledger as JSON lines."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import click

from gatewright.cli.ledger.common import ledger_options, none_there
from gatewright.cli.progress import progress
from gatewright.cli.streams import emit_lines, say
from gatewright.ledger import archives, sources, transfer
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.postgres import PostgresLedger
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.verifying import Progress
from gatewright.model.exits import ExitCode


@click.command("export")
@click.option("--out", metavar="FILE", help="Write to this new file; else to standard output.")
@ledger_options
def command(*, ledger: Ledger, out: str | None) -> int:
    """Write the ledger as JSON lines, one a row, each byte for byte as it is kept.

    Imported into another ledger and exported again, the lines are the same. Exits 5 when there is no ledger.

    \b
    Example:
      gatewright ledger export --out ledger.jsonl
    """
    with progress("exporting") as told, _lines(ledger, told) as lines:
        if lines is None:
            return none_there(ledger)
        if out is None:
            emit_lines(lines)
        else:
            _write(out, lines)
            say("gatewright", f"{out}: written")
    return ExitCode.OK


@contextmanager
def _lines(ledger: Ledger, told: Progress) -> Iterator[Iterator[bytes] | None]:
    """The lines of a ledger; None where there is none."""
    if isinstance(ledger, PostgresLedger):
        yield (entry.row.line for entry in ledger.rows())
        return
    with sources.opened(ledger) as source:
        for seal in archives.seals(source.connection) if source is not None else []:
            say("gatewright", f"rows up to {seal.last:,} are in {seal.archive}, and are not exported")
        yield transfer.lines_of(source, told) if source is not None else None


def _write(path: str, lines: Iterator[bytes]) -> None:
    """Write a new file, as a whole or not at all, readable by its owner alone."""
    try:
        with tempfile.NamedTemporaryFile(dir=os.path.dirname(os.path.abspath(path)), prefix=".export-") as file:
            file.writelines(line + b"\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
            os.link(file.name, path)
    except FileExistsError:
        raise LedgerError(path, "it is there already", "name a new file") from None
    except OSError as error:
        raise LedgerError(path, (error.strerror or "it cannot be written").lower()) from None
