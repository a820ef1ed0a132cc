"""Field cases on trust files, as a process; their folders are moved below a temporary one."""

import json
import os
import tomllib

import pytest
from tests.field.cases import data, expected, values

SKIPPED = "skipped"
CONFIG = "acct/home/config.toml"


@pytest.fixture
def root(place):
    folder = place.cwd / "root"
    folder.mkdir()
    return folder


def moved(root, text):
    """A text with the folders of a case below the temporary one."""
    return text.replace("/srv/", f"{root}/srv/")


def codex(place, root, worktree):
    result = place.run("pretrust", "codex", worktree, "--accounts-dir", str(root), "-f", "json")
    return result.code, result.json


def config(root, name):
    path = root / CONFIG
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(moved(root, data(name, "config.before.toml").decode()).encode())
    return path


def after(root, name):
    return tomllib.loads(moved(root, data(name, "config.after.toml").decode()))


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.acceptance(n)) for n in ("PX-01", "PX-05", "PX-09")]
)
def test_a_path_that_is_trusted_already_is_left_as_it_is(place, root, name):
    path = config(root, name)
    before = path.read_bytes()
    code, told = codex(place, root, moved(root, values(name)["worktree"]))
    assert (code, [each["status"] for each in told["entries"]]) == (expected(name)["exit"], [expected(name)["status"]])
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.acceptance(n)) for n in ("PX-03", "PX-11")])
def test_a_path_that_nobody_may_decide_on_is_skipped(place, root, name):
    path = config(root, name)
    before = path.read_bytes()
    code, told = codex(place, root, moved(root, values(name)["worktree"]))
    assert (code, [each["status"] for each in told["entries"]]) == (2, [expected(name)["status"]])
    assert told["summary"].startswith("Summary: skipped — 1 of 1: ")
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.acceptance(n)) for n in ("PX-07", "PX-17", "PX-21")]
)
def test_a_path_is_added_and_all_else_preserved(place, root, name):
    path = config(root, name)
    before = path.read_text()
    worktree = values(name)["worktree"].replace("/srv/", f"{root}/srv/")
    code, told = codex(place, root, worktree)
    assert (code, [each["status"] for each in told["entries"]]) == (expected(name)["exit"], [expected(name)["status"]])
    assert tomllib.loads(path.read_text()) == {
        **tomllib.loads(before),
        "projects": {worktree: {"trust_level": "trusted"}},
    }
    assert path.read_text().startswith(before)
    written = path.read_bytes()
    assert codex(place, root, worktree)[1]["entries"][0]["status"] == "already-trusted"
    assert path.read_bytes() == written


@pytest.mark.acceptance("PX-13")
def test_a_configuration_that_is_generated_elsewhere_is_skipped(place, root):
    store = root / "readonly" / "store"
    store.mkdir(parents=True)
    (store / "config.toml").write_bytes(data("PX-13", "config.before.toml"))
    (store / "config.toml").chmod(0o444)
    store.chmod(0o555)
    path = root / CONFIG
    path.parent.mkdir(parents=True)
    path.symlink_to(store / "config.toml")
    code, told = codex(place, root, moved(root, values("PX-13")["worktree"]))
    left = os.listdir(store)
    store.chmod(0o755)
    assert (code, [each["status"] for each in told["entries"]]) == (2, [expected("PX-13")["status"]])
    assert (path.read_bytes(), path.is_symlink(), left) == (data("PX-13", "config.before.toml"), True, ["config.toml"])


@pytest.mark.acceptance("PX-15")
def test_a_linked_worktree_is_trusted_as_its_repository_too(place, root):
    path = config(root, "PX-15")
    for name, text in values("PX-15")["setup"].items():
        file = root / name.removeprefix("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(moved(root, text))
    code, _ = codex(place, root, moved(root, values("PX-15")["worktree"]))
    assert code == expected("PX-15")["exit"]
    assert tomllib.loads(path.read_text()) == after(root, "PX-15")


@pytest.mark.acceptance("PX-19")
@pytest.mark.parametrize("spelling", values("PX-19")["worktree_variants"])
def test_another_spelling_of_the_path_is_the_same_path(place, root, spelling):
    path = config(root, "PX-19")
    (root / "srv" / "work" / "beta").mkdir(parents=True)
    before = path.read_bytes()
    code, told = codex(place, root, moved(root, spelling))
    assert (code, told["entries"][0]["status"]) == (expected("PX-19")["exit"], expected("PX-19")["status"])
    assert path.read_bytes() == before


@pytest.mark.acceptance("PX-23")
def test_a_relative_path_is_refused(place, root):
    path = config(root, "PX-23")
    code, told = codex(place, root, values("PX-23")["worktree"])
    assert (code, told["summary"]) == (2, "Summary: skipped — 1 of 1: the worktree is no absolute path")
    assert path.read_bytes() == data("PX-23", "config.before.toml")


def cursor(place, worktree):
    result = place.run("pretrust", "cursor", worktree, "-f", "json", HOME=str(place.home))
    return result.code, result.json["entries"][0]["status"]


def worktree_of(root, name):
    path = root / values(name)["worktree"].removeprefix("/")
    path.mkdir(parents=True)
    return str(path)


def marker_of(place, worktree, text):
    """A marker at the place that the agent would give a worktree."""
    key = "-".join("".join(char if char.isascii() and char.isalnum() else " " for char in worktree).split())
    path = place.home / ".cursor" / "projects" / key / ".workspace-trusted"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return path


@pytest.fixture
def short(tmp_path_factory):
    """A root whose paths are short enough for a key without a hash."""
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory(prefix="w") as folder:
        yield Path(folder).resolve()


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.acceptance(n)) for n in ("PU-01", "PU-03")])
def test_a_marker_that_names_the_workspace_is_left_as_it_is(place, short, name):
    worktree = worktree_of(short, name)
    path = marker_of(place, worktree, moved(short, data(name, "marker.before.json").decode()))
    before = path.read_bytes()
    assert cursor(place, worktree) == (expected(name)["exit"], expected(name)["status"])
    assert path.read_bytes() == before
    assert len(os.listdir(path.parents[1])) == 1


@pytest.mark.acceptance("PU-05")
def test_a_marker_that_is_a_link_is_not_followed(place, short):
    worktree = worktree_of(short, "PU-05")
    path = marker_of(place, worktree, "")
    path.unlink()
    victim = place.home / "victim.json"
    victim.write_bytes(data("PU-05", "marker.before.json"))
    path.symlink_to(victim)
    assert cursor(place, worktree) == (2, expected("PU-05")["status"])
    assert (path.is_symlink(), victim.read_bytes()) == (True, data("PU-05", "marker.before.json"))


@pytest.mark.acceptance("PU-07")
def test_a_very_long_path_gets_a_short_key(place, short):
    worktree = worktree_of(short, "PU-07")
    assert cursor(place, worktree) == (0, "added")
    (key,) = os.listdir(place.home / ".cursor" / "projects")
    marker = place.home / ".cursor" / "projects" / key / ".workspace-trusted"
    assert json.loads(marker.read_text())["workspacePath"] == worktree


@pytest.mark.acceptance("PU-09")
def test_a_marker_without_a_workspace_proves_nothing_and_gets_one(place, short):
    worktree = worktree_of(short, "PU-09")
    path = marker_of(place, worktree, data("PU-09", "marker.before.json").decode())
    assert cursor(place, worktree) == (0, "updated")
    contains = expected("PU-09")["if_updated_json_contains"]
    assert json.loads(path.read_text()) == {**contains, "workspacePath": worktree}
