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


def test_the_numbers_of_params_are_tried_as_those_of_the_rule():
    assert told("deny", "agents != params.fleet", 90, "params: {fleet: 40}\n") == ["agents 40"]
