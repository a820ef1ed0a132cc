"""Transcripts of no known format, and of agents that write no model."""

import pytest
from tests.probes.transcripts.sessions import NEWEST, TABLE, write

from gatewright.model.measurements import Agreement, Grade
from gatewright.probes.transcripts.measuring import measure
from gatewright.probes.transcripts.places import Sought


@pytest.mark.parametrize(
    "row",
    [
        {"role": "assistant", "model": NEWEST},
        {"type": "assistant", "model": NEWEST},
        {"role": "assistant", "message": {"model": NEWEST}},
        {"type": "message", "message": {"role": "assistant", "model": NEWEST}},
        {"type": "event", "item": {"type": "assistant", "model": NEWEST}},
        {"type": "assistant", "payload": {"model": NEWEST}},
        {"type": "assistant", "response": {"model": f" {NEWEST} "}},
    ],
)
def test_a_model_is_read_from_an_assistants_row_or_one_level_below(tmp_path, row):
    found = measure(Sought(transcript=write(tmp_path / "t.jsonl", row)), declared=NEWEST, table=TABLE)
    assert (found.measured, found.verified, found.grade) == (NEWEST, True, Grade.CONFIGURED)


@pytest.mark.parametrize(
    "row",
    [
        {"role": "user", "model": NEWEST},
        {"role": "assistant", "data": {"model": NEWEST}},
        {"role": "assistant", "message": {"body": {"model": NEWEST}}},
        {"role": "assistant", "message": f'{{"model": "{NEWEST}"}}'},
        {"role": "assistant", "model": "x" * 201},
    ],
)
def test_elsewhere_a_model_is_none(tmp_path, row):
    assert measure(Sought(transcript=write(tmp_path / "t.jsonl", row)), declared=NEWEST).measured is None


@pytest.mark.acceptance("M07")
def test_an_agent_that_writes_no_model_is_not_measured_and_never_passes(tmp_path):
    rows = [{"role": "user", "message": {"content": []}}, {"role": "assistant", "message": {"content": []}}]
    sought = Sought(transcript=write(tmp_path / "t.jsonl", *rows), runtime="cursor")
    found = measure(sought, declared=NEWEST, table=TABLE)
    assert (found.agreement, found.grade, found.judged) == (Agreement.UNVERIFIED, Grade.UNAVAILABLE, None)
    assert found.problem == "no answer in it names a model: <missing>=1"


def test_very_many_models_take_bounded_room_and_none_is_lost_to_the_verdict(tmp_path):
    rows = [{"role": "assistant", "model": f"m-{at}"} for at in range(1500)]
    found = measure(Sought(transcript=write(tmp_path / "t.jsonl", *rows)), declared="m-0", table=TABLE)
    assert (len(found.seen.models), found.seen.models["<others>"], found.measured) == (1001, 500, "m-1499")
    assert found.agreement is Agreement.DRIFT
