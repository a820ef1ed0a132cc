"""The built wheel works by itself: in a fresh environment, run from the top folder, with all its data."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SOURCES = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
NO_INDEX = ("No matching distribution found", "Could not find a version", "Temporary failure in name resolution")
REQUEST = ("--runtime", "codex", "--model", "gpt-5.5", "--agents", "1", "--completion-channel", "orchestration")

pytestmark = pytest.mark.xdist_group("wheel")


def pip(*arguments: str | Path, python: str | Path = sys.executable) -> None:
    """Run pip; where no package index can be reached, say so as a skip, or as a failure if services are required."""
    command = [str(python), "-m", "pip", "--disable-pip-version-check", *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if run.returncode and any(said in run.stderr for said in NO_INDEX) and not os.environ.get("REQUIRE_SERVICES"):
        pytest.skip("no package index can be reached")
    assert run.returncode == 0, run.stderr


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> Path:
    """What a source distribution holds: the listed files, and nothing else of the checkout."""
    folder = tmp_path_factory.mktemp("source")
    for name in [*SOURCES, "pyproject.toml"]:
        place = ROOT / name
        if place.is_dir():
            shutil.copytree(place, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*_cache"))
        else:
            shutil.copy(place, folder / name)
    return folder


def built(source: Path, folder: Path) -> Path:
    pip("wheel", source, "--no-deps", "--wheel-dir", folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return built(ROOT, tmp_path_factory.mktemp("wheel"))


def held(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return sorted(archive.namelist())


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The programs of a fresh environment with the wheel in it."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    pip("install", "--quiet", wheel, python=folder / "bin" / "python")
    return folder / "bin"


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    shutil.copy(ROOT / "docs" / "examples" / "contract.md", folder)
    return folder


def run(program: Path, *arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONWARNINGS": "error"}
    return subprocess.run(
        [program, *arguments], cwd="/", env=environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("program", ["gatewright", "dispatch-gate"])
def test_a_check_allows_from_the_top_folder(program, installed, home):
    done = run(
        installed / program, "check", *REQUEST, "--no-record", "--contract", str(home / "contract.md"), home=home
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["reason"] == "OK"


def test_the_policy_that_decides_is_the_packed_one(installed, home):
    call = ("check", *REQUEST, "--no-record", "--contract", str(home / "contract.md"))
    decision = json.loads(run(installed / "gatewright", *call, home=home).stdout)
    assert "site-packages/gatewright/_data/policies/check.yaml" in decision["policy"]["path"]


def test_the_shipped_fixtures_pass_where_they_are_installed(installed, home):
    done = run(installed / "gatewright", "test", "--json", home=home)
    told = json.loads(done.stdout)["summary"]
    assert done.returncode == 0, done.stdout
    assert told["pass"] == told["total"] > 0


def test_the_shipped_policies_and_tables_have_no_mistake(installed, home):
    done = run(installed / "gatewright", "lint", "--strict", home=home)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_installed_package_brings_no_folder_of_a_general_name(wheel):
    tops = {name.split("/")[0] for name in held(wheel)}
    assert {name for name in tops if not name.endswith(".dist-info")} == {"gatewright", "gatewright_rules"}


def test_the_wheel_tells_type_checkers_that_it_is_typed(wheel):
    assert {"gatewright/py.typed", "gatewright_rules/py.typed"} <= set(held(wheel))


@pytest.mark.parametrize("kind", ["policies", "fixtures"])
def test_all_shipped_data_is_in_the_wheel(kind, wheel):
    shipped = {f"gatewright/_data/{kind}/{path.relative_to(ROOT / kind)}" for path in (ROOT / kind).rglob("*.*")}
    assert shipped - set(held(wheel)) == set()


def test_a_source_distribution_builds_the_same_wheel(source, wheel, tmp_path):
    assert held(built(source, tmp_path)) == held(wheel)


@pytest.mark.parametrize("extra", ["test", "lint"])
def test_what_only_developers_need_is_not_installed_with_it(extra, installed):
    names = {re.split(r"[\[>]", need)[0].strip() for need in PROJECT["project"]["optional-dependencies"][extra]}
    listed = subprocess.run(
        [installed / "python", "-m", "pip", "list", "--format", "json"], capture_output=True, text=True, check=True
    )
    assert names & {each["name"] for each in json.loads(listed.stdout)} == set()
