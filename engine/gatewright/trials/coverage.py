"""Which reason codes the cases show: given by some, and narrowly missed by others."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gatewright.expressions.kinds import Type
from gatewright.model import FindingStatus, Level, Outcome
from gatewright.model.codes import ENGINE_CODES
from gatewright.model.coverage import NEGATIVE, POSITIVE, CodeUse, Coverage, ExceptionShown
from gatewright.policy.policies import Policy, PolicyRule
from gatewright.runner import Facts, Gate, evaluate
from gatewright.runner.changes import nearest
from gatewright.runner.plan import needed_by
from gatewright.trials.neighbours import Neighbourhood, Seen, leaves, named_by, with_leaf
from gatewright.trials.runs import Judged, Trial

_SEEN = 24  #: values of one place that are kept
_NO_CASE = f"{POSITIVE}: no case makes the rule give it"
_NOT_NARROW = f"{NEGATIVE}: no case only just passes the rule"


def shown_by(trials: Iterable[Trial]) -> list[Judged]:
    """The decisions of cases that came out as they expect; what any other shows is nothing."""
    return [each for trial in trials if trial.passed and not trial.case.xfail for each in trial.judged]


def of_cases(judged: Sequence[Judged], gates: Iterable[Gate] = ()) -> Coverage:
    """What these decisions show of the policies that they were made under, and of those of the gates besides.

    Nothing is looked at but facts and outcomes, so the layout of a policy changes nothing.
    """
    policies: dict[str, Policy] = {}
    for gate in (*gates, *(each.gate for each in judged)):
        policies.setdefault(gate.policy.path, gate.policy)
    by_policy = {path: [each for each in judged if each.gate.policy.path == path] for path in policies}
    return Coverage(
        source="fixtures",
        decisions=len(judged),
        codes=tuple(use for path, policy in policies.items() for use in _uses(policy, by_policy[path])),
        exceptions=tuple(use for path, policy in policies.items() for use in _exceptions(policy, by_policy[path])),
    )


def level_of(rule: PolicyRule, code: str) -> str:
    """What the policy makes of a code: its level; empty where the registered rule decides from case to case."""
    level = rule.levels.get(code)
    if level is not None:
        return level.value
    return {"warn": "warn", "deny": "deny", "require": "deny"}.get(rule.effect, "")


def _uses(policy: Policy, judged: Sequence[Judged]) -> Iterator[CodeUse]:
    for rule in policy.rules:
        about = _RuleCases(rule, judged)
        for code in rule.codes:
            yield about.use(policy, code)


class _Fared(Struct, frozen=True):
    """How one rule fared in one decision."""

    case: Judged
    outcome: Outcome
    codes: Mapping[str, FindingStatus]  #: that it gave, the errors of the engine aside


class _RuleCases:
    """All that the cases of a policy say of one of its rules."""

    def __init__(self, rule: PolicyRule, judged: Sequence[Judged]) -> None:
        self.rule = rule
        self.fared = [_fared(rule, each) for each in judged]
        self.missed = self._missed()

    def use(self, policy: Policy, code: str) -> CodeUse:
        """How one code of the rule has fared."""
        by_status = {
            status: [each for each in self.fared if each.codes.get(code) is status] for status in FindingStatus
        }
        missed = self.missed.get(code, [])
        given = [each for each in self.fared if code in each.codes]
        found = CodeUse(
            policy=policy.path,
            stage=policy.stage.value,
            rule=self.rule.id,
            code=code,
            where=self.rule.place,
            level=level_of(self.rule, code),
            fired=len(by_status[FindingStatus.ACTIVE]),
            missed=len(missed),
            not_applicable=sum(each.outcome is Outcome.NOT_APPLICABLE for each in self.fared),
            excepted=len(by_status[FindingStatus.EXCEPTED]),
            overridden=len(by_status[FindingStatus.OVERRIDDEN]),
            errored=sum(each.outcome is Outcome.ERRORED for each in self.fared),
            fired_by=given[0].case.id if given else "",
            missed_by=missed[0] if missed else "",
        )
        return found if found.wanted == 0 else replace(found, lacking=tuple(self._lacking(code, found, given)))

    def _lacking(self, code: str, use: CodeUse, given: list[_Fared]) -> Iterator[str]:
        if not use.fired:
            yield _NO_CASE + (", but only one in which it is let through" if given else "")
        if not use.missed:
            edge = next((found for each in given if (found := self._edge(each.case, code))), "")
            yield _NOT_NARROW + (f", as one with {edge} would" if edge else "")

    # -- near misses -----------------------------------------------------------------------------------------------

    def _missed(self) -> dict[str, list[str]]:
        """By code, the cases that pass it narrowly: the smallest change would make the rule give it."""
        found: dict[str, list[str]] = {}
        seen = self._seen()
        for each in self.fared:
            if each.outcome in (Outcome.NOT_APPLICABLE, Outcome.OFF, Outcome.ERRORED):
                continue
            for code in self._near(each, seen):
                found.setdefault(code, []).append(each.case.id)
        return found

    def _near(self, fared: _Fared, seen: Seen) -> set[str]:
        """The codes that one smallest change away would be given, and are not."""
        case = fared.case
        wanted = {code for code in self.rule.codes if code not in fared.codes}
        near: set[str] = set()
        around = Neighbourhood(needed_by(self.rule), _types(case.gate), named_by(self.rule, case.gate.policy.params))
        for step in around.steps(case.facts, seen) if wanted else ():
            near |= codes_with(self.rule, case.facts, {step.fact: step.value}) & wanted
            if near == wanted:
                break
        return near

    def _seen(self) -> Seen:
        """What stands at each place of the facts where the rule has something to say."""
        found: dict[str, list[object]] = {}
        for each in self.fared:
            for path, value in _read(self.rule, each.case) if each.codes else ():
                values = found.setdefault(path, [])
                if len(values) < _SEEN and value not in values:
                    values.append(value)
        return {path: tuple(values) for path, values in found.items()}

    def _edge(self, case: Judged, code: str) -> str:
        """The number with which a case that gives the code would narrowly pass it; empty where there is none."""
        for path, value in _read(self.rule, case):
            if type(value) is not int or path.split(".")[0] in case.facts.secrets:
                continue

            def passes(change: Mapping[str, object]) -> bool:
                (changed,) = change.items()
                return code not in codes_with(self.rule, case.facts, dict([with_leaf(case.facts.known, *changed)]))

            for step in (-1, 1):
                found = nearest(path, value, step, passes)
                if found is not None:
                    return f"{path} {found}"
        return ""


def _fared(rule: PolicyRule, case: Judged) -> _Fared:
    row = next(row for row in case.decision.rows if row.rule == rule.id)
    found = {
        finding.code: finding.status
        for finding in case.decision.findings
        if finding.rule == rule.id and finding.code not in ENGINE_CODES
    }
    return _Fared(case, row.outcome, found)


def codes_with(rule: PolicyRule, facts: Facts, changed: Mapping[str, object]) -> set[str]:
    """The codes that a rule gives with some facts changed; those that the policy has switched off are none."""
    fate = evaluate.fate_of(rule, replace(facts, known={**facts.known, **changed}))
    return {found.code for found in fate.findings if rule.levels.get(found.code) is not Level.OFF}


def _types(gate: Gate) -> Mapping[str, Type]:
    return {name: fact.type for name, fact in gate.facts.items()}


def _read(rule: PolicyRule, case: Judged) -> Iterator[tuple[str, object]]:
    """Every value that a rule reads in a case, with its path."""
    for name in needed_by(rule):
        if name in case.facts.known and name in case.gate.facts:
            yield from leaves(name, case.gate.facts[name].type, case.facts.known[name])


def _exceptions(policy: Policy, judged: Sequence[Judged]) -> Iterator[ExceptionShown]:
    for each in policy.exceptions:
        used = sum(
            any(found.status is FindingStatus.EXCEPTED and found.by == each.id for found in case.decision.findings)
            for case in judged
        )
        yield ExceptionShown(
            policy=policy.path,
            exception=each.id,
            code=each.code,
            owner=each.owner,
            until=each.until.isoformat(),
            where=each.place,
            used=used,
        )
