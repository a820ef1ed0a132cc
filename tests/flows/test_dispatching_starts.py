"""What fails on the way to a worker ends the dispatch with a number of its own, once, and with what was made."""

import pytest
from tests.flows.ramps import BUSY, JOB, LIMIT, NOTHING, PROMPT, TASK, TERMINAL, TRUST
from tests.runner.gates import BUILT_IN

from gatewright.app import Gate
from gatewright.model import Stage
from gatewright.model.exits import DispatchCode
from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.orchestrators.protocol import Dispatch, DispatchStatus, Idle
from gatewright.policy.loader import load
from gatewright.report.dispatches import end_line


def refused(code="", problem="it will not"):
    return OrchestratorError(Trouble.REFUSED, problem, code=code)


def injections(ramp):
    return sum(call[0] == "inject" for call in ramp.orchestrator.calls)


@pytest.mark.acceptance("W16", "W29")
@pytest.mark.parametrize(
    ("method", "step", "left"),
    [
        ("create_task", "task", ()),
        ("open_terminal", "terminal", (f"end {TASK}",)),
        ("wait_idle", "terminal", (f"end {TASK}", f"end {TERMINAL}")),
        ("screen", "terminal", (f"end {TASK}", f"end {TERMINAL}")),
        ("inject", "inject", (f"end {TASK}", f"end {TERMINAL}")),
    ],
)
def test_a_start_that_fails_ends_with_3_and_lists_what_was_made(ramp, method, step, left):
    ramp.orchestrator.fails[method] = refused("some_code")
    ramp.orchestrator.known = None
    found = ramp.dispatch()
    assert (found.code, ramp.outcomes[step]) == (DispatchCode.NOT_STARTED, "failed")
    assert "some_code" in ramp.step(step)
    assert found.clean_up[:-1] == left
    assert found.clean_up[-1].endswith("--revoke")


@pytest.mark.parametrize("method", ["create_task", "open_terminal", "wait_idle", "inject"])
def test_the_allowed_check_of_a_start_that_failed_is_closed_and_its_ticket_taken(ramp, method):
    ramp.orchestrator.fails[method] = refused()
    ramp.orchestrator.known = None
    ramp.dispatch()
    closing = next(row for row in ramp.rows if row.get("kind") == "not_started")
    assert (closing["contract_sha"], closing["runtime"]) == (ramp.rows[0]["contract_sha"], "codex")
    assert closing["step"] == {"create_task": "task", "inject": "inject"}.get(method, "terminal")
    with ramp.ledger.reading() as look:
        assert (look.tickets(), look.pending(closing["contract_sha"], "codex")) == ([], [])


def test_what_a_closed_check_has_used_is_not_given_back(ramp):
    ramp.orchestrator.fails["create_task"] = refused()
    ramp.dispatch()
    assert ramp.reasons(8) == ["TIER_FANOUT_CAP"]
    assert ramp.reasons(7) == ["OK"]


def test_another_dispatch_of_the_contract_settles_its_own_check(ramp):
    ramp.orchestrator.fails["create_task"] = refused()
    ramp.dispatch()
    ramp.orchestrator.fails.clear()
    ramp.told.clear()
    assert ramp.dispatch().made.registered


@pytest.mark.acceptance("W16")
def test_a_terminal_that_never_comes_to_rest_is_not_typed_into(ramp):
    ramp.orchestrator.idle = Idle(satisfied=False)
    ramp.orchestrator.screens = [BUSY]
    assert (ramp.dispatch().code, injections(ramp)) == (DispatchCode.NOT_STARTED, 0)


@pytest.mark.acceptance("D17")
def test_a_program_that_ends_at_once_is_told_and_not_typed_into(ramp):
    ramp.orchestrator.idle = Idle(satisfied=False, alive=False)
    ramp.orchestrator.alive = False
    ramp.orchestrator.screens = ["sh: codex: command not found\n"]
    found = ramp.dispatch()
    assert (found.code, injections(ramp)) == (DispatchCode.NOT_STARTED, 0)
    assert "has ended" in ramp.step("terminal")
    assert "sh: codex: command not found" in ramp.step("terminal")
    assert found.clean_up[:-1] == (f"end {TASK}",)


@pytest.mark.acceptance("W18", "W21", "D03", "D04")
@pytest.mark.parametrize(("screen", "kind"), [(TRUST, "hook-trust"), (LIMIT, "limit")])
def test_nothing_is_typed_into_a_screen_that_shows_a_question_or_a_limit(ramp, screen, kind):
    ramp.orchestrator.screens = [screen]
    found = ramp.dispatch()
    assert (found.code, found.made.delivery, injections(ramp)) == (DispatchCode.UNDELIVERED, kind, 0)
    assert [row["kind"] for row in ramp.rows[1:]] == ["not_started", "host_diversity_audit", "delivery"]


@pytest.mark.acceptance("W12", "W18", "W21", "D19", "D20")
@pytest.mark.parametrize(("screen", "kind"), [(TRUST, "hook-trust"), (LIMIT, "limit")])
def test_a_question_or_a_limit_after_the_task_is_a_failed_delivery_and_nothing_is_sent_again(ramp, screen, kind):
    ramp.orchestrator.screens = [PROMPT, screen]
    found = ramp.dispatch()
    assert (found.code, found.made.delivery, injections(ramp)) == (DispatchCode.UNDELIVERED, kind, 1)
    assert found.made.registered
    assert f"delivery FAILED: {kind}" in ramp.step("delivery")
    assert f"end {TERMINAL}" in found.clean_up


@pytest.mark.acceptance("W13", "D05", "D19")
@pytest.mark.parametrize("screens", [[PROMPT], [BUSY], [NOTHING], [BUSY, NOTHING]])
def test_a_doubtful_delivery_is_told_looked_at_six_times_and_is_no_failure(ramp, screens):
    ramp.orchestrator.screens = screens
    found = ramp.dispatch(runtime="cursor")
    assert (found.code, found.made.delivery, injections(ramp)) == (DispatchCode.DONE, "unknown", 1)
    assert ramp.outcomes["delivery"] == "warned"
    assert "delivery UNVERIFIED" in ramp.step("delivery")
    sent = [call[0] for call in ramp.orchestrator.calls].index("inject")
    assert sum(call[0] == "screen" for call in ramp.orchestrator.calls[sent:]) == 6


def test_a_screen_that_cannot_be_read_after_the_task_is_a_doubtful_delivery(ramp):
    ramp.orchestrator.on["inject"] = lambda: ramp.orchestrator.fails.update(screen=refused("terminal_gone"))
    found = ramp.dispatch()
    assert (found.code, found.made.delivery) == (DispatchCode.DONE, "unknown")
    assert "delivery UNVERIFIED" in ramp.step("delivery")


@pytest.mark.acceptance("D19")
def test_a_prompt_that_the_orchestrator_found_blocked_is_a_question(ramp):
    ramp.orchestrator.fails["inject"] = refused("agent_prompt_blocked")
    found = ramp.dispatch()
    assert (found.code, found.made.delivery, injections(ramp)) == (DispatchCode.UNDELIVERED, "hook-trust", 1)


@pytest.mark.acceptance("D19", "W21")
def test_a_stalled_prompt_may_have_arrived_so_nothing_is_closed_and_nothing_sent_again(ramp):
    ramp.orchestrator.fails["inject"] = refused("agent_prompt_stalled")
    ramp.orchestrator.known = None
    found = ramp.dispatch()
    assert (found.code, injections(ramp)) == (DispatchCode.UNREGISTERED, 1)
    assert "may have arrived" in ramp.step("inject")
    assert not [row for row in ramp.rows if row.get("kind") == "not_started"]


@pytest.mark.acceptance("D19")
@pytest.mark.parametrize("trouble", [Trouble.TIMEOUT, Trouble.UNPARSEABLE, Trouble.REFUSED])
def test_a_dispatch_that_the_orchestrator_has_begun_all_the_same_is_gone_on_with(ramp, trouble):
    ramp.orchestrator.fails["inject"] = OrchestratorError(trouble, "no answer")
    found = ramp.dispatch()
    assert (found.code, found.made.dispatch, injections(ramp)) == (DispatchCode.DONE, JOB, 1)


@pytest.mark.acceptance("W17")
@pytest.mark.parametrize(
    ("known", "why"),
    [
        (None, "task_not_found"),
        (Dispatch(id="ctx_2", task=TASK), "dispatch_mismatch"),
        (Dispatch(id=JOB, task="task_2"), "dispatch_mismatch"),
        (Dispatch(id=JOB, task=TASK, status=DispatchStatus.FAILED), "dispatch_not_active"),
    ],
)
def test_a_registration_that_is_denied_ends_with_4_and_says_that_a_worker_may_be_running(ramp, known, why):
    ramp.orchestrator.known = known
    found = ramp.dispatch()
    assert (found.code, ramp.outcomes["register"]) == (DispatchCode.UNREGISTERED, "failed")
    assert "a worker may be running" in ramp.step("register")
    assert {f"end {TASK}", f"end {TERMINAL}"} < set(found.clean_up)
    assert ramp.rows[1]["probe_failure"] == why
    assert not [row for row in ramp.rows if row.get("kind") == "not_started"]
    assert "delivery" not in ramp.outcomes


def test_a_worker_that_has_ended_is_not_told_to_be_running_and_nothing_is_left_to_end(ramp):
    ramp.orchestrator.known = Dispatch(id=JOB, task=TASK, status=DispatchStatus.FAILED)
    ramp.orchestrator.on["dispatch_of"] = lambda: setattr(ramp.orchestrator, "alive", False)
    ramp.orchestrator.screens = [PROMPT, "no such model\n" + "x" * 2000]
    found = ramp.dispatch()
    assert (found.code, found.made.ended) == (DispatchCode.UNREGISTERED, True)
    assert f"{TERMINAL}: its program has ended\nno such model\n{'x' * 500}… (2,000 characters)" in ramp.step("register")
    assert "may be running" not in ramp.step("register")
    assert f"end {TERMINAL}" not in found.clean_up
    assert end_line(found) == "NOT REGISTERED: its program has ended"


@pytest.mark.parametrize(("error", "alive"), [(refused("terminal_gone"), True), (None, False)])
def test_nothing_is_spent_on_a_named_terminal_that_is_not_there(error, alive, ramp):
    ramp.orchestrator.alive = alive
    ramp.orchestrator.fails |= {"screen": error} if error is not None else {}
    found = ramp.dispatch(terminal="term_9", worktree=None)
    assert (found.code, ramp.outcomes) == (DispatchCode.NOT_STARTED, {"request": "failed"})
    assert (ramp.rows, ramp.orchestrator.methods, found.clean_up) == ([], [], ())


def test_a_terminal_that_is_gone_when_the_task_is_to_be_typed_is_not_left_to_end(ramp):
    ramp.orchestrator.fails["inject"] = refused("terminal_gone")
    ramp.orchestrator.known = None
    found = ramp.dispatch()
    assert (found.code, f"end {TERMINAL}" in found.clean_up) == (DispatchCode.NOT_STARTED, False)


@pytest.mark.parametrize(
    ("method", "code"),
    [
        ("create_task", DispatchCode.NOT_STARTED),
        ("screen", DispatchCode.NOT_STARTED),
        ("inject", DispatchCode.UNREGISTERED),
        ("dispatch_of", DispatchCode.UNREGISTERED),
    ],
)
@pytest.mark.parametrize("error", [KeyboardInterrupt(), ZeroDivisionError("x")])
def test_an_interruption_or_a_fault_ends_it_with_what_was_made(ramp, method, code, error):
    ramp.orchestrator.fails[method] = error
    found = ramp.dispatch()
    assert found.code is code
    assert bool(found.clean_up)
    assert {"create_task": "task", "screen": "terminal"}.get(method, "") in {"", *ramp.outcomes}
    unused = [row for row in ramp.rows if row.get("kind") == "not_started"]
    assert bool(unused) is (code is DispatchCode.NOT_STARTED)


def test_a_fault_before_anything_is_spent_denies(ramp):
    def broken(*_, **__):
        raise ZeroDivisionError

    class Broken:
        def __getattr__(self, _):
            return broken

    ramp.gates[Stage.DISPATCH] = Broken()
    found = ramp.dispatch()
    assert (found.code, ramp.rows, ramp.orchestrator.calls) == (DispatchCode.DENIED, [], [])


@pytest.mark.acceptance("C28")
def test_every_decision_is_among_what_is_given_back(ramp):
    found = ramp.dispatch().to_dict()
    decisions = [step["decision"] for step in found["steps"] if "decision" in step]
    assert [decision["stage"] for decision in decisions] == ["dispatch", "check", "check", "register", "deliver"]
    assert all(decision["allow"] for decision in decisions)
    assert [decision["contract_sha"] for decision in decisions[1:3]] == [found["contract_sha"]] * 2


def test_a_start_that_failed_takes_no_ticket_that_another_check_of_the_contract_waits_with(ramp):
    ramp.orchestrator.on["open_terminal"] = ramp.check
    ramp.orchestrator.fails["open_terminal"] = refused()
    sha = ramp.dispatch().made.contract_sha
    with ramp.ledger.reading() as look:
        assert (len(look.tickets()), len(look.pending(sha, "codex"))) == (1, 1)


STRICT = """
gatewright: 1
policy: strict
stage: deliver
rules:
  - {use: open-question, level: LEVEL}
  - use: used-up-limit
  - use: worker-alive
  - {use: start-evidence, level: deny}
"""


def strict(level="deny"):
    return Gate(load(STRICT.replace("LEVEL", level).encode(), "strict.yaml", BUILT_IN, {}), BUILT_IN)


def test_a_policy_that_denies_doubtful_deliveries_lets_a_clear_one_begin(ramp):
    ramp.gates[Stage.DELIVER] = strict()
    assert ramp.dispatch(runtime="cursor").code is DispatchCode.DONE


@pytest.mark.parametrize(
    ("screens", "code"),
    [
        ([PROMPT, PROMPT, PROMPT, BUSY], DispatchCode.DONE),
        ([PROMPT], DispatchCode.UNDELIVERED),
    ],
)
def test_a_policy_that_denies_doubtful_deliveries_denies_after_the_last_look_and_not_before(ramp, screens, code):
    ramp.gates[Stage.DELIVER] = strict()
    ramp.orchestrator.screens = screens
    assert ramp.dispatch(runtime="cursor").code is code


def test_a_policy_that_only_warns_of_questions_goes_on(ramp):
    ramp.gates[Stage.DELIVER] = strict("warn")
    ramp.orchestrator.screens = [TRUST, TRUST, BUSY]
    assert injections(ramp) == 0
    assert ramp.dispatch(runtime="cursor").code is DispatchCode.UNDELIVERED
    assert injections(ramp) == 1
