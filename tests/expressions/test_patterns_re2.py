"""Patterns outside the simple subset, where RE2 is installed: it decides them, within bounds of its own."""

import pytest
from tests.expressions.test_patterns import found

from gatewright.expressions import patterns
from gatewright.expressions.patterns import PatternError, matcher

pytest.importorskip("re2")


@pytest.mark.parametrize(
    ("pattern", "text", "answer"),
    [
        ("^(a+)+$", "a" * 28 + "!", False),
        ("(a|b)*c", "ababc", True),
        (r"\s+$", " " * 1000 + "x", False),
        ("(?i)GPT", "gpt-5", True),
        ("(a|b)*$", "\ud800", True),
    ],
)
def test_re2_decides_what_is_outside_the_subset(pattern, text, answer):
    assert found(pattern, text) is answer


@pytest.mark.parametrize("pattern", ["(?=a)", "(?<!a)b", "(?>a)", "a++"])
def test_re2_refuses_what_no_linear_engine_decides(pattern):
    with pytest.raises(PatternError) as caught:
        matcher(pattern)
    assert "refused" in caught.value.message


def test_re2_reads_a_bounded_text():
    assert matcher("(a|b)*c")("a" * patterns.MAX_MATCHED_BY_RE2) is None
    with pytest.raises(OverflowError):
        matcher("(a|b)*c")("a" * (patterns.MAX_MATCHED_BY_RE2 + 1))


def test_the_longer_a_pattern_of_re2_the_shorter_the_text_that_it_reads():
    with pytest.raises(OverflowError) as caught:
        matcher("((a|b){100})+c")("a" * patterns.MAX_MATCHED_BY_RE2)
    assert patterns.MAX_MATCHED < caught.value.args[0] < patterns.MAX_MATCHED_BY_RE2


def test_a_pattern_that_re2_would_take_too_many_steps_for_is_refused():
    with pytest.raises(PatternError) as caught:
        matcher("(a{900}b)+(c{900}d)+(e{900}f)+")
    assert "steps" in caught.value.message
