"""Which orchestrator is taken: by name, else by what is there; plugins may bring more."""

import os
import sys

import pytest

from gatewright.app import App, Options
from gatewright.errors import PluginError, UsageError
from gatewright.ledger.stores import tasks_path
from gatewright.orchestrators.choice import Place, default_name, orchestrator


def place(tmp_path, **more):
    return Place(environ={}, folder=str(tmp_path / "terminals"), tasks=str(tmp_path / "ledger.db"), **more)


@pytest.fixture
def with_orca(tmp_path):
    """A folder of programs with one that has Orca's name."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("orca", "orca-ide"):
        (folder / name).write_text("#!/bin/sh\n")
        os.chmod(folder / name, 0o755)
    return str(folder)


def test_without_a_name_it_is_orca_where_that_is_installed_tmux_within_tmux_else_local(with_orca):
    assert default_name({"PATH": with_orca}) == "orca"
    assert default_name({"PATH": with_orca, "TMUX": "/s,1,0"}) == "orca"
    assert default_name({"PATH": "/nowhere", "TMUX": "/s,1,0"}) == "tmux"
    assert default_name({"PATH": "/nowhere"}) == "local"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the name is Orca's alone")
@pytest.mark.parametrize(("says", "name"), [('{"schemaVersion": 1}', "orca"), ("a screen reader", "local")])
def test_a_program_of_the_plain_name_is_taken_only_when_it_says_that_it_is_orca(tmp_path, says, name):
    (tmp_path / "orca").write_text(f"#!/bin/sh\necho '{says}'\n")
    os.chmod(tmp_path / "orca", 0o755)
    assert default_name({"PATH": f"{tmp_path}:/nowhere"}) == name


@pytest.mark.parametrize("name", ["local", "tmux", "orca"])
def test_a_name_means_what_it_says(tmp_path, name):
    assert orchestrator(name, place(tmp_path)).name == name


def test_an_unknown_name_is_told_with_the_nearest(tmp_path):
    with pytest.raises(UsageError, match="did you mean `tmux`"):
        orchestrator("tmix", place(tmp_path))


def test_a_plugins_is_made_from_the_environment_and_may_stand_for_a_built_in_one(tmp_path):
    made = []
    built = orchestrator("local", place(tmp_path))
    found = orchestrator("local", place(tmp_path, offered={"local": lambda environ: made.append(environ) or built}))
    assert (found, made) == (built, [{}])


@pytest.mark.parametrize(
    ("make", "told"),
    [(lambda _: object(), "it lacks `create_task`, `open_terminal`"), (lambda environ: environ["X"], "cannot be made")],
)
def test_what_is_no_orchestrator_is_refused_when_it_is_made(tmp_path, make, told):
    with pytest.raises(PluginError, match=told):
        orchestrator("own", place(tmp_path, offered={"own": make}))


@pytest.mark.parametrize(
    ("flag", "variable", "project", "name"),
    [
        ("tmux", "orca", "local", "tmux"),
        (None, "orca", "local", "orca"),
        (None, "", "tmux", "tmux"),
        (None, "", "", "local"),
    ],
)
def test_flag_variable_and_project_are_asked_in_this_order(tmp_path, flag, variable, project, name):
    (tmp_path / "gatewright.toml").write_text(f'orchestrator = "{project}"\n' if project else "")
    environ = {"GATEWRIGHT_ORCHESTRATOR": variable, "PATH": "/nowhere", "HOME": str(tmp_path)}
    app = App(Options(), environ=environ, folder=str(tmp_path))
    assert app.orchestrator(flag).name == name


@pytest.mark.parametrize(
    ("ledger", "tasks"),
    [
        ("a/ledger.db", "a/ledger.db"),
        ("sqlite:////a/ledger.db", "/a/ledger.db"),
        ("a/ledger.jsonl", "a/ledger.jsonl.tasks"),
        ("postgresql://db.example/main", "here/tasks.db"),
    ],
)
def test_tasks_are_kept_with_the_ledger_where_that_is_a_file_of_this_machine(ledger, tasks):
    assert tasks_path(ledger, "here/tasks.db") == tasks


def test_a_project_may_know_runtimes_of_its_own(tmp_path):
    (tmp_path / "gatewright.toml").write_text('runtimes = "runtimes.yaml"\n')
    (tmp_path / "runtimes.yaml").write_text("runtimes:\n  house: {launch: [house-agent, '{model}']}\n")
    found = App(Options(), environ={}, folder=str(tmp_path)).runtimes()
    assert (found.get("house").command("m"), found.get("codex").command("m")) == ("house-agent m", "codex --model m")
