"""What was allowed, what has become of it, and what nobody has registered."""

import pytest
from tests.flows.jobs import JOB, TASK

from gatewright.flows.reporting import audit
from gatewright.flows.surveying import Means, survey
from gatewright.model.works import WorkState
from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.orchestrators.protocol import Dispatch, DispatchStatus, Screen


class Desk:
    """An orchestrator that knows what it is told."""

    name = "desk"

    def __init__(self, *known, screen=None, error=None):
        self.known, self.shown, self.error = known, screen or Screen(text="", alive=True), error

    def dispatch_of(self, task):
        if self.error is not None:
            raise self.error
        return next((each for each in self.known if each.task == task), None)

    def dispatches(self):
        if self.error is not None:
            raise self.error
        return list(self.known)

    def screen(self, terminal):
        return self.shown


def found(office, desk=None, since=None):
    means = Means(orchestrator=lambda: desk or Desk(), now=office.clock.wall)
    return survey(office.ledger, means, since)


def states(office, desk=None):
    return [(work.state.value, work.job) for work in found(office, desk).works]


def dispatched(status=DispatchStatus.DISPATCHED, **more):
    return Dispatch(**{"id": JOB, "task": TASK, "terminal": "t", "status": status, **more})


@pytest.mark.acceptance("G02")
def test_an_allowed_check_is_pending_until_a_job_is_registered_for_it(office):
    office.check()
    assert states(office) == [("pending", None)]
    assert states(office, Desk(dispatched())) == [("pending", None), ("unrecorded", JOB)]
    assert office.register().allow
    assert states(office, Desk(dispatched())) == [("active", JOB)]


@pytest.mark.acceptance("G02")
def test_every_further_start_of_a_contract_waits_for_a_registration_of_its_own(office):
    office.check()
    office.clock.pass_(60)
    office.check()
    assert office.register().allow
    works = found(office, Desk(dispatched())).works
    assert sorted(work.state.value for work in works) == ["active", "pending"]
    assert {work.state.value: work.attempt for work in works} == {"pending": 1, "active": 2}


def test_a_denied_registration_leaves_its_check_pending(office):
    office.check()
    assert not office.register(probe_cmd="true").allow
    assert states(office) == [("pending", None)]


@pytest.mark.acceptance("K11")
@pytest.mark.parametrize(
    ("known", "screen", "state", "detail"),
    [
        ([dispatched()], None, WorkState.ACTIVE, ""),
        ([dispatched(DispatchStatus.PENDING)], None, WorkState.ACTIVE, ""),
        ([dispatched(DispatchStatus.OTHER)], None, WorkState.ACTIVE, ""),
        ([dispatched(DispatchStatus.COMPLETED)], None, WorkState.COMPLETED, ""),
        ([dispatched(DispatchStatus.FAILED, last_failure="it said so")], None, WorkState.FAILED, "it said so"),
        ([dispatched(DispatchStatus.CIRCUIT_BROKEN)], None, WorkState.FAILED, "circuit_broken"),
        ([], None, WorkState.UNKNOWN, "desk does not know its task"),
        ([dispatched(id="ctx_another")], None, WorkState.UNKNOWN, "its task runs as ctx_another by now"),
    ],
)
def test_a_registered_job_is_where_its_orchestrator_says(office, known, screen, state, detail):
    office.check()
    office.register()
    work = next(each for each in found(office, Desk(*known, screen=screen)).works if each.job == JOB)
    assert (work.state, work.detail, work.task, work.model) == (state, detail, TASK, "gpt-5.5")


@pytest.mark.parametrize(("idle", "state"), [(360, WorkState.ACTIVE), (361, WorkState.STALLED)])
def test_a_worker_that_writes_nothing_for_too_long_has_stalled(office, idle, state):
    office.check()
    office.register()
    desk = Desk(dispatched(), screen=Screen(text="x", alive=True, changed_at=office.clock.wall() - idle))
    (work,) = found(office, desk).works
    assert (work.state, work.detail) == (state, "nothing new for 361 s" if state is WorkState.STALLED else "")


@pytest.mark.acceptance("K06", "K08", "K09")
def test_work_for_a_sentinel_log_is_non_orchestrated_and_no_later_task_changes_that(office):
    office.logged()
    assert office.register(orchestration_task=TASK).allow
    assert states(office, Desk(dispatched())) == [("non-orchestrated", JOB)]
    again = office.register(orchestration_task=TASK)
    assert (again.allow, "JOB_ALREADY_REGISTERED" in again.reasons) == (False, True)
    (work,) = found(office, Desk(dispatched())).works
    assert (work.state, work.task) == (WorkState.NON_ORCHESTRATED, None)
    row = [entry.row.data for entry in office.ledger.rows()][1]
    assert ("orchestration_task" in row, row.get("orchestration")) == (False, "non-orchestrated")


@pytest.mark.acceptance("G03", "K10")
def test_what_a_worker_writes_of_itself_changes_nothing(office):
    office.check()
    before = states(office)
    for name in ("done", "worker_done.json", "state.txt"):
        (office.folder / name).write_text(f"done {JOB} {TASK} outcome=succeeded\n")
    assert states(office) == before
    office.answers({"id": "1", "ok": True, "result": {"dispatch": None}})
    denied = office.register(probe_cmd=f"cat '{office.folder}/done'", model_probe_cmd=None)
    assert (denied.reason, states(office)) == ("ORCHESTRATION_UNVERIFIED", before)


def test_an_orchestrator_that_cannot_be_asked_is_told_once_and_hides_no_row(office):
    office.check()
    office.register()
    office.check(model="claude-opus-5")
    survey_ = found(office, Desk(error=OrchestratorError(Trouble.MISSING, "it does not run")))
    assert sorted(work.state.value for work in survey_.works) == ["pending", "unknown"]
    assert survey_.problems == ("it does not run",)


def test_only_what_is_in_the_span_is_listed(office):
    office.check()
    office.clock.pass_(7200)
    office.check(model="claude-opus-5")
    assert [work.model for work in found(office, since=office.clock.wall() - 3600).works] == ["claude-opus-5"]


@pytest.mark.acceptance("G02")
def test_a_check_whose_start_has_failed_is_not_pending(office):
    sha = office.check().contract_sha
    with office.ledger.writing() as session:
        row = {"ts": session.wall, "kind": "not_started", "contract_sha": sha, "runtime": "codex", "why": "no terminal"}
        session.append(row, {})
    (work,) = found(office).works
    assert (work.state, work.detail, work.contract_sha) == (WorkState.NOT_STARTED, "no terminal", sha)
    assert audit(office.ledger).registrations.pending == 0


def test_a_row_of_an_older_gate_settles_the_newest_check_whatever_its_number(office):
    office.check()
    sha = office.check().contract_sha
    with office.ledger.writing() as session:
        row = {"ts": session.wall, "decision": "ALLOW", "contract_sha": sha, "runtime": "codex", "attempt": 7}
        session.append({**row, "job_id": JOB, "orchestration_task": TASK, "reason": "OK"}, {})
    works = found(office, Desk(dispatched())).works
    assert [(work.state.value, work.attempt) for work in works if work.state is not WorkState.ACTIVE] == [
        ("pending", 1)
    ]
    assert audit(office.ledger).registrations.pending == 1
