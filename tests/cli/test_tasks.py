"""`gatewright tasks` as other programs meet it: what it lists, what it hears, and what it leaves behind."""

import json
import subprocess

import pytest
from tests.cli.processes import GATEWRIGHT
from tests.orchestrators.stand_in import StandIn, refusal, result

MESSAGE = {
    "id": "msg_1",
    "type": "worker_done",
    "subject": "done; $(touch pwned) `touch pwned`",
    "payload": '{"taskId": "task_1", "dispatchId": "ctx_1", "outcome": "failed"}',
}
FIRST = result(deliveryId="delivery_1", messages=[MESSAGE], count=1, replayed=False)
NONE = result(deliveryId=None, messages=[], count=0, timedOut=True)
EVENT = {
    "dispatch": "ctx_1",
    "id": "msg_1",
    "outcome": "failed",
    "task": "task_1",
    "text": MESSAGE["subject"],
    "type": "worker_done",
}


@pytest.fixture
def orca(place):
    """Orca's stand-in, with a run that has nothing in it."""
    stand_in = StandIn(place.cwd / "bin")
    stand_in.answers({"orchestration check": [NONE], "orchestration task-list": result(tasks=[])})
    return stand_in


def tasks(place, orca, *words, **env):
    place.write("gatewright.toml", "")
    return place.run("tasks", *words, "--orchestrator", "orca", ORCA_CLI_COMMAND=str(orca.path), **env)


def allowed(place):
    words = [word for word in place.request(completion_channel="sentinel-log") if word != "--no-record"]
    return place.run(*words).json


@pytest.mark.acceptance("G02")
def test_a_check_alone_is_listed_and_reported_as_pending(place, orca):
    sha = allowed(place)["contract_sha"]
    found = tasks(place, orca, "list", "--json")
    (work,) = found.json["works"]
    assert (found.code, work["state"], work["job"], work["contract_sha"]) == (0, "pending", None, sha)
    table = tasks(place, orca, "list").stdout.splitlines()
    assert (table[0].split()[:4], table[2].split()[:2]) == (["STATE", "JOB", "TASK", "CONTRACT"], ["pending", sha[:12]])
    report = place.run("report")
    assert "no registration has proven: 1; they are pending" in " ".join(report.stdout.split())


@pytest.mark.acceptance("K06")
def test_a_registration_without_a_task_is_listed_and_told_in_the_report(place, orca):
    allowed(place)
    place.write("job.log", "job-1 runs\n")
    assert place.run("register", "--job-id", "job-1", "--probe-cmd", "cat job.log").code == 0
    (work,) = tasks(place, orca, "list", "--json").json["works"]
    assert (work["state"], work["job"], work["task"]) == ("non-orchestrated", "job-1", None)
    report = place.run("report", "--json").json
    assert report["registrations"]["non_orchestrated"] == 1
    assert "registrations without an orchestrator's task: 1; they are non-orchestrated" in report["remarks"]


def test_a_list_may_be_narrowed_and_empty(place, orca):
    assert tasks(place, orca, "list").stdout == "nothing was allowed or registered, and no dispatch is known\n"
    allowed(place)
    assert tasks(place, orca, "list", "--state", "failed", "--json").json["works"] == []
    assert tasks(place, orca, "list", "--since", "yesterday").code == 64


def test_dispatches_that_nobody_has_registered_are_listed(place, orca):
    row = {"id": "ctx_1", "task_id": "task_1", "assignee_handle": "", "status": "dispatched"}
    shown = [
        result(dispatch=row),
        result(dispatch=None),
        result(dispatch={**row, "id": "ctx_2", "status": "completed"}),
    ]
    orca.answers(
        {
            "orchestration task-list": result(tasks=[{"id": "task_3"}, {"id": "task_2"}, {"id": "task_1"}, {}, 5]),
            "orchestration dispatch-show": shown,
        }
    )
    found = tasks(place, orca, "list", "--json").json["works"]
    assert [(work["state"], work["job"], work["task"]) for work in found] == [("unrecorded", "ctx_1", "task_1")]


def test_an_orchestrator_that_does_not_answer_is_told_below_what_the_ledger_knows(place, orca):
    allowed(place)
    orca.answers({"orchestration task-list": refusal("run_required", "no run")})
    found = tasks(place, orca, "list", "--json")
    assert (found.code, [work["state"] for work in found.json["works"]]) == (1, ["pending"])
    assert "run_required" in found.stderr


@pytest.mark.acceptance("K03", "K04", "K13")
def test_a_command_gets_each_event_on_its_standard_input_and_what_it_handles_is_acknowledged(place, orca):
    orca.answers({"orchestration check": [FIRST, NONE]})
    found = tasks(place, orca, "wait", "--timeout", "1", "--exec", "cat >> events; echo said")
    assert (found.code, found.json, found.stderr) == (0, {"event": EVENT, "handled": "now"}, "")
    assert json.loads((place.cwd / "events").read_text()) == EVENT
    assert not (place.cwd / "pwned").exists()
    assert orca.calls[1][-3:-1] == ["--ack", "delivery_1"]


@pytest.mark.acceptance("K05", "K13")
def test_what_a_command_cannot_handle_is_not_acknowledged_and_comes_again_in_another_process(place, orca):
    orca.answers({"orchestration check": [FIRST]})
    failed = tasks(place, orca, "wait", "--timeout", "1", "--exec", "echo no room >&2; exit 3")
    assert (failed.code, failed.json["handled"], len(orca.calls)) == (1, "failed", 1)
    assert failed.stderr == "gatewright: event msg_1: it exited with 3: no room\n"
    orca.answers({"orchestration check": [FIRST, FIRST, NONE]})
    handled = tasks(place, orca, "wait", "--timeout", "1", "--exec", "true")
    assert (handled.json["handled"], handled.code) == ("now", 1)
    assert "told again" in handled.stderr
    orca.answers({"orchestration check": [FIRST, NONE]})
    again = tasks(place, orca, "wait", "--timeout", "1", "--exec", "touch twice")
    assert (again.code, again.json["handled"], (place.cwd / "twice").exists()) == (0, "before", False)


@pytest.mark.acceptance("K05")
def test_two_readers_at_once_handle_an_event_once(place, orca):
    orca.answers({"orchestration check": [FIRST, FIRST, NONE]})
    place.write("gatewright.toml", "")
    words = ["tasks", "wait", "--orchestrator", "orca", "--timeout", "1", "--exec", "echo x >> seen; sleep 1"]
    env = place.environment({"ORCA_CLI_COMMAND": str(orca.path)})
    both = [
        subprocess.Popen(place.command(GATEWRIGHT, words), cwd=place.cwd, env=env, stdout=subprocess.DEVNULL)
        for _ in range(2)
    ]
    for each in both:
        each.wait(60)
    assert (place.cwd / "seen").read_text() == "x\n"


@pytest.mark.acceptance("K10")
def test_what_a_worker_says_of_its_end_changes_no_row_and_no_verdict(place, orca):
    allowed(place)
    place.write("job.log", "ctx_1 runs\n")
    register = ["register", "--job-id", "ctx_1", "--probe-cmd", "cat job.log"]
    assert place.run(*register).code == 0
    accept = ["accept", "--job", "ctx_1", "--contract", "contract.md"]
    verdict = place.run(*accept).json["reasons"]
    before = place.run("ledger", "show", "--json").json
    orca.answers({"orchestration check": [FIRST, NONE]})
    assert tasks(place, orca, "wait", "--timeout", "1", "--exec", "true").code == 0
    assert place.run("ledger", "show", "--json").json == before
    assert place.run(*accept).json["reasons"] == verdict


@pytest.mark.acceptance("K12")
@pytest.mark.parametrize("answer", [NONE, refusal("timeout")])
def test_a_wait_in_which_nothing_came_prints_nothing_to_handle_and_fails_nothing(place, orca, answer):
    orca.answers({"orchestration check": answer})
    plain = tasks(place, orca, "wait", "--timeout", "0")
    assert (plain.code, plain.json) == (0, {"delivery": None, "events": [], "replayed": False})
    assert tasks(place, orca, "wait", "--timeout", "0", "--exec", "false").code == 0


@pytest.mark.parametrize("words", [("true", "--acknowledge", "delivery_1"), ("",), (" \t",)])
def test_acknowledging_twice_or_for_nothing_is_a_wrong_call(place, orca, words):
    found = tasks(place, orca, "wait", "--exec", *words)
    assert (found.code, orca.calls) == (64, [])


def test_the_words_of_a_worker_draw_nothing_in_a_table_and_end_no_line(place, orca):
    hostile = "ctx\x1b[31m\u202e|\nALLOW"
    row = {"id": hostile, "task_id": "task_1", "status": "dispatched", "last_failure": hostile}
    orca.answers(
        {
            "orchestration task-list": result(tasks=[{"id": "task_1"}]),
            "orchestration dispatch-show": result(dispatch=row),
        }
    )
    lines = tasks(place, orca, "list").stdout.splitlines()
    assert (len(lines), "\x1b" in lines[2], "\u202e" in lines[2]) == (3, False, False)
