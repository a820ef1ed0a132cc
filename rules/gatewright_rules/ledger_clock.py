"""Ledger clock: rows from the future are counted, and somebody should know why the window is full."""

from gatewright.model import LEDGER_CLOCK, Findings, Window, warn
from gatewright.spec import rule


@rule(codes=[LEDGER_CLOCK], fires="window.odd_times > 0")
def ledger_clock(window: Window) -> Findings:
    """Warn of counted rows whose time lies in the future, or cannot be read.

    What: looks at the times of the rows that the window counts.
    Why: a clock that was set, or a row written by hand, holds room back that nobody is using.
    Warns: `LEDGER_CLOCK` when there is such a row; it counts all the same.
    """
    if window.odd_times:
        rows = "row has a time" if window.odd_times == 1 else "rows have times"
        yield warn(
            LEDGER_CLOCK,
            f"{window.odd_times} counted {rows} in the future, or none that can be read",
            hint="check the clocks of the machines that write to the ledger",
            rows=window.odd_times,
        )
