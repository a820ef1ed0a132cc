"""Mutation: whether any case notices when one thing in a policy is slightly wrong."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gatewright.model import GateDecision, Level, Moment, Stage
from gatewright.model.mutations import Fate, Mutated, Mutation
from gatewright.policy import equivalence
from gatewright.policy.policies import Policy, PolicyRule
from gatewright.runner import Facts, Gate, asking
from gatewright.runner.plan import needed_by
from gatewright.trials import killing
from gatewright.trials.expression_edits import Widening
from gatewright.trials.fixtures import Case
from gatewright.trials.mutants import Levels, Mutant, Mutants
from gatewright.trials.neighbours import leaves
from gatewright.trials.runs import Judged, Runner, Trial, differences

Told = Callable[[int, int], None]  #: how many are done, of how many


def of_trials(runner: Runner, trials: Sequence[Trial], told: Told, rules: Sequence[str] = ()) -> Mutation:
    """What the cases notice of the mutants of their policies.

    runner: that has run the cases.
    told: called as it goes on.
    rules: the ids of rules, exceptions and params that are mutated; all of them where there is none.
    """
    bench = Bench(runner, trials)
    todo = [
        (policy, mutant)
        for policy in bench.policies.values()
        for mutant in bench.mutants(policy)
        if not rules or mutant.subject in rules
    ]
    found: list[Mutated] = []
    for at, (policy, mutant) in enumerate(todo):
        told(at, len(todo))
        found.append(bench.fate(mutant, policy))
    told(len(todo), len(todo))
    return Mutation(cases=len(bench.prepared) + len(bench.timelines), mutants=tuple(found))


class Prepared(Struct, frozen=True):
    """A case of one decision, with what each rule had to say."""

    case: Case
    gate: Gate
    facts: Facts
    asked: tuple[asking.Asked, ...]


class Bench:
    """Cases that came out as they expect, ready to be judged by mutants of their policies."""

    def __init__(self, runner: Runner, trials: Sequence[Trial]) -> None:
        self.runner = runner
        passed = [trial for trial in trials if trial.passed and trial.judged and not trial.case.xfail]
        self.timelines = [trial for trial in passed if trial.case.steps]
        self.prepared = [_prepared(trial) for trial in passed if not trial.case.steps]
        self.policies: dict[str, Policy] = {}  #: by path
        self.gates: dict[str, Gate] = {}
        self._steps: dict[str, list[Prepared]] = {}  #: by path, once they are asked for
        # The policy as it stands in its file comes first, and not as a case with values of its own for params runs it.
        for trial in sorted(passed, key=lambda trial: bool(trial.case.params)):
            for gate in [each.gate for each in trial.judged]:
                self.policies.setdefault(gate.policy.path, gate.policy)
                self.gates.setdefault(gate.policy.path, gate)

    def mutants(self, policy: Policy) -> Iterator[Mutant]:
        """All mutants of a policy, made with what its cases have met."""
        cases = self.of(policy)
        types = {name: fact.type for name, fact in self.gates[policy.path].facts.items()}
        return Mutants(policy, types, _levels(cases), lambda rule: _widening(rule, cases)).all()

    def of(self, policy: Policy) -> list[Prepared]:
        """The cases of one decision that a policy judges."""
        return [each for each in self.prepared if each.gate.policy.path == policy.path]

    def _near(self, policy: Policy) -> list[Prepared]:
        """The steps of timelines that a policy judges; a case beside one may tell what no step does."""
        if policy.path not in self._steps:
            found = [each for trial in self.timelines for each in _as_cases(trial, self.runner.gate(trial.case))]
            self._steps[policy.path] = [each for each in found if each.gate.policy.path == policy.path]
        return self._steps[policy.path]

    def fate(self, mutant: Mutant, policy: Policy) -> Mutated:
        """What becomes of a mutant."""
        found = Mutated(
            policy=policy.path,
            kind=mutant.kind,
            subject=mutant.subject,
            place=mutant.place,
            before=mutant.before,
            after=mutant.after,
            fate=Fate.UNDECIDED,
        )
        killer = self._killer(mutant, policy)
        if killer:
            return replace(found, fate=Fate.KILLED, killed_by=killer)
        if _is_same(mutant, policy):
            return replace(found, fate=Fate.EQUIVALENT)
        mutated = MutatedRunner(self.runner, mutant, policy.path)
        near = [*self.of(policy), *self._near(policy)]
        case = killing.case_for(mutant, self.gates[policy.path], near, self.runner, mutated)
        if case is None:
            return found
        return replace(found, fate=Fate.SURVIVED, case=case.text, file=case.file)

    def _killer(self, mutant: Mutant, policy: Policy) -> str:
        """The id of the first case that notices a mutant; empty if none does."""
        made: dict[int, Policy] = {}
        for each in sorted(self.of(policy), key=lambda case: not _spoke(case, mutant)):
            own = made.get(id(each.gate))
            if own is None:
                own = made[id(each.gate)] = mutant.make(each.gate.policy)
            decision = decided(each, own, mutant)
            if decision is not None and next(differences(each.case.expect, decision), None) is not None:
                return each.case.id
        mutated = MutatedRunner(self.runner, mutant, policy.path)
        judged_here = (
            trial for trial in self.timelines if any(each.gate.policy.path == policy.path for each in trial.judged)
        )
        return next((trial.case.id for trial in judged_here if not mutated.run(trial.case).passed), "")


class MutatedRunner(Runner):
    """Runs cases with a mutant in the place of its policy."""

    def __init__(self, runner: Runner, mutant: Mutant, path: str) -> None:
        super().__init__(runner.catalog, runner.default_tiers, policy=runner.policy, params=runner.params)
        self.runner, self.mutant, self.path = runner, mutant, path
        self._mutated: dict[int, Gate] = {}

    def gate(self, case: Case, stage: Stage | None = None) -> Gate:
        """The gate that the case would have, and where it is that policy's, the mutant's."""
        found = self.runner.gate(case, stage)
        if found.policy.path != self.path:
            return found
        if id(found) not in self._mutated:
            self._mutated[id(found)] = Gate(self.mutant.make(found.policy), self.catalog)
        return self._mutated[id(found)]


# -- one rule at a time ------------------------------------------------------------------------------------------------


def _prepared(trial: Trial) -> Prepared:
    (judged,) = trial.judged
    return _asked(trial.case, judged)


def _asked(case: Case, judged: Judged) -> Prepared:
    policy = judged.gate.policy
    asked = tuple(asking.ask(rule, judged.facts, policy.exceptions) for rule in policy.rules)
    return Prepared(case, judged.gate, judged.facts, asked)


def _as_cases(trial: Trial, own: Gate) -> Iterator[Prepared]:
    """The steps of a timeline that its own gate judges as cases of one decision, which know nothing of the ledger."""
    for judged in trial.judged:
        step = judged.step
        if step is not None and judged.gate is own:
            yield _asked(
                replace(
                    trial.case,
                    steps=(),
                    ledger=(),
                    request=step.request,
                    facts=step.facts,
                    contract=trial.case.contract if step.contract is None else step.contract,
                    now=Moment.at(step.at),
                    expect=step.expect,
                ),
                judged,
            )


def _spoke(prepared: Prepared, mutant: Mutant) -> bool:
    """Whether a rule that the mutant is about had something to say; such a case is the likeliest to notice."""
    return any(prepared.asked[at].findings for at in mutant.rules)


def decided(prepared: Prepared, policy: Policy, mutant: Mutant) -> GateDecision | None:
    """What a mutant decides on a case; None where no rule says anything else than before."""
    gate, facts = prepared.gate, prepared.facts
    if policy.params is not gate.policy.params:
        facts = replace(facts, known={**facts.known, "params": policy.params})
    asked = list(prepared.asked)
    for at in mutant.rules:
        asked[at] = asking.ask(policy.rules[at], facts, policy.exceptions)
    if policy.freeze is gate.policy.freeze and tuple(asked) == prepared.asked:
        return None
    return GateDecision(asking.of_asked(gate, policy, asked, facts), facts.known)


def _is_same(mutant: Mutant, policy: Policy) -> bool:
    """Whether a mutant is known to decide as the policy does."""
    other = mutant.make(policy)
    changed = [
        (rule, after)
        for rule, after in zip(policy.rules, other.rules, strict=True)
        if rule is not after or policy.params is not other.params
    ]
    if other.exceptions is not policy.exceptions or other.freeze is not policy.freeze or not changed:
        return False
    rest = {"condition": None, "when": None}
    return all(
        replace(rule, **rest) == replace(after, **rest) and equivalence.same(rule, policy.params, after, other.params)
        for rule, after in changed
        if rule.condition is not None or rule is not after
    )


# -- what cases have met -----------------------------------------------------------------------------------------------


def _levels(cases: Sequence[Prepared]) -> Levels:
    found: dict[tuple[str, str], set[Level]] = {}
    for case in cases:
        for each in case.asked:
            for finding in each.findings:
                found.setdefault((finding.rule, finding.code), set()).add(finding.level)
    return {key: frozenset(levels) for key, levels in found.items()}


def _widening(rule: PolicyRule, cases: Sequence[Prepared]) -> Widening:
    """A text that cases have where a rule reads one, the one that most of them have, and that no list should let in."""
    counts: dict[str, Counter[str]] = {}
    for case in cases:
        for name in needed_by(rule):
            kind = case.gate.facts[name].type if name in case.gate.facts else None
            for path, value in leaves(name, kind, case.facts.known.get(name)) if kind is not None else ():
                if isinstance(value, str):
                    counts.setdefault(path, Counter())[value] += 1
    listed = {value for option in rule.options.values() if isinstance(option, tuple) for value in option}
    plain = [path for path in counts if "." not in path]

    def widened(path: str) -> str | None:
        known = counts.get(path) if path else counts.get(plain[0]) if len(plain) == 1 else None
        return next((value for value, _ in (known or Counter()).most_common() if value not in listed), None)

    return widened
