"""What lint says of rules that never fire, always fire or are shadowed is true of every request."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.runner.gates import HEAD, gate_of

from gatewright.app import catalog_of
from gatewright.policy import analysis
from gatewright.policy.loader import load


def told(*conditions):
    rules = "".join(f"  - id: r{at}\n    deny: '{condition}'\n" for at, condition in enumerate(conditions))
    policy = load(f"{HEAD}rules:\n{rules}".encode(), "p.yaml", catalog_of())
    return [(found.check, found.place.line) for found in analysis.findings(policy)]


@pytest.mark.parametrize(
    "condition",
    [
        'now.time > "22:00"',
        'now.time >= "22:00" or now.time < "06:00"',
        'now.date > "2026-01-01" and now.date < "2026-12-31"',
        'runtime > "a" and runtime < "b"',
        'runtime <= "m" or runtime > "n"',
        'not (runtime <= "m")',
        "now.epoch > 1 and now.epoch < 2",
        "now.epoch <= 1 or now.epoch >= 1.0000000000000004",
        "agents > 1.5 and agents < 2.5",
        "agents <= 1.5 or agents >= 2.5",
    ],
)
def test_a_rule_that_some_request_meets_and_another_does_not_is_no_constant(condition):
    assert told(condition) == []


@pytest.mark.parametrize(
    "condition",
    [
        'runtime > "b" and runtime < "a"',
        'runtime < "m" or runtime >= "m"',
        "agents > 1 and agents < 2",
        "agents > 1.5 and agents < 1.75",
        "agents == 1.5",
        "now.epoch < 1 and now.epoch > 2",
    ],
)
def test_a_rule_whose_comparisons_contradict_or_cover_each_other_is_told(condition):
    assert told(condition) == [("constant-rule", 6)]


def test_a_later_bound_is_shadowed_by_an_earlier_one_and_not_the_other_way():
    assert told('now.date > "2026-01-01"', 'now.date > "2026-06-01"') == [("shadowed-rule", 8)]
    assert told('now.date > "2026-06-01"', 'now.date > "2026-01-01"') == []


BOUNDS = {
    "runtime": ['"a"', '"ab"', '"b"', '"z"'],
    "agents": ["1", "1.5", "2", "2.5", "3"],
}
VALUES = {"runtime": ["B", "a", "aa", "ab", "aba", "b", "y", "z", "zz"], "agents": [1, 2, 3, 4]}


@st.composite
def conditions(draw):
    """A fact, and up to three comparisons of it with constants."""
    fact = draw(st.sampled_from(sorted(BOUNDS)))
    operator, bound = st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), st.sampled_from(BOUNDS[fact])
    parts = draw(st.lists(st.tuples(operator, bound), min_size=1, max_size=3))
    joined = draw(st.sampled_from([" and ", " or "])).join(f"{fact} {op} {value}" for op, value in parts)
    return fact, joined


@settings(deadline=None)
@given(conditions())
def test_a_rule_that_is_called_constant_answers_the_same_for_every_value(drawn):
    fact, condition = drawn
    if told(condition):
        gate = gate_of(f"rules:\n  - id: r\n    deny: '{condition}'\n")
        assert len({gate.decide({fact: value}).allow for value in VALUES[fact]}) == 1


@settings(deadline=None)
@given(conditions(), conditions())
def test_a_rule_that_is_called_shadowed_never_fires_without_the_other(before, after):
    fact, condition = after
    if before[0] == fact and ("shadowed-rule", 8) in told(before[1], condition):
        gate = gate_of(f"rules:\n  - id: a\n    deny: '{before[1]}'\n  - id: b\n    deny: '{condition}'\n")
        assert ("B",) not in [gate.decide({fact: value}).reasons for value in VALUES[fact]]
