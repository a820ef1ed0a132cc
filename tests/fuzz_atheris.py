"""Inputs bred by coverage: bytes in, and nothing but an error of ours may come out of a reader.

    python -m tests.fuzz_atheris (expression | policy | json) [options of libFuzzer]

It starts from the corpora. `make fuzz-atheris` installs what it needs; it is no part of `make test`.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["gatewright"]):
    from gatewright.app import catalog_of
    from gatewright.errors import ExpressionError, PolicyError
    from gatewright.expressions import checker, emit
    from gatewright.policy import json_reader, loader

from tests.expressions import corpus
from tests.expressions.strategies import SCHEMA

CATALOG = catalog_of()


def expression(data: bytes) -> None:
    """An expression is refused at a character, or becomes a function."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        tree, _ = checker.checked(text, SCHEMA)
        emit.compiled(tree)
    except ExpressionError as error:
        faults = error.faults
    else:
        return
    assert all(0 <= fault.start < fault.end and fault.message for fault in faults)


def policy(data: bytes) -> None:
    """A policy is refused at places of the file, or loads."""
    stands_at_places(lambda: loader.load(data, "fuzzed.yaml", CATALOG))


def json(data: bytes) -> None:
    """A JSON document is refused at a place of the file, or read."""
    stands_at_places(lambda: json_reader.read(data, "fuzzed.json"))


def stands_at_places(read: Callable[[], object]) -> None:
    """What is read is read, or refused at lines and columns of the file."""
    try:
        read()
    except PolicyError as error:
        problems = error.problems
    else:
        return
    assert all(problem.place.line >= 1 and problem.place.column >= 1 for problem in problems)


def seeds(reader: str) -> list[bytes]:
    """What the breeding starts from."""
    if reader == "expression":
        texts = [corpus.text_of(case) for case in corpus.cases()]
        return [text.encode("utf-8", "surrogatepass") for text in texts if text and len(text) < 500]
    files = [file.read_bytes() for file in (corpus.CASES / "yaml").iterdir()]
    shipped = [file.read_bytes() for file in (Path(__file__).parents[1] / "policies").glob("*.yaml")]
    return [data for data in [*files, *shipped] if len(data) < 10_000]


def main() -> None:
    """Feed one reader until libFuzzer is told to stop."""
    reader = sys.argv.pop(1)
    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(seeds(reader)):
            Path(folder, f"seed-{number}").write_bytes(data)
        atheris.Setup([*sys.argv, folder], {"expression": expression, "policy": policy, "json": json}[reader])
        atheris.Fuzz()


if __name__ == "__main__":
    main()
