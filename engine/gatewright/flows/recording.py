"""A check that is recorded: counted, decided and written down in one atomic step of the ledger."""

from collections.abc import Mapping

from msgspec import Struct

from gatewright.flows import replay
from gatewright.flows.at_once import check_at_once
from gatewright.flows.check import CheckRequest, Outside, Surroundings, facts_of, read_outside
from gatewright.flows.rows import more_of, row_of
from gatewright.ledger.protocol import Ledger, Session
from gatewright.ledger.tickets import Ticket
from gatewright.model import GateDecision
from gatewright.probes.contract import read_contract
from gatewright.probes.tiers import read_tier_policy
from gatewright.runner import Facts, Gate

Row = Mapping[str, object]


class Checked(Struct, frozen=True, kw_only=True):
    """A decision, with the facts that it rests on; none where it was made before."""

    decision: GateDecision
    facts: Facts | None = None


def evaluate(gate: Gate, request: CheckRequest, surroundings: Surroundings, ledger: Ledger) -> Checked:
    """Decide as the ledger stands, and record nothing: no row, no ticket, no folder, no lock. Raises LedgerError."""
    outside = read_outside(gate, request, surroundings)
    with ledger.reading() as look:
        facts = facts_of(gate, request, outside, look)
    return Checked(decision=gate.decide(facts), facts=facts)


def check(gate: Gate, request: CheckRequest, surroundings: Surroundings, ledger: Ledger) -> Checked:
    """Decide, and record the decision with its ticket.

    A request id that has been recorded before gets the answer that it got then. Raises LedgerError when the step
    cannot be carried out as a whole; then nothing is allowed.
    """
    return check_with(gate, request, read_outside(gate, request, surroundings), ledger)


def check_with(
    gate: Gate, request: CheckRequest, outside: Outside, ledger: Ledger, besides: Mapping[str, object] = {}
) -> Checked:
    """The same with what was read outside before, and facts besides that are given as they are. Raises LedgerError."""
    at_once = check_at_once(gate, request, outside, ledger) if not besides else None
    if at_once is not None:
        decision, facts = at_once
        return Checked(decision=decision, facts=facts)
    with ledger.writing() as session:
        if request.request_id is not None:
            before = session.of_request(request.request_id)
            if before is not None:
                return _again(gate, request, outside, session, before)
        facts = facts_of(gate, request, outside, session, besides)
        decision = gate.decide(facts)
        record(session, request, outside, decision)
    return Checked(decision=decision, facts=facts)


def note(decision: GateDecision, request: CheckRequest, surroundings: Surroundings, ledger: Ledger) -> None:
    """Record a denial that no gate has made, since there is none. Raises LedgerError."""
    outside = Outside(contract=read_contract(request.contract), tier_policy=read_tier_policy(surroundings.tier_policy))
    with ledger.writing() as session:
        record(session, request, outside, decision, as_request=False)


def _again(gate: Gate, request: CheckRequest, outside: Outside, session: Session, before: Row) -> Checked:
    if not replay.is_same(request, outside.contract, before):
        decision = replay.other_request(gate, request.request_id)
        record(session, request, outside, decision, as_request=False)
        return Checked(decision=decision)
    replay.reissue(session, before)
    return Checked(decision=replay.decision_of(gate, before))


def record(
    session: Session, request: CheckRequest, outside: Outside, decision: GateDecision, *, as_request: bool = True
) -> None:
    """Write a decision down, and issue its ticket if it allows.

    as_request: whether the row is the one that the request's id leads to from now on.
    """
    session.sweep()
    row = row_of(session, request, outside, decision)
    if as_request and request.request_id is not None:
        row["request_id"] = request.request_id
    sha = decision.contract_sha
    if decision.allow and sha is not None:
        issued = Ticket(
            runtime=request.runtime, contract_sha=sha, issued_ts=session.ticket_time, count=max(1, request.agents)
        )
        session.issue(issued)
    session.append(row, more_of(request, decision))
