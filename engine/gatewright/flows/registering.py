"""The flow `register`, which proves a job and settles the check that allowed it."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from gatewright.flows import registrations, replay
from gatewright.flows.choosing import Choice, choose
from gatewright.flows.ranking import RANKING
from gatewright.flows.recording import Checked
from gatewright.flows.registrations import SENTINEL_LOG, Proofs, RegisterRequest
from gatewright.ledger.protocol import Ledger, Look, Session
from gatewright.model import NO_MATCHING_TICKET, GateDecision, Moment, Orchestration
from gatewright.model.refusals import refusal
from gatewright.probes.commands import SECONDS
from gatewright.probes.jobs import prove
from gatewright.probes.measuring import measure
from gatewright.probes.tiers import read_tier_policy
from gatewright.runner import Gate

Row = Mapping[str, object]
Prove = Callable[[Choice], Proofs]  #: what proves a job, for the check that would be settled


class Means(Struct, frozen=True, kw_only=True):
    """What a registration is proved with."""

    tier_policy: str  #: path of the tier table
    look_up: Callable[[str, str], Orchestration]  #: what the orchestrator knows of a task, and of a job as its dispatch
    seconds: float = SECONDS  #: what each probe of the operator's may take


def register(gate: Gate, request: RegisterRequest, means: Means, ledger: Ledger) -> Checked:
    """Prove, decide, and where it is allowed settle the check and take its ticket; record the decision either way.

    Probes run before the ledger is locked, since nobody should wait for them. A request id that has been recorded
    before gets the answer that it got then. Raises LedgerError when the step cannot be carried out as a whole; then
    nothing is registered.
    """
    return register_with(gate, request, lambda seen: prove_all(request, seen, means), ledger)


def register_with(
    gate: Gate, request: RegisterRequest, prove: Prove, ledger: Ledger, besides: Mapping[str, object] = {}
) -> Checked:
    """The same with the proofs of one's own, and facts besides that are given as they are. Raises LedgerError."""
    with ledger.reading() as look:
        row = _recorded(request, look)
        seen = choose(look, request.contract_sha, request.runtime)
    if row is None:
        proofs = prove(seen)
        with ledger.writing() as session:
            row = _recorded(request, session)
            if row is None:
                return _settled(gate, request, proofs, seen, session, besides)
    return _again(gate, request, ledger, row)


def _recorded(request: RegisterRequest, look: Look) -> Row | None:
    return None if request.request_id is None else look.of_request(request.request_id)


def prove_all(request: RegisterRequest, seen: Choice, means: Means) -> Proofs:
    """Run the probes for the check that would be settled: orchestrator, model, job."""
    needed = seen.channel != SENTINEL_LOG
    if seen.check is None:
        # Nothing would be settled, and that alone denies; a task that is named is looked up all the same.
        needed = request.orchestration_task is not None
    return Proofs(
        orchestration=_borne_out(request, means) if needed else Orchestration(required=False),
        model=measure(request.model_probe_cmd, seconds=means.seconds),
        job=prove(request.job_id, request.probe_cmd, seconds=means.seconds),
        tier_policy=read_tier_policy(means.tier_policy),
    )


def _borne_out(request: RegisterRequest, means: Means) -> Orchestration:
    if not request.orchestration_task:
        return Orchestration(required=True, failure="task_omitted", detail="no orchestration task is given")
    return means.look_up(request.orchestration_task, request.job_id)


def _settled(
    gate: Gate, request: RegisterRequest, proofs: Proofs, seen: Choice, session: Session, besides: Row
) -> Checked:
    session.sweep()
    found = choose(session, request.contract_sha, request.runtime)
    facts = gate.admit({**_given(request, proofs, seen, found, session), **besides}, RANKING)
    decision = gate.decide(facts)
    # A policy may lower the rule on tickets or leave it out: there is nothing to register all the same.
    untaken = found.ticket is not None and decision.allow and not session.consume(found.ticket)
    if decision.allow and (found.check is None or untaken):
        message = "nothing that was allowed waits for this registration"
        decision = refusal(gate.policy.stage, NO_MATCHING_TICKET, message, policy=gate.ref, hint="check it first")
    registrations.record(session, request, decision, proofs=proofs, choice=found)
    return Checked(decision=decision, facts=facts)


def _given(request: RegisterRequest, proofs: Proofs, seen: Choice, found: Choice, look: Look) -> dict[str, object]:
    return {
        "job_id": request.job_id,
        "runtime": request.runtime,
        "contract_sha": request.contract_sha,
        "orchestration_task": request.orchestration_task,
        "declared_model": request.declared_model,
        "request_id": request.request_id,
        "actor": request.actor,
        "now": Moment.at(look.wall),
        "expected_channel": seen.channel,
        "channel": found.channel,
        "job": proofs.job,
        "orchestration": proofs.orchestration,
        "model": proofs.model,
        "tier_policy": proofs.tier_policy,
        "ticket": found.told,
        "pending": found.pending,
        "job_registered": look.of_job(request.job_id) is not None,
        "cost_proxy": _cost(found),
    }


def _cost(found: Choice) -> int | None:
    data = found.check.data if found.check is not None else {}
    agents, chars = data.get("n_agents"), data.get("est_chars")
    return agents * chars if type(agents) is int and type(chars) is int else None


def _again(gate: Gate, request: RegisterRequest, ledger: Ledger, row: Row) -> Checked:
    if registrations.is_same(request, row):
        return Checked(decision=replay.decision_of(gate, row))
    decision = replay.other_request(gate, request.request_id)
    note(decision, request, ledger, as_request=False)
    return Checked(decision=decision)


def note(decision: GateDecision, request: RegisterRequest, ledger: Ledger, *, as_request: bool = False) -> None:
    """Record a denial that rests on no proofs. Raises LedgerError."""
    with ledger.writing() as session:
        registrations.record(session, request, decision, as_request=as_request)
