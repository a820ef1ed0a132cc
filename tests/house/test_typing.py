"""The Python API is typed: a strict type checker accepts how it is meant to be used, and refuses what is not."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TYPING = ROOT / "tests" / "typing"

pytestmark = pytest.mark.xdist_group("mypy")


@pytest.fixture(scope="module")
def judged() -> list[str]:
    """What mypy has to say about the two files."""
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context"]
    files = ["tests/typing/api_use.py", "tests/typing/api_misuse.py"]
    run = subprocess.run([*command, *files], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert not run.stderr, run.stderr
    return [line for line in run.stdout.splitlines() if ": error: " in line]


def test_the_api_as_it_is_used_has_no_type_error(judged):
    assert [line for line in judged if "api_use.py" in line] == []


def test_each_wrong_use_is_refused_where_it_stands(judged):
    source = (TYPING / "api_misuse.py").read_text(encoding="utf-8")
    wrong = re.compile(r"# wrong: ([a-z-]+)$")
    expected = {
        (number, match.group(1))
        for number, line in enumerate(source.splitlines(), 1)
        if (match := wrong.search(line)) is not None
    }
    told = re.compile(r"api_misuse\.py:(\d+): error: .* \[([a-z-]+)\]$")
    matches = [told.search(line) for line in judged]
    assert {(int(match.group(1)), match.group(2)) for match in matches if match is not None} == expected


def test_no_other_file_has_an_error_on_the_way(judged):
    assert [line for line in judged if not line.startswith("tests/typing/")] == []
