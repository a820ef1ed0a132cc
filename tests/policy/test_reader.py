"""YAML, read strictly: what is taken, what is refused, at which character, and with what to write instead."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.policy.test_reader_corpus import FOLDER

from gatewright.errors import PolicyError
from gatewright.policy import reader
from gatewright.policy.reader import MAX_BYTES
from gatewright.policy.tree import plain


def read(data):
    return reader.read(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"), "f.yaml")


def problems(data):
    try:
        return read(data).problems
    except PolicyError as error:
        return error.problems


def first(data):
    found = problems(data)[0]
    return (found.place.line, found.place.column), f"{found.message} ({found.hint})"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("\n\n", None),
        ("# only a comment\n", None),
        ("---\n", None),
        ("~", None),
        ("text", "text"),
        ("[1, a, true]", [1, "a", True]),
        ("---\na: 1\n...\n", {"a": 1}),
        ("a:\nb: ''\n", {"a": None, "b": ""}),
        ("a: {b: [c, {d: e}], f: ~}", {"a": {"b": ["c", {"d": "e"}], "f": None}}),
        ("- - a\n  - b\n-\n- c: d", [["a", "b"], None, {"c": "d"}]),
        ("a: |\n  x\n   y\n", {"a": "x\n y\n"}),
        ("a: >-\n  x\n  y\n", {"a": "x y"}),
        ("a: 'it''s'\nb: \"\\t\\u00e9\\\"\"", {"a": "it's", "b": '\té"'}),
        ("a: x\n y\n", {"a": "x y"}),
        ("? a\n: b\n", {"a": "b"}),
        ("on: 1\nyes: 2\n'1': 3\n\"true\": 4", {"on": 1, "yes": 2, "1": 3, "true": 4}),
        ("'<<': 1\n", {"<<": 1}),
        ("a: '&x *y !z %w'", {"a": "&x *y !z %w"}),
        ("a: b#c\nd: e # f", {"a": "b#c", "d": "e"}),
        ("a: 1\r\nb: 2\r\n", {"a": 1, "b": 2}),
        ("\ufeffa: 1", {"a": 1}),
        ("a: \"x\ty\"\nb: 'x\ty'", {"a": "x\ty", "b": "x\ty"}),
    ],
)
def test_plain_documents_have_their_value(text, value):
    document = read(text)
    assert (plain(document.tree), document.problems) == (value, ())


def test_every_node_knows_its_place():
    tree = read("# why\na: 1\nb:\n  - x\n  - {c: 'd'}\n").tree
    assert [(entry.key.line, entry.key.column) for entry in tree] == [(2, 1), (3, 1)]
    items = tree.get("b").items
    assert [(item.line, item.column) for item in items] == [(4, 5), (5, 5)]
    assert (items[1].get("c").line, items[1].get("c").column) == (5, 9)
    assert items[1].get("c").style == "'"


def test_an_empty_value_is_where_its_key_is():
    tree = read("a: 1\nempty:\n\n\nb: 2\n").tree
    assert (tree.get("empty").line, tree.get("empty").column) == (2, 1)


# -- characters and encodings ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: \x00", (1, 4), "U+0000"),
        ("a: 1\nb: \x1b[31m", (2, 4), "U+001B"),
        ("a:\u00a0b", (1, 3), "plain space"),
        ("a: b\u3000", (1, 5), "plain space"),
        ("a: '\u202e'", (1, 5), "U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("\u200ba: b", (1, 1), "U+200B ZERO WIDTH SPACE"),
        ("# \u2028", (1, 3), "U+2028"),
        ("a: \x85b", (1, 4), "U+0085"),
        ("a: b\n\ufeffc: d", (2, 1), "U+FEFF"),
        ("\ufeff\ufeffa: b", (1, 1), "U+FEFF"),
        ("a: b\rc: d", (1, 5), "carriage return"),
        ("a: b\n\rc: d", (2, 1), "carriage return"),
        ("a: b\rc\u00a0", (1, 5), "carriage return"),
        ("a\u00a0: b\rc", (1, 2), "U+00A0"),
        (b"a: \xe9", (1, 4), "UTF-8"),
        (b"a: 1\r\nb: \xff", (2, 4), "UTF-8"),
        (b"\xef\xbb\xbfa: \xc3", (1, 4), "UTF-8"),
        (b"a: \xed\xa0\x80", (1, 4), "UTF-8"),
        (b"\xff\xfea\x00", (1, 1), "UTF-16"),
        (b"\xfe\xff\x00a", (1, 1), "UTF-16"),
        ("version: 1\n".encode("utf-16-le"), (1, 1), "UTF-16"),
        ("version: 1\n".encode("utf-16-be"), (1, 1), "UTF-16"),
        ("version: 1\n".encode("utf-32-be"), (1, 1), "UTF-32"),
        (b"\xff\xfe\x00\x00a\x00\x00\x00", (1, 1), "UTF-8"),
        (b"\x00\x00\xfe\xff", (1, 1), "UTF-8"),
        (b"x" * (MAX_BYTES + 1), (1, 1), "1,000,000"),
    ],
)
def test_a_character_that_readers_see_differently_is_refused(text, place, words):
    found, said = first(text)
    assert found == place
    assert words in said


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ('a: "x\\0y"', (1, 6), "U+0000"),
        ('a: "\\x1b"', (1, 5), "U+001B"),
        ('a: "\\e"', (1, 5), "U+001B"),
        ('a: "\\u202e"', (1, 5), "U+202E"),
        ('a: "\\_"', (1, 5), "U+00A0"),
        ('a: "\\N"', (1, 5), "U+0085"),
        ('a: "\\L"', (1, 5), "U+2028"),
        ('a: "\\P"', (1, 5), "U+2029"),
        ('a: "ok \\" \\U000e0041"', (1, 11), "U+E0041"),
        ('a: "x\n  \\u200b"', (2, 3), "U+200B"),
        ('"\\u202e": 1', (1, 2), "U+202E"),
        ('a: {"b\\ufeff": 1}', (1, 7), "U+FEFF"),
        ('a: "\\ud800"', (1, 5), "surrogate"),
        ('a: "\\uD83D\\uDE00"', (1, 5), "surrogate"),
        ('a: "\\U00110000"', (1, 5), "Unicode"),
        ('a: "\\q"', (1, 6), "double the backslash"),
        ('a: "\\d+"', (1, 6), "double the backslash"),
    ],
)
def test_an_escape_for_what_could_not_be_written_is_refused_where_it_stands(text, place, words):
    found, said = first(text)
    assert found == place
    assert words in said


def test_an_escape_is_found_behind_other_escapes():
    (found,) = problems('a: "\\x41\\u0041\\U0000202e"')
    assert (found.place.line, found.place.column) == (1, 15)


# -- what the language has not ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("%YAML 1.2\n---\na: 1", (1, 1), "directive"),
        ("# why\n\n%TAG ! x\n---\na: 1", (3, 1), "directive"),
        ("%a: 1", (1, 1), "directive"),
        ("a: 1\n---\nb: 2", (2, 1), "second document"),
        ("a: 1\n...\nb: 2", (3, 1), "second document"),
        ("---\n---\n", (2, 1), "second document"),
        ("a: &x 1\nb: *x", (1, 4), "`&x` is an anchor"),
        ("&x a: 1", (1, 1), "`&x` is an anchor"),
        ("- &x\n- *x", (1, 3), "`&x` is an anchor"),
        ("a: &x [1]", (1, 4), "`&x` is an anchor"),
        ("a: *x", (1, 4), "`*x` refers to an anchor"),
        ("*x : 1", (1, 1), "`*x` refers to an anchor"),
        ("a: 1\n<<: {b: 1}", (2, 1), "merge keys"),
        ("a: !!int '5'", (1, 4), "`!!int` is a tag"),
        ("a: !secret x", (1, 4), "`not secret`"),
        ("when: !contract.readable", (1, 7), "`not contract.readable`"),
        ("!x a: 1", (1, 1), "`!x` is a tag"),
        ("a: !!python/name:os.system", (1, 4), "tag"),
        ("a: !<tag:x> b", (1, 4), "tag"),
        ("a: !e!x b", (1, 4), "tag"),
        ("a: ! b", (1, 4), "`not …`"),
        ("? [a]\n: b", (1, 3), "keys are text"),
        ("{a: 1}: b", (1, 1), "keys are text"),
        ("a: {{ b }}", (1, 5), "template"),
        ("1: a", (1, 1), 'quote it: `"1":`'),
        ("a: 1\ntrue: b", (2, 1), 'quote it: `"true":`'),
        ("~: b", (1, 1), "null"),
        (": b", (1, 1), "null"),
        ("1.5: b", (1, 1), "a number"),
        ("0x1: b", (1, 1), "hexadecimal"),
        ("a: 010", (1, 4), "leading zero"),
        ("a: [x, .5]", (1, 8), "before the dot"),
        ("a: TRUE", (1, 4), "`true`"),
    ],
)
def test_what_the_language_has_not_is_refused_with_what_was_meant(text, place, words):
    found, said = first(text)
    assert found == place
    assert words in said


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("a: 1\na: 2", [(2, 1)]),
        ("a: 1\nb: 2\na: 3\na: 4", [(3, 1), (4, 1)]),
        ("a: 1\n\"a\": 2\n'a': 3", [(2, 1), (3, 1)]),
        ("a: {b: 1, b: 2}", [(1, 11)]),
        ("- a: 1\n  a: 2", [(2, 3)]),
        ("x: 1\ny:\n  z: {q: 1,\n   q: 2}\n  z: 3", [(4, 4), (5, 3)]),
        ("a: 1\n? a\n: 2", [(2, 3)]),
    ],
)
def test_a_key_that_stands_twice_is_refused_and_the_first_one_kept(text, places):
    document = read(text)
    assert [(each.place.line, each.place.column) for each in document.problems] == places
    assert all(each.message.startswith("duplicate key") for each in document.problems)


def test_the_same_key_in_two_maps_or_two_cases_is_no_duplicate():
    assert read("a: {b: 1}\nc: {b: 1}\nA: 2\n").problems == ()


def test_all_mistakes_of_values_are_told_in_the_order_of_the_file():
    found = problems("a: 010\nb: 1_0\na: TRUE\n1: x\n")
    assert [(each.place.line, each.place.column) for each in found] == [(1, 4), (2, 4), (3, 1), (3, 4), (4, 1)]


def test_mistakes_before_the_end_of_reading_are_told_with_it():
    found = problems("a: 010\nb: *x\n")
    assert [each.place.line for each in found] == [1, 2]


# -- anything at all -------------------------------------------------------------------------------------------------

FILES = [path.read_bytes() for path in sorted(FOLDER.glob("*.yaml")) if path.stat().st_size < 2000]
PIECES = [
    *(b"\n", b"\r", b"\t", b" ", b": ", b"- ", b"? ", b"{", b"}", b"[", b"]", b",", b"&a ", b"*a", b"!t ", b"|", b">"),
    *(
        b"'",
        b'"',
        b"\\",
        b"#",
        b"%",
        b"@",
        b"`",
        b"---\n",
        b"...\n",
        b"<<: ",
        b"\xff",
        b"\x00",
        b"\xc3\xa9",
        b"\xe2\x80\xae",
    ),
    *(b"0x1", b"1_0", b".5", b"true", b"~", b"a: b\n", b'"\\u', b'"\\U00110000"', b"|2\n", b">-\n"),
]


@st.composite
def mutated(draw):
    """The bytes of a corpus file with a few pieces put in, taken out or doubled."""
    data = draw(st.sampled_from(FILES))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 5)))
        data = data[:start] + draw(st.sampled_from(PIECES) | st.just(b"") | st.just(data[start:end] * 2)) + data[end:]
    return data


@examples(700)
@given(mutated() | st.binary(max_size=40) | st.lists(st.sampled_from(PIECES), max_size=10).map(b"".join))
def test_no_bytes_make_the_reader_raise_anything_but_its_own_error(data):
    lines = data.count(b"\n") + 1
    for found in problems(data):
        assert 1 <= found.place.line <= lines + 1
        assert found.place.column >= 1
        assert found.message


@pytest.mark.parametrize("value", ["{agents} > 3", "[1] | x", "{a: b} > 3 or d"])
def test_a_sign_behind_a_value_in_brackets_begins_no_text_on_the_next_lines(value):
    found, said = first(f"a: {value}\n")
    assert found == (1, 4 + min(value.index(sign) for sign in ">|" if sign in value))
    assert "put the whole value in quotes" in said
