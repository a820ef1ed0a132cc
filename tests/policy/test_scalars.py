"""Plain scalars: null, true, false, JSON numbers within 64 bits, else text; what looks like a number is a mistake."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples

from gatewright.policy.scalars import plain_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("true", True),
        ("false", False),
        ("0", 0),
        ("-0", 0),
        ("7", 7),
        ("-12", -12),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("0.5", 0.5),
        ("-1.25", -1.25),
        ("1.10", 1.1),
        ("1e3", 1000.0),
        ("1E-2", 0.01),
        ("2.5e+1", 25.0),
        ("1e-400", 0.0),
    ],
)
def test_json_words_and_numbers_are_values(text, value):
    found, wrong = plain_value(text)
    assert (type(found), found, wrong) == (type(value), value, None)


@pytest.mark.parametrize(
    "text",
    [
        *("yes", "no", "on", "off", "y", "N", "none", "nil", "inf", "nan", "Infinity", "undefined"),
        *("12:30", "12:30:45", "2026-01-31", "2026-13-45", "2026-01-31T12:00:00Z", "190:20:30.15"),
        *("1.2.3", "v1", "5k", "10%", "1/2", "1-2", "0-9", "-", "--5", "-x", ".", "..", "...", "a.b", "1a", "e5"),
        *("gpt-5.6-sol", "agents > 4", "5 agents", "12e3x", "é", "２", "1,5"),
    ],
)
def test_everything_else_is_text(text):
    assert plain_value(text) == (text, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("010", "leading zero"),
        ("-010", "leading zero"),
        ("+00", "leading zero"),
        ("0o17", "octal"),
        ("-0O7", "octal"),
        ("0x1F", "hexadecimal"),
        ("+0XfF_0", "hexadecimal"),
        ("0b11", "binary"),
        ("0B1_0", "binary"),
        ("1_000", "number to some"),
        ("-1__0", "number to some"),
        ("1_", "number to some"),
        ("1_0.5", "number to some"),
        ("1.5_0", "number to some"),
        ("1_0.5e+3", "number to some"),
        (".inf", "finite"),
        ("-.INF", "finite"),
        ("+.Inf", "finite"),
        (".nan", "no number"),
        (".NaN", "no number"),
        (".5", "before the dot"),
        ("-.5e3", "before the dot"),
        ("5.", "behind the dot"),
        ("-5.e3", "behind the dot"),
        ("+5", "plus sign"),
        ("+5.5e1", "plus sign"),
        ("9223372036854775808", "64 bits"),
        ("-9223372036854775809", "64 bits"),
        ("9" * 5000, "64 bits"),
        ("1e400", "finite"),
        ("-1e400", "finite"),
        ("12e45678", "finite"),
        ("True", "two spellings"),
        ("TRUE", "two spellings"),
        ("False", "two spellings"),
        ("Null", "two spellings"),
        ("NULL", "two spellings"),
    ],
)
def test_what_another_reader_takes_for_a_number_or_a_word_is_a_mistake(text, words):
    value, wrong = plain_value(text)
    message, hint = wrong
    assert value == text
    assert words in message
    assert "quote" in hint


def test_a_number_too_long_to_show_is_cut():
    _, (message, _) = plain_value("9" * 5000)
    assert "999999999999… (5000 characters)" in message


@pytest.mark.parametrize(("text", "word"), [("TRUE", "`true`"), ("False", "`false`"), ("NULL", "`null`")])
def test_a_word_in_another_case_comes_with_the_one_spelling(text, word):
    assert word in plain_value(text)[1][1]


@examples(500)
@given(st.text(alphabet="0123456789+-._eExXobBOinfaNTRUE:", max_size=10))
def test_a_value_that_is_no_text_is_spelt_as_json_spells_it(text):
    value, wrong = plain_value(text)
    if isinstance(value, bool) or value is None:
        assert text in ("", "true", "false", "null", "~")
    elif isinstance(value, int | float):
        assert wrong is None
        assert value == float(text)
        assert not text.startswith((".", "+", "-."))
        assert not text.endswith(".")
    else:
        assert value == text
