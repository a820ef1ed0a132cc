"""A case that tells a mutant from its policy: the smallest change of one that is there, proven by running it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from gatewright.catalog import sources
from gatewright.errors import GatewrightError
from gatewright.expressions.nodes import roots
from gatewright.model import FindingStatus, GateDecision, Level, Moment
from gatewright.policy.policies import Policy, PolicyRule
from gatewright.runner import Facts, Gate
from gatewright.runner.plan import needed_by
from gatewright.spec import FactSource
from gatewright.trials import fixtures
from gatewright.trials.fixtures import DEFAULT_CONTRACT, DEFAULT_NOW, Case
from gatewright.trials.mutants import Mutant
from gatewright.trials.neighbours import Named, Neighbourhood, Step, literals, named_by, named_of
from gatewright.trials.runs import Runner

if TYPE_CHECKING:
    from gatewright.trials.mutation import Prepared

_MOST_BASES = 60
_FEW = 6  #: cases, and changes of one, from which a second change is looked for
_REASON = "a reason"  #: for an override that no case gives


class Telling(Struct, frozen=True):
    """A case as text, and the fixture that it fits into."""

    text: str
    file: str


def case_for(
    mutant: Mutant, gate: Gate, cases: "Sequence[Prepared]", runner: Runner, mutated: Runner
) -> Telling | None:
    """A case that passes with the policy and fails with the mutant; None where none was found."""
    search = _Search(mutant, gate, runner, mutated)
    bases = sorted(cases, key=lambda each: not any(each.asked[at].findings for at in mutant.rules))
    distinct = list(_distinct(bases, gate, mutant))
    for base in distinct:
        found = search.beside(base.case, base.facts, ())
        if found is not None:
            return found
    return next((found for base in distinct[:_FEW] if (found := search.further(base)) is not None), None)


class _Search:
    """Looks for a case around those that are there: one change away, then two."""

    def __init__(self, mutant: Mutant, gate: Gate, runner: Runner, mutated: Runner) -> None:
        self.mutant, self.gate, self.runner, self.mutated = mutant, gate, runner, mutated
        self.other = Gate(mutant.make(gate.policy), gate.catalog)

    def beside(self, case: Case, facts: Facts, steps: tuple[Step, ...]) -> Telling | None:
        """A telling case one change away from a case that has some changes already."""
        for step in self._steps(facts):
            given = _given(self.gate, facts, step)
            before, after = self.gate.decide(given), self.other.decide(given)
            if _outcome(before) != _outcome(after):
                text = _text(case, self.gate, (*steps, step), before)
                found = _proven(text, case, self.runner, self.mutated)
                if found is not None:
                    return found
        return None

    def further(self, base: "Prepared") -> Telling | None:
        """A telling case two changes away: the first one has a rule that the mutant is about say something."""
        names = {self.gate.policy.rules[at].id for at in self.mutant.rules}
        tried = 0
        for step in self._steps(base.facts):
            facts = self.gate.admit(_given(self.gate, base.facts, step))
            if tried < _FEW and any(each.rule in names for each in self.gate.decide(facts).findings):
                tried += 1
                found = self.beside(base.case, facts, (step,))
                if found is not None:
                    return found
        return None

    def _steps(self, facts: Facts) -> Iterator[Step]:
        before, after = self.gate.policy, self.other.policy
        types = {name: fact.type for name, fact in self.gate.facts.items()}
        for at in self.mutant.rules:
            rule, other = before.rules[at], after.rules[at]
            excused = _excepted(before, rule) if before.exceptions is not after.exceptions else ()
            read = (*excused, *_weighed(before, rule), *needed_by(other))  # what an exception is about comes first
            behind = (source for name in read for source in reversed(sources(self.gate.facts, name)))
            names = tuple(dict.fromkeys(behind))  # what a request gives comes before what is made of it
            yield from Neighbourhood(names, types, _named(rule, other, before, after), far=True).steps(facts, {})


def _distinct(bases: "Sequence[Prepared]", gate: Gate, mutant: Mutant) -> "Iterator[Prepared]":
    """Cases that differ in what the mutated rules' verdict hangs on; those with params of their own judge otherwise."""
    seen: list[dict[str, object]] = []
    names = dict.fromkeys(name for at in mutant.rules for name in _weighed(gate.policy, gate.policy.rules[at]))
    for base in bases:
        read = {name: base.facts.known.get(name) for name in names}
        if base.gate is gate and read not in seen and len(seen) < _MOST_BASES:
            seen.append(read)
            yield base


def _named(rule: PolicyRule, other: PolicyRule, before: Policy, after: Policy) -> Named:
    first, second = named_by(rule, before.params), named_by(other, after.params)
    excused = [each for policy in (before, after) for each in policy.exceptions if each.code in rule.codes]
    days = [each.until for each in excused]
    trees = [each.when.tree for each in excused if each.when is not None]
    said = named_of([literal.value for tree in trees for literal in literals(tree)])
    return Named(
        numbers=tuple(dict.fromkeys((*said.numbers, *first.numbers, *second.numbers))),
        texts=tuple(dict.fromkeys((*second.texts, *first.texts, *said.texts, _REASON))),
        moments=tuple(Moment.parsed(f"{day.isoformat()}T12:00:00Z").epoch for day in dict.fromkeys(days)),
    )


def _weighed(policy: Policy, rule: PolicyRule) -> Iterator[str]:
    """The facts that a rule's verdict hangs on: what it reads itself, and what may let its denials through."""
    yield from (*needed_by(rule), *rule.overrides.values(), *_excepted(policy, rule))


def _excepted(policy: Policy, rule: PolicyRule) -> Iterator[str]:
    """The facts that exceptions of the rule's codes read."""
    for exception in policy.exceptions:
        if exception.code in rule.codes:
            yield from roots(exception.when.tree) if exception.when is not None else ()
            yield "now"


def _given(gate: Gate, facts: Facts, step: Step) -> dict[str, object]:
    """The facts with a change; what is derived from what has changed is derived anew."""
    kept = {name: value for name, value in facts.known.items() if step.fact not in sources(gate.facts, name)}
    kept.pop("params", None)
    return {**kept, step.fact: step.value}


# -- what becomes of it ------------------------------------------------------------------------------------------------

_KINDS = (
    ("deny", Level.DENY, FindingStatus.ACTIVE),
    ("warn", Level.WARN, FindingStatus.ACTIVE),
    ("note", Level.NOTE, FindingStatus.ACTIVE),
    ("overridden", Level.DENY, FindingStatus.OVERRIDDEN),
    ("excepted", Level.DENY, FindingStatus.EXCEPTED),
)


def _outcome(decision: GateDecision) -> dict[str, list[str]]:
    """The codes of a decision as an expectation lists them."""
    found: dict[str, list[str]] = {}
    for kind, level, status in _KINDS:
        codes = sorted({each.code for each in decision.findings if each.level is level and each.status is status})
        if codes:
            found[kind] = codes
    return found


def _expected(decision: GateDecision) -> object:
    found: Mapping[str, object] = _outcome(decision)
    if not found:
        return "allow"
    return found if "deny" in found else {"allow": True, **found}


def _text(case: Case, gate: Gate, steps: tuple[Step, ...], decision: GateDecision) -> str:
    """The case with some changes, as it stands under `cases:`."""
    request, facts, now = dict(case.request), dict(case.facts), case.now
    for step in steps:
        is_asked = step.fact in gate.facts and gate.facts[step.fact].source is FactSource.REQUEST
        if isinstance(step.value, Moment) and step.fact == "now" and step.fact not in facts:
            now = step.value
            request.pop("now", None)
        elif is_asked and step.fact not in facts:
            request[step.fact] = msgspec.to_builtins(step.value)
        else:
            facts[step.fact] = msgspec.to_builtins(step.value)
    pairs: dict[str, object] = {
        "name": " and ".join(f"{step.path} {_short(step.after)}" for step in steps) + " is decided as it is now",
        "request": request,
        "facts": facts,
        "contract": case.contract if case.contract != DEFAULT_CONTRACT else None,
        "known_roots": list(case.known_roots),
        "params": dict(case.params),
        "tiers": case.tiers,
        "now": now.text if now != Moment.parsed(DEFAULT_NOW) else None,
        "ledger": [{"at": case.now.text, "row": dict(row.data)} for row in case.ledger],
        "expect": _expected(decision),
    }
    told = [f"{name}: {flow(value)}" for name, value in pairs.items() if value not in (None, {}, [])]
    return "- " + "\n  ".join(told)


def _short(value: object) -> str:
    text = value.text if isinstance(value, Moment) else flow(msgspec.to_builtins(value))
    return text if len(text) <= 40 else "with that value"  # noqa: PLR2004  a name is read by people


def _proven(item: str, case: Case, runner: Runner, mutated: Runner) -> Telling | None:
    """The case, if it passes with the policy and fails with the mutant."""
    text = f"policy: {flow(case.policy)}\ncases:\n" + "".join(f"  {line}\n" for line in item.splitlines())
    try:
        (made,) = fixtures.load(text.encode(), case.place.file, None, frozenset(runner.catalog.facts)).cases
        passes, fails = runner.run(made), mutated.run(made)
    except (GatewrightError, UnicodeEncodeError):
        return None
    return Telling(item + "\n", case.place.file) if passes.passed and not fails.passed and not fails.error else None


# -- YAML --------------------------------------------------------------------------------------------------------------

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*", re.ASCII)
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", re.ASCII)
_WORDS = frozenset(["true", "false", "null", "yes", "no", "on", "off", "y", "n"])


def flow(value: object) -> str:
    """Plain data as YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow(str(name))}: {flow(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(flow(each) for each in value) + "]"
    if isinstance(value, str) and value.lower() not in _WORDS and (_PLAIN.fullmatch(value) or _TIME.fullmatch(value)):
        return value
    return json.dumps(value, ensure_ascii=False)
