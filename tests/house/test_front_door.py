"""The front door: what `import gatewright` offers, and what it must not drag in."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import gatewright

ROOT = Path(__file__).resolve().parents[2]

PUBLIC = [
    "FileError",
    "Finding",
    "Findings",
    "Gate",
    "GateDecision",
    "GatewrightError",
    "Level",
    "PluginError",
    "PolicyError",
    "Stage",
    "deny",
    "derived",
    "hookimpl",
    "note",
    "read_tier_policy",
    "rule",
    "warn",
]


def loaded_after(statement: str) -> set[str]:
    """The modules that an interpreter of its own has loaded after a statement."""
    script = f"{statement}\nimport sys, json\nprint(json.dumps(sorted(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "engine"), str(ROOT / "rules")])}
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    return set(json.loads(run.stdout.splitlines()[-1]))


def test_the_public_names_are_these():
    modules = {name for name, value in vars(gatewright).items() if type(value).__name__ == "module"}
    names = {name for name in dir(gatewright) if not name.startswith("_")} - modules - {"TYPE_CHECKING"}
    assert sorted(names) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_can_be_had(name):
    assert getattr(gatewright, name) is not None


def test_the_docs_list_the_same_names():
    from tests.house.parts import front_door_names

    assert front_door_names() == PUBLIC


def test_the_version_is_that_of_the_distribution():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert gatewright.__version__ == project["version"]


def test_importing_it_brings_no_command_line_and_no_wiring():
    unwanted = {
        "gatewright.app",
        "gatewright.cli",
        "gatewright_rules",
        "click",
        "tabulate",
        "ruamel.yaml",
        "simpleeval",
    }
    assert unwanted & loaded_after("import gatewright") == set()


def test_importing_it_costs_nothing():
    assert loaded_after("import gatewright") - loaded_after("import typing") == {"gatewright"}


def test_the_gate_is_imported_when_it_is_asked_for():
    assert "gatewright.app" in loaded_after("import gatewright; gatewright.Gate")


def test_the_gate_needs_no_command_line():
    assert {"click", "tabulate", "gatewright.cli"} & loaded_after("import gatewright; gatewright.Gate") == set()


def test_the_gate_is_the_one_of_app():
    from gatewright.app import Gate

    assert gatewright.Gate is Gate


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="Gatee"):
        _ = gatewright.Gatee
