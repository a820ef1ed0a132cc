"""A dispatch from its request to the proof that a worker has started."""

from gatewright.flows.dispatching import asking, notes, proving, starting
from gatewright.flows.dispatching.desk import Desk, DispatchRequest
from gatewright.flows.dispatching.proving import Worker
from gatewright.flows.dispatching.way import Stop, Tell, Way
from gatewright.ledger.errors import LedgerError
from gatewright.model.dispatches import Dispatched, Step, StepName, StepOutcome
from gatewright.model.exits import DispatchCode
from gatewright.model.screens import DeliveryClass, Pane
from gatewright.orchestrators.errors import OrchestratorError
from gatewright.orchestrators.protocol import Dispatch
from gatewright.probes.tiers import read_tier_policy


def dispatch(desk: Desk, request: DispatchRequest, tell: Tell) -> Dispatched:
    """Carry a dispatch out, step by step, as far as it comes.

    tell: is told of each step as it ends.

    Nothing that goes wrong is raised, an interruption included: it is a step that failed, and the exit code says how
    far it came. What was made by then is in the result, with the commands that end it.
    """
    way = Way(desk, request, tell)
    try:
        _go(way)
        code = DispatchCode.DONE
    except Stop as stop:
        code = stop.code
    except KeyboardInterrupt:
        code = _broken_off(way, "stopped by hand")
    except Exception as error:  # noqa: BLE001  a fault of ours closes the gate, and hides nothing that was made
        code = _broken_off(way, f"internal error: {type(error).__name__}: {error}")
    desk.interruptions.over()
    last = way.steps[-1]
    left = _clean_up(way) if code not in (DispatchCode.DONE, DispatchCode.ARGUMENTS) else ()
    if left:
        way.step(StepName.CLEAN_UP, StepOutcome.WARNED, "what was made so far is ended by hand", left)
    _note(way, last)
    return Dispatched(code=code, made=way.made, steps=tuple(way.steps), clean_up=left)


def _go(way: Way) -> None:
    contract = asking.request(way)
    tiers = read_tier_policy(way.desk.surroundings.tier_policy)
    runtime, model = asking.chosen(way, tiers)
    asking.approval(way, runtime, model, tiers)
    asking.checked(way, StepName.PREFLIGHT, contract, record=False)
    if way.request.check_only:
        return
    if model is None:
        way.end(StepName.MODEL, DispatchCode.DENIED, "there is no model to start a worker with")
    asking.reached(way)
    asking.scope(way, contract)
    asking.trusted(way, runtime)
    asking.checked(way, StepName.CHECK, contract, record=True)
    worker = Worker(way.desk, way.request, way.orchestrator, runtime)
    starting.task(way)
    handle, before, opened = starting.terminal(way, worker, model)
    started = starting.inject(way, handle)
    _registered(way, worker, started, handle, model, opened)
    _delivered(way, worker, handle, before, opened)


def _registered(way: Way, worker: Worker, started: Dispatch, handle: str, model: str, opened: float | None) -> None:
    sought = worker.transcript(opened)
    found = worker.measured(sought, handle, model) if sought is not None else None
    sha = way.made.contract_sha
    assert sha is not None
    with way.desk.interruptions.held():
        decision = proving.register(way.desk, worker, started, sha, proving.as_fact(found), model)
        if decision.allow:
            way.is_recorded = False
            way.know(registered=True, model_verified=decision.facts.get("model_verified") is True)
    told = notes.model(found, worker.runtime)
    running = [] if decision.allow else [told, *_what_runs(way, handle)]
    measurement = found.to_dict() if found is not None else None
    says = f"job {started.id}; {told}"
    way.decided(StepName.REGISTER, decision, says, DispatchCode.UNREGISTERED, running, measurement=measurement)


def _delivered(way: Way, worker: Worker, handle: str, before: Pane, opened: float | None) -> None:
    try:
        told, decision = proving.watched(way.desk, worker, handle, before, worker.transcript(opened))
    except OrchestratorError as error:
        _unverified(way, f"{error}")
        return
    way.know(delivery=told.delivery_class.value)
    way.decided(
        StepName.DELIVERY,
        decision,
        notes.delivery(told),
        DispatchCode.UNDELIVERED,
        notes.screen(told.after) if not decision.allow else (),
        failed=notes.delivery(told),
        delivery=told.delivery_class.value,
        evidence=told.evidence,
        before=notes.pane_of(told.before),
        after=notes.pane_of(told.after),
    )


def _what_runs(way: Way, handle: str) -> list[str]:
    """What there is to say of a worker that the dispatch leaves behind."""
    try:
        way.know(ended=way.orchestrator.screen(handle).alive is False)
    except OrchestratorError:
        way.know(ended=False)
    if way.made.ended:
        return [f"{handle}: its program has ended", *starting.last_words(way, handle)]
    return ["a worker may be running: look at it, and end it by hand"]


def _unverified(way: Way, why: str) -> None:
    way.know(delivery=DeliveryClass.UNKNOWN.value)
    lines = ["nothing shows that the worker has started; do not send the task again"]
    way.step(StepName.DELIVERY, StepOutcome.WARNED, f"delivery UNVERIFIED: {why}", lines)


def _broken_off(way: Way, why: str) -> DispatchCode:
    """How far it came."""
    if way.made.registered:
        _unverified(way, why)
        return DispatchCode.DONE
    code = DispatchCode.DENIED
    if way.is_recorded or way.made.task is not None:
        code = DispatchCode.UNREGISTERED if way.may_run else DispatchCode.NOT_STARTED
    way.step(_under_way(way), StepOutcome.FAILED, why)
    return code


def _under_way(way: Way) -> StepName:
    """The step that had begun and not ended."""
    names = list(StepName)
    return names[names.index(way.steps[-1].name) + 1] if way.steps else names[0]


def _clean_up(way: Way) -> tuple[str, ...]:
    """The commands that end what was made, and take back what was trusted for it."""
    found: list[str] = []
    if way.asked is not None and (way.made.task or way.made.terminal):
        opened = way.made.terminal if way.request.terminal is None and not way.made.ended else None
        try:
            found += way.asked.clean_up(way.made.task or "", opened or "")
        except OrchestratorError as error:
            found.append(f"# {error}")
    if way.trusted is not None and notes.has_added(way.trusted):
        found.append(notes.revocation(way.trusted))
    return tuple(found)


def _note(way: Way, last: Step) -> None:
    """Write down what the decisions themselves do not say.

    last: the step that the way has ended with.
    """
    if not (way.is_recorded or way.made.task):
        return
    try:
        notes.write(way.desk, way.request, way.made, last, unused=way.is_recorded and not way.may_run)
    except LedgerError as error:
        way.step(StepName.CLEAN_UP, StepOutcome.WARNED, f"the ledger has not taken what became of it: {error}")
