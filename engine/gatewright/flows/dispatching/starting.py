"""The steps that start a worker: a task, a terminal, and the task typed into it, once."""

from typing import NoReturn

import msgspec

from gatewright.flows.dispatching import notes, proving
from gatewright.flows.dispatching.desk import IDLE_SECONDS
from gatewright.flows.dispatching.proving import Worker
from gatewright.flows.dispatching.way import Way
from gatewright.flows.readiness import Look, Readiness
from gatewright.model.dispatches import StepName, StepOutcome
from gatewright.model.exits import DispatchCode
from gatewright.model.screens import DeliveryClass, Pane
from gatewright.orchestrators.errors import OrchestratorError
from gatewright.orchestrators.protocol import Dispatch
from gatewright.text import shortened

_LAST_LINES, _LAST_CHARS = 5, 500
_BLOCKED, _STALLED, _GONE = "agent_prompt_blocked", "agent_prompt_stalled", "terminal_gone"


def task(way: Way) -> None:
    """Have the orchestrator keep the task."""
    try:
        with way.desk.interruptions.held():
            made = way.orchestrator.create_task(way.request.spec or "")
            way.know(task=made)
    except OrchestratorError as error:
        _not_started(way, StepName.TASK, error)
    way.step(StepName.TASK, StepOutcome.DONE, f"{made} ({way.orchestrator.name})", task=made)


def terminal(way: Way, worker: Worker, model: str) -> tuple[str, Pane, float | None]:
    """The worker's terminal, its screen before the task, and when it was opened; None for one that was open before."""
    try:
        handle, look, opened = _opened(way, worker, model)
    except OrchestratorError as error:
        _not_started(way, StepName.TERMINAL, error)
    seen = notes.pane_of(look.pane)
    if look.alive is False:
        way.know(ended=True)
        says, lines = f"{handle}: its program has ended", last_words(way, handle)
        way.end(StepName.TERMINAL, DispatchCode.NOT_STARTED, says, lines, screen=seen)
    told, decision = proving.delivery(way.desk, None, look, confirmed=False)
    # A policy may deny what nothing shows to have begun as well, and before the task nothing can.
    if told.delivery_class.failed and not decision.allow:
        way.know(delivery=told.delivery_class.value)
        says = f"{handle} shows {seen}, and nothing is typed into that"
        lines = [*notes.screen(look.pane), *notes.findings(decision)]
        plain = decision.to_dict()
        way.end(StepName.TERMINAL, DispatchCode.UNDELIVERED, says, lines, decision=plain, screen=seen)
    way.step(StepName.TERMINAL, StepOutcome.DONE, f"{handle} shows {seen}", terminal=handle, screen=seen)
    return handle, look.pane, opened


def last_words(way: Way, handle: str) -> list[str]:
    """How a terminal's program has ended, and the last lines that it wrote."""
    try:
        screen = way.orchestrator.screen(handle)
    except OrchestratorError:
        return []
    written = [shortened(line, _LAST_CHARS) for line in notes.plain(screen.text) if line.strip()][-_LAST_LINES:]
    status = [f"exit status {screen.exit_code}"] if screen.exit_code is not None else []
    return [*status, *written]


def _opened(way: Way, worker: Worker, model: str) -> tuple[str, Look, float | None]:
    named, folder = way.request.terminal, way.request.folder
    if named is not None:
        way.know(terminal=named)
        return named, worker.look(named), None
    assert folder is not None
    opened = way.desk.now().epoch
    with way.desk.interruptions.held():  # or a worker's program would run that nobody knows of
        handle = way.orchestrator.open_terminal(folder, way.desk.runtimes.get(worker.runtime).command(model))
        way.know(terminal=handle)
    waited = worker.ready(handle)
    if waited.readiness is Readiness.RESTLESS:
        says = f"{handle}: {waited.readiness.value} within {IDLE_SECONDS:g} s"
        way.end(StepName.TERMINAL, DispatchCode.NOT_STARTED, says, notes.screen(waited.look.pane))
    if waited.readiness is Readiness.GONE:
        return handle, msgspec.structs.replace(waited.look, alive=False), opened
    return handle, waited.look, opened


def inject(way: Way, handle: str) -> Dispatch:
    """Type the task in. Whatever comes of it, it is never typed again."""
    of_task = way.made.task
    assert of_task is not None
    way.may_run = True  # from the first key on, whatever breaks it off
    try:
        dispatch = way.orchestrator.inject(of_task, handle)
    except OrchestratorError as error:
        dispatch = _perhaps(way, of_task, error)
    way.know(dispatch=dispatch.id)
    way.step(StepName.INJECT, StepOutcome.DONE, f"{dispatch.id} in {handle}", dispatch=dispatch.id)
    return dispatch


def _perhaps(way: Way, of_task: str, error: OrchestratorError) -> Dispatch:
    """The dispatch that the orchestrator has begun all the same; a task that may have arrived is not sent again."""
    if error.code == _BLOCKED:
        way.may_run = False
        way.know(delivery=DeliveryClass.HOOK_TRUST.value)
        way.end(StepName.INJECT, DispatchCode.UNDELIVERED, f"{error}", ["answer the question at the terminal first"])
    try:
        found = way.orchestrator.dispatch_of(of_task)
    except OrchestratorError:
        found = None
    if found is None or not found.status.is_active:
        _never_came(way, error)
    return found


def _never_came(way: Way, error: OrchestratorError) -> NoReturn:
    if error.code == _STALLED:
        lines = ["the task may have arrived all the same, and a worker be running: look at the terminal"]
        way.end(StepName.INJECT, DispatchCode.UNREGISTERED, f"{error}", lines)
    way.may_run = False
    way.know(ended=error.code == _GONE)
    _not_started(way, StepName.INJECT, error)


def _not_started(way: Way, step: StepName, error: OrchestratorError) -> NoReturn:
    way.end(step, DispatchCode.NOT_STARTED, f"{error}", trouble=error.trouble.value, error=error.code or None)
