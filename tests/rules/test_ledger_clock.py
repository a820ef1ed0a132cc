"""Ledger clock: counted rows whose time cannot be right."""

import pytest
from tests.rules.calls import WARN, fires, levels_of

from gatewright.model import LEDGER_CLOCK, Window
from gatewright_rules import ledger_clock


@pytest.mark.acceptance("P29", "WI-03")
@pytest.mark.parametrize(("rows", "found"), [(0, []), (1, [(LEDGER_CLOCK, WARN)]), (7, [(LEDGER_CLOCK, WARN)])])
def test_rows_with_odd_times_are_told_and_deny_nothing(rows, found):
    window = Window(used=8, cap=8, odd_times=rows)
    assert levels_of(ledger_clock, window=window) == found
    assert fires(ledger_clock, window=window) is bool(found)
