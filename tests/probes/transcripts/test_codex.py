"""Codex's rollouts: turns, reroutes, forks, and sessions that are not the worker's."""

import pytest
from tests.probes.transcripts.sessions import TABLE, meta, turn, warning, write

from gatewright.model.measurements import Agreement, Discord, Grade, Measurement
from gatewright.probes.transcripts.codex import made_at
from gatewright.probes.transcripts.measuring import measure
from gatewright.probes.transcripts.places import Sought

DEAR, MID, CHEAP = "gpt-6-sol", "gpt-5.5", "gpt-6-luna"
#: Ids of turns that were made at 07:59:00 and 08:00:30 on the day of the sessions.
BEFORE, AFTER = "01a1f7f7-45a0-7000-8000-0000000000aa", "01a1f7f8-a530-7000-8000-0000000000aa"
BEGAN = "2026-11-20T08:00:00Z"


def measured(tmp_path, *rows, declared=MID) -> Measurement:
    file = write(tmp_path / "rollout-1.jsonl", *rows)
    return measure(Sought(transcript=file, runtime="codex"), declared=declared, table=TABLE)


@pytest.mark.acceptance("M13")
def test_the_last_turn_is_measured_and_the_grade_says_that_it_was_only_set(tmp_path):
    found = measured(tmp_path, meta(), turn(MID, "a"), turn(CHEAP, "b"), declared=CHEAP)
    assert (found.measured, found.grade, found.seen.models) == (CHEAP, Grade.CONFIGURED, {MID: 1, CHEAP: 1})
    assert (found.verified, found.reason) == (False, Discord.ESCALATION)


@pytest.mark.parametrize(("turn_id", "turns"), [("a", 1), (None, 2)])
def test_a_turn_that_goes_on_counts_once_where_it_has_an_id(tmp_path, turn_id, turns):
    assert measured(tmp_path, meta(), turn(MID, turn_id), turn(MID, turn_id)).seen.models == {MID: turns}


@pytest.mark.acceptance("MP-X01")
def test_the_provider_of_a_session_is_no_model(tmp_path):
    found = measured(tmp_path, meta())
    assert (found.measured, found.reason) == (None, Discord.UNVERIFIED)
    assert found.problem == "there is no answer in it yet"


@pytest.mark.acceptance("MP-X03")
@pytest.mark.parametrize(
    "told",
    [
        warning("Your account was flagged and this request was routed to gpt-5.2 as a fallback."),
        warning("model rerouted: gpt-5.5 -> gpt-5.2"),
        warning("The model is not available. Falling back to `gpt-5.2`."),
        {"type": "event_msg", "payload": {"type": "model_reroute", "from_model": MID, "to_model": "gpt-5.2"}},
    ],
)
def test_a_turn_that_was_rerouted_is_the_other_models(tmp_path, told):
    found = measured(tmp_path, meta(), turn(MID, "a"), told)
    assert (found.measured, found.seen.models, found.seen.requested) == ("gpt-5.2", {"gpt-5.2": 1}, {MID: 1})
    assert (found.reason, found.notes) == (Discord.MISMATCH, (f"set to {MID}, rerouted to gpt-5.2: 1",))


@pytest.mark.acceptance("MP-X12")
@pytest.mark.parametrize(
    "told",
    [
        "Model metadata for `gpt-5.5` not found. Defaulting to fallback metadata.",
        "Falling back to HTTP/1.1",
        "This session was recorded with `gpt-6-sol`. Consider switching back to `gpt-6-sol`.",
        "routed to another model",
    ],
)
def test_a_warning_of_something_else_moves_no_turn(tmp_path, told):
    assert measured(tmp_path, meta(), turn(MID, "a"), warning(told)).verified is True


def test_a_reroute_is_of_its_own_turn(tmp_path):
    found = measured(tmp_path, meta(), turn(MID, "a"), warning("routed to gpt-5.2 now"), turn(MID, "b"))
    assert (found.measured, found.seen.models, found.verified) == (MID, {"gpt-5.2": 1, MID: 1}, False)


@pytest.mark.parametrize(
    ("turn_id", "epoch"),
    [(BEFORE, 1795161540.0), (AFTER, 1795161630.0), ("x", None), ("z" * 32, None), (None, None)],
)
def test_the_time_of_a_turn_is_in_its_id(turn_id, epoch):
    assert made_at(turn_id) == epoch


@pytest.mark.acceptance("MP-X06")
@pytest.mark.parametrize("header", [{"forked_from_id": "s-0"}, {}])
def test_the_turns_of_a_parent_that_a_fork_has_copied_are_not_its_own(tmp_path, header):
    rows = [meta(at=BEGAN, **header), meta("s-0", at=BEGAN), turn(DEAR, BEFORE, at=BEGAN), turn(MID, AFTER, at=BEGAN)]
    found = measured(tmp_path, *rows)
    assert (found.seen.models, found.verified, found.seen.session) == ({MID: 1}, True, "s-1")
    assert found.notes == ("1 turns are copies of another session and do not count",)


def test_where_the_ids_of_turns_hold_no_time_the_moment_of_the_fork_tells_copies(tmp_path):
    rows = [meta(forked_from_id="s-0"), turn(DEAR, "t1", at="2026-11-20T08:00:00Z"), turn(MID, "t2")]
    assert measured(tmp_path, *rows).seen.models == {MID: 1}


def test_a_session_that_was_taken_up_again_counts_whole(tmp_path):
    assert measured(tmp_path, meta(at=BEGAN), turn(MID, BEFORE), turn(MID, AFTER)).seen.models == {MID: 2}


@pytest.mark.acceptance("MP-X08")
@pytest.mark.parametrize("more", [{"source": {"subagent": {"other": "guardian"}}}, {"thread_source": "subagent"}])
def test_a_newer_session_of_a_reviewer_or_sub_agent_is_not_the_workers(tmp_path, more):
    write(tmp_path / "rollout-1.jsonl", meta(), turn(MID, "a"))
    write(tmp_path / "rollout-2.jsonl", meta("s-2", **more), turn("codex-auto-review", "b"))
    found = measure(Sought(glob=f"{tmp_path}/rollout-*.jsonl", runtime="codex"), declared=MID, table=TABLE)
    assert (found.measured, found.verified) == (MID, True)
    assert found.transcript == f"{tmp_path}/rollout-1.jsonl"


@pytest.mark.acceptance("M12")
def test_a_sub_agent_counts_with_the_session_that_started_it(tmp_path):
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": "s-1", "depth": 1}}}
    other = {"subagent": {"thread_spawn": {"parent_thread_id": "s-9", "depth": 1}}}
    write(tmp_path / "rollout-2.jsonl", meta("s-2", source=spawned), turn(DEAR, "b"))
    write(tmp_path / "rollout-3.jsonl", meta("s-3", source=other), turn(CHEAP, "c"))
    found = measured(tmp_path, meta(), turn(MID, "a"))
    assert (found.seen.subagents, found.judged, found.reason) == ({DEAR: 1}, DEAR, Discord.ESCALATION)


@pytest.mark.acceptance("M12")
def test_a_sub_agent_that_began_on_another_day_counts_too(tmp_path):
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": "s-1"}}}
    write(tmp_path / "2026" / "12" / "01" / "rollout-2.jsonl", meta("s-2", source=spawned), turn(DEAR, "b"))
    file = write(tmp_path / "2026" / "11" / "30" / "rollout-1.jsonl", meta(), turn(MID, "a"))
    assert measure(Sought(transcript=file), table=TABLE).seen.subagents == {DEAR: 1}


def test_a_spent_limit_is_told(tmp_path):
    ended = {"type": "task_complete", "error": {"codex_error_info": "usage_limit_exceeded"}}
    found = measured(tmp_path, meta(), turn(MID, "a"), {"type": "event_msg", "payload": ended})
    assert (found.agreement, found.notes) == (Agreement.OK, ("not answered, usage_limit_exceeded: 1",))


@pytest.mark.acceptance("MP-X10")
def test_a_header_of_any_length_is_read_past(tmp_path):
    long = meta(base_instructions={"text": "i" * 200_000})
    assert measured(tmp_path, long, turn(MID, "a")).verified is True
