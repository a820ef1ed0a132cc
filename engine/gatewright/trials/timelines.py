"""Timelines: steps against one ledger, the clock moving; each is decided and recorded by the flow of its stage."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import TypeVar

import msgspec
from msgspec import Struct, structs

from gatewright.digests import sha256_hex
from gatewright.flows import accepting, recording, registering, reporting
from gatewright.flows.accepting import AcceptRequest
from gatewright.flows.check import CheckRequest, Outside
from gatewright.flows.dispatching.departing import window_in
from gatewright.flows.registrations import Proofs, RegisterRequest
from gatewright.ledger.memory import MemoryLedger
from gatewright.model import ContractTerms, GateDecision, Job, MeasuredModel, Moment, Orchestration, Stage, TierPolicy
from gatewright.model.audits import Audit
from gatewright.probes.contract import contract_of
from gatewright.runner import Facts, Gate
from gatewright.trials.fixtures import Case
from gatewright.trials.given import BEGINNING, FINISHED, PROVEN, TAKEN, completed
from gatewright.trials.parts import LedgerRow
from gatewright.trials.steps import Step

Values = dict[str, object]
Noun = TypeVar("Noun", bound=Struct)
GateOf = Callable[[Stage | None], Gate]
CONTRACT = "contract.md"


class SetClock:
    """A wall clock that is set from outside, on a machine that cannot tell how long it has been running."""

    def __init__(self, epoch: float) -> None:
        self.epoch = epoch

    def wall(self) -> float:
        """The time that was set."""
        return self.epoch

    def boot(self) -> tuple[str, float]:
        """Not known, so ledger time goes by the wall clock, and stands still while that is set back."""
        return "", 0.0


class Done(Struct, frozen=True, kw_only=True):
    """A step that was carried out: its decision, or the figures of its report."""

    number: int  #: from 1
    step: Step
    gate: Gate | None = None
    decision: GateDecision | None = None
    facts: Facts | None = None  #: what the decision rests on; none where it was made before
    figures: Mapping[str, int] | None = None


def opened(rows: tuple[LedgerRow, ...], epoch: float) -> MemoryLedger:
    """A ledger that has taken up earlier rows by that time, and goes on from there."""
    ledger = MemoryLedger(SetClock(epoch))
    ledger.take_up(row.data for row in rows)
    return ledger


def run(case: Case, gate_of: GateOf, tier_policy: TierPolicy) -> Iterator[Done]:
    """Carry out the steps of a case, one after the other. Raises GatewrightError for a gate that cannot be had."""
    clock = SetClock(case.now.epoch)
    with closing(MemoryLedger(clock)) as ledger:
        ledger.take_up(row.data for row in case.ledger)
        bench = _Bench(case, ledger, tier_policy)
        for number, step in enumerate(case.steps, 1):
            clock.epoch = step.at
            if step.report is not None:
                yield Done(number=number, step=step, figures=figures_of(reporting.audit(ledger)))
                continue
            gate = gate_of(step.stage)
            asked = _asked(case, step, gate_of)
            decision, facts = bench.flow(gate)(asked, gate)
            yield Done(number=number, step=asked, gate=gate, decision=decision, facts=facts)


def _asked(case: Case, step: Step, gate_of: GateOf) -> Step:
    """A step with what its case asks for, where it names the stage of its case's own policy."""
    if step.stage is None or step.stage is not gate_of(None).policy.stage:
        return step
    return structs.replace(step, request={**case.request, **step.request})


def figures_of(audit: Audit) -> dict[str, int]:
    """The figures of a report by name."""
    return {
        "rows": audit.rows,
        "checks": audit.checks,
        "dispatches": audit.dispatches,
        "agents": audit.agents,
        "cost": audit.cost,
        "denials": sum(each.count for each in audit.denials),
        "overrides": sum(each.dispatches for each in audit.overrides),
        "exceptions": sum(each.decisions for each in audit.exceptions),
        "jobs": audit.registrations.jobs,
        "attempts": audit.registrations.attempts,
        "verified": audit.registrations.verified,
        "refused": audit.registrations.denied,
        "models": len(audit.models),
        "tiers": len(audit.tiers),
        "tables": len(audit.tables),
        "policies": len(audit.policies),
        "other_rows": audit.other_rows,
        "skipped": audit.skipped.lines,
    }


Decided = tuple[GateDecision, Facts | None]


class _Bench(Struct, frozen=True):
    """What the steps of one case share."""

    case: Case
    ledger: MemoryLedger
    tier_policy: TierPolicy

    def flow(self, gate: Gate) -> Callable[[Step, Gate], Decided]:
        """How a step of the gate's stage is carried out; what records nothing of its own is decided only."""
        flows = {
            Stage.DISPATCH: self.dispatch,
            Stage.CHECK: self.check,
            Stage.REGISTER: self.register,
            Stage.ACCEPT: self.accept,
        }
        return flows.get(gate.policy.stage, self.decide)

    def dispatch(self, step: Step, gate: Gate) -> Decided:
        with self.ledger.reading() as look:
            known = {**BEGINNING, "tier_policy": self.tier_policy, "now": Moment.at(look.wall), **step.request}
            facts = gate.admit(completed(known, step.facts), {"window": window_in(self.tier_policy, look)})
        return gate.decide(facts), facts

    def contract(self, step: Step) -> bytes:
        return (step.contract if step.contract is not None else self.case.contract).encode()

    def check(self, step: Step, gate: Gate) -> Decided:
        kinds: Mapping[str, type] = {"agents": int, "est_chars": int, "labels": dict}
        given, besides = _split(step.request, kinds, CheckRequest)
        for name in ("runtime", "agents"):
            if name not in given:
                besides.setdefault(name, None)
        request = msgspec.convert({"runtime": "", "agents": 0, **given, "contract": CONTRACT}, CheckRequest)
        outside = Outside(
            contract=contract_of(CONTRACT, self.contract(step)),
            tier_policy=self.tier_policy,
            known_roots=list(self.case.known_roots),
        )
        besides = completed({"contract": outside.contract, **besides}, step.facts)
        found = recording.check_with(gate, request, outside, self.ledger, besides)
        return found.decision, found.facts

    def register(self, step: Step, gate: Gate) -> Decided:
        given, besides = _split(step.request, {}, RegisterRequest)
        if step.contract is not None:
            given.setdefault("contract_sha", sha256_hex(step.contract.encode()))
        if "job_id" not in given:
            besides.setdefault("job_id", None)
        request = msgspec.convert({"job_id": "", **given, "probe_cmd": ""}, RegisterRequest)
        found = completed({name: PROVEN[name] for name in ("job", "orchestration", "model")}, step.facts)
        proofs = Proofs(
            job=_noun(found["job"], Job(proven=False)),
            orchestration=_noun(found["orchestration"], Orchestration(required=True)),
            model=_noun(found["model"], MeasuredModel()),
            tier_policy=self.tier_policy,
        )
        done = registering.register_with(gate, request, lambda _: proofs, self.ledger, {**besides, **found})
        return done.decision, done.facts

    def accept(self, step: Step, gate: Gate) -> Decided:
        given, besides = _split(step.request, {}, AcceptRequest)
        request = msgspec.convert({"job_id": "", **given, "contract": CONTRACT, "worktree": ""}, AcceptRequest)
        terms = ContractTerms(path=CONTRACT, readable=True, sha256=sha256_hex(self.contract(step)))
        registration = accepting.registration_of(self.ledger, request.job_id)
        facts = completed({**FINISHED, "terms": terms, "registration": registration}, step.facts)
        known = {"job_id": given.get("job_id"), "actor": request.actor, **besides, **facts}
        found = accepting.judge(gate, request, known, self.ledger, registration=registration)
        return found.decision, found.facts

    def decide(self, step: Step, gate: Gate) -> Decided:
        before = TAKEN if gate.policy.stage is Stage.DELIVER else {}
        facts = gate.admit(completed({**before, **step.request}, step.facts))
        return gate.decide(facts), facts


def _split(request: Mapping[str, object], kinds: Mapping[str, type], noun: type[Struct]) -> tuple[Values, Values]:
    """The values that fit a request's fields, which are texts unless said, and all others, which the gate judges."""
    fields = noun.__struct_fields__
    fitting = {name: each for name, each in request.items() if name in fields and _is_of(kinds.get(name, str), each)}
    return fitting, {name: each for name, each in request.items() if name not in fitting}


def _is_of(kind: type, value: object) -> bool:
    texts = not isinstance(value, dict) or all(isinstance(each, str) for each in value.values())
    return type(value) is kind and texts


def _noun(value: object, otherwise: Noun) -> Noun:
    """A value as the noun that it should be; what is none is judged by the gate, and recorded as something else."""
    try:
        return msgspec.convert(msgspec.to_builtins(value), type(otherwise))
    except msgspec.ValidationError:
        return otherwise
