"""Overrides: a text fact that is not blank turns a rule's denials into recorded overrides, and nothing else."""

import pytest
from tests.rules.test_model_named import BLANKS
from tests.runner.gates import finding_of, gate_of, outcomes, own_rule, request, shipped_gate

from gatewright.model import FindingStatus, deny, warn

RULE = "- {id: many, deny: agents > 1, override: tier_override}"


@pytest.mark.acceptance("C14")
@pytest.mark.parametrize(("text", "by"), [("pilot", "pilot"), ("x", "x"), ("  pilot \n", "pilot"), ("시험", "시험")])
def test_a_text_that_is_not_blank_lets_a_denial_through_and_is_kept(text, by):
    decision = gate_of(RULE).decide({"agents": 2, "tier_override": text})
    finding = finding_of(decision, "MANY")
    assert (decision.allow, finding.status, finding.by) == (True, FindingStatus.OVERRIDDEN, by)
    assert outcomes(decision) == {"many": "overridden"}
    assert decision.rows[0].why == by
    assert decision.to_dict()["tier_override"] == by


@pytest.mark.acceptance("C15")
@pytest.mark.parametrize("text", [None, "", *BLANKS, "".join(BLANKS)], ids=ascii)
def test_a_blank_text_lets_nothing_through(text):
    assert gate_of(RULE).decide({"agents": 2, "tier_override": text}).reasons == ("MANY",)


@pytest.mark.parametrize("text", [0, 1, True, ["pilot"], {"why": "pilot"}, 1.5, object()])
def test_what_is_no_text_lets_nothing_through(text):
    assert not gate_of(RULE).decide({"agents": 2, "tier_override": text}).allow


def test_an_override_that_was_not_needed_changes_nothing():
    decision = gate_of(RULE).decide({"agents": 1, "tier_override": "pilot"})
    assert outcomes(decision) == {"many": "passed"}
    assert decision.override is None


def test_an_override_lets_through_no_warning():
    decision = gate_of("- {id: many, warn: agents > 1, override: tier_override}").decide(
        {"agents": 2, "tier_override": "pilot"}
    )
    assert outcomes(decision) == {"many": "warned"}


def test_an_override_lets_one_rule_through_and_no_other():
    text = f"{RULE}\n- {{id: more, deny: agents > 1}}"
    decision = gate_of(text).decide({"agents": 2, "tier_override": "pilot"})
    assert outcomes(decision) == {"many": "overridden", "more": "denied"}
    assert decision.reasons == ("MORE",)


def test_overrides_hold_for_single_codes_of_a_rule():
    both = own_rule(lambda agents: [deny("A", "a"), deny("B", "b")] if agents > 1 else [], codes=("A", "B"))
    gate = gate_of("- {use: mine, overrides: {A: tier_override}}", both)
    decision = gate.decide({"agents": 2, "tier_override": "pilot"})
    assert decision.reasons == ("B",)
    assert finding_of(decision, "A").status is FindingStatus.OVERRIDDEN
    assert outcomes(decision) == {"mine": "denied"}


def test_single_codes_may_have_an_override_of_their_own():
    both = own_rule(lambda agents: [deny("A", "a"), deny("B", "b")] if agents > 1 else [], codes=("A", "B"))
    gate = gate_of("- {use: mine, override: tier_override, overrides: {B: top_approved}}", both)
    assert gate.decide({"agents": 2, "tier_override": "pilot"}).reasons == ("B",)
    assert gate.decide({"agents": 2, "top_approved": "pilot"}).reasons == ("A",)
    assert gate.decide({"agents": 2, "tier_override": "x", "top_approved": "y"}).allow


def test_what_the_engine_denies_is_never_overridden():
    broken = own_rule(lambda agents: [deny("MINE", str(1 // (agents - 1)))])
    gate = gate_of("- {use: mine, override: tier_override}", broken)
    assert gate.decide({"agents": 1, "tier_override": "pilot"}).reasons == ("RULE_ERROR",)
    gate = gate_of("- {id: a, deny: labels.team == 'x', override: tier_override}")
    assert gate.decide({"labels": {}, "tier_override": "pilot"}).reasons == ("EVAL_UNDEFINED",)
    gate = gate_of("- {id: a, deny: agents > 1, override: tier_override}")
    assert gate.decide({"tier_override": "pilot"}).reasons == ("FACT_UNAVAILABLE",)


def test_a_raised_level_is_a_denial_that_may_be_overridden():
    raised = own_rule(lambda _: [warn("MINE", "w")])
    gate = gate_of("- {use: mine, level: deny, override: tier_override}", raised)
    assert gate.decide({"agents": 1}).reasons == ("MINE",)
    assert gate.decide({"agents": 1, "tier_override": "pilot"}).allow


@pytest.mark.acceptance("C14")
def test_the_next_request_without_the_reason_is_denied_again():
    gate = shipped_gate()
    full = {"window": {"used": 8, "cap": 8}}
    assert gate.decide(request(**full, tier_override="pilot")).allow
    assert gate.decide(request(**full)).reasons == ("TIER_FANOUT_CAP",)
    assert gate.decide(request(**full, tier_override=" ")).reasons == ("INVALID_REQUEST", "TIER_FANOUT_CAP")
