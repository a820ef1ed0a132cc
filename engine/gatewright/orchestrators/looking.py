"""Asking an orchestrator for a dispatch: the one look at it that is no word of the worker's or its starter's."""

from collections.abc import Callable

from gatewright.errors import GatewrightError
from gatewright.model import Orchestration
from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.orchestrators.protocol import Dispatch, DispatchStatus, Orchestrator

_ENDED = (DispatchStatus.FAILED, DispatchStatus.CIRCUIT_BROKEN)  #: what the orchestrator has given up


def look_up(make: Callable[[], Orchestrator], task: str, job: str) -> Orchestration:
    """What the orchestrator knows of a task, and whether it runs as this very job. Never raises.

    make: the orchestrator, which is made only when it is asked.
    """
    try:
        found = make().dispatch_of(task)
        return _failure("task_not_found", f"task `{task}` has no dispatch") if found is None else _of(found, task, job)
    except OrchestratorError as error:
        # Who answers and will not tell of a task does not bear it out: for a registration it is not there.
        trouble = Trouble.NOT_FOUND if error.trouble is Trouble.REFUSED else error.trouble
        return _failure(trouble.value, str(error))
    except GatewrightError as error:
        return _failure(Trouble.MISSING.value, str(error))
    except Exception as error:  # noqa: BLE001  a plugin's broken orchestrator must close the gate, and be recorded
        return _failure(Trouble.UNPARSEABLE.value, f"its orchestrator failed: {type(error).__name__}: {error}")


def _of(found: Dispatch, task: str, job: str) -> Orchestration:
    if found.id != job:
        return _failure("dispatch_mismatch", f"task `{task}` runs as dispatch `{found.id}`")
    if found.task not in ("", task):
        return _failure("dispatch_mismatch", f"dispatch `{found.id}` belongs to task `{found.task}`")
    if found.status in _ENDED:
        told = f"dispatch `{found.id}` is {found.status.value}, and its worker may still be running"
        return _failure("dispatch_not_active", told)
    return Orchestration(required=True)


def _failure(failure: str, detail: str) -> Orchestration:
    return Orchestration(required=True, failure=failure, detail=detail)
