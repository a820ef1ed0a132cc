"""An adopting that is stopped or fails at any call leaves the old proof or the new one, and what either knows."""

import pytest
from tests.torture import adopting, failing, shims

pytestmark = pytest.mark.skipif(bool(shims.missing()), reason=f"no call can be spoiled: {shims.missing()}")


@pytest.mark.acceptance("T24")
@pytest.mark.parametrize("state", adopting.STATES)
@pytest.mark.parametrize("how", ["dies", "disk full"])
def test_whatever_call_is_the_last_or_fails_nothing_is_lost_and_the_next_adopting_ends_well(state, how):
    figures = adopting.started(state, how)
    assert figures["faults"] == [], figures["said"]
    allowed = {"dies": {failing.DEAD}}.get(how, {failing.ALLOWED, failing.UNAVAILABLE})
    assert {int(ending) for ending in figures["endings"]} <= allowed
    assert sum(figures["endings"].values()) > 20
