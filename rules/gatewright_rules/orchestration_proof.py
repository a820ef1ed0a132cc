"""Orchestration proof: a dispatch exists where the orchestrator says so, not where a worker does."""

from gatewright.model import ORCHESTRATION_UNVERIFIED, Findings, Orchestration, deny
from gatewright.spec import rule

_HINTS = {
    "task_omitted": "give the task with --orchestration-task",
    "orca_missing": "start the orchestrator, or name its program in ORCA_CLI_COMMAND",
    "probe_timeout": "see whether the orchestrator answers, and register again",
    "probe_unparseable": "see whether the program is the orchestrator, and of a version that answers in JSON",
    "task_not_found": "check the task's id, and that it was dispatched",
    "dispatch_mismatch": "register the dispatch that the task runs as, or name the job's own task",
    "dispatch_not_active": "the worker may still be running: find and end it before the task is dispatched again",
}


@rule(
    codes=[ORCHESTRATION_UNVERIFIED],
    stage="register",
    fires="orchestration.required and orchestration.failure is not None",
    owns=["orchestration"],
)
def orchestration_proof(orchestration: Orchestration) -> Findings:
    """Deny a registration that the orchestrator does not bear out.

    What: looks at what the orchestrator knows of the task, unless the worker's end is told in a sentinel log.
    Why: a job that no orchestrator has dispatched has nobody who hears of its end.
    Denies: `ORCHESTRATION_UNVERIFIED` when no task is given, when the orchestrator is not there, does not answer in
    time or in JSON, does not know the task, runs it as another dispatch, or has given the dispatch up.
    """
    failure = orchestration.failure
    if orchestration.required and failure is not None:
        words = f": {orchestration.detail}" if orchestration.detail else ""
        hint = _HINTS.get(failure, "look at the task in the orchestrator")
        yield deny(ORCHESTRATION_UNVERIFIED, f"probe_failure={failure}{words}", hint=hint, probe_failure=failure)
