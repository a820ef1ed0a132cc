"""The steps before anything is started: the request, what is chosen, what is allowed, and what is trusted."""

import os
import unicodedata

from gatewright.errors import GatewrightError
from gatewright.flows import recording
from gatewright.flows.check import CheckRequest
from gatewright.flows.dispatching import departing, notes, scopes
from gatewright.flows.dispatching.way import Way
from gatewright.model import Contract, GateDecision, Stage, TierPolicy
from gatewright.model.dispatches import StepName, StepOutcome
from gatewright.model.exits import DispatchCode
from gatewright.orchestrators.errors import OrchestratorError
from gatewright.orchestrators.protocol import Reachable
from gatewright.probes.contract import read_contract
from gatewright.runner import Gate
from gatewright.runtimes.pretrust import pretrust
from gatewright.runtimes.pretrust.outcomes import TrustError, refusal
from gatewright.text import counted

CHANNEL = "orchestration"
_REQUEST, _WRONG = StepName.REQUEST, DispatchCode.ARGUMENTS


def request(way: Way) -> Contract:
    """See that there is a contract, a task, a place for the worker and somebody to start it."""
    asked = way.request
    contract = read_contract(asked.contract)
    if not contract.readable:
        way.end(_REQUEST, _WRONG, f"contract {asked.contract}: {contract.error}")
    folder = asked.folder
    if folder is not None and not os.path.isabs(folder):
        hint = "write it as path:/absolute/dir, or the path alone"
        way.end(_REQUEST, _WRONG, f"worktree {folder} is no absolute path", [hint])
    if not asked.check_only:
        _place(way, folder)
    way.know(contract_sha=contract.sha256)
    says = f"contract {asked.contract}, sha256 {(contract.sha256 or '')[:12]}"
    bare = folder is not None and not os.path.exists(os.path.join(folder, ".git"))
    more = [f"{folder} is no worktree of git, so that nobody can accept its work automatically"] if bare else []
    if folder is not None and not os.path.isdir(folder):
        more = [f"{folder}: there is no such folder yet"]
    outcome = StepOutcome.WARNED if more else StepOutcome.DONE
    way.step(_REQUEST, outcome, says, more, contract=asked.contract, contract_sha=contract.sha256)
    return contract


def _place(way: Way, folder: str | None) -> None:
    spec = way.request.spec or ""
    if not spec.strip():
        way.end(_REQUEST, _WRONG, "there is no task", ["give it with --spec"])
    if any(unicodedata.category(each) == "Cc" and each not in "\n\t" for each in spec):
        # A terminal would take them for keys: the end of what is pasted, an interruption, an answer.
        hint = "a task is text with line breaks and tabs"
        way.end(_REQUEST, _WRONG, "the task holds control characters", [hint])
    if folder is None and way.request.terminal is None:
        way.end(_REQUEST, _WRONG, "there is no place for a worker", ["give --worktree or --terminal"])
    if folder is not None and not os.path.isdir(folder):
        way.end(_REQUEST, _WRONG, f"worktree {folder}: there is no such folder")
    try:
        way.asked = way.desk.orchestrator()
    except GatewrightError as error:
        way.end(_REQUEST, _WRONG, f"{error}")
    if way.request.terminal is not None:
        _named_terminal(way, way.request.terminal)


def _named_terminal(way: Way, handle: str) -> None:
    """See that a terminal is there before anything is spent on it."""
    try:
        screen = way.orchestrator.screen(handle)
    except OrchestratorError as error:
        way.end(_REQUEST, DispatchCode.NOT_STARTED, f"{error}")
    if screen.alive is False:
        way.end(_REQUEST, DispatchCode.NOT_STARTED, f"{handle}: its program has ended", ["name one that waits"])


def chosen(way: Way, tiers: TierPolicy) -> tuple[str, str | None]:
    """The runtime and the model; None where there is none that fits."""
    host, desk = way.desk.host, way.desk
    runtime, how = departing.runtime_for(way.request.runtime, host)
    told = host.master if host.measured else f"{host.master}, UNMEASURED"
    way.step(StepName.RUNTIME, StepOutcome.DONE, f"{runtime} ({how}); its master's: {told}", host=host)
    model, how = departing.model_for(way.request.model, runtime, desk.runtimes, tiers)
    outcome = StepOutcome.DONE if model else StepOutcome.WARNED
    way.step(StepName.MODEL, outcome, f"{model or 'none'} ({how})", model=model)
    way.know(runtime=runtime, model=model)
    return runtime, model


def approval(way: Way, runtime: str, model: str | None, tiers: TierPolicy) -> None:
    """Whether the dispatch may be begun at all, before the budget is asked for."""
    decision = departing.decide(way.desk, way.request, runtime, model, tiers)
    reason = (way.request.top_approved or "").strip()
    says = f"may be begun; top tier approved, as it was said: {reason}" if reason else "may be begun"
    way.decided(StepName.APPROVAL, decision, says, DispatchCode.DENIED, top_approved=way.request.top_approved)


def checked(way: Way, name: StepName, contract: Contract, *, record: bool) -> None:
    """Ask the gate, for nothing or for good."""
    asked = _as_check(way, contract)
    desk = way.desk

    def ask(gate: Gate) -> recording.Checked:
        flow = recording.check if record else recording.evaluate
        return flow(gate, asked, desk.surroundings, desk.ledger(to_read=not record))

    def note(decision: GateDecision) -> None:
        if record:
            recording.note(decision, asked, desk.surroundings, desk.ledger())

    with desk.interruptions.held():
        decision = desk.decide(Stage.CHECK, ask, note)
        way.is_recorded = record and decision.allow
    if decision.allow and not (decision.contract_sha and decision.contract_sha == way.made.contract_sha):
        # What was allowed are other bytes than those that were looked at; C28 of a start is the very hash.
        way.know(contract_sha=decision.contract_sha)
        way.end(name, DispatchCode.DENIED, "the contract was changed between the first look at it and the check")
    says = "allowed and recorded; its ticket waits" if record else "allowed; nothing is recorded"
    more = ["the worktree was trusted for it, and stays so"] if record and notes.has_added(way.trusted) else []
    way.decided(name, decision, says, DispatchCode.DENIED, more if not decision.allow else [])


def reached(way: Way) -> None:
    """See that there is somebody to start a worker, once the gates are open and before anything is spent."""
    if not isinstance(way.orchestrator, Reachable):
        return
    try:
        way.orchestrator.reach()
    except OrchestratorError as error:
        trouble, code = error.trouble.value, error.code or None
        way.end(StepName.PREFLIGHT, DispatchCode.NOT_STARTED, f"{error}", trouble=trouble, error=code)


def _as_check(way: Way, contract: Contract) -> CheckRequest:
    asked = way.request
    return CheckRequest(
        runtime=way.made.runtime or "",
        contract=contract.path,
        agents=1,
        model=way.made.model,
        est_chars=asked.est_chars,
        completion_channel=CHANNEL,
        tier_override=asked.tier_override,
        top_approved=asked.top_approved,
        actor=asked.actor,
        labels=asked.labels,
    )


def scope(way: Way, contract: Contract) -> None:
    """Tell of unfinished work in the same place."""
    found = scopes.collisions(contract, way.desk, way.orchestrator)
    if not found:
        way.step(StepName.SCOPE, StepOutcome.DONE, "no unfinished work in the same place is known")
        return
    lines = [f"{each.contract} (task {each.task}): {', '.join(each.shared) or 'the same contract'}" for each in found]
    says = f"{counted(len(found), 'unfinished job')} in the same place"
    way.step(StepName.SCOPE, StepOutcome.WARNED, says, lines, collisions=found)


def trusted(way: Way, runtime: str) -> None:
    """Have the agent start in the worktree without a question."""
    agent, folder = way.desk.runtimes.get(runtime).pretrust, way.request.folder
    if agent is None or folder is None:
        why = f"nothing is known that {runtime} would ask" if agent is None else "the terminal is open already"
        way.step(StepName.PRETRUST, StepOutcome.SKIPPED, why)
        return
    with way.desk.interruptions.held():
        try:
            outcome = pretrust(agent, folder, way.desk.homes, way.desk.now())
        except TrustError as refused:
            outcome = refusal(agent, folder, refused)
        way.trusted = outcome
    lines = notes.trust_lines(outcome)
    if not outcome.succeeded:
        way.end(StepName.PRETRUST, DispatchCode.DENIED, outcome.summary, lines)
    way.step(StepName.PRETRUST, StepOutcome.DONE, outcome.summary, lines)
