"""What the Orca command answers: one JSON object on standard output, whatever its exit status is."""

import json
from collections.abc import Mapping, Sequence

from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.probes.commands import End, Ran

_MISSING = frozenset(["runtime_unavailable", "incompatible_runtime"])
_NOT_FOUND = frozenset(["task_not_found", "dispatch_not_found"])
_TIMEOUT = frozenset(["timeout", "runtime_timeout"])
_HINTS = {
    "run_required": "bind a run first: `orca orchestration run-create --objective …`, or `run-use --id …`",
    "runtime_unavailable": "start Orca, or name another orchestrator",
    "terminal_handle_stale": "open a new terminal, or look up the handle again",
    "task_not_startable": "see what the task waits for: `orca orchestration task-list`",
    "consumer_fenced": "another reader has taken over the events of this run",
}


def result_of(ran: Ran, argv: Sequence[str]) -> Mapping[str, object]:
    """The result of a call. Raises OrchestratorError for every other answer."""
    name = " ".join(argv[:3])
    if ran.end is End.NOT_STARTED:
        problem, hint = f"`{argv[0]}` cannot be started: {ran.problem}", "install Orca, or name another orchestrator"
        raise OrchestratorError(Trouble.MISSING, problem, hint)
    if ran.end is End.TIMED_OUT:
        raise OrchestratorError(Trouble.TIMEOUT, f"{name}: no answer in time")
    answer = _object(ran.output)
    if answer is None or not isinstance(answer.get("ok"), bool):
        problem = f"{name}: the answer is not one of Orca's JSON objects (status {ran.status})"
        raise OrchestratorError(Trouble.UNPARSEABLE, problem)
    if answer["ok"] is False:
        raise _refusal(answer.get("error"), name)
    result = answer.get("result", ())
    if result is None:
        return {}
    if not isinstance(result, dict):
        raise OrchestratorError(Trouble.UNPARSEABLE, f"{name}: the answer has no result")
    return result


def part(result: Mapping[str, object], key: str) -> Mapping[str, object]:
    """An object within a result; an empty one where there is none."""
    found = result.get(key)
    return found if isinstance(found, dict) else {}


def text(result: Mapping[str, object], key: str) -> str:
    """A text within a result; an empty one where there is none. Half a surrogate pair is none of its characters."""
    found = result.get(key)
    return found.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(found, str) else ""


def _object(data: str) -> Mapping[str, object] | None:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _refusal(error: object, name: str) -> OrchestratorError:
    told = error if isinstance(error, dict) else {}
    code, message = text(told, "code"), text(told, "message")
    steps = part(told, "data").get("nextSteps")
    advised = tuple(step for step in steps if isinstance(step, str)) if isinstance(steps, list) else ()
    problem = f"{name}: {message or 'refused without a reason'}"
    return OrchestratorError(_trouble(code, message), problem, _HINTS.get(code, ""), code=code, steps=advised)


def _trouble(code: str, message: str) -> Trouble:
    if code in _MISSING:
        return Trouble.MISSING
    if code in _NOT_FOUND or "task not found" in message.lower():
        return Trouble.NOT_FOUND
    return Trouble.TIMEOUT if code in _TIMEOUT else Trouble.REFUSED
