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


@pytest.mark.parametrize("command", [None, ""])
def test_no_probe_is_no_failure(command):
    assert measure(command) == MeasuredModel()


@pytest.mark.acceptance("R31")
def test_the_last_line_with_text_counts():
    assert measure("printf 'a\\nb\\n \\n\\n'").measured == "b"


def test_of_a_flood_the_last_line_counts():
    assert measure("yes | head -c 3000000; echo; echo gpt-5.5").measured == "gpt-5.5"
