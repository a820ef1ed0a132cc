"""A test leaves its process as it found it: the tests behind it in the same process must mean what they say."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
#: Calls that nothing can take back, so they belong into a process of their own (`tests/audited.py`).
FOR_GOOD = {"addaudithook", "register_at_fork"}


def for_good(source: str) -> list[int]:
    """Lines of a module that do what can never be undone; texts of scripts for other processes do not count."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [
        call.lineno for call in calls if (getattr(call.func, "attr", None) or getattr(call.func, "id", "")) in FOR_GOOD
    ]


@pytest.mark.parametrize("path", sorted(TESTS.rglob("*.py")), ids=lambda path: path.relative_to(TESTS).as_posix())
def test_no_test_does_to_its_process_what_cannot_be_undone(path):
    assert for_good(path.read_text(encoding="utf-8")) == []


def test_calls_for_good_are_found_wherever_they_stand():
    source = "import sys\nfrom sys import addaudithook\ndef f():\n    sys.addaudithook(print)\naddaudithook(print)\n"
    assert sorted(for_good(source + 's = "sys.addaudithook(print)"\n')) == [4, 5]
