"""The smallest change of a number where only some numbers pass: between two bounds, or out of a list."""

import pytest
from tests.runner.gates import gate_of

from gatewright.runner.explain import explain


def told(effect, condition, agents, more=""):
    gate = gate_of(f"{more}rules:\n  - id: r\n    {effect}: {condition}\n")
    (rule,) = explain(gate, gate.admit({"agents": agents})).rules
    for change in rule.changes:
        assert gate.decide(change.facts).allow
    return [change.text for change in rule.changes]


@pytest.mark.parametrize(
    ("effect", "condition", "agents", "changes"),
    [
        ("require", "3 <= agents <= 5", 9, ["agents 5"]),
        ("require", "3 <= agents <= 5", 1, ["agents 3"]),
        ("require", "1 <= agents <= 5", 9, ["agents <= 5"]),
        ("require", "agents in [1, 2, 4]", 9, ["agents 4"]),
        ("require", "agents in [1, 2, 4]", 3, ["agents <= 2", "agents 4"]),
        ("deny", "agents != 40", 900, ["agents 40"]),
        ("deny", "agents != 40", 2, ["agents 40"]),
        ("deny", "agents > 8", 12, ["agents <= 8"]),
        ("deny", "agents == 9", 9, ["agents <= 8", "agents >= 10"]),
        ("require", "60 <= agents * 10 <= 80", 700, []),
    ],
)
def test_a_number_that_passes_is_told_and_a_bound_only_where_all_beyond_it_pass(effect, condition, agents, changes):
    assert told(effect, condition, agents) == changes


@pytest.mark.parametrize(
    ("effect", "condition", "labels", "changes"),
    [
        ("deny", "not has(labels.ticket)", {}, ["labels.ticket with any text"]),
        ("deny", "not has(labels.ticket)", {"team": "core"}, ["labels.ticket with any text"]),
        ("deny", '\'default(labels.env, "") != "test"\'', {}, ['labels.env "test"']),
        ("deny", '\'default(labels.env, "") != "test"\'', {"env": "live"}, ['labels.env "test"']),
        ("require", '\'default(labels.env, "") in ["a", "b"]\'', {"env": "c", "x": "y"}, ['labels.env "a"']),
        ("deny", '\'default(labels.env, "") == "live"\'', {"env": "live"}, ["labels.env with any text"]),
        ("deny", "not (has(labels.a) and has(labels.b))", {}, []),
    ],
)
def test_a_label_that_is_missing_or_another_is_told(effect, condition, labels, changes):
    gate = gate_of(f"rules:\n  - id: r\n    {effect}: {condition}\n")
    (rule,) = explain(gate, gate.admit({"labels": labels})).rules
    assert [change.text for change in rule.changes] == changes
    for change in rule.changes:
        assert gate.decide(change.facts).allow
        assert labels.items() - {("env", labels.get("env"))} <= change.facts["labels"].items()


def test_the_numbers_of_params_are_tried_as_those_of_the_rule():
    assert told("deny", "agents != params.fleet", 90, "params: {fleet: 40}\n") == ["agents 40"]
