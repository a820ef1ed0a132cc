"""JSON of a request: what Python's own reader would let through is refused."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples

from gatewright.errors import AdmissionError
from gatewright.expressions import plain_json


def refused(text, what="request"):
    with pytest.raises(AdmissionError) as caught:
        plain_json.read(text, what)
    return caught.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{}", {}),
        (b'{"a": [1, 2.5, "x", true, false, null]}', {"a": [1, 2.5, "x", True, False, None]}),
        (' "\\u00e9" ', "é"),
        ('{"a": {"a": 1}, "b": {"a": 2}}', {"a": {"a": 1}, "b": {"a": 2}}),
        ("1e5", 1e5),
    ],
)
def test_plain_json_is_read(text, value):
    assert plain_json.read(text) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("NaN", "finite"),
        ('{"a": Infinity}', "finite"),
        ("[-Infinity]", "finite"),
        ('{"a": [1e400]}', "finite"),
        ('{"a": 1, "a": 2}', "`a` stands twice"),
        ('{"x": {"b": 1, "c": 2, "b": 3}}', "`b` stands twice"),
        ('{"a": 1, "\\u0061": 2}', "`a` stands twice"),
        ("[" * 100_000, "deep"),
        ("9" * 5000, "64 bits"),
        ("", "line 1, column 1"),
        ('{"a": 1,\n "b" 2}', "line 2, column 6"),
        ("{'a': 1}", "line 1, column 2"),
        ("[1,]", "line 1, column"),
        ('{"a": 1} x', "line 1, column 10"),
        (b"\xff", "UTF-8"),
        (b'{"a": "\xe9"}', "UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "UTF-8"),
    ],
)
def test_what_two_readers_could_take_differently_is_refused(text, words):
    assert words in refused(text).problem


@pytest.mark.parametrize("text", ["NaN", '{"a": 1, "a": 2}', "{", b"\xff", "9" * 5000])
def test_a_refusal_names_what_was_read(text):
    assert refused(text, "context").path == "context"


@examples(300)
@given(st.text(max_size=40) | st.binary(max_size=40) | st.text(alphabet='{}[]",:0123456789eE.-+ntf \\u', max_size=40))
def test_no_text_makes_the_reader_raise_anything_but_its_own_error(text):
    with contextlib.suppress(AdmissionError):
        plain_json.read(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ('"7"', "7"),
        ("[1, null]", [1, None]),
        ("true", True),
        ("", ""),
        ("two words", "two words"),
        ("{", "{"),
        ("NaN", "NaN"),
        ('{"a": 1, "a": 2}', '{"a": 1, "a": 2}'),
    ],
)
def test_what_is_no_plain_json_is_a_text_where_both_may_stand(text, value):
    assert plain_json.read_or_text(text) == value
