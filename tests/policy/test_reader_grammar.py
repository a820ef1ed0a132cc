"""YAML that is too deep, too large or broken: where it is refused, and with what to check."""

import inspect
import sys

import pytest
from tests.policy.test_reader import first, problems, read

from gatewright.policy.reader import MAX_DEPTH, MAX_EVENTS
from gatewright.policy.tree import Scalar, Source

# -- depth and size --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: " + "[" * 20 + "]" * 20, (1, 23)),
        ("a: " + "[" * 5000, (1, 23)),
        ('a: "' + "[" * 100 + '"\nb: ' + "[" * 100, (2, 23)),
        ("{a: " * 5000, (1, 81)),
        ("- " * 30 + "a", (1, 2 * MAX_DEPTH + 1)),
        ("\n".join(" " * depth + "a:" for depth in range(25)), (MAX_DEPTH + 1, MAX_DEPTH + 1)),
    ],
)
def test_nesting_ends_at_its_limit_where_it_is_reached(text, place):
    found, said = first(text)
    assert found == place
    assert f"{MAX_DEPTH} deep" in said


@pytest.mark.parametrize(
    "text",
    [
        "[" * MAX_DEPTH + "]" * MAX_DEPTH,
        "a: '" + "[" * 100 + "'",
        "a: |\n  " + "[" * 100,
        "# " + "[" * 100 + "\na: 1",
        "a: x" + "[" * 100,
        "a: '" + "]" * 100 + "'\nb: [1]",
    ],
)
def test_brackets_in_texts_are_no_nesting(text):
    assert problems(text) == ()


def test_a_stack_that_is_nearly_full_makes_no_other_error():
    def deep(levels):
        return first("a: [1, {b: c}]") if levels == 0 else deep(levels - 1)

    left = sys.getrecursionlimit() - len(inspect.stack(0))
    answers = [said for levels in range(left - 90, left - 10, 2) for said in [_tried(deep, levels)] if said]
    assert set(answers) <= {"read", "nested too deep to be read ()"}
    assert "nested too deep to be read ()" in answers


def _tried(deep, levels):
    """What a call at a depth of the stack comes to; empty where the stack ends before the reader begins."""
    try:
        return deep(levels)[1]
    except IndexError:
        return "read"
    except RecursionError:
        return ""


def test_a_document_has_a_greatest_number_of_values():
    _, said = first("[" + "1," * MAX_EVENTS + "]")
    assert "100,000 values" in said


# -- grammar ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a:\tb", (1, 3), "spaces"),
        ("a:\n\tb: 1", (2, 1), "spaces"),
        ("a: b: c", (1, 5), "quote text"),
        ("a: 1\n  b: 2", (2, 4), "indentation"),
        ("a:\n    b: 1\n  c: 2", (3, 3), "indentation"),
        ("- a\nb: 1", (2, 1), "indentation"),
        ("a: 'b' c", (1, 8), "quotes"),
        ('when: "a" == b', (1, 11), "quotes"),
        ("when: [a] == b", (1, 11), "quotes"),
        ("a:\n-b", (2, 1), "indentation"),
        ("a: [1, 2", (1, 9), "`]`"),
        ("a: {b: 1", (1, 9), "`}`"),
        ("a: @b", (1, 4), "quotes"),
        ("a: `b`", (1, 4), "quotes"),
        ("a: %b", (1, 4), "quotes"),
        ("a: [,]", (1, 5), "value is missing"),
        ("a: | b", (1, 6), "next line"),
        ("a: > 5", (1, 6), "quotes"),
        ("a: >= 5", (1, 5), "quotes"),
        ("a: |0\n b", (1, 5), "1-9"),
        ("a: - b", (1, 4), "quotes"),
        ("a: ? b", (1, 4), "quotes"),
        ("a: *", (1, 5), "quotes"),
        ("a: & b", (1, 5), "quotes"),
        ('a: "b', (1, 6), "quote"),
        ("a: 'b\nc: d\n", (3, 1), "quote"),
        ('a: "x\n---\ny"', (2, 1), "quote"),
        ("  a: b\nc: d", (2, 1), "indentation"),
        ("{a: 1} {b: 2}", (1, 8), "one document"),
        ("...\na: 1", (1, 1), "value is missing"),
    ],
)
def test_broken_yaml_is_refused_where_it_breaks_with_what_to_check(text, place, words):
    found, said = first(text)
    assert found == place
    assert words in said


@pytest.mark.parametrize(
    ("text", "opened"),
    [
        ('a: "b\nc: d\n', "line 1"),
        ("x: 1\na: 'b\nc: d\n", "line 2"),
        ("a: [1,\n 2\n", "line 1"),
        ("a:\n  b: {c: 1\n", "line 2"),
    ],
)
def test_what_is_never_closed_comes_with_the_line_it_was_opened_on(text, opened):
    assert opened in first(text)[1]


@pytest.mark.parametrize(
    "text",
    [
        *("a: *", "a: & b", "a: - b", "a: ? b", "a: | b", "a: |0\n b", "  a: b\nc: d", "{a: 1} {b: 2}", "[a]\nb: c"),
        *('a: "\\x4"', 'a: "\\u12"', 'a: "x\n---\ny"', 'a: "\\U00110000"', "a: !a!b c"),
    ],
)
def test_no_message_is_left_in_the_parsers_own_words(text):
    said = first(text)[1]
    for raw in ("<", "but found", "hexdecimal", "\\x00", "not allowed here", "ValueError", "unexpected"):
        assert raw not in said


def test_a_comment_needs_a_blank_before_it():
    assert [(each.place.line, each.place.column) for each in problems('a: "b"#c\n')] == [(1, 7)]


@pytest.mark.parametrize("text", ["a: 1\nb: @c\n", "a: 010\n", "a: 1\r\nb: *x\r\n"])
def test_a_problem_shows_its_line_with_a_caret(text):
    found = problems(text)[0]
    line, caret = found.excerpt.splitlines()
    assert line.strip() == text.splitlines()[found.place.line - 1]
    assert caret.index("^") - 4 == found.place.column - 1


def test_an_excerpt_of_a_line_that_is_not_there_is_empty():
    source = Source("f", "a: 1")
    assert source.excerpt(0, 1) == source.excerpt(9, 1) == ""


def test_a_map_is_asked_for_a_key_it_has_not():
    tree = read("a: 1").tree
    assert tree.get("b") is None
    assert isinstance(tree.get("a"), Scalar)
