"""Each module can be imported by itself, in an interpreter of its own, without a warning: importing does nothing."""

import ast
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (ROOT / "engine", ROOT / "rules")
BATCH = 10


def modules() -> list[str]:
    files = sorted((path.relative_to(source) for source in SOURCES for path in source.rglob("*.py")), key=str)
    names = [".".join(file.with_suffix("").parts).removesuffix(".__init__") for file in files]
    return sorted(names)


def batches() -> list[list[str]]:
    found = modules()
    return [found[at : at + BATCH] for at in range(0, len(found), BATCH)]


def told(module: str) -> str:
    """What an interpreter that imports this module alone has to say; nothing, if all is well."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, SOURCES))}
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"import {module}"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = run.stdout + run.stderr
    return f"{module}: exit {run.returncode}\n{said}" if run.returncode or said else ""


@pytest.mark.parametrize("batch", batches(), ids=lambda batch: f"{batch[0]} to {batch[-1]}")
def test_a_module_imports_alone_and_says_nothing(batch):
    with ThreadPoolExecutor(2) as pool:
        assert [problem for problem in pool.map(told, batch) if problem] == []


def imported(path: Path) -> set[str]:
    """The modules of gatewright that a source names in its imports."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return {name for name in names if name.split(".")[0].startswith("gatewright")}


EXPRESSIONS = sorted((ROOT / "engine" / "gatewright" / "expressions").glob("*.py"))


@pytest.mark.parametrize("path", EXPRESSIONS, ids=lambda path: path.name)
def test_the_expression_language_knows_nothing_of_the_gate(path):
    rooms = {name.split(".")[1] for name in imported(path)}
    assert rooms <= {"errors", "text", "expressions"}


def test_an_import_reads_no_environment_and_starts_nothing():
    script = (
        "import sys, os\n"
        "seen = []\n"
        "watched = ('subprocess.Popen', 'os.system', 'os.exec', 'socket.connect', 'os.putenv', 'os.chdir')\n"
        "sys.addaudithook(lambda event, args: seen.append(event) if event in watched else None)\n"
        "before = dict(os.environ)\n"
        "import gatewright.app, gatewright.cli.check_command, gatewright_rules\n"
        "assert dict(os.environ) == before\n"
        "print(seen)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, SOURCES))}
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
