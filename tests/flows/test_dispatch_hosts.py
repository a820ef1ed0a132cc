"""The master's own runtime is found, and a worker runs in another one."""

import json

import pytest

from gatewright.app import App, Options
from gatewright.errors import FileError
from gatewright.flows.dispatching.departing import runtime_for
from gatewright.model import Host


def installed(folder, *programs):
    folder.mkdir(exist_ok=True)
    for name in programs:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return str(folder)


def host(tmp_path, project="", **environ):
    app = App(Options(project=project or None), environ={"PATH": "", **environ}, folder=str(tmp_path))
    return app.host(app.runtimes())


@pytest.mark.acceptance("W20")
def test_a_variable_names_the_masters_runtime(tmp_path):
    config = tmp_path / "instance.json"
    config.write_text('{"master_host_runtime": "claude"}')
    found = host(tmp_path, MOGUI_MASTER_HOST_RUNTIME="codex", MOGUI_INSTANCE_RUNTIME_CONFIG=str(config))
    assert (found.master, found.measured, found.source) == ("codex", True, "MOGUI_MASTER_HOST_RUNTIME")


@pytest.mark.acceptance("W20")
def test_else_the_instance_configuration_does(tmp_path):
    config = tmp_path / "instance.json"
    config.write_text(json.dumps({"master_host_runtime": "gemini"}))
    found = host(tmp_path, MOGUI_INSTANCE_RUNTIME_CONFIG=str(config), MOGUI_MASTER_HOST_RUNTIME=" ")
    assert (found.master, found.measured, found.source) == ("gemini", True, str(config))


@pytest.mark.acceptance("W20")
def test_and_what_a_trusted_project_has_under_config(tmp_path):
    (tmp_path / "gatewright.toml").write_text("")
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "instance-runtime.json").write_text('{"master_host_runtime": "grok"}')
    assert host(tmp_path, str(tmp_path)).master == "grok"


@pytest.mark.acceptance("W20")
def test_else_one_is_taken_for_granted_and_that_is_told(ramp, tmp_path):
    ramp.host = host(tmp_path)
    assert (ramp.host.master, ramp.host.measured) == ("claude", False)
    ramp.dispatch()
    assert "UNMEASURED" in ramp.step("runtime")
    assert "HOST_UNMEASURED" in ramp.step("approval")
    assert next(row for row in ramp.rows if row.get("kind") == "host_diversity_audit")["master_measured"] is False


@pytest.mark.parametrize("held", ["", "[]", "{", '{"master_host_runtime": 7}'])
def test_a_configuration_that_cannot_be_used_is_no_guess(tmp_path, held):
    config = tmp_path / "instance.json"
    config.write_text(held)
    with pytest.raises(FileError):
        host(tmp_path, MOGUI_INSTANCE_RUNTIME_CONFIG=str(config))


def test_what_is_installed_is_found_by_the_programs_and_not_by_the_names(tmp_path):
    path = installed(tmp_path / "bin", "codex", "cursor-agent", "grok")
    found = host(tmp_path, PATH=path, MOGUI_MASTER_HOST_RUNTIME="codex")
    assert found.installed == ("codex", "cursor", "grok")
    assert found.alternatives == ("cursor", "grok")


@pytest.mark.parametrize(
    ("named", "programs", "master", "runtime"),
    [
        ("gemini", ("claude",), "claude", "gemini"),
        (None, ("claude", "codex", "grok"), "claude", "codex"),
        (None, ("claude", "codex"), "codex", "claude"),
        (None, ("codex",), "codex", "codex"),
        (None, (), "claude", "claude"),
        (None, ("own",), "claude", "claude"),
    ],
)
def test_a_runtime_is_the_given_one_else_another_than_the_masters_else_the_masters(named, programs, master, runtime):
    found = Host(master=master, installed=programs, alternatives=tuple(each for each in programs if each != master))
    assert runtime_for(named, found)[0] == runtime


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        ("# Job\n", True),
        ("", True),
        ("\n---\nallow: []\n---\n", True),
        ("----\n", True),
        ("---\nallow: [\n", False),
        ("\ufeff--- \r\n---\r\n", False),
    ],
)
def test_a_contract_whose_work_nobody_could_accept_is_told_before_it_is_begun(ramp, text, warned):
    ramp.contract.write_text(text, newline="")
    ramp.dispatch()
    assert ("CONTRACT_WITHOUT_TERMS" in ramp.step("approval")) is warned
    check = next(row for row in ramp.rows if row.get("decision") == "ALLOW" and "job_id" not in row)
    assert "warnings" not in check


@pytest.mark.acceptance("W24")
@pytest.mark.parametrize(("reason", "outcome"), [(None, "warned"), (" ", "warned"), ("it is over its limit", "done")])
def test_a_worker_in_its_masters_runtime_is_told_but_with_a_reason(ramp, reason, outcome):
    ramp.host = Host(master="codex", source="set", installed=("claude", "codex"), alternatives=("claude",))
    ramp.contract.write_text("---\nrepository: acme/widgets\n---\n\nDo it.\n")
    ramp.dispatch(same_host_reason=reason)
    assert ramp.outcomes["approval"] == outcome
    assert ("claude" in ramp.step("approval")) is (outcome == "warned")
    row = next(row for row in ramp.rows if row.get("kind") == "host_diversity_audit")
    assert row == {
        "kind": "host_diversity_audit",
        "ts": row["ts"],
        "contract": ramp.rows[0]["contract_sha"],
        "orchestration_task": "task_1",
        "job": "ctx_1",
        "runtime": "codex",
        "master_runtime": "codex",
        "master_measured": True,
        "same_host": True,
        "reason": reason,
        "installed": ["claude", "codex"],
        "alternatives": ["claude"],
    }


def test_the_row_of_hosts_is_no_dispatch_and_no_registration_for_who_counts(ramp):
    ramp.dispatch()
    assert ramp.reasons(7, 1) == ["OK", "TIER_FANOUT_CAP"]
