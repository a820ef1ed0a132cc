"""A condition whose answer no fact can change is known before it runs."""

import pytest
from tests.expressions.strategies import SCHEMA

from gatewright.expressions import checker
from gatewright.expressions.folding import constant


def folded(text):
    return constant(checker.checked(text, SCHEMA)[0])


@pytest.mark.parametrize(
    "text",
    [
        "true",
        "not false",
        "1 < 2",
        "1 < 2 < 3",
        '"a" in ["a", "b"]',
        'len("abc") == 3',
        'matches("abc", "^a")',
        "2 * 3 == 6",
        "true or ready",
        "ready or true",
        "ready or not false or ready",
        "not (ready and false)",
        "true and not false",
        "agents == agents",
        "agents <= agents",
        "site.size >= site.size",
        "labels.a == labels.a",
        "roles[0] == roles[0]",
        "agents + 1 == agents + 1",
        "-agents == -agents",
        "agents in [1] or 1 == 1",
        "5 is not null",
        "null is null",
    ],
)
def test_what_is_always_true_is_told(text):
    assert folded(text) is True


@pytest.mark.parametrize(
    "text",
    [
        "false",
        "not true",
        "2 < 1",
        '"c" in ["a", "b"]',
        "ready and false",
        "false and ready",
        "false or not true",
        "agents != agents",
        "agents < agents",
        "agents > agents",
        "not (agents == agents)",
        "5 is null",
    ],
)
def test_what_is_always_false_is_told(text):
    assert folded(text) is False


@pytest.mark.parametrize(
    "text", ["len(roles) == len(roles)", "lower(runtime) == lower(runtime)", "(ready and ready) == (ready and ready)"]
)
def test_a_side_with_parts_in_a_list_is_the_same_as_its_twin(text):
    assert folded(text) is True


@pytest.mark.parametrize(
    "text",
    [
        "ready",
        "not ready",
        "agents == 1",
        "agents == site.size",
        "labels.a == labels.b",
        "roles[0] == roles[1]",
        "agents + 1 == agents + 2",
        "agents + 1 == agents - 1",
        "agents == -agents",
        "ready and approved",
        "ready or false",
        "true and ready",
        "agents < agents < 3",
        "runtime in roles",
        "agents is null",
        "has(body)",
        # nothing but literals, and no boolean
        "5",
        '"a"',
        "null",
        "1 + 1",
        # an answer that errs is told when it runs
        "9223372036854775807 + 1 > 0",
        '"a" in roles and 9223372036854775807 + 1 > 0',
    ],
)
def test_what_a_fact_decides_is_no_constant(text):
    assert folded(text) is None
