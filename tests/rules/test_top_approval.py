"""Top approval: the most expensive models are started when their owner has said so."""

import pytest
from tests.rules.calls import DENY, codes_of, findings_of, levels_of

from gatewright.model import TOP_NOT_APPROVED, Window
from gatewright_rules import top_approval

ASKED = {"model": "claude-opus-5", "tier": "top", "agents": 1, "est_chars": 3000, "top_approved": None}
WINDOW = Window(used=3, cap=8, seconds=86_400)


@pytest.mark.acceptance("W01", "W02")
@pytest.mark.parametrize("reason", [None, "", " ", "\t\n", "\u3000"])
def test_the_top_tier_without_a_reason_is_denied(reason):
    assert levels_of(top_approval, **{**ASKED, "top_approved": reason}, window=WINDOW) == [(TOP_NOT_APPROVED, DENY)]


def test_a_reason_will_do():
    assert codes_of(top_approval, **{**ASKED, "top_approved": "the owner, today"}, window=WINDOW) == []


@pytest.mark.parametrize("tier", [None, "efficient", "unknown", "TOP", ""])
def test_other_tiers_need_none(tier):
    assert codes_of(top_approval, **{**ASKED, "tier": tier}, window=WINDOW) == []


def test_which_tiers_need_one_is_an_option():
    assert codes_of(top_approval, **{**ASKED, "tier": "middle"}, window=WINDOW, tiers=["middle"]) == [TOP_NOT_APPROVED]
    assert codes_of(top_approval, **ASKED, window=WINDOW, tiers=[]) == []


@pytest.mark.acceptance("W32")
@pytest.mark.parametrize(
    ("window", "size", "told"),
    [
        (WINDOW, 3000, "1 agent, 3000 characters each; the tier has used 3 agents within 24 h, with a cap of 8"),
        (
            Window(used=1, cap=None, seconds=5400),
            None,
            "1 agent, an unknown size; the tier has used 1 agent within 1.5 h, with no cap",
        ),
        (Window(used=None, cap=None), 0, "1 agent, 0 characters each; what the tier has used is not known"),
    ],
)
def test_the_denial_says_what_was_asked_for(window, size, told):
    (finding,) = findings_of(top_approval, **{**ASKED, "est_chars": size}, window=window)
    assert finding.message == f"asked for: model `claude-opus-5` of tier `top`, {told}"
