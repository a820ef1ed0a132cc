"""`register` as a program: its streams, its exit status, and what it leaves behind."""

import json
import sys

import pytest
from tests.cli.processes import CONTRACT, DISPATCH_GATE, GATEWRIGHT
from tests.probes.transcripts.sessions import write

from gatewright.ledger.tasks import TaskBook

JOB, TASK = "ctx_1a2b3c4d5e6f", "task_1a2b3c4d5e6f"
ORCA = f"""#!/bin/sh
echo '{{"id":"1","ok":true,"result":{{"dispatch":{{"id":"{JOB}","task_id":"{TASK}","status":"dispatched"}}}}}}'
"""


@pytest.fixture(params=[GATEWRIGHT, DISPATCH_GATE])
def program(request):
    return request.param


def ledger(program):
    return "ledger.jsonl" if program == DISPATCH_GATE else "ledger.db"


def run(place, program, *words, **env):
    """A program with its ledger in the working directory, and an orchestrator that knows the job."""
    orca = place.cwd / "orca"
    orca.write_text(ORCA)
    orca.chmod(0o755)
    place.write("job.json", json.dumps({"job": JOB}))
    name = "DISPATCH_GATE_LEDGER" if program == DISPATCH_GATE else "GATEWRIGHT_LEDGER"
    return place.run(*words, program=program, **{name: ledger(program), "ORCA_CLI_COMMAND": str(orca), **env})


def checked(place, program, **flags):
    words = [word for word in place.request(**flags) if word != "--no-record"]
    return run(place, program, *words)


def register(place, program, *more, **env):
    words = ("--job-id", JOB, "--probe-cmd", "cat job.json", "--orchestration-task", TASK, *more)
    return run(place, program, "register", *words, **env)


MODEL = ("--declared-model", "gpt-5.5", "--model-probe-cmd", "echo gpt-5.5")


@pytest.mark.acceptance("R36", "G10", "G06", "C22")
def test_a_job_that_is_proven_is_registered(place, program):
    sha = checked(place, program).json["contract_sha"]
    result = register(place, program, *MODEL)
    assert (result.code, result.stderr) == (0, "")
    found = {name: result.json[name] for name in ("allow", "reason", "warnings", "contract_sha", "cost_proxy", "stage")}
    assert found == {
        "allow": True,
        "reason": "OK",
        "warnings": [],
        "contract_sha": sha,
        "cost_proxy": len(CONTRACT),
        "stage": "register",
    }
    assert "message" not in result.json


@pytest.mark.acceptance("G12", "G17", "G11", "R01")
def test_a_denial_exits_2_and_is_told_on_both_streams(place, program):
    result = register(place, program, *MODEL)
    assert (result.code, result.json["allow"], result.json["reason"]) == (2, False, "NO_MATCHING_TICKET")
    assert result.json["message"] == "candidate_contract_shas=<none>"
    assert "NO_MATCHING_TICKET" in result.stderr


@pytest.mark.acceptance("R02")
@pytest.mark.parametrize("missing", ["--job-id", "--probe-cmd"])
def test_job_and_probe_must_be_given(place, program, missing):
    words = {"--job-id": JOB, "--probe-cmd": "true"}
    del words[missing]
    result = run(place, program, "register", *[word for pair in words.items() for word in pair])
    assert (result.code, result.stdout) == (64, "")
    assert missing in result.stderr
    assert not (place.cwd / ledger(program)).exists()


@pytest.mark.acceptance("R32")
def test_the_tier_table_is_found_as_for_check(place, program):
    top_last = {"version": 2, "tiers": {"low": ["gpt-5.5"], "top": ["claude-opus-5"]}, "fanout_caps": {}}
    place.write("flag.json", json.dumps({**top_last, "tier_order": ["top", "low"]}))
    place.write("variable.json", json.dumps(top_last))
    measured = ("--declared-model", "gpt-5.5", "--model-probe-cmd", "echo claude-opus-5")
    checked(place, program)
    by_flag = register(place, program, *measured, "--tier-policy", "flag.json", DISPATCH_TIER_POLICY="variable.json")
    assert (by_flag.code, by_flag.json["reason"]) == (2, "MODEL_TIER_ESCALATION")
    by_variable = register(place, program, *measured, DISPATCH_TIER_POLICY="variable.json")
    assert (by_variable.code, by_variable.json["warnings"]) == (0, ["MODEL_MISMATCH"])
    assert by_variable.json["tier_policy"]["path"] == "variable.json"


def test_a_ledger_that_cannot_be_used_denies(place, program):
    place.write(ledger(program), "")
    (place.cwd / ledger(program)).unlink()
    (place.cwd / ledger(program)).mkdir()
    result = register(place, program, *MODEL)
    assert (result.code, result.json["reason"]) == (2, "LEDGER_UNAVAILABLE")


def test_a_policy_that_does_not_load_denies_and_is_recorded(place):
    place.write("own.yaml", "gatewright: 1\n")
    result = register(place, GATEWRIGHT, *MODEL, "--policy", "own.yaml")
    assert (result.code, result.json["reason"], result.json["stage"]) == (2, "POLICY_UNAVAILABLE", "register")
    again = register(place, GATEWRIGHT, *MODEL)
    assert again.json["reason"] == "NO_MATCHING_TICKET"


def test_a_policy_of_checks_decides_no_registration(place):
    place.write(
        "own.yaml", "gatewright: 1\npolicy: own\nstage: check\nrules: [{id: a, deny: actor == 'x', code: NOT_X}]\n"
    )
    checked(place, GATEWRIGHT)
    result = register(place, GATEWRIGHT, *MODEL, "--policy", "own.yaml")
    assert (result.code, result.json["reason"]) == (2, "POLICY_UNAVAILABLE")
    assert register(place, GATEWRIGHT, *MODEL).code == 0


def dispatched_here(place):
    """A task that the embedded orchestrator has dispatched: its id, and its dispatch's."""
    book = TaskBook(str(place.cwd / "ledger.db"))
    task = book.add_task("local", "do it", 1.0)
    dispatch = book.add_dispatch(task, "local_000000000000", 1.0)
    book.mark(dispatch, "completed")
    return task, dispatch


@pytest.mark.parametrize("named_by", ["flag", "variable", "project"])
def test_a_task_is_asked_of_the_orchestrator_that_is_named(place, named_by):
    checked(place, GATEWRIGHT)
    task, job = dispatched_here(place)
    place.write("job.json", job)
    words = ["register", "--job-id", job, "--probe-cmd", f"echo {job} | cat", "--orchestration-task", task]
    without = run(place, GATEWRIGHT, *words)
    assert (without.code, without.json["reason"]) == (2, "ORCHESTRATION_UNVERIFIED")
    if named_by == "project":
        place.write("gatewright.toml", 'orchestrator = "local"\n')
    flag = ["--orchestrator", "local"] if named_by == "flag" else []
    variable = {"GATEWRIGHT_ORCHESTRATOR": "local"} if named_by == "variable" else {}
    result = run(place, GATEWRIGHT, *words, *flag, **variable)
    assert (result.code, result.json["reason"]) == (0, "OK")


def test_an_orchestrator_that_there_is_not_denies_and_is_named_with_the_nearest(place):
    checked(place, GATEWRIGHT)
    result = register(place, GATEWRIGHT, "--orchestrator", "tmix")
    assert (result.code, result.json["reason"]) == (2, "ORCHESTRATION_UNVERIFIED")
    assert "did you mean `tmux`" in result.json["message"]


def test_the_older_program_asks_orca_whatever_is_named_elsewhere(place):
    place.write("gatewright.toml", 'orchestrator = "local"\n')
    checked(place, DISPATCH_GATE)
    assert register(place, DISPATCH_GATE, GATEWRIGHT_ORCHESTRATOR="local").code == 0


@pytest.mark.acceptance("M07")
@pytest.mark.parametrize("form", ["--json", "--print-model", ""])
@pytest.mark.parametrize(
    ("answers", "warnings"),
    [([], ["MODEL_UNVERIFIED"]), (["gpt-5.5"], []), (["gpt-5.5", "claude-haiku-4-5"], ["MODEL_MISMATCH"])],
)
def test_the_probe_of_models_measures_for_a_registration_in_every_form(place, form, answers, warnings):
    checked(place, GATEWRIGHT)
    write(place.cwd / "t.jsonl", *[{"type": "assistant", "model": each} for each in answers])
    probe = f"'{sys.executable}' -m gatewright probe model --transcript t.jsonl --expect gpt-5.5 {form}"
    result = register(place, GATEWRIGHT, "--declared-model", "gpt-5.5", "--model-probe-cmd", probe)
    assert (result.code, result.json["warnings"]) == (0, warnings)


def test_the_older_program_leaves_rows_that_the_older_tool_reads(place):
    checked(place, DISPATCH_GATE)
    register(place, DISPATCH_GATE, *MODEL, "--runtime", "-")
    register(place, DISPATCH_GATE, *MODEL)
    check, denied, row = (json.loads(line) for line in (place.cwd / "ledger.jsonl").read_text().splitlines())
    assert denied["decision"] == "DENY"
    assert "job_id" not in denied
    assert set(row) == {
        *("attempt", "completion_channel", "contract_sha", "decision", "est_chars", "job_id", "model_declared"),
        *("model_measured", "model_verified", "n_agents", "orchestration_task", "reason", "runtime", "ts"),
    }
    assert (row["contract_sha"], row["attempt"]) == (check["contract_sha"], 1)
    assert list((place.home / ".mogui" / "dispatch-tickets").glob("*.json")) == []


def test_a_table_is_printed_where_it_is_asked_for(place):
    checked(place, GATEWRIGHT)
    result = register(place, GATEWRIGHT, *MODEL, "-f", "table")
    assert result.code == 0
    assert result.stdout.endswith("ALLOW   10 rules: 10 passed\n")
