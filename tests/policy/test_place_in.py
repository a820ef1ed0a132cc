"""A character of a value stands at one character of the file, in whatever style of scalar it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples

from gatewright.policy import reader
from gatewright.policy.tree import line_and_column, place_in


def scalar_of(text):
    document = reader.read(text.encode(), "f.yaml")
    assert document.problems == ()
    return document.source, document.tree.get("k")


def places(text):
    """The places of every character of the value under `k`, and of the one behind the last."""
    source, scalar = scalar_of(text)
    return scalar.value, [place_in(source, scalar, offset) for offset in range(len(scalar.value) + 1)]


@pytest.mark.parametrize(
    ("text", "part", "place"),
    [
        ("k: agents > 1", "agents", (1, 4)),
        ("k: agents > 1", "1", (1, 13)),
        ("a: 1\nb:\n  k: x\nk: é > 1", "1", (4, 8)),
        ("k: agents\n  > 1", ">", (2, 3)),
        ("k:\n  agents\n\n  > 1", ">", (4, 3)),
        ("k: 'it''s > 1'", "s", (1, 9)),
        ("k: 'it''s > 1'", ">", (1, 11)),
        ("k: 'a\n\n  b'", "b", (3, 3)),
        ('k: "a \\"b\\" > 1"', ">", (1, 13)),
        ('k: "a\\x41b"', "b", (1, 10)),
        ('k: "a\\u0041b"', "b", (1, 12)),
        ('k: "a\\U00000041b"', "b", (1, 16)),
        ('k: "a\\\\b"', "b", (1, 8)),
        ('k: "a\\/b"', "b", (1, 8)),
        ('k: "a\\tb"', "b", (1, 8)),
        ('k: "a\\nb"', "b", (1, 8)),
        ('k: "a\n  b"', "b", (2, 3)),
        ('k: "a\\\n  b"', "b", (2, 3)),
        ('k: "a\\\r\n  b c"', "c", (2, 5)),
        ('k: "a\n  \\nb c"', "b", (2, 5)),
        ('k: "a\n  \\x20b c"', "b", (2, 7)),
        ('k: "a \\  b"', "b", (1, 10)),
        ("k: |\n  a\n  b", "b", (3, 3)),
        ("k: |2-\n   a\n  b\n", "b", (3, 3)),
        ("k: |2-\n   a\n  b\n", "a", (2, 4)),
        ("k: >+\n  a\n  b\n\n", "b", (3, 3)),
        ("k: >\n  a\n\n    b\n  c", "b", (4, 5)),
        ("k: > # why\n  a\n  c", "c", (3, 3)),
        ("k: |\r\n  a\r\n\r\n  b", "b", (4, 3)),
        ("k: >\r\n  a\r\n  b", "b", (3, 3)),
    ],
)
def test_a_part_of_a_value_is_found_in_the_file(text, part, place):
    value, found = places(text)
    assert found[value.index(part)] == place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("k: abc", (1, 7)),
        ("k: 'abc'", (1, 8)),
        ('k: "abc"', (1, 8)),
        ("k: |\n  abc", (2, 6)),
        ("k: |-\n  abc\n", (2, 6)),
    ],
)
def test_the_end_of_a_value_is_behind_its_last_character(text, place):
    value, found = places(text)
    assert found[len(value.rstrip("\n"))] == place


@pytest.mark.parametrize("text", ["k: ''", 'k: ""', "k: |\n", "k: |-\n\nb: 1"])
def test_an_empty_value_is_where_it_is_written(text):
    value, found = places(text)
    assert value == ""
    assert found == [(1, 4)]


@pytest.mark.parametrize(("index", "place"), [(0, (1, 1)), (2, (1, 3)), (3, (2, 1)), (5, (3, 1)), (7, (3, 3))])
def test_lines_and_columns_count_from_one(index, place):
    assert line_and_column("ab\nc\nde", index) == place


# -- any value in any style ----------------------------------------------------------------------------------------

_WORDS = ["agents", ">", "1", "and", "model", "==", '"x"', "'y'", "it's", "é", "😀", "a:b", "\\d", "in", "(b)"]
words = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=7).map(lambda found: ["agents", *found])
BREAK = "\n  "


def _escaped(draw, word):
    plain = {'"': '\\"', "\\": "\\\\"}
    out = []
    for char in word:
        spelt = draw(st.sampled_from(["plain", "plain", "plain", "escape"]))
        if spelt == "plain":
            out.append(plain.get(char, char))
        elif ord(char) < 0x100:
            out.append(f"\\x{ord(char):02x}")
        elif ord(char) < 0x10000:
            out.append(f"\\u{ord(char):04x}")
        else:
            out.append(f"\\U{ord(char):08x}")
    return "".join(out)


@st.composite
def documents(draw):
    """A file whose key `k` holds words, with the style it is written in."""
    style = draw(st.sampled_from(["plain", "'", '"', "|", ">"]))
    found = draw(words)
    between = {
        "plain": [" ", " ", "  ", BREAK, "\n\n    "],
        "'": [" ", " ", "  ", BREAK, "\n\n  ", " \n  "],
        '"': [" ", " ", BREAK, "\n\n  ", "\\n", "\\t", "\\\n  ", " \\\n  ", "\\x20"],
        "|": [" ", BREAK, "\n\n  ", "\n    ", "  "],
        ">": [" ", BREAK, "\n\n  ", "\n    ", "  "],
    }[style]
    text = ""
    for word in found:
        gap = draw(st.sampled_from(between)) if text else ""
        text += gap + {"'": word.replace("'", "''"), '"': _escaped(draw, word) if style == '"' else ""}.get(style, word)
    if style in ("|", ">"):
        body = f"{style}{draw(st.sampled_from(['', '-', '+']))}\n  {text}\n"
    else:
        body = text if style == "plain" else f"{style}{text}{style}"
    before = draw(st.sampled_from(["", "a: 1\n", "# why\n\n"]))
    whole = f"{before}k: {body}\nz: 1\n"
    return whole.replace("\n", "\r\n") if draw(st.booleans()) else whole


@examples(400)
@given(documents())
def test_every_visible_character_of_a_value_stands_where_it_was_written(text):
    source, scalar = scalar_of(text)
    lines = source.text.split("\n")
    before = (0, 0)
    for offset, char in enumerate(scalar.value):
        if char.isspace():
            continue
        line, column = place_in(source, scalar, offset)
        there = lines[line - 1][column - 1]
        assert there == char or (there == "\\" and scalar.style == '"')
        assert (line, column) > before
        before = (line, column)
