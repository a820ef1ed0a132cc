"""Freeze: a policy denies everything until a time."""

import pytest
from tests.runner.gates import HEAD, catalog_with, gate_of, outcomes, own_rule

from gatewright.errors import PolicyError
from gatewright.model import Moment
from gatewright.spec import given

TEXT = """
freeze: {until: "2026-12-01T08:00:00Z", reason: the quarter closes}
rules:
  - {id: many, deny: agents > 1, override: tier_override}
"""


@pytest.mark.parametrize(
    ("now", "frozen"),
    [
        ("2020-01-01T00:00:00Z", True),
        ("2026-12-01T07:59:59Z", True),
        ("2026-12-01T07:59:59.999Z", True),
        ("2026-12-01T08:00:00Z", False),
        ("2026-12-01T09:00:00+01:00", False),
        ("2026-12-01T08:30:00+01:00", True),
        ("2099-01-01T00:00:00Z", False),
    ],
)
def test_before_its_time_everything_is_denied_and_from_then_on_nothing(now, frozen):
    decision = gate_of(TEXT).decide({"agents": 1, "now": now})
    assert decision.reasons == (("POLICY_FROZEN",) if frozen else ())


@pytest.mark.parametrize("now", [None, "noon", "2026-12-02T00:00:00", 1e300, True, [], float("nan"), float("inf")])
def test_while_the_time_is_not_known_everything_is_denied(now):
    assert "POLICY_FROZEN" in gate_of(TEXT).decide({"agents": 1, "now": now}).reasons


def test_where_no_time_was_given_everything_is_denied():
    assert "POLICY_FROZEN" in gate_of(TEXT).decide({"agents": 1}).reasons


def test_a_time_that_is_no_number_is_not_after_the_freeze():
    now = Moment(epoch=float("nan"), text="x", date="2099-01-01", time="00:00", weekday="mon")
    assert not gate_of(TEXT).decide({"agents": 1, "now": now}).allow


def test_a_freeze_is_the_first_reason_and_the_rules_are_still_heard():
    decision = gate_of(TEXT).decide({"agents": 2, "now": "2026-01-01T00:00:00Z"})
    assert decision.reasons == ("POLICY_FROZEN", "MANY")
    assert outcomes(decision) == {"many": "denied"}


def test_no_override_and_no_exception_lifts_a_freeze():
    text = f"{TEXT}exceptions:\n  - {{id: p, code: MANY, until: 2099-01-01, reason: r, owner: o}}\n"
    decision = gate_of(text).decide({"agents": 2, "now": "2026-01-01T00:00:00Z", "tier_override": "urgent"})
    assert decision.reasons == ("POLICY_FROZEN",)


def test_the_denial_says_until_when_and_why():
    decision = gate_of(TEXT).decide({"agents": 1, "now": "2026-01-01T00:00:00Z"})
    assert "until 2026-12-01T08:00:00Z: the quarter closes" in decision.findings[0].message


def test_a_freeze_comes_and_goes_within_one_gate():
    gate = gate_of(TEXT)
    for now, frozen in [("2026-01-01T00:00:00Z", True), ("2027-01-01T00:00:00Z", False)] * 2:
        assert gate.decide({"agents": 1, "now": now}).reasons == (("POLICY_FROZEN",) if frozen else ())


def test_a_stage_that_knows_no_time_cannot_be_frozen_until_one():
    from gatewright.policy.loader import load

    catalog = catalog_with(given("cause", str, "The cause.", stages=("settle",)), own_rule(lambda _: []))
    text = HEAD.replace("check", "settle") + TEXT.replace("agents > 1, override: tier_override", "cause == 'x'")
    with pytest.raises(PolicyError, match="has no fact `now`"):
        load(text.encode(), "small.yaml", catalog)
