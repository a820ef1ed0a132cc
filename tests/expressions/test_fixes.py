"""A fault has a fix where one thing is right: the characters to replace, and what to write there."""

import pytest
from tests.expressions.test_checker import SCHEMA

from gatewright.errors import ExpressionError
from gatewright.expressions.checker import checked


def mended(text: str) -> str:
    """The text with the fix of its first fault; as it is where that has none."""
    with pytest.raises(ExpressionError) as caught:
        checked(text, SCHEMA)
    fix = caught.value.faults[0].fix
    return text if fix is None else text[: fix.start] + fix.text + text[fix.end :]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("agents = 3", "agents == 3"),
        ("agents === 3", "agents == 3"),
        ("agents !== 3", "agents != 3"),
        ("agents <> 3", "agents != 3"),
        ("agents =< 3", "agents <= 3"),
        ("agents >== 3", "agents >= 3"),
        ("agents ≤ 3", "agents <= 3"),
        ("agents ≠ 3", "agents != 3"),
        ("agents × 2 > 3", "agents * 2 > 3"),
        ("agents – 2 > 3", "agents - 2 > 3"),
        ("contract->readable", "contract.readable"),
        ("agents > 1 && agents < 3", "agents > 1 and agents < 3"),
        ("agents>1&&agents<3", "agents>1 and agents<3"),
        ("agents > 1 ∧ agents < 3", "agents > 1 and agents < 3"),
        ("!(agents > 1)", "not (agents > 1)"),
        ("(!contract.readable)", "(not contract.readable)"),
        ("agents > 1 OR agents < 3", "agents > 1 or agents < 3"),
        ("model == NULL", "model == null"),
        ("NOT contract.readable", "not contract.readable"),
        ("agnets > 1", "agents > 1"),
        ("contract.raedable", "contract.readable"),
        ("(contract).raedable", "(contract).readable"),
        ("startswith(model, 'a')", "starts_with(model, 'a')"),
        ("contians(model, 'a')", "contains(model, 'a')"),
        ("model == “a b”", 'model == "a b"'),
        ("model == „a b“", 'model == "a b"'),
        ("model == «a b»", 'model == "a b"'),
        ("model == ‘a b’", "model == 'a b'"),
        ("model == ”a b”", 'model == "a b"'),
    ],
)
def test_what_has_one_answer_is_fixed(text, after):
    assert mended(text) == after


@pytest.mark.parametrize(
    "text",
    [
        "agents > 1 & agents < 3",
        "agents | 2 > 3",
        "agents => 3",
        "agents ? 1",
        "agents ÷ 2 > 1",
        "not == agents",
        "yes and contract.readable",
        "qqqqqqqq == 1",
        "agen-ts > 1",
        "frobnicate(model)",
        'contract["raedable"]',
        "contract.zzzzz",
        "model == “a",
        "model == “a'b”",
    ],
)
def test_what_has_several_answers_or_none_is_left(text):
    assert mended(text) == text
