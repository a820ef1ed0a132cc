"""Measuring a worker's model by an operator's command, which prints it on its last line.

The line is the model's id, or one JSON object: `measured`, and where the command knows them `judged`, `models_seen` and
`grade`. What a plain id rests on is not said, so its grade is the weaker one, `configured`.

`gatewright probe model` is such a command, in both of its forms. That it exits with a status of its own where it has
found another model than expected, or none, is what it has found, and no failure.
"""

import json
import re
from collections.abc import Mapping, Sequence

from gatewright.model import MeasuredModel
from gatewright.model.exits import ProbeCode
from gatewright.model.measurements import Agreement
from gatewright.probes.commands import SECONDS, End, Ran, run

_HEADLINE = re.compile(r"MODEL-PROBE (OK|DRIFT|INFO|UNVERIFIED)\b")
_NAMED = re.compile(r"(measured|judged|grade|models) +(.+)")
_STATUS = {Agreement.DRIFT: ProbeCode.DRIFT, Agreement.UNVERIFIED: ProbeCode.UNVERIFIED}
_MAX_ID = 200  #: characters; a longer line is no id, and no row of the ledger should hold it


def measure(command: str | None, *, seconds: float = SECONDS) -> MeasuredModel:
    """Run the probe of a model, if there is one."""
    if not command:
        return MeasuredModel()
    ran = run(command, seconds=seconds)
    lines = [line.strip() for line in ran.output.splitlines() if line.strip()]
    told = _told(lines)
    if not ran.succeeded and (ran.end is not End.EXITED or told is None or ran.status != _STATUS.get(told)):
        return _failed(_why(ran, seconds))
    if not lines:
        return _failed("it printed nothing")
    if told is None or lines[-1].startswith("{"):
        return measured_in(lines[-1])
    named = {found[1]: found[2] for line in reversed(lines) if (found := _NAMED.match(line))}
    is_whole = "measured" in named or told is Agreement.UNVERIFIED or _HEADLINE.match(lines[-1]) is not None
    return _measured_in_text(named) if is_whole else measured_in(lines[-1])


def _told(lines: Sequence[str]) -> Agreement | None:
    """What `gatewright probe model` says on its first line, or in its JSON; None where it was another command."""
    found = next((match for line in lines if (match := _HEADLINE.match(line))), None)
    if found is not None:
        return Agreement(found[1])
    object_ = _object(lines[-1]) if lines else None
    word = object_.get("agreement") if object_ else None
    return next((each for each in Agreement if each.value == word), None)


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
    found = _object(line)
    if found is None:
        return _failed("its last line starts as a JSON object and is none")
    measured = _id(found.get("measured"))
    seen = found.get("models_seen")
    models = tuple(name for each in seen if (name := _id(each))) if isinstance(seen, dict | list) else ()
    return MeasuredModel(
        measured=measured,
        judged=_id(found.get("judged")),
        models=models,
        grade=_grade(measured, found.get("grade")),
        probe_given=True,
    )


def _measured_in_text(told: Mapping[str, str]) -> MeasuredModel:
    """The measurement that the named lines of `gatewright probe model` tell."""
    measured = _id(told.get("measured"))
    models = tuple(name for each in told.get("models", "").split(", ") if (name := _id(each.rpartition("=")[0])))
    return MeasuredModel(
        measured=measured,
        judged=_id(told.get("judged")) or measured,
        models=models,
        grade=_grade(measured, told.get("grade")),
        probe_given=True,
    )


def _object(line: str) -> dict[str, object] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _grade(measured: str | None, told: object) -> str:
    if measured is None:
        return "unavailable"
    return "served" if told == "served" else "configured"


def _id(value: object) -> str | None:
    """A model's id; None for what is none, such as the `<synthetic>` of transcripts in which no model answered."""
    text = value.strip() if isinstance(value, str) else ""
    return text if text and len(text) <= _MAX_ID and not (text.startswith("<") and text.endswith(">")) else None
