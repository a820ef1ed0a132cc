"""What stands on a screen once everything was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runtimes.readers import read

from gatewright.runtimes.screens.lines import MAX_LINES, MAX_WIDTH, Prompts, lines_of
from gatewright.runtimes.screens.terminal import MAX_CHARACTERS, MAX_COLUMNS, MAX_ROWS, rows


@pytest.mark.parametrize(
    ("written", "stands"),
    [
        ("a\nb", ["a", "b"]),
        ("a\r\nb  ", ["a", "b"]),
        ("\x1b[1;31mred\x1b[0m", ["red"]),
        ("\x1b]8;;file:///a\x1b\\link\x1b]8;;\x07!", ["link!"]),
        ("\x1b]0;title\x07text", ["text"]),
        ("a\x1b[5Cb", ["a     b"]),
        ("a\tb", ["a       b"]),
        ("ab\bc", ["ac"]),
        ("old\rnew", ["new"]),
        ("longer\rnew\x1b[K", ["new"]),
        ("gone\x1b[2Jhere", ["here"]),
        ("gone\x1b[?1049hhere", ["here"]),
        ("\x1b[2;3Hb\x1b[1;1Ha", ["a", "  b"]),
        ("one\ntwo\x1b[1Aup", ["oneup", "two"]),
        ("one\ntwo\x1b[1F\x1b[Jx", ["x"]),
        ("abc\x1b[2Gx", ["axc"]),
        ("\x9b31mred", ["red"]),
        ("a\x00b\x7fc", ["abc"]),
        ("\x1b]0;never ends\ntext", ["", "text"]),
        ("text\x1b[", ["text"]),
        ("text\x1b", ["text"]),
        ("\x1b(Btext\x1b=", ["text"]),
    ],
)
def test_sequences_are_carried_out(written, stands):
    assert rows(written) == stands


def test_lines_go_on_in_the_next_row_where_the_terminal_ends():
    assert rows("abcdefg", columns=3) == ["abc", "def", "g"]


def test_only_the_end_of_a_long_text_is_read():
    assert rows("x" * 10 + "\n" + "y" * MAX_CHARACTERS)[-1] == "y" * MAX_CHARACTERS
    assert len(rows("a\n" * MAX_CHARACTERS)) == MAX_ROWS


sequences = st.sampled_from(
    [
        "\x1b[",
        "\x1b]",
        "\x1bP",
        "\x9b",
        "\x1b",
        "\r",
        "\n",
        "\b",
        "\t",
        "H",
        "J",
        "K",
        "2J",
        "99999999",
        ";",
        "1000;1000H",
        "A",
        "❯ ",
        "x",
    ]
)


@given(st.lists(sequences | st.text(max_size=5), max_size=60).map("".join))
def test_no_text_makes_a_screen_larger_than_its_bounds_or_shows_a_control_character(text):
    found = rows(text * 20)
    assert len(found) <= MAX_ROWS
    assert all(len(row) <= max(MAX_COLUMNS, len(text) * 20) for row in found)
    assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for row in found for char in row)


@given(st.lists(sequences | st.text(max_size=5), max_size=60).map("".join))
def test_what_is_compared_is_bounded_whatever_was_written(text):
    lines = lines_of(rows(text * 50), Prompts(("❯",), ()))
    assert len(lines) <= MAX_LINES
    assert all(len(line.text) <= MAX_WIDTH for line in lines)


@given(st.lists(sequences | st.text(max_size=5), max_size=60).map("".join))
def test_every_screen_has_a_class(text):
    assert read(text).pane_class.value in ("hook-trust", "limit", "busy", "prepared-prompt", "unknown")


@pytest.mark.parametrize("piece", ["\x1b[", "\x1b]", "\x1b[1000;1000H", "❯ ", "│", "(", "a", "…limit ", "\ufeff"])
def test_megabytes_of_one_thing_have_a_class(piece):
    assert read(piece * (2_000_000 // len(piece))).pane_class.value in ("unknown", "prepared-prompt")
