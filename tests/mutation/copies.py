"""A copy of the project with a known defect in it, and a plugin of pytest by which programs start from the copy."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("engine", "rules", "policies", "fixtures", "tests")


def copied(place: Path) -> Path:
    """The project, copied as far as tests need it."""
    ignored = shutil.ignore_patterns("__pycache__", ".hypothesis", "mutation")
    for part in PARTS:
        shutil.copytree(ROOT / part, place / part, ignore=ignored)
    (place / "tests" / "mutation").mkdir()
    shutil.copy(Path(__file__), place / "tests" / "mutation")
    shutil.copy(ROOT / "pyproject.toml", place)
    return place


def spoil(copy: Path, path: str, right: str, wrong: str) -> None:
    """Put a defect into the one place where it can be put; a file that has changed there needs another patch."""
    file = copy / path
    text = file.read_text(encoding="utf-8")
    assert text.count(right) == 1, f"{path} has the line to spoil {text.count(right)} times: {right}"
    file.write_text(text.replace(right, wrong), encoding="utf-8")


def mend(copy: Path, path: str) -> None:
    """Put a file back as it is."""
    shutil.copy(ROOT / path, copy / path)


def failed(copy: Path, tests: Sequence[str]) -> str:
    """What pytest says of some tests in the copy."""
    paths = os.pathsep.join(str(copy / part) for part in ("engine", "rules", "."))
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += ["-p", "tests.mutation.copies", *tests]
    environment = {**os.environ, "PYTHONPATH": paths}
    environment.pop("PYTEST_XDIST_WORKER", None)
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=300, check=False)
    return done.stdout + done.stderr


def pytest_configure(config: pytest.Config) -> None:
    """Have the programs that tests start read the code of this copy."""
    from tests.cli.processes import Place

    real, paths = Place.environment, os.environ["PYTHONPATH"]
    Place.environment = lambda place, more: {**real(place, more), "PYTHONPATH": paths}
