"""Whether a task runs as a job is asked of its own orchestrator, and whatever else it answers is no proof."""

import pytest
from tests.orchestrators.desks import local
from tests.orchestrators.stand_in import StandIn, refusal, result

from gatewright.errors import PluginError, UsageError
from gatewright.model import Orchestration
from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.orchestrators.looking import look_up
from gatewright.orchestrators.orca import OrcaOrchestrator
from gatewright.orchestrators.protocol import Dispatch, DispatchStatus
from gatewright.probes.commands import run

JOB, TASK = "ctx_0123456789ab", "task_1"
ROW = {"id": JOB, "task_id": TASK, "status": "dispatched"}
PROVEN = Orchestration(required=True)


class Desk:
    """An orchestrator that gives one answer."""

    def __init__(self, answer):
        self.answer = answer

    def dispatch_of(self, task):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def failure_of(answer):
    return look_up(lambda: Desk(answer), TASK, JOB).failure


@pytest.mark.parametrize("status", list(DispatchStatus))
def test_a_dispatch_that_is_this_job_bears_it_out_unless_it_was_given_up(status):
    given_up = status in (DispatchStatus.FAILED, DispatchStatus.CIRCUIT_BROKEN)
    assert failure_of(Dispatch(id=JOB, task=TASK, status=status)) == ("dispatch_not_active" if given_up else None)


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (None, "task_not_found"),
        (Dispatch(id=JOB, task=""), None),
        (Dispatch(id=JOB + "0", task=TASK), "dispatch_mismatch"),
        (Dispatch(id=JOB, task="task_2"), "dispatch_mismatch"),
        (OrchestratorError(Trouble.MISSING, "x"), "orca_missing"),
        (OrchestratorError(Trouble.TIMEOUT, "x"), "probe_timeout"),
        (OrchestratorError(Trouble.UNPARSEABLE, "x"), "probe_unparseable"),
        (OrchestratorError(Trouble.NOT_FOUND, "x"), "task_not_found"),
        (OrchestratorError(Trouble.REFUSED, "x"), "task_not_found"),
        (UsageError("there is no orchestrator `x`"), "orca_missing"),
        (PluginError("", "orchestrator `x`", "it cannot be made"), "orca_missing"),
        (RuntimeError("a plugin's own fault"), "probe_unparseable"),
        ("no dispatch at all", "probe_unparseable"),
    ],
)
def test_every_other_answer_is_a_failure_of_a_known_kind(answer, failure):
    assert failure_of(answer) == failure


def test_an_orchestrator_that_cannot_be_made_is_not_there():
    def make():
        raise PluginError("", "orchestrator `own`", "it cannot be made: no printer")

    found = look_up(make, TASK, JOB)
    assert (found.failure, "no printer" in found.detail) == ("orca_missing", True)


def test_a_task_of_this_machine_is_found_in_its_book(tmp_path):
    orchestrator = local(tmp_path)
    task = orchestrator.create_task("do it")
    assert look_up(lambda: orchestrator, task, JOB).failure == "task_not_found"
    terminal = orchestrator.open_terminal(str(tmp_path), "sleep 60")
    try:
        job = orchestrator.inject(task, terminal).id
        assert look_up(lambda: orchestrator, task, job) == PROVEN
        assert look_up(lambda: orchestrator, task, JOB).failure == "dispatch_mismatch"
    finally:
        run(orchestrator.clean_up(terminal=terminal)[0])
    orchestrator.wait(20)
    assert look_up(lambda: orchestrator, task, job).failure == "dispatch_not_active"


@pytest.mark.acceptance("R20", "R17", "R19")
@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (result(dispatch=ROW), None),
        (result(dispatch={"id": JOB}), None),
        (result(dispatch=ROW | {"status": "a new word"}), None),
        (result(dispatch=None), "task_not_found"),
        (result(dispatch="x"), "task_not_found"),
        ({"say": {"ok": True, "result": None}}, "task_not_found"),
        ({"say": {"ok": True}}, "probe_unparseable"),
        (result(dispatch={"status": "dispatched"}), "probe_unparseable"),
        (result(dispatch=ROW | {"task_id": 1}), "probe_unparseable"),
        (refusal("task_not_found"), "task_not_found"),
        (refusal("run_required"), "task_not_found"),
        (refusal("timeout"), "probe_timeout"),
        (refusal("runtime_unavailable"), "orca_missing"),
        (result(dispatch=ROW) | {"exit": 1}, "task_not_found"),
        ({"say": "words", "exit": 1}, "task_not_found"),
        ({"say": "words"}, "probe_unparseable"),
    ],
)
def test_what_orca_answers_is_understood(tmp_path, answer, failure):
    stand_in = StandIn(tmp_path / "bin")
    stand_in.answers({"orchestration dispatch-show": answer})
    assert look_up(lambda: OrcaOrchestrator(run, [str(stand_in.path)]), TASK, JOB).failure == failure
    assert len(stand_in.calls) == 1
