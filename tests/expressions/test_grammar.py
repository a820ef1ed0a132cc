"""The grammar is Python's, narrowed: the same tree where both read a text, and an error of ours for anything else."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions import corpus, pythons, strategies
from tests.expressions.faults import of_checker
from tests.expressions.fuzzing import examples

from gatewright.errors import ExpressionError
from gatewright.expressions import checker, nodes, parser
from gatewright.expressions.kinds import ANY

CORPUS = [text for text in map(corpus.text_of, corpus.cases()) if text is not None and len(text) < 400]
PIECES = [
    *(
        "(",
        ")",
        "[",
        "]",
        ",",
        ".",
        "..",
        "==",
        "=",
        "!=",
        "<",
        "<=",
        "+",
        "-",
        "*",
        "/",
        "%",
        "&&",
        "||",
        "!",
        "?",
        ":",
    ),
    *(" and ", " or ", " not ", " in ", " is ", " null ", " None ", " true ", " if ", " else ", " for ", " lambda "),
    *('"', "'", '"x"', "\\", "#", ";", "\n", "\t", "\r", "\x00", " ", "‘", "＝", "é", "0", "1", "0x", "1e", "_"),
    *("agents", "model", "has(", "len(", "default(", "matches(", "starts_with(", "true", "roles[0]", "labels.x"),
]


def read_by_python(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return pythons.tree(text)
        except (SyntaxError, ValueError):
            return None


@examples(600)
@given(strategies.grammar)
def test_our_tree_is_the_one_that_python_makes(text):
    assert pythons.same(parser.parse(text), pythons.tree(text))


@examples(300)
@given(strategies.expressions)
def test_typed_expressions_are_read_as_python_reads_them(text):
    assert pythons.same(parser.parse(text), pythons.tree(text))


@examples(300)
@given(strategies.grammar)
def test_every_node_knows_its_characters(text):
    for node in nodes.walk(parser.parse(text)):
        assert 0 <= node.start < node.end <= len(text)
        assert all(node.start <= child.start and child.end <= node.end for child in nodes.children(node))


@st.composite
def mutated(draw):
    """A text of the corpus with a few pieces put in, taken out or doubled."""
    text = draw(st.sampled_from(CORPUS))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 6)))
        text = text[:start] + draw(st.sampled_from(PIECES) | st.just("") | st.just(text[start:end] * 2)) + text[end:]
    return text


def refused_or_read(text):
    """The tree of a text, or the faults for which it is refused; anything but our own error gets out."""
    try:
        return parser.parse(text), ()
    except ExpressionError as error:
        return None, error.faults


@examples(1000)
@given(mutated())
def test_a_spoilt_expression_is_refused_or_read_as_python_reads_it(text):
    (ours, _), theirs = refused_or_read(text), read_by_python(text)
    if ours is not None and theirs is not None:
        assert pythons.same(ours, theirs)


@examples(800)
@given(st.text(max_size=60) | st.text(alphabet="abc01 ()[].,'\"<>=!+-*\n\\xru", max_size=40))
def test_no_text_makes_the_parser_raise_anything_but_its_own_error(text):
    tree, faults = refused_or_read(text)
    assert (tree is None) is (len(faults) == 1)
    assert all(0 <= fault.start < fault.end and fault.message and fault.code for fault in faults)


@examples(500)
@given(mutated())
def test_no_text_makes_the_checker_raise_anything_but_its_own_error(text):
    faults = of_checker(text, strategies.SCHEMA)
    assert all(0 <= fault.start < fault.end for fault in faults)


@pytest.mark.parametrize(
    "text",
    [
        'a == "\\012"',  # an octal escape to Python; here it would be NUL and two digits
        'a == r"\\"',  # a raw text does not end in a backslash
        "a > -false",  # a boolean is no number, whatever the sign
        "a > - (True)",
    ],
)
def test_what_would_mean_something_else_to_a_reader_of_python_is_refused(text):
    with pytest.raises(ExpressionError):
        checker.checked(text, checker.Schema(names={"a": ANY}))
