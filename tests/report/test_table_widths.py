"""Tables at a terminal: what holds nothing goes first, sentences wrap, and no code is cut in two."""

import pytest

from gatewright.report.formats import table

HEADERS = ("RULE", "WHY", "CODES", "WHAT")
WORDS = "Deny a request whose parts cannot be meant, and say which part it is."
ROWS = [("request-shape", "", "INVALID_REQUEST NO_COMPLETION_CHANNEL", WORDS), ("b", "", "", "Warn.")]


def lines(width):
    return table(ROWS, HEADERS, width=width).splitlines()


def test_without_a_terminal_nothing_goes_and_nothing_wraps():
    assert lines(0)[0].split() == list(HEADERS)
    assert lines(0)[2].endswith(WORDS)


def test_a_column_that_holds_nothing_goes_where_there_is_no_room():
    assert lines(80)[0].split() == ["RULE", "CODES", "WHAT"]
    assert lines(200)[0].split() == ["RULE", "WHY", "CODES", "WHAT"]


@pytest.mark.parametrize("width", [80, 90, 100, 120])
def test_no_code_is_cut_in_two_where_there_is_room_for_it(width):
    words = {word for line in lines(width) for word in line.split()}
    assert {"request-shape", "INVALID_REQUEST", "NO_COMPLETION_CHANNEL"} <= words


@pytest.mark.parametrize("width", [80, 100, 120])
def test_sentences_wrap_until_the_table_fits(width):
    assert max(map(len, lines(width))) <= width


def test_a_table_without_rows_keeps_its_headers():
    assert table([], HEADERS, width=10).split()[:4] == list(HEADERS)
