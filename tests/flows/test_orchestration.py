"""What the orchestrator has to bear out before a job is registered."""

import os
import signal

import pytest
from tests.flows.jobs import JOB, TASK
from tests.ledger.test_rows import rows, tickets

NOTHING = {"id": "1", "ok": True, "result": {"dispatch": None}, "_meta": {}}


def refused(office, failure, **given):
    """A registration that the orchestrator does not bear out, and its row."""
    office.check()
    decision = office.register(**given)
    assert decision.reason == "ORCHESTRATION_UNVERIFIED"
    assert decision.denial.message.startswith(f"probe_failure={failure}: ")
    row = rows(office)[-1]
    assert (row["decision"], row["reason"], row["probe_failure"]) == ("DENY", "ORCHESTRATION_UNVERIFIED", failure)
    assert (row["job_id"], "contract_sha" in row) == (given.get("job_id", JOB), False)
    assert len(tickets(office)) == 1
    return row


@pytest.mark.acceptance("R21")
def test_the_orchestrator_is_asked_in_its_own_words_without_a_shell(office):
    office.check()
    task = "task_$(touch here); 'x' *"
    office.dispatched(task_id=task)
    assert office.register(orchestration_task=task).allow
    assert office.asked == ["orchestration", "dispatch-show", "--task", task, "--json"]
    assert rows(office)[-1]["orchestration_task"] == task


@pytest.mark.acceptance("R16", "T15")
@pytest.mark.parametrize("task", [None, ""])
def test_orchestration_without_a_task_is_denied(office, task):
    row = refused(office, "task_omitted", orchestration_task=task)
    assert "orchestration_task" not in row
    assert office.asked == []


@pytest.mark.acceptance("R17", "T15")
@pytest.mark.parametrize(
    "environ",
    [
        {"PATH": ""},
        {"PATH": "/usr/bin:/bin", "ORCA_CLI_COMMAND": "no-such-orchestrator"},
        {"PATH": "/usr/bin:/bin", "ORCA_CLI_COMMAND": os.devnull},
    ],
)
def test_an_orchestrator_that_is_not_there_is_denied(office, environ):
    office.environ = environ
    assert refused(office, "orca_missing")["orchestration_task"] == TASK


@pytest.mark.acceptance("R17")
def test_an_orchestrator_that_says_it_does_not_run_is_not_there(office):
    error = {"code": "runtime_unavailable", "message": "no runtime"}
    office.answers({"id": "local", "ok": False, "error": error, "_meta": {"runtimeId": None}}, status=1)
    refused(office, "orca_missing")


@pytest.mark.acceptance("R18", "R09")
def test_an_orchestrator_that_does_not_answer_in_time_is_denied(office):
    (office.folder / "orca").write_text("#!/bin/sh\nsleep 300 & wait\n")
    office.seconds = 0.3
    refused(office, "probe_timeout", probe_cmd="true", model_probe_cmd=None)


@pytest.mark.acceptance("R19")
@pytest.mark.parametrize(
    "answer",
    ["not json", "", "[]", "5", '{"ok": true}', '{"ok": true, "result": []}', "[" * 100_000],
    ids=lambda text: text[:10],
)
def test_an_answer_that_is_not_the_json_that_it_should_be_is_denied(office, answer):
    office.answers(answer)
    refused(office, "probe_unparseable")


def test_a_dispatch_without_an_id_cannot_be_compared(office):
    office.answers({"ok": True, "result": {"dispatch": {"status": "dispatched"}}})
    refused(office, "probe_unparseable")


@pytest.mark.acceptance("R20")
@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (NOTHING, 0),
        ({"ok": True, "result": {}}, 0),
        ({"id": "1", "ok": False, "error": {"code": "task_not_found", "message": "Task not found"}}, 1),
        ({"ok": False}, 0),
        ({"ok": True, "result": {"dispatch": {"id": JOB}}}, 1),
        ("", 1),
        ("Task not found", 1),
    ],
)
def test_a_task_that_the_orchestrator_does_not_know_is_denied(office, answer, status):
    office.answers(answer, status)
    refused(office, "task_not_found")


@pytest.mark.acceptance("R22")
@pytest.mark.parametrize("dispatch", [{"id": "ctx_another"}, {"id": JOB + "0"}, {"task_id": "task_another"}])
def test_a_task_that_runs_as_another_dispatch_is_denied(office, dispatch):
    office.dispatched(**dispatch)
    refused(office, "dispatch_mismatch")


@pytest.mark.acceptance("R23")
@pytest.mark.parametrize(
    ("status", "active"),
    [("pending", True), ("dispatched", True), ("completed", True), ("failed", False), ("circuit_broken", False)],
)
def test_a_dispatch_that_was_given_up_is_denied_with_a_word_on_what_may_still_run(office, status, active):
    office.dispatched(status=status)
    if active:
        office.check()
        assert office.register().allow
        return
    refused(office, "dispatch_not_active")
    denial = office.register().denial
    assert "worker may still be running" in denial.message


@pytest.mark.acceptance("R24")
def test_a_sentinel_log_asks_no_orchestrator_and_needs_its_proof_all_the_same(office):
    office.logged()
    for given in ({"probe_cmd": "true"}, {"probe_cmd": "true", "orchestration_task": None}):
        assert office.register(**given).reasons == ("UNVERIFIED_JOB",)
    assert office.register(orchestration_task=None).allow
    assert office.asked == []


def test_what_the_orchestrator_says_on_standard_error_is_not_its_answer(office):
    orca = office.folder / "orca"
    orca.write_text(orca.read_text().replace("#!/bin/sh\n", "#!/bin/sh\necho '{\"_keepalive\":true}' >&2\n"))
    office.check()
    assert office.register().allow


@pytest.mark.acceptance("G06")
def test_each_thing_that_a_registration_proves_has_a_code_of_its_own(office):
    office.check()
    fakes = [{"orchestration_task": None}, {"probe_cmd": "true"}, {"model_probe_cmd": "echo claude-opus-5"}]
    found = [office.register(**given).reason for given in fakes]
    assert found == ["ORCHESTRATION_UNVERIFIED", "UNVERIFIED_JOB", "MODEL_TIER_ESCALATION"]


@pytest.mark.acceptance("G07")
def test_a_registration_says_nothing_of_delivery(office):
    office.check()
    assert "deliver" not in str(office.register().to_dict()).lower()


def test_an_orchestrator_that_a_signal_ends_has_not_answered(office):
    (office.folder / "orca").write_text(f"#!/bin/sh\nkill -{signal.SIGKILL} $$\n")
    refused(office, "task_not_found")
