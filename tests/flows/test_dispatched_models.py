"""The model of a dispatched worker is measured where its transcript is its own, and unavailable everywhere else."""

import pytest
from tests.flows.ramps import PROMPT, SPEC, TRUST

from gatewright.flows.dispatching.desk import MODEL_SECONDS
from gatewright.model.exits import DispatchCode

CLAUDE = {"runtime": "claude", "model": "claude-sonnet-5"}
TABLE = {
    "version": 2,
    "tier_order": ["top", "low"],
    "tiers": {"top": ["claude-opus-5"], "low": ["claude-sonnet-5", "gpt-5.5"]},
    "fanout_caps": {},
}


@pytest.fixture(autouse=True)
def ranked(ramp):
    ramp.table(TABLE)


@pytest.mark.acceptance("W11", "M06")
def test_a_transcript_of_the_worktree_verifies_the_model(ramp):
    ramp.orchestrator.on["inject"] = lambda: ramp.writes("claude-sonnet-5")
    found = ramp.dispatch(**CLAUDE)
    assert (found.code, found.made.model_verified) == (DispatchCode.DONE, True)
    assert "model=claude-sonnet-5 (served, verified; transcript by worktree)" in ramp.step("register")
    assert (ramp.rows[1]["model_measured"], ramp.rows[1]["model_verified"]) == ("claude-sonnet-5", True)


@pytest.mark.acceptance("W11")
def test_a_dearer_model_than_the_declared_one_ends_with_4(ramp):
    ramp.orchestrator.on["inject"] = lambda: ramp.writes("claude-opus-5")
    found = ramp.dispatch(**CLAUDE)
    assert (found.code, found.made.registered) == (DispatchCode.UNREGISTERED, False)
    assert "MODEL_TIER_ESCALATION" in ramp.step("register")


def test_another_model_of_the_same_tier_is_told(ramp):
    ramp.orchestrator.on["inject"] = lambda: ramp.writes("gpt-5.5")
    found = ramp.dispatch(**CLAUDE)
    assert (found.code, found.made.model_verified) == (DispatchCode.DONE, False)
    assert "MODEL_MISMATCH" in ramp.step("register")


def test_an_answer_that_comes_late_is_waited_for(ramp):
    """The transcript is not there yet when the task has just been typed in."""
    then = []

    def looked():
        then.append(ramp.clock.wall())
        if len(then) == 9:
            ramp.writes("claude-sonnet-5")

    ramp.orchestrator.on["screen"] = looked
    assert ramp.dispatch(**CLAUDE).made.model_verified
    assert 6 <= then[-1] - then[0] <= MODEL_SECONDS


@pytest.mark.acceptance("M07", "W31")
def test_an_answer_that_never_comes_is_no_pass(ramp):
    ramp.orchestrator.screens = [PROMPT]
    found = ramp.dispatch(**CLAUDE)
    assert (found.code, found.made.registered, found.made.model_verified) == (DispatchCode.DONE, True, False)
    assert "model=unavailable" in ramp.step("register")
    assert "MODEL_UNVERIFIED" in ramp.step("register")


def test_nothing_is_waited_for_behind_a_question(ramp):
    ramp.orchestrator.screens = [PROMPT, TRUST]
    sent = []
    ramp.orchestrator.on["inject"] = lambda: sent.append(ramp.clock.wall())
    assert ramp.dispatch(**CLAUDE).code is DispatchCode.UNDELIVERED
    assert [ramp.clock.wall()] == sent


@pytest.mark.acceptance("M06", "M07", "W31")
@pytest.mark.parametrize("runtime", ["cursor", "grok", "own"])
def test_a_runtime_whose_transcripts_say_nothing_of_their_worker_is_not_measured(ramp, runtime):
    ramp.orchestrator.on["inject"] = lambda: ramp.writes("some-model")
    found = ramp.dispatch(runtime=runtime, model="some-model")
    assert (found.code, found.made.model_verified) == (DispatchCode.DONE, False)
    assert "model=unavailable: no transcript can be told to be this worker's" in ramp.step("register")
    assert ramp.rows[1]["model_verified"] is False


@pytest.mark.acceptance("M06", "M07")
def test_a_terminal_that_was_open_before_is_not_measured_by_its_worktree(ramp):
    ramp.writes("claude-sonnet-5", ago=60)
    found = ramp.dispatch(**CLAUDE, terminal="term_9")
    assert (found.code, found.made.model_verified) == (DispatchCode.DONE, False)
    assert "model=unavailable" in ramp.step("register")


@pytest.mark.acceptance("M15")
def test_a_session_that_began_before_the_terminal_is_not_the_workers(ramp):
    ramp.writes("claude-sonnet-5", ago=3600)
    assert not ramp.dispatch(**CLAUDE).made.model_verified


@pytest.mark.acceptance("M08")
def test_a_pattern_of_the_callers_is_recorded_as_the_callers(ramp):
    ramp.orchestrator.on["inject"] = lambda: ramp.writes("some-model")
    found = ramp.dispatch(runtime="own", model="some-model", transcript_glob=f"{ramp.home}/.claude/projects/*/*.jsonl")
    assert found.made.model_verified
    assert "transcript by caller glob" in ramp.step("register")


@pytest.mark.acceptance("D18")
def test_the_task_in_the_workers_own_transcript_shows_what_the_screens_do_not(ramp):
    ramp.orchestrator.screens = [PROMPT]
    ramp.orchestrator.on["inject"] = lambda: ramp.writes("claude-sonnet-5")
    found = ramp.dispatch(**CLAUDE)
    assert found.made.delivery == "agent-started"
    assert "shown by the transcript" in ramp.step("delivery")


@pytest.mark.acceptance("D18")
@pytest.mark.parametrize(
    ("spec", "told"), [(SPEC, "another task altogether, and a long one"), ("short", "short"), (SPEC, SPEC[:30])]
)
def test_other_words_than_the_task_and_a_task_of_too_few_show_nothing(ramp, spec, told):
    ramp.orchestrator.screens = [PROMPT]
    ramp.orchestrator.on["inject"] = lambda: ramp.writes("claude-sonnet-5", told=told)
    assert ramp.dispatch(**CLAUDE, spec=spec).made.delivery == "unknown"
