"""Whatever call to the system fails in a check, or is its last: it is answered as such, and the ledger stands."""

import pytest
from tests.torture import failing, shims
from tests.torture.stations import NAMES

pytestmark = pytest.mark.skipif(bool(shims.missing()), reason=f"no call can be spoiled: {shims.missing()}")


@pytest.mark.acceptance("T17", "T24")
@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("how", failing.HOW)
def test_a_check_whose_nth_call_fails_is_told_or_unavailable_and_nothing_is_lost(kind, how):
    figures = failing.started(kind, how, stride=9, fresh=False)
    assert figures["faults"] == [], figures["said"]
    allowed = {"dies": {failing.DEAD}}.get(how, {failing.ALLOWED, failing.DENIED, failing.UNAVAILABLE})
    assert {int(ending) for ending in figures["endings"]} <= allowed
    assert sum(figures["endings"].values()) > 4


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("how", ["dies", "disk full"])
def test_the_same_holds_of_the_check_that_makes_the_ledger(kind, how):
    figures = failing.started(kind, how, stride=17, fresh=True)
    assert figures["faults"] == [], figures["said"]
