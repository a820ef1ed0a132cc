"""Explaining decides exactly as deciding does, and shows condition, values and where they came from."""

import json

import pytest
from hypothesis import given
from tests.expressions.fuzzing import examples
from tests.runner.gates import gate_of, own_rule, request, shipped_gate
from tests.runner.strategies import INLINE, requests

from gatewright.model import Window
from gatewright.runner.explain import explain

GATES = {"shipped": shipped_gate(), **{name: gate_of(text) for name, text in INLINE.items()}}


@pytest.mark.parametrize("gate", GATES.values(), ids=GATES)
@given(facts=requests())
@examples(60)
def test_an_explanation_is_of_the_very_decision(gate, facts):
    found = explain(gate, gate.admit(facts))
    assert found.decision.to_dict() == gate.decide(facts).to_dict()
    assert [each.row for each in found.rules] == list(found.decision.rows)
    json.dumps(found.to_dict())


def told(gate, facts, rule):
    (found,) = [each for each in explain(gate, gate.admit(facts)).rules if each.row.rule == rule]
    return found


def test_each_comparison_is_shown_as_written_with_its_values_and_its_result():
    gate = gate_of("- {id: many, deny: runtime == 'codex' and window.used + agents > window.cap}")
    found = told(gate, {"runtime": "codex", "agents": 2, "window": {"used": 7, "cap": 8}}, "many")
    assert [(each.text.split(), each.values.split(), each.result) for each in found.clauses] == [
        (["runtime", "==", "'codex'"], ['"codex"', "==", "'codex'"], "true"),
        (["window.used", "+", "agents", ">", "window.cap"], ["7", "+", "2", "=", "9", ">", "8"], "true"),
    ]


def test_what_was_not_reached_is_shown_as_not_reached():
    gate = gate_of("- {id: many, deny: agents > 1 or runtime == 'codex'}")
    found = told(gate, {"runtime": "codex", "agents": 2}, "many")
    assert [each.result for each in found.clauses] == ["true", "not reached"]


def test_where_a_condition_erred_the_code_is_shown():
    gate = gate_of("- {id: a, deny: agents > 1 and labels.team == 'x'}")
    found = told(gate, {"agents": 2, "labels": {}}, "a")
    assert [each.result for each in found.clauses] == ["true", "EVAL_UNDEFINED"]


def test_each_operand_is_named_with_its_value_and_its_source():
    gate = gate_of("- {id: a, deny: agents > 1 and window.used == 7 and cost_proxy > 5}")
    found = told(gate, {"agents": 2, "est_chars": 9, "window": {"used": 7, "cap": 8}}, "a")
    assert [(each.name, each.value, each.source) for each in found.operands] == [
        ("agents", "2", "request"),
        ("window.used", "7", "collected"),
        ("cost_proxy", "18", "derived"),
    ]


def test_a_registered_rule_is_explained_by_its_plain_form():
    gate = shipped_gate()
    found = told(gate, request(window=Window(used=8, cap=8)), "fan-out-cap")
    assert found.condition == "window.cap is not None and window.used + agents > window.cap"
    assert [each.result for each in found.clauses] == ["true", "true"]


def test_a_rule_without_a_plain_form_has_no_condition_to_show():
    gate = gate_of("- use: mine", own_rule(lambda _: 1))
    found = told(gate, {"agents": 1}, "mine")
    assert (found.condition, found.clauses) == ("", ())


@pytest.mark.parametrize("facts", [{}, {"agents": "x"}, {"runtime": "claude", "agents": 9}])
def test_a_rule_that_does_not_apply_has_no_values_to_show(facts):
    gate = gate_of("- {id: a, when: runtime == 'codex', deny: agents > 1}")
    assert told(gate, facts, "a").clauses == ()


def test_only_the_rules_that_found_something_are_told_in_the_plain_data():
    gate = gate_of("- {id: a, deny: agents > 1}\n- {id: b, warn: agents > 9}\n- {id: c, warn: agents > 1}")
    plain = explain(gate, gate.admit({"agents": 2})).to_dict()
    assert [each["rule"] for each in plain["explanations"]] == ["a", "c"]
