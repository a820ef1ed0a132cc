"""`gatewright ledger doctor`: look the ledger over."""

import click

from gatewright.cli.ledger.common import ledger_options
from gatewright.cli.options import Output, output_options, width
from gatewright.ledger.clock import SystemClock
from gatewright.ledger.doctor import examine
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.symptoms import Mark
from gatewright.model.exits import ExitCode
from gatewright.report import upkeep as report
from gatewright.report.formats import Format, as_json


@click.command("doctor")
@ledger_options
@output_options("table", "json")
def command(*, ledger: Ledger, output: Output) -> int:
    """Look the ledger over: database, disk, clock, permissions, what is in it, what a crash has left.

    Says what to do about each finding. Exits 1 for a problem, that is for what closes the gate, and 0 for warnings.

    \b
    Example:
      gatewright ledger doctor
    """
    found = examine(ledger, SystemClock())

    def rendered(wanted: Format) -> str:
        if wanted.name == "json":
            return as_json([report.symptom_plain(each) for each in found])
        return report.symptom_table(found, style=wanted.style, width=width())

    output.deliver(rendered)
    return ExitCode.FAILED if any(each.mark is Mark.PROBLEM for each in found) else ExitCode.OK
