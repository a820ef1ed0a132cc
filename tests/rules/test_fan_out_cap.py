"""Fan-out cap: how many agents of one tier may start within a window of time."""

import pytest
from tests.rules.calls import DENY, codes_of, findings_of, fires, levels_of

from gatewright.model import TIER_FANOUT_CAP, Window
from gatewright_rules import fan_out_cap


def of(agents, used, cap, tier="unknown"):
    return {"agents": agents, "tier": tier, "window": Window(used=used, cap=cap, seconds=86_400)}


@pytest.mark.acceptance("P13")
@pytest.mark.parametrize(
    ("used", "agents", "cap"), [(0, 8, 8), (5, 3, 8), (7, 1, 8), (0, 1, 1), (0, 2**63 - 1, 2**63 - 1)]
)
def test_up_to_the_cap_passes(used, agents, cap):
    assert codes_of(fan_out_cap, **of(agents, used, cap)) == []
    assert not fires(fan_out_cap, **of(agents, used, cap))


@pytest.mark.acceptance("P13", "P16")
@pytest.mark.parametrize(
    ("used", "agents", "cap"), [(0, 9, 8), (5, 4, 8), (8, 1, 8), (100, 1, 8), (2**63 - 1, 2**63 - 1, 8)]
)
def test_one_more_than_the_cap_is_denied(used, agents, cap):
    assert levels_of(fan_out_cap, **of(agents, used, cap)) == [(TIER_FANOUT_CAP, DENY)]
    assert fires(fan_out_cap, **of(agents, used, cap))


@pytest.mark.acceptance("P22")
def test_a_cap_of_0_blocks_the_tier():
    assert codes_of(fan_out_cap, **of(1, 0, 0)) == [TIER_FANOUT_CAP]


@pytest.mark.acceptance("P10")
@pytest.mark.parametrize("used", [None, 0, 10_000])
def test_a_tier_without_a_cap_is_not_limited(used):
    assert codes_of(fan_out_cap, **of(10_000, used, None, tier="top")) == []
    assert not fires(fan_out_cap, **of(10_000, used, None, tier="top"))


@pytest.mark.parametrize("cap", [0, 1, 2**63 - 1])
def test_a_window_whose_use_is_not_known_holds_its_cap(cap):
    assert levels_of(fan_out_cap, **of(1, None, cap)) == [(TIER_FANOUT_CAP, DENY)]
    assert fires(fan_out_cap, **of(1, None, cap))


def test_a_message_says_nothing_in_the_words_of_python_where_the_use_is_not_known():
    (finding,) = findings_of(fan_out_cap, **of(1, None, 8))
    assert "None" not in finding.message


@pytest.mark.acceptance("P16")
def test_the_denial_carries_tier_agents_used_cap_and_window():
    (finding,) = findings_of(fan_out_cap, **of(2, 7, 8))
    assert finding.message == "tier=unknown agents=2 used=7 cap=8 window_seconds=86400"
    assert finding.data == {
        "tier": "unknown",
        "agents": 2,
        "used": 7,
        "cap": 8,
        "window_seconds": 86_400,
        "frees_at": None,
    }


@pytest.mark.parametrize(("used", "told"), [(7, "at most 1"), (5, "at most 3"), (8, "wait until"), (9, "wait until")])
def test_the_hint_says_how_many_are_left_or_to_wait(used, told):
    (finding,) = findings_of(fan_out_cap, **of(9, used, 8))
    assert told in finding.hint


def test_asking_for_what_the_hint_names_passes():
    (finding,) = findings_of(fan_out_cap, **of(9, 5, 8))
    left = int(finding.hint.split("at most ")[1].split(",")[0])
    assert codes_of(fan_out_cap, **of(left, 5, 8)) == []
    assert codes_of(fan_out_cap, **of(left + 1, 5, 8)) == [TIER_FANOUT_CAP]
