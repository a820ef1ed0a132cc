"""What a line says of a worker's model."""

import json

import pytest

from gatewright.model import MeasuredModel
from gatewright.probes.measuring import measure, measured_in


@pytest.mark.acceptance("R39", "R40")
@pytest.mark.parametrize(
    ("line", "measured", "grade"),
    [
        ("gpt-5.5", "gpt-5.5", "configured"),
        ("<synthetic>", None, "unavailable"),
        ("<missing>", None, "unavailable"),
        ("model: gpt-5.5", "model: gpt-5.5", "configured"),
        ('{"measured":"gpt-5.5","grade":"served"}', "gpt-5.5", "served"),
        ('{"measured":" gpt-5.5 "}', "gpt-5.5", "configured"),
        ('{"measured":"<synthetic>","grade":"served"}', None, "unavailable"),
        ('{"measured":null,"grade":"served"}', None, "unavailable"),
        ('{"measured":5}', None, "unavailable"),
        ('{"measured":"gpt-5.5","grade":7}', "gpt-5.5", "configured"),
        ("{}", None, "unavailable"),
    ],
)
def test_a_line_is_an_id_or_an_object(line, measured, grade):
    found = measured_in(line)
    assert (found.measured, found.grade, found.probe_given, found.probe_failed) == (measured, grade, True, False)


@pytest.mark.parametrize("line", ["{", "{'measured': 1}", '{"a":' * 5000, "x" * 201])
def test_a_line_that_is_neither_is_a_failure(line):
    found = measured_in(line)
    assert (found.measured, found.grade, found.probe_failed) == (None, "unavailable", True)
    assert found.problem


def test_everything_that_an_object_tells_is_taken_in():
    told = {"measured": "a", "judged": "b", "models_seen": {"a": 2, "<synthetic>": 1}, "grade": "served", "more": [1]}
    assert measured_in(json.dumps(told)) == MeasuredModel(
        measured="a", judged="b", models=("a",), grade="served", probe_given=True
    )


SAID = {"agreement": "DRIFT", "measured": "a", "judged": "b", "models_seen": {"a": 2, "c": 1}, "grade": "served"}
TOLD = """MODEL-PROBE DRIFT: a=2, c=1; expected z, judged b: MODEL_TIER_ESCALATION
measured     a
judged       b
grade        served
models       a=2, c=1
sub-agents   b=1
transcript   t.jsonl (named)
lines        3 rows, 0 skipped
"""
NOTHING = (
    "MODEL-PROBE UNVERIFIED: there is no answer in it yet\ngrade        unavailable\ntranscript   t.jsonl (named)\n"
)
FOUND = MeasuredModel(measured="a", judged="b", models=("a", "c"), grade="served", probe_given=True)
NONE = MeasuredModel(probe_given=True)


@pytest.mark.parametrize(
    ("said", "status", "found"),
    [
        (json.dumps(SAID), 2, FOUND),
        (json.dumps(SAID | {"agreement": "OK"}), 0, FOUND),
        (json.dumps({"agreement": "UNVERIFIED", "measured": None}), 5, NONE),
        (TOLD, 2, FOUND),
        (TOLD + "b\n", 2, FOUND),
        (TOLD.replace("DRIFT", "OK"), 0, FOUND),
        (NOTHING, 5, NONE),
        ("MODEL-PROBE UNVERIFIED: no file", 5, NONE),
        ("MODEL-PROBE INFO a=1\na", 0, MeasuredModel(measured="a", grade="configured", probe_given=True)),
    ],
)
def test_the_probe_of_models_fails_in_none_of_its_forms_by_what_it_finds(tmp_path, said, status, found):
    (tmp_path / "said").write_text(said)
    assert measure(f"cat '{tmp_path}/said'; exit {status}") == found


@pytest.mark.acceptance("R30")
@pytest.mark.parametrize(
    ("said", "status"),
    [(TOLD, 1), (TOLD, 5), (NOTHING, 2), (json.dumps(SAID), 5), (json.dumps({"agreement": 5}), 5), ("a", 2), ("", 5)],
)
def test_a_status_that_does_not_belong_to_what_was_said_is_a_failure(tmp_path, said, status):
    (tmp_path / "said").write_text(said)
    found = measure(f"cat '{tmp_path}/said'; exit {status}")
    assert (found.measured, found.probe_failed, found.problem) == (None, True, f"it exited with {status}")


@pytest.mark.parametrize("command", [None, ""])
def test_no_probe_is_no_failure(command):
    assert measure(command) == MeasuredModel()


@pytest.mark.acceptance("R31")
def test_the_last_line_with_text_counts():
    assert measure("printf 'a\\nb\\n \\n\\n'").measured == "b"


def test_of_a_flood_the_last_line_counts():
    assert measure("yes | head -c 3000000; echo; echo gpt-5.5").measured == "gpt-5.5"
