"""Field cases: inputs with their right outcome, as data."""

import json
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "cases" / "field"


def case(name: str) -> dict:
    """The record of a case."""
    return json.loads((FOLDER / name / "case.json").read_text(encoding="utf-8"))


def values(name: str) -> dict:
    """What a case gives."""
    return case(name)["input"]["values"]


def expected(name: str) -> dict:
    """What a case expects."""
    return case(name)["outcome"]["expect"]


def data(name: str, file: str) -> bytes:
    """The bytes of an input file of a case."""
    return (FOLDER / name / file).read_bytes()
