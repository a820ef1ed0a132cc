"""A request that was recorded before: the same answer again, and never a second ticket."""

from collections.abc import Mapping

from gatewright.flows.check import CheckRequest, estimated_chars
from gatewright.ledger.protocol import Session
from gatewright.ledger.rows import time_of
from gatewright.ledger.tickets import Ticket, ticket_of
from gatewright.model import (
    INVALID_REQUEST,
    REQUEST_REPLAYED,
    Contract,
    Finding,
    GateDecision,
    Level,
    Moment,
)
from gatewright.model.decisions import Verdict
from gatewright.model.refusals import refusal
from gatewright.runner import Gate

Row = Mapping[str, object]


def is_same(request: CheckRequest, contract: Contract, row: Row) -> bool:
    """Whether a row records this very request: all that is asked, and not only what its decision came to rest on."""
    asked = {
        "runtime": request.runtime,
        "n_agents": request.agents,
        "est_chars": estimated_chars(request, contract),
        "model": request.model,
        "completion_channel": request.completion_channel,
        "contract_sha": contract.sha256,
    }
    checks = "job_id" not in row and "job" not in row  # else it is a registration
    return checks and all(row.get(name) == value for name, value in asked.items()) and _asks_besides(request, row)


def _asks_besides(request: CheckRequest, row: Row) -> bool:
    """Whether the rest was asked alike, as far as the row tells: the proof beside JSON lines may have got lost."""
    facts = row.get("facts")
    known = facts if isinstance(facts, Mapping) else {"tier_override": row.get("tier_override", request.tier_override)}
    rest = {"labels": dict(request.labels), "top_approved": request.top_approved, "actor": request.actor}
    told = "policy_digest" in row
    return known.get("tier_override") == request.tier_override and not (
        told and any((row.get(name) or None) != (value or None) for name, value in rest.items())
    )


def other_request(gate: Gate, request_id: str | None) -> GateDecision:
    """The denial of a request whose id belongs to another one."""
    message = f"request id `{request_id}` was used for another request"
    return refusal(gate.policy.stage, INVALID_REQUEST, message, policy=gate.ref, hint="give each request its own id")


def reissue(session: Session, row: Row) -> None:
    """Issue the ticket of a recorded request if it got lost on the way: the row is there, and nobody registered it."""
    ticket = _ticket_of(row)
    if ticket is None or ticket.expired(session.ticket_time):
        return
    if any(each.contract_sha == ticket.contract_sha and each.runtime == ticket.runtime for each in session.tickets()):
        return
    pending = session.pending(ticket.contract_sha, ticket.runtime)
    if any(each.data.get("request_id") == row.get("request_id") for each in pending):
        session.issue(ticket)


def _ticket_of(row: Row) -> Ticket | None:
    agents = row.get("n_agents")
    found = {"runtime": row.get("runtime"), "contract_sha": row.get("contract_sha"), "issued_ts": row.get("ts")}
    return ticket_of({**found, "count": agents}) if row.get("decision") == "ALLOW" else None


def decision_of(gate: Gate, row: Row) -> GateDecision:
    """The decision that a row records, as far as it does: its verdict and codes, with a note that says so."""
    then = time_of(row.get("ts"))
    when = Moment.at(then).text if then is not None else "an unknown time"
    said = f"request id `{row.get('request_id')}` was recorded at {when}, and this is the answer that it got"
    denied = row.get("decision") != "ALLOW"
    findings = [Finding(code=REQUEST_REPLAYED, level=Level.NOTE, message=said, rule="ledger")]
    reasons = _codes(row, "reasons") or ([str(row.get("reason"))] if denied else [])
    warnings = _codes(row, "warnings")
    for codes, level in ((reasons, Level.DENY), (warnings, Level.WARN)):
        findings += [Finding(code=code, level=level, message=said, rule="ledger") for code in codes]
    verdict = Verdict(
        stage=gate.policy.stage,
        policy=gate.ref,
        findings=tuple(findings),
        rows=(),
        reasons=tuple(reasons),
        warnings=tuple(warnings),
    )
    sha, cost = row.get("contract_sha"), row.get("cost_proxy")
    contract = Contract(path="", readable=isinstance(sha, str), sha256=sha if isinstance(sha, str) else None)
    return GateDecision(verdict, {"contract": contract, "cost_proxy": cost})


def _codes(row: Row, name: str) -> list[str]:
    listed = row.get(name)
    return [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
