"""A dispatch for people: a line a step, as it ends, with what there is to say of it below."""

from gatewright.model.dispatches import Dispatched, Step, StepName, StepOutcome
from gatewright.model.exits import DispatchCode
from gatewright.text import printable

_WIDTH = max(len(name.value) for name in StepName)
_WORDS = {
    StepOutcome.DONE: "ok",
    StepOutcome.WARNED: "WARN",
    StepOutcome.SKIPPED: "skip",
    StepOutcome.DENIED: "DENY",
    StepOutcome.FAILED: "FAIL",
}
_ENDS = {
    DispatchCode.DONE: "DISPATCHED",
    DispatchCode.ARGUMENTS: "NOT DISPATCHED: called wrongly",
    DispatchCode.DENIED: "NOT DISPATCHED: denied; nothing was started",
    DispatchCode.NOT_STARTED: "NOT DISPATCHED: no worker was given the task",
    DispatchCode.UNREGISTERED: "NOT REGISTERED: a worker may be running",
    DispatchCode.UNDELIVERED: "NOT DELIVERED: the worker has not begun, as far as can be told",
}


def step_lines(step: Step) -> list[str]:
    """A step with what there is to say of it."""
    first = f"{_WORDS[step.outcome]:4}  {step.name.value:{_WIDTH}}  {printable(step.says)}"
    return [first.rstrip(), *(f"      {'':{_WIDTH}}  {printable(line)}" for line in step.more)]


def end_line(found: Dispatched) -> str:
    """Where it ended."""
    made = found.made
    if found.code is DispatchCode.DENIED and all(step.outcome is not StepOutcome.DENIED for step in found.steps):
        return "NOT DISPATCHED: broken off; nothing was started"
    if found.code is DispatchCode.UNREGISTERED and made.ended:
        return "NOT REGISTERED: its program has ended"
    if found.code is not DispatchCode.DONE:
        return _ENDS[found.code]
    if made.dispatch is None:
        return "ALLOWED: nothing was started, and nothing is left behind"
    verified = "verified" if made.model_verified else "not verified"
    return f"DISPATCHED {made.dispatch}: registered, model {verified}, delivery {made.delivery}"
