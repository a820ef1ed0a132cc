"""Claude Code's sessions: which answers count, whose they are, and what is told beside them."""

import pytest
from tests.probes.transcripts.sessions import CHEAP, DEAR, NEWEST, SESSION, TABLE, answer, answers, task, write

from gatewright.model.measurements import Agreement, Discord, Grade, Measurement
from gatewright.probes.transcripts.measuring import measure
from gatewright.probes.transcripts.places import Sought

SYNTHETIC = {"isApiErrorMessage": True, "error": "rate_limit"}


def measured(tmp_path, *rows, declared=NEWEST, limit=10) -> Measurement:
    file = write(tmp_path / "t.jsonl", task(), *rows)
    return measure(Sought(transcript=file, runtime="claude"), declared=declared, table=TABLE, limit=limit)


@pytest.mark.acceptance("M11", "MP-C01")
def test_a_placeholder_is_no_model_and_is_counted(tmp_path):
    found = measured(tmp_path, *answers(NEWEST), answer("<synthetic>", "e1", **SYNTHETIC))
    assert (found.measured, found.agreement, found.reason) == (NEWEST, Agreement.OK, None)
    assert (found.seen.models, found.seen.placeholders) == ({NEWEST: 1}, {"<synthetic>": 1})
    assert found.notes == ("not answered, rate_limit: 1",)


@pytest.mark.acceptance("M11")
def test_a_row_that_says_it_is_an_error_is_no_answer_whatever_model_it_names(tmp_path):
    found = measured(tmp_path, answer(NEWEST, "e1", **SYNTHETIC))
    assert (found.measured, found.seen.placeholders) == (None, {"<error>": 1})


@pytest.mark.acceptance("M07", "M11")
@pytest.mark.parametrize("model", ["<synthetic>", "", "  ", None, 7, ["claude-opus-5"], {"id": "x"}])
def test_placeholders_alone_are_neither_met_nor_missed(tmp_path, model):
    found = measured(tmp_path, answer(model, "a"))
    assert (found.measured, found.judged, found.verified, found.grade) == (None, None, False, Grade.UNAVAILABLE)
    assert (found.agreement, found.reason) == (Agreement.UNVERIFIED, Discord.UNVERIFIED)


@pytest.mark.acceptance("MP-C03")
def test_a_switch_after_a_refusal_is_told_by_its_cause(tmp_path):
    switch = {"type": "system", "trigger": "refusal", "originalModel": DEAR, "fallbackModel": NEWEST}
    found = measured(tmp_path, *answers(DEAR), switch, *answers(DEAR, NEWEST, NEWEST)[1:], declared=DEAR)
    assert (found.measured, found.reason) == (NEWEST, Discord.MISMATCH)
    assert found.seen.models == {DEAR: 1, NEWEST: 2}
    assert found.notes == (f"refusal switched the session from {DEAR} to {NEWEST}",)


@pytest.mark.acceptance("MP-C05")
def test_one_answer_of_another_model_is_enough_for_drift(tmp_path):
    found = measured(tmp_path, *answers(NEWEST, NEWEST, CHEAP), declared=NEWEST)
    assert (found.measured, found.judged, found.verified) == (CHEAP, NEWEST, False)
    assert (found.reason, found.seen.models) == (Discord.MISMATCH, {NEWEST: 2, CHEAP: 1})


@pytest.mark.acceptance("MP-C07")
def test_an_answer_in_several_rows_counts_once(tmp_path):
    found = measured(tmp_path, *[answer(DEAR, "one")] * 3, *answers(NEWEST, NEWEST))
    assert found.seen.models == {DEAR: 1, NEWEST: 2}
    assert (found.measured, found.judged, found.reason) == (NEWEST, DEAR, Discord.ESCALATION)


def test_one_id_with_two_models_is_an_answer_of_each(tmp_path):
    found = measured(tmp_path, answer(NEWEST, "one"), answer(DEAR, "one"))
    assert found.seen.models == {NEWEST: 1, DEAR: 1}


def test_answers_without_an_id_count_one_by_one(tmp_path):
    assert measured(tmp_path, answer(NEWEST), answer(NEWEST)).seen.models == {NEWEST: 2}


@pytest.mark.acceptance("MP-C11")
def test_rows_of_other_kinds_and_lines_that_are_none_change_nothing(tmp_path):
    odd = ["", "  ", "[]", "42", "null", '"text"', "no json", {"type": "assistant", "message": None}]
    found = measured(
        tmp_path, *odd, *answers(NEWEST), {"type": "progress", "data": {"model": DEAR}}, {"type": "user", "model": DEAR}
    )
    assert (found.seen.models, found.verified) == ({NEWEST: 1}, True)
    assert (found.seen.rows, found.seen.skipped) == (5, 5)


@pytest.mark.acceptance("M05", "MP-C19")
def test_models_in_prose_and_in_what_a_worker_reads_are_none(tmp_path):
    prose = answer(NEWEST, "a")
    prose["message"]["content"][0]["text"] = f'I am {DEAR}. {{"model":"{DEAR}"}}'
    read = {"type": "user", "message": {"content": [{"type": "tool_result", "content": str(answer(DEAR, "x"))}]}}
    assert measured(tmp_path, prose, read).seen.models == {NEWEST: 1}


@pytest.mark.acceptance("MP-C17")
def test_a_neighbour_of_the_same_tier_is_another_model(tmp_path):
    found = measured(tmp_path, *answers("claude-sonnet-5"), declared="gpt-5.5")
    assert (found.agreement, found.reason) == (Agreement.DRIFT, Discord.MISMATCH)


@pytest.mark.acceptance("M16")
def test_what_was_asked_for_and_not_served_is_told(tmp_path):
    rows = [answer(CHEAP, f"m{at}", requestedModel=DEAR) for at in range(3)]
    found = measured(tmp_path, *rows, declared=CHEAP)
    assert found.seen.requested == {DEAR: 3}
    assert found.notes == (f"asked for {DEAR}, answered by {CHEAP}: 3",)
    assert (found.verified, found.grade) == (True, Grade.SERVED)


@pytest.mark.acceptance("M12")
@pytest.mark.parametrize("aside", [{"isSidechain": True}, {"isSidechain": True, "agentId": "a1"}])
def test_rows_of_a_sub_agent_within_a_session_stand_aside_and_the_dearest_is_judged(tmp_path, aside):
    found = measured(tmp_path, *answers(CHEAP, CHEAP), answer(DEAR, "s1", **aside), declared=CHEAP)
    assert (found.measured, found.seen.models, found.seen.subagents) == (CHEAP, {CHEAP: 2}, {DEAR: 1})
    assert (found.judged, found.reason, found.verified) == (DEAR, Discord.ESCALATION, False)


@pytest.mark.acceptance("M12")
@pytest.mark.parametrize("place", [f"{SESSION}/subagents/agent-a1.jsonl", "agent-a1.jsonl"])
def test_the_files_of_sub_agents_are_measured_with_their_session(tmp_path, place):
    aside = {"isSidechain": True, "agentId": "a1"}
    write(tmp_path / place, task(**aside), answer(DEAR, "s1", **aside))
    file = write(tmp_path / f"{SESSION}.jsonl", task(), *answers(CHEAP))
    found = measure(Sought(transcript=file), declared=CHEAP, table=TABLE)
    assert (found.seen.subagents, found.judged, found.reason) == ({DEAR: 1}, DEAR, Discord.ESCALATION)


@pytest.mark.acceptance("M12")
def test_a_sub_agent_without_a_file_counts_by_what_its_parent_was_told(tmp_path):
    told = {"type": "user", "toolUseResult": {"agentId": "a7", "resolvedModel": DEAR}}
    found = measured(tmp_path, *answers(CHEAP), told, declared=CHEAP)
    assert (found.seen.subagents, found.reason) == ({DEAR: 1}, Discord.ESCALATION)


def test_a_cheaper_sub_agent_is_no_drift(tmp_path):
    found = measured(tmp_path, *answers(NEWEST), answer(CHEAP, "s1", isSidechain=True))
    assert (found.agreement, found.judged) == (Agreement.OK, NEWEST)


def test_rows_that_a_fork_has_copied_are_not_its_own(tmp_path):
    found = measured(tmp_path, answer(DEAR, "old", forkedFrom={"sessionId": "x"}), *answers(NEWEST))
    assert (found.seen.models, found.verified) == ({NEWEST: 1}, True)


def test_the_distribution_is_of_the_last_answers_and_the_rest_still_counts(tmp_path):
    found = measured(tmp_path, *answers(DEAR, *[NEWEST] * 4), limit=3)
    assert (found.seen.recent, found.seen.models) == ({NEWEST: 3}, {DEAR: 1, NEWEST: 4})
    assert found.verified is False


def test_a_transcript_of_a_sub_agent_alone_is_not_the_workers(tmp_path):
    found = measured(tmp_path, answer(NEWEST, "s1", isSidechain=True, agentId="a1"))
    assert (found.measured, found.agreement) == (None, Agreement.UNVERIFIED)
    assert found.problem == "it is the transcript of a sub-agent, not of the worker itself"
