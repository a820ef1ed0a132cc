"""JSON files: the same tree as of YAML, as strictly, every value with its place."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions import strategies
from tests.expressions.fuzzing import examples

from gatewright.errors import PolicyError
from gatewright.policy import json_reader
from gatewright.policy.reader import MAX_BYTES, MAX_DEPTH
from gatewright.policy.tree import Mapping, Scalar, Sequence, place_in, plain


def read(data):
    return json_reader.read(data if isinstance(data, bytes) else data.encode(), "f.json")


def problems(data):
    try:
        return read(data).problems
    except PolicyError as error:
        return error.problems


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{}", {}),
        (" [ ] ", []),
        (
            '{"a": [1, -2.5, "x", true, false, null, {}], "b": {"a": 1}}',
            {"a": [1, -2.5, "x", True, False, None, {}], "b": {"a": 1}},
        ),
        ('"\\u00e9\\n\\"\\\\\\/"', 'é\n"\\/'),
        ("[0, -0, 1E5, 1.5e-3]", [0, 0, 1e5, 0.0015]),
        ("[9223372036854775807, -9223372036854775808]", [2**63 - 1, -(2**63)]),
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        ('{"a":\r\n1}', {"a": 1}),
        ('"\\ud83d\\ude00"', "😀"),
        ('{"": 1}', {"": 1}),
    ],
)
def test_plain_json_has_its_value(text, value):
    document = read(text)
    assert (plain(document.tree), document.problems) == (value, ())


def places(tree):
    """Every node with its place, outermost first; keys too."""
    found = [(type(tree).__name__, tree.line, tree.column)]
    if isinstance(tree, Mapping):
        for entry in tree:
            found += [("key", entry.key.line, entry.key.column), *places(entry.value)]
    if isinstance(tree, Sequence):
        for item in tree.items:
            found += places(item)
    return found


def test_every_value_and_key_knows_its_place():
    assert places(read('{"a": 1,\n  "b": [true,\n null]}').tree) == [
        ("Mapping", 1, 1),
        ("key", 1, 2),
        ("Scalar", 1, 7),
        ("key", 2, 3),
        ("Sequence", 2, 8),
        ("Scalar", 2, 9),
        ("Scalar", 3, 2),
    ]


def test_a_character_of_a_text_is_found_behind_its_escapes():
    document = read('{"k": "a \\"b\\u0041\\" c"}')
    scalar = document.tree.get("k")
    assert isinstance(scalar, Scalar)
    assert place_in(document.source, scalar, scalar.value.index("c")) == (1, 22)


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ('{"a": 1, "a": 2}', 1, 10, "duplicate key `a`, first on line 1"),
        ('{"a": 1,\n "\\u0061": 2}', 2, 2, "duplicate key `a`, first on line 1"),
        ('{"x": {"b": 1,\n"c": 2,\n"b": 3}}', 3, 1, "duplicate key `b`, first on line 1"),
        ("[9223372036854775808]", 1, 2, "64 bits"),
        ("[1, -9223372036854775809]", 1, 5, "64 bits"),
        ("[" + "9" * 5000 + "]", 1, 2, "64 bits"),
        ("[1e400]", 1, 2, "finite"),
        ("[1,\n -1e400]", 2, 2, "finite"),
        ("[NaN]", 1, 2, "finite"),
        ('{"a": Infinity}', 1, 7, "finite"),
        ('{"a": 1, "b": -Infinity}', 1, 15, "finite"),
        ('{"NaN": 1, "b": NaN}', 1, 17, "finite"),
        ('{"a": "Infinity", "b": Infinity}', 1, 24, "finite"),
        ("", 1, 1, "value"),
        ("[1,]", 1, 3, "comma"),
        ('{"a": 1,\n }', 1, 8, "comma"),
        ('{"a": 1\n"b": 2}', 2, 1, "delimiter"),
        ("{'a': 1}", 1, 2, "double quotes"),
        ("{a: 1}", 1, 2, "double quotes"),
        ('{"a": tru}', 1, 7, "value"),
        ("[01]", 1, 3, "delimiter"),
        ('["a\tb"]', 1, 4, "control character"),
        ('["\\q"]', 1, 3, "escape"),
        ('["abc', 1, 2, "unterminated"),
        ("{} {}", 1, 4, "extra data"),
        ("// why\n{}", 1, 1, "value"),
        (b"\xff\xfe{\x00}\x00", 1, 1, "UTF-8"),
        (b'{"a":\n "\xe9"}', 2, 3, "UTF-8"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), 1, MAX_DEPTH + 1, "deep"),
        ('{"a":' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1), 1, 5 * MAX_DEPTH + 1, "deep"),
        ("[" * 100_000, 1, MAX_DEPTH + 1, "deep"),
        ('{"a": "\\u202e"}', 1, 8, "hidden character"),
        ('{"a": "x\\u0000"}', 1, 9, "hidden character"),
        ('{"a": "\\ud800"}', 1, 8, "surrogate"),
        ('{"a\\u200b": 1}', 1, 4, "hidden character"),
        ('{"a": "\u202e"}', 1, 8, "U+202E"),
        ('{"a": "b\u00a0c"}', 1, 9, "U+00A0"),
    ],
)
def test_what_two_readers_could_take_differently_is_refused_at_its_character(text, line, column, words):
    found = [each for each in problems(text) if words in each.message]
    assert [(each.place.line, each.place.column) for each in found] == [(line, column)]


def test_all_mistakes_of_values_are_told_in_the_order_of_the_file():
    found = problems('[1e999, {"a": 1, "a": 2}, 99999999999999999999]')
    assert [each.place.column for each in found] == [2, 18, 27]


def test_a_nested_document_at_the_limit_is_read():
    assert read("[" * MAX_DEPTH + "]" * MAX_DEPTH).problems == ()


def test_a_file_beyond_the_limit_is_refused_before_it_is_read():
    (found,) = problems(b"\xff" * (MAX_BYTES + 1))
    assert "1,000,000" in found.message


def test_a_problem_shows_its_line_with_a_caret():
    (found,) = problems('{"a": 1,\n "a": 2}')
    assert found.excerpt == '     "a": 2}\n     ^'
    assert found.check == "json"


@examples(300)
@given(strategies.anything)
def test_whatever_is_written_as_json_is_read_back(value):
    document = read(json.dumps(value, ensure_ascii=False))
    assert plain(document.tree) == value
    assert document.problems == ()


@examples(600)
@given(st.text(alphabet='{}[]",:0123456789eE.-+ntrufalsINy \\u\n', max_size=40) | st.binary(max_size=30))
def test_no_bytes_make_the_reader_raise_anything_but_its_own_error(data):
    for found in problems(data):
        assert found.place.line >= 1
        assert found.place.column >= 1
