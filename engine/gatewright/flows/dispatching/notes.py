"""What a dispatch says of its steps, and what it leaves in the ledger beside the decisions themselves."""

import shlex

from gatewright.flows.dispatching.desk import Desk, DispatchRequest
from gatewright.ledger.rows import NOT_STARTED
from gatewright.ledger.tickets import matching
from gatewright.model import GateDecision
from gatewright.model.deliveries import ShownScreen
from gatewright.model.dispatches import Made, Step
from gatewright.model.measurements import Measurement
from gatewright.model.screens import Delivery, DeliveryClass, Pane
from gatewright.runtimes.pretrust.outcomes import Outcome, Status
from gatewright.runtimes.screens.terminal import MAX_COLUMNS, rows
from gatewright.text import counted


def denied(decision: GateDecision) -> str:
    """Why a gate is closed, in a line."""
    more = len(decision.reasons) - 1
    return f"denied: {decision.reason}" + (f" and {counted(more, 'more reason')}" if more else "")


def findings(decision: GateDecision) -> list[str]:
    """What was found, each finding with its hint."""
    lines = []
    for finding in decision.findings:
        word = finding.level.value.upper() if finding.status.value == "active" else finding.status.value.upper()
        lines.append(f"{word} {finding.code}: {finding.message}")
        if finding.hint:
            lines.append(f"  hint: {finding.hint}")
    return lines


def pane_of(pane: Pane | None) -> str:
    """A screen in a word or two."""
    if pane is None:
        return "not read"
    screen = ShownScreen.of(pane.pane_class, pane.gate_kind, pane.reset_at)
    kind = f" ({screen.gate_kind})" if screen.gate_kind else ""
    return screen.pane_class + kind


def screen(pane: Pane) -> list[str]:
    """What a screen was known by, and when its limit ends."""
    lines = [f"known by: {pane.marker}"] if pane.marker else []
    ends = pane.reset_at or pane.reset_text
    return [*lines, f"the limit ends: {ends}"] if ends else lines


def plain(text: str) -> list[str]:
    """The lines of a screen as they stand there, without what moves and colours them."""
    return rows(text, MAX_COLUMNS)


def trust_lines(outcome: Outcome) -> list[str]:
    """Each trust file that was written, or why not."""
    lines = []
    for entry in outcome.entries:
        keys = ", ".join(entry.keys)
        why = f": {entry.problem}" + (f" ({entry.hint})" if entry.hint else "") if entry.problem else ""
        lines.append(f"{entry.status.value} {entry.file} [{keys}]{why}")
    return [*lines, *outcome.notes]


def revocation(outcome: Outcome) -> str:
    """The command that takes back what was trusted."""
    return shlex.join(["gatewright", "pretrust", outcome.runtime, outcome.worktree, "--revoke"])


def has_added(outcome: Outcome | None) -> bool:
    """Whether something was trusted that was not before."""
    return outcome is not None and outcome.count(Status.ADDED) + outcome.count(Status.UPDATED) > 0


def model(found: Measurement | None, runtime: str) -> str:
    """What was measured of the worker's model; what could not be measured is said, and is no pass."""
    if found is None:
        return f"model=unavailable: no transcript can be told to be this worker's (runtime {runtime})"
    if found.measured is None:
        return f"model=unavailable: {found.problem or 'no answer names one'}"
    verified = "verified" if found.verified else "NOT verified"
    return f"model={found.measured} ({found.grade.value}, {verified}; transcript by {found.found_by})"


def delivery(told: Delivery) -> str:
    """What became of the task, in a line."""
    seen = f"{pane_of(told.before)} before, {pane_of(told.after)} after"
    if told.delivery_class is DeliveryClass.AGENT_STARTED:
        return f"agent-started, shown by the {told.evidence} ({seen})"
    ends = told.after.reset_at or told.after.reset_text
    until = f"; the limit ends {ends}" if ends and told.delivery_class is DeliveryClass.LIMIT else ""
    if told.delivery_class is DeliveryClass.UNKNOWN:
        return f"delivery UNVERIFIED: {seen}"
    return f"delivery FAILED: {told.delivery_class.value} ({seen}){until}"


def write(desk: Desk, request: DispatchRequest, made: Made, last: Step, *, unused: bool) -> None:
    """Write down who runs beside whom, what became of the task, and whether an allowed check was for nothing.

    None of the rows has both a job's id and a contract's hash under the keys by which older gates know a registration.
    Raises LedgerError.
    """
    told = {"contract": made.contract_sha, "orchestration_task": made.task, "job": made.dispatch}
    with desk.ledger().writing() as session:
        common = {"ts": session.wall, **{name: value for name, value in told.items() if value is not None}}
        if unused and made.contract_sha is not None and made.runtime is not None:
            if len(session.pending(made.contract_sha, made.runtime)) <= 1:  # else it is another dispatch's as well
                for ticket in matching(session.tickets(), made.contract_sha, made.runtime):
                    session.consume(ticket)
            closing = {"kind": NOT_STARTED, "contract_sha": made.contract_sha, "runtime": made.runtime}
            session.append({**common, **closing, "step": last.name.value, "why": last.says}, {})
        session.append({**common, **_hosts(desk, request, made)}, {})
        if made.delivery is not None:
            session.append({**common, "kind": "delivery", "delivery": made.delivery}, {})


def _hosts(desk: Desk, request: DispatchRequest, made: Made) -> dict[str, object]:
    host = desk.host
    return {
        "kind": "host_diversity_audit",
        "runtime": made.runtime,
        "master_runtime": host.master,
        "master_measured": host.measured,
        "same_host": made.runtime == host.master,
        "reason": request.same_host_reason,
        "installed": list(host.installed),
        "alternatives": list(host.alternatives),
    }
