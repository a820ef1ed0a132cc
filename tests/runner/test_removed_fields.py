"""Leaving something out never opens a gate: no field that is removed turns a denial into an allowance."""

from collections.abc import Iterator
from copy import deepcopy

import pytest
from hypothesis import given
from tests.expressions.fuzzing import examples
from tests.runner.gates import BUILT_IN, gate_of, request, shipped_gate, without
from tests.runner.strategies import INLINE, requests

from gatewright.model import Stage
from gatewright.runner import Gate
from gatewright.text import is_blank

GATES = {"shipped": shipped_gate(), **{name: gate_of(text) for name, text in INLINE.items()}}
every_gate = pytest.mark.parametrize("gate", GATES.values(), ids=GATES)


def with_one_field_less(facts: dict[str, object]) -> Iterator[tuple[str, dict[str, object]]]:
    """The facts without one of their fields, for each field of them and of the maps inside."""
    for name, value in facts.items():
        yield name, {other: held for other, held in facts.items() if other != name}
        if isinstance(value, dict):
            for path, less in with_one_field_less(value):
                yield f"{name}.{path}", {**facts, name: less}


#: Facts that are there in every request, and may not be null.
NECESSARY = ("runtime", "agents", "now", "contract", "tier_policy", "window", "known_roots")

#: Reasons that need not be given; a blank one is a mistake, so leaving it out mends the request.
BLANK_IS_WORSE = ("tier_override",)


def closed(gate: Gate, facts: dict[str, object]) -> bool:
    return not gate.decide(facts).allow


@given(facts=requests(wrong=False))
@examples(150)
def test_removing_a_field_never_opens_the_shipped_gate(facts):
    gate = GATES["shipped"]
    if closed(gate, facts):
        for path, less in with_one_field_less(facts):
            if path not in BLANK_IS_WORSE or not is_blank(str(facts[path])):
                assert closed(gate, less), path


#: Facts that a rule judges only where they are there; that they are is the business of other rules.
JUDGED_WHERE_GIVEN = {
    "request-shape": ("est_chars", "model", "tier_override", "top_approved"),
    "model-tier": ("model",),
}
ALONE = {name: gate_of(f"- use: {name}") for name, rule in BUILT_IN.rules.items() if rule.stage is Stage.CHECK}


@pytest.mark.parametrize("name", ALONE)
@given(facts=requests(wrong=False))
@examples(30)
def test_removing_a_field_opens_no_gate_of_a_single_built_in_rule(name, facts):
    gate = ALONE[name]
    if closed(gate, facts):
        for path, less in with_one_field_less(facts):
            if path not in JUDGED_WHERE_GIVEN.get(name, ()):
                assert closed(gate, less), path


@every_gate
@given(facts=requests(wrong=False))
@examples(100)
def test_removing_a_fact_that_may_not_be_null_never_opens_a_gate(gate, facts):
    if closed(gate, facts):
        for name in NECESSARY:
            assert closed(gate, without(facts, name)), name


@pytest.mark.acceptance("EX-01")
@pytest.mark.parametrize("effect", ["deny", "warn", "require"])
@pytest.mark.parametrize("op", ["==", "!=", "<", ">=", "in", "not in"])
def test_no_operator_makes_an_allowance_of_a_label_that_is_not_there(op, effect):
    right = "['external']" if "in" in op else "'external'"
    gate = gate_of(f"- id: a\n  {effect}: labels.team {op} {right}")
    for labels in ({}, {"tean": "core"}):
        assert gate.decide({"labels": labels}).reasons == ("EVAL_UNDEFINED",)


DENIED = {
    "CONTRACT_UNREADABLE": {"est_chars": None},
    "NO_COMPLETION_CHANNEL": {"completion_channel": "email"},
    "NO_MODEL": {"model": " "},
    "INVALID_REQUEST": {"runtime": "Codex"},
    "TIER_POLICY_UNAVAILABLE": {"tier_policy": {"path": "t", "loaded": False}},
    "TIER_FANOUT_CAP": {"window": {"used": 8, "cap": 8, "seconds": 60, "frees_at": None}},
    "BUDGET_EXCEEDED": {"agents": 1, "est_chars": 500_001},
    "ROUTING_VIOLATION": {"runtime": "fable"},
    "ticket": {"ticket_path": {"inside": False, "path": "x"}},
    "contract": {"contract": {"path": "job.md", "readable": False, "error": "x"}},
}


@pytest.mark.parametrize("name", DENIED)
def test_no_field_of_a_denied_request_can_be_left_out_to_pass(name):
    gate = shipped_gate()
    facts = request(**deepcopy(DENIED[name]))
    assert closed(gate, facts)
    for path, less in with_one_field_less(facts):
        assert closed(gate, less), path


@pytest.mark.parametrize("path", ["runtime", "model", "agents", "est_chars", "completion_channel"])
def test_a_request_without_one_of_its_necessary_fields_is_denied(path):
    facts = request()
    del facts[path]
    assert closed(shipped_gate(), facts)


@pytest.mark.parametrize(
    "path",
    ["tier_override", "top_approved", "request_id", "actor", "labels", "now", "contract.sha256", "contract.chars"],
)
def test_a_request_without_one_of_its_optional_fields_is_decided_as_before(path):
    gate = shipped_gate()
    (less,) = [less for each, less in with_one_field_less(request()) if each == path]
    assert gate.decide(less).allow
    assert gate.decide(less).warnings == gate.decide(request()).warnings


def test_an_empty_request_is_denied():
    for gate in GATES.values():
        assert closed(gate, {})


def test_a_gate_without_any_active_rule_is_the_only_one_that_allows_an_empty_request():
    assert Gate(gate_of("- {id: a, deny: agents > 1, level: off}").policy, BUILT_IN).decide({}).allow
