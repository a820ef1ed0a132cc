"""What a rule of a policy does: deny, warn, require, when, and one row a rule whatever happens."""

import pytest
from tests.runner.gates import finding_of, gate_of, outcomes, request, shipped_gate

from gatewright.model import Level


@pytest.mark.parametrize(
    ("effect", "agents", "outcome"),
    [
        ("deny", 9, "denied"),
        ("deny", 8, "passed"),
        ("warn", 9, "warned"),
        ("warn", 8, "passed"),
        ("require", 9, "passed"),
        ("require", 8, "denied"),
    ],
)
def test_deny_and_warn_speak_where_the_condition_is_true_and_require_where_it_is_not(effect, agents, outcome):
    decision = gate_of(f"- {{id: many, {effect}: agents > 8}}").decide({"agents": agents})
    assert outcomes(decision) == {"many": outcome}
    assert decision.allow is (outcome != "denied")


@pytest.mark.parametrize("effect", ["deny", "warn", "require"])
@pytest.mark.parametrize(("runtime", "applies"), [("codex", True), ("claude", False)])
def test_a_rule_does_not_apply_unless_its_when_is_true(effect, runtime, applies):
    gate = gate_of(f"- {{id: many, when: runtime == 'codex', {effect}: agents != 3}}")
    decision = gate.decide({"runtime": runtime, "agents": 9})
    (row,) = decision.rows
    assert (row.outcome.value == "not applicable") is not applies
    assert row.why == ("" if applies else "`when` is false")


def test_a_condition_is_not_looked_at_where_when_is_false():
    gate = gate_of("- {id: a, when: agents > 5, deny: labels.team == 'x'}")
    assert gate.decide({"agents": 5, "labels": {}}).allow
    assert gate.decide({"agents": 6, "labels": {}}).reasons == ("EVAL_UNDEFINED",)


@pytest.mark.parametrize(("runtime", "outcome"), [("fable", "denied"), ("codex", "not applicable")])
def test_a_registered_rule_may_have_a_when(runtime, outcome):
    gate = gate_of("- {use: dispatch-budget, when: runtime == 'fable', with: {max_chars: 10}}")
    assert outcomes(gate.decide(request(runtime=runtime))) == {"dispatch-budget": outcome}


def test_all_rules_are_evaluated_and_the_first_denial_in_policy_order_is_the_reason():
    gate = gate_of(
        """
        - {id: w, warn: agents > 0}
        - {id: b, deny: agents > 1}
        - {id: a, deny: agents > 0}
        - {id: c, deny: agents > 99}
        """
    )
    decision = gate.decide({"agents": 2})
    assert (decision.reason, decision.reasons, decision.warnings) == ("B", ("B", "A"), ("W",))
    assert outcomes(decision) == {"w": "warned", "b": "denied", "a": "denied", "c": "passed"}


@pytest.mark.acceptance("C10", "C25")
def test_of_two_faults_of_a_request_the_shipped_policy_reports_the_earlier_first():
    faults = [
        ({"est_chars": None}, "CONTRACT_UNREADABLE"),
        ({"completion_channel": None}, "NO_COMPLETION_CHANNEL"),
        ({"model": None}, "NO_MODEL"),
        ({"runtime": "Codex"}, "INVALID_REQUEST"),
        ({"tier_policy": {"path": "t", "loaded": False}}, "TIER_POLICY_UNAVAILABLE"),
        ({"window": {"used": 8, "cap": 8}}, "TIER_FANOUT_CAP"),
        ({"est_chars": 500_001}, "BUDGET_EXCEEDED"),
    ]
    gate = shipped_gate()
    for at, (first, code) in enumerate(faults):
        for second, later in faults[at + 1 :]:
            decision = gate.decide(request(**{**second, **first}))
            assert decision.reason == code, (code, later)


@pytest.mark.acceptance("C25")
def test_a_request_that_is_wrong_in_every_way_has_every_reason_in_order():
    wrong = request(
        est_chars=500_001,
        completion_channel="email",
        model=None,
        runtime="Codex",
        agents=3,
        tier="unknown",
        window={"used": 8, "cap": 8},
        ticket_path={"inside": False, "path": "x"},
    )
    assert shipped_gate().decide(wrong).reasons == (
        "NO_COMPLETION_CHANNEL",
        "NO_MODEL",
        "INVALID_REQUEST",
        "TIER_FANOUT_CAP",
        "BUDGET_EXCEEDED",
    )


@pytest.mark.acceptance("G05")
@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"contract": {"path": "x", "readable": False}}, "CONTRACT_UNREADABLE"),
        ({"completion_channel": None}, "NO_COMPLETION_CHANNEL"),
        ({"model": " "}, "NO_MODEL"),
        ({"tier_policy": {"path": "x", "loaded": False}}, "TIER_POLICY_UNAVAILABLE"),
        ({"est_chars": 500_001, "agents": 1}, "BUDGET_EXCEEDED"),
        ({"runtime": "fable"}, "ROUTING_VIOLATION"),
    ],
)
def test_each_thing_that_a_check_proves_has_its_own_reason(changed, reason):
    assert shipped_gate().decide(request(**changed)).reason == reason


def test_there_is_one_row_a_rule_in_policy_order_whatever_was_found():
    gate = shipped_gate()
    ids = tuple(rule.id for rule in gate.policy.rules)
    for facts in (request(), request(model=None, agents=0), {}, {"runtime": 5}, {"contract": None}):
        assert tuple(row.rule for row in gate.decide(facts).rows) == ids


def test_a_rule_that_is_used_twice_has_two_names_and_two_rows():
    gate = gate_of(
        """
        - {use: dispatch-budget, with: {max_chars: 10}}
        - {use: dispatch-budget, id: wide, with: {max_chars: 5000}, level: warn}
        """
    )
    assert outcomes(gate.decide(request())) == {"dispatch-budget": "denied", "wide": "passed"}


# -- what is told --------------------------------------------------------------------------------------------------


def test_a_finding_carries_its_rule_its_place_its_message_and_its_hint():
    text = """
    - id: many
      deny: agents > 8
      code: BUDGET_EXCEEDED
      message: "{agents} agents on `{runtime}` {{sic}}"
      hint: ask for fewer
    """
    finding = finding_of(gate_of(text).decide({"agents": 9, "runtime": "codex"}), "BUDGET_EXCEEDED")
    assert finding.message == "9 agents on `codex` {sic}"
    assert (finding.rule, finding.hint, finding.level) == ("many", "ask for fewer", Level.DENY)
    assert str(finding.where) == "small.yaml:6:11"


@pytest.mark.parametrize(
    ("effect", "message"),
    [("deny: agents > 8", "`agents > 8` is true"), ("require: agents < 9", "`agents < 9` is not true")],
)
def test_without_a_message_the_condition_itself_is_told(effect, message):
    assert finding_of(gate_of(f"- {{id: many, {effect}}}").decide({"agents": 9}), "MANY").message == message


@pytest.mark.acceptance("EX-03")
def test_a_message_that_cannot_be_filled_never_hides_the_denial():
    text = """
    - id: many
      deny: agents > 8
      message: "for {labels.owner} of {labels.team}"
    """
    decision = gate_of(text).decide({"agents": 9, "labels": {"team": "core"}})
    assert decision.reasons == ("MANY",)
    assert decision.findings[0].message == "for (labels.owner is not known) of core"


def test_a_message_may_name_a_fact_that_cannot_be_had():
    decision = gate_of('- {id: many, deny: agents > 8, message: "by {runtime}"}').decide({"agents": 9, "runtime": 5})
    assert decision.reasons == ("MANY",)
    assert decision.findings[0].message == "by (runtime is not known)"


def test_text_in_a_message_cannot_draw_on_a_terminal_and_is_cut():
    gate = gate_of('- {id: many, deny: agents > 8, message: "by {runtime}"}')
    told = gate.decide({"agents": 9, "runtime": "\x1b[2J\n\u202e" + "x" * 500}).findings[0].message
    assert told.startswith("by \\x1b[2J\\x0a\\u202e")
    assert len(told) < 260


@pytest.mark.parametrize(("value", "told"), [({"used": None}, "null"), ({"used": 3}, "3"), ({"used": -1}, "-1")])
def test_values_in_a_message_are_written_as_people_write_them(value, told):
    gate = gate_of('- {id: many, deny: agents > 8, message: "{window.used}"}')
    assert gate.decide({"agents": 9, "window": {"cap": 8, **value}}).findings[0].message == told


def test_a_condition_over_several_lines_is_told_on_one():
    text = """
    - id: many
      deny: |
        agents > 8
        or agents < 0
    """
    assert gate_of(text).decide({"agents": 9}).findings[0].message == "`agents > 8 or agents < 0` is true"
