"""Measuring a worker's model by an operator's command, which prints it on its last line.

The line is the model's id, or one JSON object: `measured`, and where the command knows them `judged`, `models_seen` and
`grade`. What a plain id rests on is not said, so its grade is the weaker one, `configured`.
"""

import json

from gatewright.model import MeasuredModel
from gatewright.probes.commands import SECONDS, End, Ran, run

_MAX_ID = 200  #: characters; a longer line is no id, and no row of the ledger should hold it


def measure(command: str | None, *, seconds: float = SECONDS) -> MeasuredModel:
    """Run the probe of a model, if there is one."""
    if not command:
        return MeasuredModel()
    ran = run(command, seconds=seconds)
    if not ran.succeeded:
        return _failed(_why(ran, seconds))
    lines = [line.strip() for line in ran.output.splitlines() if line.strip()]
    return measured_in(lines[-1]) if lines else _failed("it printed nothing")


def _why(ran: Ran, seconds: float) -> str:
    if ran.end is End.TIMED_OUT:
        return f"it was over its {seconds:g} s"
    return f"it could not be started: {ran.problem}" if ran.end is End.NOT_STARTED else f"it exited with {ran.status}"


def _failed(problem: str) -> MeasuredModel:
    return MeasuredModel(probe_given=True, probe_failed=True, problem=problem)


def measured_in(line: str) -> MeasuredModel:
    """The measurement that a line tells."""
    if line.startswith("{"):
        return _measured_in_json(line)
    if len(line) > _MAX_ID:
        return _failed(f"its last line has {len(line)} characters, and no model's id has more than {_MAX_ID}")
    measured = _id(line)
    return MeasuredModel(measured=measured, grade="configured" if measured else "unavailable", probe_given=True)


def _measured_in_json(line: str) -> MeasuredModel:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return _failed("its last line starts as a JSON object and is none")
    measured = _id(found.get("measured"))
    seen = found.get("models_seen")
    models = tuple(name for each in seen if (name := _id(each))) if isinstance(seen, dict | list) else ()
    grade = found.get("grade")
    if measured is None:
        grade = "unavailable"
    elif grade not in ("served", "configured"):
        grade = "configured"
    return MeasuredModel(
        measured=measured, judged=_id(found.get("judged")), models=models, grade=grade, probe_given=True
    )


def _id(value: object) -> str | None:
    """A model's id; None for what is none, such as the `<synthetic>` of transcripts in which no model answered."""
    text = value.strip() if isinstance(value, str) else ""
    return text if text and len(text) <= _MAX_ID and not (text.startswith("<") and text.endswith(">")) else None
