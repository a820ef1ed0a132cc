"""The hooks for pre-commit: each runs a command that there is, on the files of a commit that it is for."""

import re
import shutil
import subprocess

import pytest
from tests.house import pages
from tests.house.pages import ROOT

from gatewright.cli import COMMANDS
from gatewright.policy import reader, tree

FILE = ROOT / ".pre-commit-hooks.yaml"
HOOKS = tree.plain(reader.read(FILE.read_bytes(), FILE.name).tree)
SHIPPED = [
    path.relative_to(ROOT).as_posix() for name in ("policies", "fixtures") for path in (ROOT / name).rglob("*.*")
]


def of(hook, files):
    return [file for file in files if re.search(hook["files"], file)]


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_says_what_pre_commit_asks_for(hook):
    assert {"id", "name", "description", "entry", "language", "files"} <= set(hook) <= {*KEYS}
    assert (hook["language"], hook["entry"].split()[0]) == ("python", "gatewright")
    assert hook["entry"].split()[1] in COMMANDS


KEYS = ("id", "name", "description", "entry", "language", "files", "pass_filenames", "args")


@pytest.mark.parametrize(
    ("file", "hooks"),
    [
        ("policies/check.yaml", ["lint", "fmt", "test"]),
        ("team/policies/check.yml", ["lint", "fmt", "test"]),
        ("fixtures/few.yaml", ["lint", "fmt", "test"]),
        ("policies/tiers.json", ["lint", "test"]),
        ("fixtures/tables/torn.json", ["test"]),  # what a fixture is about may be broken on purpose
        (".github/workflows/ci.yaml", []),
        ("policies/check.yaml.md", []),
    ],
)
def test_a_hook_takes_the_files_that_it_is_for(file, hooks):
    assert [hook["id"].removeprefix("gatewright-") for hook in HOOKS if of(hook, [file])] == hooks


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_passes_on_the_shipped_files(hook, tmp_path):
    checkout = pages.workshop(tmp_path)
    shutil.copytree(ROOT / "fixtures", checkout / "fixtures")
    files = [] if hook.get("pass_filenames") is False else of(hook, SHIPPED)
    command = [*hook["entry"].split(), *files]
    run = subprocess.run(command, cwd=checkout, env=pages.environment(checkout), capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (0, b""), run.stdout.decode()
