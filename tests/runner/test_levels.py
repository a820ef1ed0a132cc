"""The level of a finding belongs to the policy: deny, warn, note or off, for a rule or for single codes."""

import pytest
from tests.runner.gates import finding_of, gate_of, outcomes, own_rule, request

from gatewright.model import deny, note, warn


@pytest.mark.parametrize(
    ("level", "outcome", "reasons", "warnings"),
    [
        ("deny", "denied", ("BUDGET_EXCEEDED",), ()),
        ("warn", "warned", (), ("BUDGET_EXCEEDED",)),
        ("note", "noted", (), ()),
        ("off", "off", (), ()),
    ],
)
def test_a_level_holds_for_all_codes_of_a_registered_rule(level, outcome, reasons, warnings):
    gate = gate_of(f"- {{use: dispatch-budget, with: {{max_chars: 10}}, level: {level}}}")
    decision = gate.decide(request())
    assert outcomes(decision) == {"dispatch-budget": outcome}
    assert (decision.reasons, decision.warnings) == (reasons, warnings)


@pytest.mark.parametrize(
    ("level", "outcome"), [("deny", "denied"), ("warn", "warned"), ("note", "noted"), ("off", "off")]
)
@pytest.mark.parametrize("effect", ["deny: agents > 1", "warn: agents > 1", "require: agents < 2"])
def test_a_level_holds_for_a_rule_of_an_expression(effect, level, outcome):
    decision = gate_of(f"- {{id: many, {effect}, level: {level}}}").decide({"agents": 2})
    assert outcomes(decision) == {"many": outcome}
    assert decision.allow is (level != "deny")


@pytest.mark.parametrize(
    ("levels", "agents", "outcome"),
    [
        ("{ROUTING_VIOLATION: warn}", 2, "warned"),
        ("{ROUTING_VIOLATION: warn}", 1, "warned"),
        ("{HIGH_COST_RUNTIME: deny}", 1, "denied"),
        ("{HIGH_COST_RUNTIME: off}", 1, "passed"),
        ("{HIGH_COST_RUNTIME: off}", 2, "denied"),
        ("{ROUTING_VIOLATION: off, HIGH_COST_RUNTIME: note}", 2, "passed"),
        ("{ROUTING_VIOLATION: off, HIGH_COST_RUNTIME: note}", 1, "noted"),
        ("{ROUTING_VIOLATION: off, HIGH_COST_RUNTIME: off}", 2, "off"),
    ],
)
def test_single_codes_of_a_rule_may_have_their_own_level(levels, agents, outcome):
    gate = gate_of(f"- {{use: runtime-routing, levels: {levels}}}")
    assert outcomes(gate.decide({"runtime": "fable", "agents": agents})) == {"runtime-routing": outcome}


def test_a_level_of_a_code_beats_the_level_of_the_rule():
    gate = gate_of("- {use: runtime-routing, level: note, levels: {ROUTING_VIOLATION: deny}}")
    assert outcomes(gate.decide({"runtime": "fable", "agents": 2})) == {"runtime-routing": "denied"}
    assert outcomes(gate.decide({"runtime": "fable", "agents": 1})) == {"runtime-routing": "noted"}


def test_a_note_is_recorded_and_told_nowhere_else():
    decision = gate_of("- {id: many, deny: agents > 1, level: note}").decide({"agents": 2})
    assert (decision.allow, decision.reason, decision.warnings) == (True, "OK", ())
    assert finding_of(decision, "MANY").level.value == "note"


def test_a_rule_that_is_off_needs_no_fact():
    decision = gate_of("- {use: fan-out-cap, level: off}\n- {id: a, deny: agents > 5}").decide({"agents": 1})
    assert decision.allow
    assert outcomes(decision) == {"fan-out-cap": "off", "a": "passed"}


def test_a_policy_whose_every_rule_is_off_allows_and_says_so():
    decision = gate_of("- {id: a, deny: agents > 5, level: off}\n- {use: model-named, level: off}").decide({})
    assert decision.allow
    assert outcomes(decision) == {"a": "off", "model-named": "off"}


def test_the_worst_finding_gives_a_rule_its_outcome():
    mixed = own_rule(lambda _: [note("NO", "n"), warn("WA", "w"), deny("DE", "d")], codes=("NO", "WA", "DE"))
    decision = gate_of("- use: mine", mixed).decide({"agents": 1})
    assert outcomes(decision) == {"mine": "denied"}
    assert decision.rows[0].codes == ("NO", "WA", "DE")


@pytest.mark.parametrize("level", ["warn", "note"])
@pytest.mark.parametrize("facts", [{}, {"agents": None}, {"agents": "2"}])
def test_a_shadow_run_denies_where_its_fact_cannot_be_had(level, facts):
    decision = gate_of(f"- {{id: many, deny: agents > 1, level: {level}}}").decide(facts)
    assert not decision.allow


@pytest.mark.parametrize("level", ["warn", "note"])
@pytest.mark.parametrize("effect", ["deny", "warn", "require"])
def test_a_shadow_run_denies_where_its_condition_cannot_be_decided(effect, level):
    decision = gate_of(f"- {{id: a, {effect}: labels.team == 'x', level: {level}}}").decide({"labels": {}})
    assert decision.reasons == ("EVAL_UNDEFINED",)
    assert outcomes(decision) == {"a": "errored"}


@pytest.mark.parametrize("level", ["warn", "note"])
def test_a_shadow_run_denies_where_its_code_fails(level):
    broken = own_rule(lambda agents: [deny("MINE", str(1 // (agents - 1)))])
    decision = gate_of(f"- {{use: mine, level: {level}}}", broken).decide({"agents": 1})
    assert decision.reasons == ("RULE_ERROR",)


# -- locked --------------------------------------------------------------------------------------------------------


def test_what_a_locked_rule_denies_stays_denied_whatever_else_the_policy_says():
    text = """
    rules:
      - {use: fan-out-cap, locked: true}
      - {id: other, deny: agents > 99, code: TIER_FANOUT_CAP, override: tier_override}
    exceptions:
      - {id: pilot, code: TIER_FANOUT_CAP, until: 2099-01-01, reason: r, owner: o}
    """
    decision = gate_of(text).decide(request(window={"used": 8, "cap": 8}, tier_override="pilot"))
    assert decision.reasons == ("TIER_FANOUT_CAP",)
    assert outcomes(decision) == {"fan-out-cap": "denied", "other": "passed"}


def test_a_rule_may_lock_itself():
    strict = own_rule(lambda agents: [deny("MINE", "m")] if agents > 1 else [], locked=True)
    text = """
    rules:
      - {use: mine}
      - {id: other, deny: agents > 99, code: MINE, override: tier_override}
    exceptions:
      - {id: pilot, code: MINE, until: 2099-01-01, reason: r, owner: o}
    """
    facts = {"agents": 2, "now": "2026-01-01T00:00:00Z", "tier_override": "pilot"}
    assert gate_of(text, strict).decide(facts).reasons == ("MINE",)


def test_a_lock_leaves_warnings_of_the_rule_as_the_policy_wants_them():
    both = own_rule(lambda agents: [warn("WA", "w"), *([deny("DE", "d")] if agents > 1 else [])], codes=("WA", "DE"))
    decision = gate_of("- {use: mine, locked: true}", both).decide({"agents": 1})
    assert (decision.allow, decision.warnings) == (True, ("WA",))
