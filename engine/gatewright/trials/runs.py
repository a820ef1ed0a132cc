"""Running cases: a gate for each policy, the facts of each case, and the difference from what was expected."""

import os
from collections.abc import Iterator, Mapping

from msgspec import Struct

from gatewright.catalog import Catalog
from gatewright.errors import GatewrightError
from gatewright.flows.check import NO_WINDOW, CheckRequest, estimated_chars, window_of
from gatewright.flows.ranking import RANKING
from gatewright.ledger.protocol import Usage
from gatewright.model import (
    CommitRules,
    Contract,
    ContractTerms,
    FindingStatus,
    GateDecision,
    Job,
    Level,
    MeasuredModel,
    Moment,
    Orchestration,
    PendingChecks,
    Placement,
    Registration,
    Stage,
    Surface,
    TicketChoice,
    TicketPath,
    TierPolicy,
    TierTable,
    Window,
)
from gatewright.model.deliveries import ShownScreen, Worker, WorkerTranscript
from gatewright.model.explanations import Explanation
from gatewright.model.screens import PaneClass
from gatewright.policy.loader import load
from gatewright.probes.contract import contract_of
from gatewright.probes.files import read_file
from gatewright.probes.tiers import read_tier_policy
from gatewright.runner import Facts, Gate
from gatewright.runner.explain import explain
from gatewright.runner.plan import Collectors
from gatewright.trials.fixtures import Case, LedgerRow

#: What a registration has unless a case says otherwise: everything is proven, and one check waits for it. Its model is
#: not measured.
PROVEN: Mapping[str, object] = {
    "job": Job(proven=True),
    "orchestration": Orchestration(required=True),
    "model": MeasuredModel(),
    "ticket": TicketChoice(state="one", contract_sha="a1" * 32, age=60.0),
    "pending": PendingChecks(count=1),
    "channel": "orchestration",
    "expected_channel": "orchestration",
    "job_registered": False,
}
#: What a delivery has unless a case says otherwise: a prompt that was there has taken its task.
TAKEN: Mapping[str, object] = {
    "before": ShownScreen.of(PaneClass.PREPARED_PROMPT),
    "after": ShownScreen.of(PaneClass.BUSY),
    "transcript": WorkerTranscript(),
    "worker": Worker(alive=True),
}

#: What finished work has unless a case says otherwise: everything is as the contract has it.
FINISHED: Mapping[str, object] = {
    "terms": ContractTerms(path="contract.md", readable=True, sha256="a1" * 32),
    "registration": Registration(found=True, contract_sha="a1" * 32, attempt=1, model="gpt-5.5", verified=True),
    "surface": Surface(known=True, changed=("src/app.py",)),
    "commits": CommitRules(),
    "evidence": {"make test": "passed"},
    "placement": Placement(given=True, in_expected_worktree=True, is_master_checkout=False, branch="work"),
}


class Judged(Struct, frozen=True, kw_only=True):
    """One decision of a case, with the gate that made it and the facts that it rests on."""

    id: str  #: of the case, and of its step where it has several
    gate: Gate
    facts: Facts
    decision: GateDecision


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
        return self.decision is None and not self.error

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong: the decision is what was expected, or is not and that is known, or nobody asked."""
        return self.skipped or (not self.error and bool(self.differences) == bool(self.case.xfail))


class Runner:
    """Runs cases, keeping the gates of policies and the tier tables that it has read.

    policy: a policy in the place of those that the fixtures name.
    params: values for params, on top of those that the fixtures give.
    """

    def __init__(
        self, catalog: Catalog, default_tiers: str, *, policy: str | None = None, params: Mapping[str, object] = {}
    ) -> None:
        self.catalog, self.default_tiers = catalog, default_tiers
        self.policy, self.params = policy, params
        self._gates: dict[str, Gate] = {}
        self._tiers: dict[str, TierPolicy] = {}

    def run(self, case: Case) -> Trial:
        """Run one case. Never raises for what the case or its policy is: that is an error of the trial."""
        if case.skip:
            return Trial(case=case, decision=None, differences=())
        try:
            gate = self.gate(case)
            facts = self.facts(gate, case)
        except GatewrightError as error:
            return Trial(case=case, decision=None, differences=(), error=str(error))
        decision = gate.decide(facts)
        differences = tuple(_differences(case, decision))
        told = explain(gate, facts, quiet=False) if differences else None
        judged = Judged(id=case.id, gate=gate, facts=facts, decision=decision)
        return Trial(case=case, decision=decision, differences=differences, explanation=told, judged=(judged,))

    def gate(self, case: Case) -> Gate:
        """The gate of a case's policy. Raises GatewrightError when it cannot be used."""
        path = self.policy if self.policy is not None else _beside(case.place.file, case.policy)
        params = {**case.params, **self.params}
        key = f"{path}\0{sorted(params.items())!r}"
        if key not in self._gates:
            self._gates[key] = Gate(load(read_file(path), path, self.catalog, params), self.catalog)
        return self._gates[key]

    def facts(self, gate: Gate, case: Case) -> Facts:
        """The facts of a case, admitted by its gate. Nothing outside is read but the tier table that it names."""
        given: dict[str, object] = dict(case.request)
        if gate.policy.stage is Stage.CHECK:
            contract = contract_of("contract.md", case.contract.encode())
            given = {"contract": contract, "now": case.now, **given}
            given.setdefault("est_chars", _estimated(given, contract))
        elif gate.policy.stage is Stage.REGISTER:
            given = {**PROVEN, "now": case.now, **given}
        elif gate.policy.stage is Stage.DELIVER:
            given = {**TAKEN, **given}
        elif gate.policy.stage is Stage.ACCEPT:
            given = {**FINISHED, "now": case.now, **given}
        given |= {name: _completed(value, given.get(name)) for name, value in case.facts.items()}
        return gate.admit(given, self._collectors(case))

    def _collectors(self, case: Case) -> Collectors:
        def tier_policy() -> TierPolicy:
            return self._tier_policy(case)

        def window(tier: str | None, tier_policy: TierPolicy, now: Moment, agents: int) -> Window:
            table = tier_policy.table
            if tier is None or table is None or table.version == 1:
                return NO_WINDOW
            return window_of(tier, table, usage_of(case.ledger, tier, table, now, agents))

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

    def _tier_policy(self, case: Case) -> TierPolicy:
        path = _beside(case.place.file, case.tiers) if case.tiers is not None else self.default_tiers
        if path not in self._tiers:
            self._tiers[path] = read_tier_policy(path)
        return self._tiers[path]


def _beside(file: str, path: str) -> str:
    return os.path.normpath(os.path.join(os.path.dirname(file), path))


def _completed(value: object, before: object) -> object:
    """A structured fact of which a case gives only some fields: the others stay as they were."""
    if isinstance(value, dict) and isinstance(before, Struct | Mapping):
        from msgspec import to_builtins

        return {**to_builtins(before), **value}
    return value


def _estimated(given: Mapping[str, object], contract: Contract) -> int | None:
    channel = given.get("completion_channel")
    request = CheckRequest(
        runtime="", contract="", agents=1, completion_channel=channel if isinstance(channel, str) else None
    )
    return estimated_chars(request, contract)


def usage_of(rows: tuple[LedgerRow, ...], tier: str, table: TierTable, now: Moment, agents: int) -> Usage:
    """What the rows of a tier have used up; a row exactly as old as the window still counts, one ahead of it too."""
    seconds = table.window_seconds
    counted = [row for row in rows if row.at >= now.epoch - seconds and table.match(row.model).tier == tier]
    used = sum(row.agents for row in counted)
    cap = table.caps.get(tier)
    over = used + agents - cap if cap is not None and agents <= cap else 0
    return Usage(
        agents=used,
        frees_at=frees_at(counted, seconds, over),
        odd_times=sum(row.at > now.epoch for row in counted),
    )


def frees_at(rows: list[LedgerRow], seconds: int, over: int) -> float | None:
    """After which moment rows with at least `over` agents have left; None where none need to, or all are too few."""
    if over <= 0:
        return None
    for row in sorted(rows, key=lambda each: each.at):
        over -= row.agents
        if over <= 0:
            return row.at + seconds
    return None


def _differences(case: Case, decision: GateDecision) -> Iterator[str]:
    expected = case.expect
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
