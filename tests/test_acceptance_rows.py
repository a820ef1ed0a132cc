"""The list of promises and the marks of the tests agree."""

import pytest
from tests import acceptance


@pytest.fixture(scope="module")
def marked(request):
    """The rows that the tests of this run claim, each with one of its tests."""
    found = {}
    for item in request.session.items:
        for mark in item.iter_markers("acceptance"):
            found |= dict.fromkeys(mark.args, item.nodeid)
    return found


def test_every_mark_names_a_row_that_exists(marked):
    assert {name: test for name, test in marked.items() if name not in acceptance.rows()} == {}


def test_every_row_says_something_and_in_words_of_its_own():
    says = [row.says for row in acceptance.rows().values()]
    assert all(says)
    assert len(set(says)) == len(says)


def test_a_row_without_a_test_is_not_shown_unless_it_comes_later():
    row = acceptance.Row("X01", "x", "something", later=False)
    assert acceptance.state(row, []) == "NOT SHOWN"
    assert acceptance.state(row, ["tests/x.py::test_x"]) == "shown"
    later = acceptance.Row("X02", "x", "something else", later=True)
    assert acceptance.state(later, []) == acceptance.state(later, ["tests/x.py::test_x"]) == "later"


def test_a_mark_without_a_row_and_a_row_without_a_mark_fail_the_listing(monkeypatch, capsys):
    row = acceptance.Row("X01", "x", "something", later=False)
    monkeypatch.setattr(acceptance, "rows", lambda: {"X01": row})
    for claimed, code in (({"X01": ["t"]}, 0), ({}, 1), ({"X01": ["t"], "Y01": ["u"]}, 1)):
        monkeypatch.setattr(acceptance, "claims", lambda held=claimed: held)
        assert acceptance.main() == code
    assert "no such row: Y01, claimed by u" in capsys.readouterr().err
