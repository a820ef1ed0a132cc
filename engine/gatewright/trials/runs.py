"""Running cases: a gate for each policy, the facts of each case, and the difference from what was expected."""

import os
from collections.abc import Iterator, Mapping
from contextlib import closing

from msgspec import Struct, structs

from gatewright.catalog import Catalog
from gatewright.errors import FileError, GatewrightError
from gatewright.flows.check import NO_WINDOW, CheckRequest, estimated_chars, window_of
from gatewright.flows.ranking import RANKING
from gatewright.model import (
    Contract,
    FindingStatus,
    GateDecision,
    Level,
    Moment,
    Stage,
    TicketPath,
    TierPolicy,
    Window,
)
from gatewright.model.explanations import Explanation
from gatewright.policy.loader import load
from gatewright.probes.contract import contract_of
from gatewright.probes.files import read_file
from gatewright.probes.tiers import read_tier_policy
from gatewright.runner import Facts, Gate
from gatewright.runner.explain import explain
from gatewright.runner.plan import Collectors
from gatewright.shipped import shipped
from gatewright.trials import timelines
from gatewright.trials.fixtures import Case
from gatewright.trials.given import BEGINNING, FINISHED, PROVEN, TAKEN, completed
from gatewright.trials.parts import Expectation
from gatewright.trials.steps import Step
from gatewright.trials.timelines import Done


class Judged(Struct, frozen=True, kw_only=True):
    """One decision of a case, with the gate that made it and the facts that it rests on."""

    id: str  #: of the case, and of its step where it has several
    gate: Gate
    facts: Facts
    decision: GateDecision
    step: Step | None = None  #: of a timeline


class Trial(Struct, frozen=True, kw_only=True):
    """A case that was run: the decision, and each way in which it is not what was expected."""

    case: Case
    decision: GateDecision | None
    differences: tuple[str, ...]
    error: str = ""  #: why it could not be run
    explanation: Explanation | None = None  #: of a case that failed
    judged: tuple[Judged, ...] = ()  #: the decisions that were made

    @property
    def skipped(self) -> bool:
        """Whether it was not run, as the case says."""
        return bool(self.case.skip)

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong: the decision is what was expected, or is not and that is known, or nobody asked."""
        return self.skipped or (not self.error and bool(self.differences) == bool(self.case.xfail))


class Runner:
    """Runs cases, keeping the gates of policies and the tier tables that it has read.

    policy: a policy in the place of those that the fixtures name.
    params: values for params, on top of those that the fixtures give.
    exceptions: whether the exceptions of policies hold.
    """

    def __init__(
        self,
        catalog: Catalog,
        default_tiers: str,
        *,
        policy: str | None = None,
        params: Mapping[str, object] = {},
        exceptions: bool = True,
    ) -> None:
        self.catalog, self.default_tiers = catalog, default_tiers
        self.policy, self.params, self.exceptions = policy, params, exceptions
        self._gates: dict[str, Gate] = {}
        self._spelt: dict[str, str] = {}
        self._tiers: dict[str, TierPolicy] = {}

    def run(self, case: Case) -> Trial:
        """Run one case. Never raises for what the case or its policy is: that is an error of the trial."""
        if case.skip:
            return Trial(case=case, decision=None, differences=())
        try:
            if case.steps:
                return self._timeline(case)
            gate = self.gate(case)
            facts = self.facts(gate, case)
        except GatewrightError as error:
            return Trial(case=case, decision=None, differences=(), error=str(error))
        decision = gate.decide(facts)
        found = tuple(differences(case.expect, decision))
        told = explain(gate, facts, quiet=False) if found else None
        judged = Judged(id=case.id, gate=gate, facts=facts, decision=decision)
        return Trial(case=case, decision=decision, differences=found, explanation=told, judged=(judged,))

    def _timeline(self, case: Case) -> Trial:
        """Run the steps of a case; its decision is that of the first step that came out otherwise, else of the last."""
        judged: list[Judged] = []
        wrong: list[str] = []
        telling: Done | None = None
        for done in timelines.run(case, lambda stage: self.gate(case, stage), self.tier_policy(case)):
            if done.gate is not None and done.facts is not None and done.decision is not None:
                named = f"{case.id} step {done.number}"
                judged.append(
                    Judged(id=named, gate=done.gate, facts=done.facts, decision=done.decision, step=done.step)
                )
            found = [f"step {done.number} at {done.step.said}: {each}" for each in _of_step(done)]
            if done.decision is not None and (not wrong or telling is None):
                telling = done
            wrong += found
        told = None
        if wrong and telling is not None and telling.gate is not None and telling.facts is not None:
            told = explain(telling.gate, telling.facts, quiet=False)
        return Trial(
            case=case,
            decision=telling.decision if telling is not None else None,
            differences=tuple(wrong),
            explanation=told,
            judged=tuple(judged),
        )

    def gate(self, case: Case, stage: Stage | None = None) -> Gate:
        """The gate of a case's policy, or of the one that it names for another stage.

        Raises GatewrightError when it cannot be used.
        """
        path = self.policy if self.policy is not None else _beside(case.place.file, case.policy)
        gate = self._gate(path, {**case.params, **self.params})
        if stage is None or stage is gate.policy.stage:
            return gate
        other = case.policies.get(stage.value)
        found = self._gate(_beside(case.place.file, other) if other is not None else _shipped(stage), {})
        if found.policy.stage is not stage:
            problem = f"it is a policy of stage `{found.policy.stage.value}`, and one of stage `{stage.value}` is due"
            raise FileError(found.policy.path, problem, "mend `policies` of the fixture")
        return found

    def gate_at(self, path: str) -> Gate:
        """The gate of a policy as it stands in its file. Raises GatewrightError when it cannot be used."""
        return self._gate(path, self.params)

    def _gate(self, path: str, params: Mapping[str, object]) -> Gate:
        path = self._spelt.setdefault(os.path.realpath(path), path)  # one file is one policy, however it is spelt
        key = f"{path}\0{sorted(params.items())!r}"
        if key not in self._gates:
            policy = load(read_file(path), path, self.catalog, params)
            self._gates[key] = Gate(policy if self.exceptions else structs.replace(policy, exceptions=()), self.catalog)
        return self._gates[key]

    def facts(self, gate: Gate, case: Case) -> Facts:
        """The facts of a case, admitted by its gate. Nothing outside is read but the tier table that it names."""
        given: dict[str, object] = dict(case.request)
        if gate.policy.stage is Stage.CHECK:
            contract = contract_of("contract.md", case.contract.encode())
            given = {"contract": contract, "now": case.now, **given}
            given.setdefault("est_chars", _estimated(given, contract))
        elif gate.policy.stage is Stage.DISPATCH:
            given = {**BEGINNING, "now": case.now, **given}
        elif gate.policy.stage is Stage.REGISTER:
            given = {**PROVEN, "now": case.now, **given}
        elif gate.policy.stage is Stage.DELIVER:
            given = {**TAKEN, **given}
        elif gate.policy.stage is Stage.ACCEPT:
            given = {**FINISHED, "now": case.now, **given}
        return gate.admit(completed(given, case.facts), self._collectors(case))

    def _collectors(self, case: Case) -> Collectors:
        def tier_policy() -> TierPolicy:
            return self.tier_policy(case)

        def window(tier: str | None, tier_policy: TierPolicy, now: Moment, agents: int) -> Window:
            table = tier_policy.table
            if tier is None or table is None or table.version == 1:
                return NO_WINDOW
            with closing(timelines.opened(case.ledger, now.epoch)) as ledger, ledger.reading() as look:
                return window_of(tier, table, look.usage(tier, table, agents))

        def known_roots() -> list[str]:
            return list(case.known_roots)

        def ticket_path() -> TicketPath:
            return TicketPath(inside=True)

        return {
            "tier_policy": tier_policy,
            "window": window,
            "known_roots": known_roots,
            "ticket_path": ticket_path,
            **RANKING,
        }

    def tier_policy(self, case: Case) -> TierPolicy:
        """The tier table of a case, read once."""
        path = _beside(case.place.file, case.tiers) if case.tiers is not None else self.default_tiers
        if path not in self._tiers:
            self._tiers[path] = read_tier_policy(path)
        return self._tiers[path]


def _shipped(stage: Stage) -> str:
    return os.path.join(shipped("policies"), f"{stage.value}.yaml")


def _beside(file: str, path: str) -> str:
    return os.path.normpath(os.path.join(os.path.dirname(file), path))


def _estimated(given: Mapping[str, object], contract: Contract) -> int | None:
    channel = given.get("completion_channel")
    request = CheckRequest(
        runtime="", contract="", agents=1, completion_channel=channel if isinstance(channel, str) else None
    )
    return estimated_chars(request, contract)


def _of_step(done: Done) -> Iterator[str]:
    if done.decision is not None:
        yield from differences(done.step.expect, done.decision)
    for name, wanted in (done.step.report or {}).items():
        got = (done.figures or {}).get(name)
        if got != wanted:
            yield f"`{name}` of the report is {got}, and {wanted} was expected"


def differences(expected: Expectation, decision: GateDecision) -> Iterator[str]:
    """Each way in which a decision is not what is expected."""
    found = {
        "denial": (expected.deny, _codes(decision, Level.DENY, FindingStatus.ACTIVE)),
        "warning": (expected.warn, _codes(decision, Level.WARN, FindingStatus.ACTIVE)),
        "override": (expected.overridden, _codes(decision, Level.DENY, FindingStatus.OVERRIDDEN)),
        "exception": (expected.excepted, _codes(decision, Level.DENY, FindingStatus.EXCEPTED)),
    }
    if expected.note is not None:
        found["note"] = (expected.note, _codes(decision, Level.NOTE, FindingStatus.ACTIVE))
    for what, (wanted, got) in found.items():
        for code in sorted(wanted - got):
            yield f"expected {what} {code} was not given"
        for code in sorted(got - wanted):
            yield f"unexpected {what} {code}"


def _codes(decision: GateDecision, level: Level, status: FindingStatus) -> frozenset[str]:
    return frozenset(
        finding.code for finding in decision.findings if finding.level is level and finding.status is status
    )


def selected(cases: list[Case], keyword: str | None) -> list[Case]:
    """The cases whose id holds the keyword; `and`, `or`, `not` and parentheses join keywords, as in pytest.

    Raises UsageError for an expression that is none.
    """
    if keyword is None:
        return cases
    from gatewright.trials.keywords import matcher

    matches = matcher(keyword)
    return [case for case in cases if matches(case.id)]
