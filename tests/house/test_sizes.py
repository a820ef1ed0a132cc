"""A function fits in a glance, a module in a sitting."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULE, RULE_MODULE, FUNCTION = 300, 130, 40  #: lines, at most
TEST_MODULE = 400  #: tables take room
#: What gatewright is measured against is one function: a call within it would slow it, and flatter the comparison.
ONE_PIECE = {"tests/benchmarks/bench_decide.py": ["floor"]}


def sources(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def long_functions(path: Path) -> list[str]:
    """Functions with more lines than a glance takes in, decorators and docstring included."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [
        f"{name_of(path)}:{node.lineno} {node.name} has {size} lines"
        for node in functions
        if node.name not in ONE_PIECE.get(name_of(path), [])
        and (size := (node.end_lineno or 0) - _first(node) + 1) > FUNCTION
    ]


def _first(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The line of `def`: options of a command are decorators, one a line, and no part of the function's body."""
    return node.lineno


@pytest.mark.parametrize("path", sources("engine", "rules"), ids=name_of)
def test_a_module_is_not_longer_than_300_lines(path):
    assert lines_of(path) <= MODULE


@pytest.mark.parametrize("path", sources("rules"), ids=name_of)
def test_a_module_of_rules_is_not_longer_than_130_lines(path):
    assert lines_of(path) <= RULE_MODULE


@pytest.mark.parametrize("folder", ["engine", "rules", "tests"])
def test_no_function_is_longer_than_40_lines(folder):
    assert [told for path in sources(folder) for told in long_functions(path)] == []


@pytest.mark.parametrize("path", sources("tests"), ids=name_of)
def test_a_module_of_tests_is_not_longer_than_400_lines(path):
    assert lines_of(path) <= TEST_MODULE
