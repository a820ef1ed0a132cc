"""Asking the orchestrator for a dispatch: the one look at it that is no word of the worker's or its starter's.

`look_up` asks Orca, the one orchestrator so far; what it answers is the same for any.
"""

import json
import shutil
import sys
from collections.abc import Mapping

from gatewright.model import Orchestration
from gatewright.probes.commands import SECONDS, End, Ran, run

_ENDED = ("failed", "circuit_broken")  #: what a dispatch is that the orchestrator has given up


def look_up(task: str | None, job_id: str, environ: Mapping[str, str], *, seconds: float = SECONDS) -> Orchestration:
    """What the orchestrator knows of a task, and whether it runs as this very job."""
    if not task:
        return _failure("task_omitted", "no orchestration task is given")
    program = orca(environ)
    ran = run([program, "orchestration", "dispatch-show", "--task", task, "--json"], seconds=seconds, environ=environ)
    if ran.end is End.NOT_STARTED:
        return _failure("orca_missing", f"`{program}` cannot be started: {ran.problem}")
    if ran.end is End.TIMED_OUT:
        return _failure("probe_timeout", f"`{program}` did not answer within {seconds:g} s")
    return _read(ran, task, job_id)


def orca(environ: Mapping[str, str]) -> str:
    """The program of Orca's command line: outside its terminals `orca` may be a screen reader on Linux."""
    named = environ.get("ORCA_CLI_COMMAND")
    if named:
        return named
    if environ.get("ORCA_DEV_REPO_ROOT"):
        return "orca-dev"
    outside = sys.platform == "linux" and not environ.get("ORCA_TERMINAL_HANDLE")
    return "orca-ide" if outside and shutil.which("orca-ide", path=environ.get("PATH")) else "orca"


def _read(ran: Ran, task: str, job_id: str) -> Orchestration:
    """The answer in what the program printed: it answers in JSON whatever its exit status says."""
    try:
        answer = json.loads(ran.output)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        if ran.succeeded:
            return _failure("probe_unparseable", "the answer is no JSON object")
        return _failure("task_not_found", f"the orchestrator exited with {ran.status}")
    if answer.get("ok") is not True or not ran.succeeded:
        return _refused(answer, ran)
    result = answer.get("result")
    if not isinstance(result, dict):
        return _failure("probe_unparseable", "the answer has no result")
    dispatch = result.get("dispatch")
    if not isinstance(dispatch, dict):
        return _failure("task_not_found", f"task `{task}` was not dispatched")
    return _compared(dispatch, task, job_id)


def _refused(answer: Mapping[str, object], ran: Ran) -> Orchestration:
    error = answer.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    if code == "runtime_unavailable":
        return _failure("orca_missing", "the orchestrator is not running")
    return _failure("task_not_found", f"the orchestrator answered {code or f'with exit status {ran.status}'}")


def _compared(dispatch: Mapping[str, object], task: str, job_id: str) -> Orchestration:
    found, of_task, status = dispatch.get("id"), dispatch.get("task_id"), dispatch.get("status")
    if not isinstance(found, str):
        return _failure("probe_unparseable", "the dispatch has no id")
    if found != job_id:
        return _failure("dispatch_mismatch", f"task `{task}` runs as dispatch `{found}`")
    if of_task is not None and of_task != task:
        return _failure("dispatch_mismatch", f"dispatch `{found}` belongs to task `{of_task}`")
    if status in _ENDED:
        return _failure("dispatch_not_active", f"dispatch `{found}` is {status}, and its worker may still be running")
    return Orchestration(required=True)


def _failure(failure: str, detail: str) -> Orchestration:
    return Orchestration(required=True, failure=failure, detail=detail)
