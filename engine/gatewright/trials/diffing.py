"""What a change of policy means: both versions are asked about requests made from the constants of both."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from gatewright.errors import Place
from gatewright.expressions.nodes import Field, Name, walk
from gatewright.model import Finding, FindingStatus, GateDecision, Outcome, TierPolicy
from gatewright.model.diffs import Meaning, PolicyDiff, RuleChange, Shown
from gatewright.policy.policies import Expression, Policy, PolicyException, PolicyRule
from gatewright.runner import Gate
from gatewright.trials.pasting import Bench, pasted
from gatewright.trials.points import Point, ground_of, points, usual_request, words

_CLOSED = frozenset([Outcome.DENIED, Outcome.ERRORED])
#: Keys that change what a rule says, and not when it says it.
_WORDS = frozenset(["message", "hint", "code", "level"])


class _Pair(Struct, frozen=True, kw_only=True):
    """One rule in both versions; None where one does not have it."""

    id: str
    old: PolicyRule | None
    new: PolicyRule | None
    parts: tuple[str, ...]

    @property
    def rules(self) -> list[PolicyRule]:
        """The versions that there are."""
        return [each for each in (self.old, self.new) if each is not None]


class _Seen(Struct, frozen=True):
    """What both policies say of one request."""

    point: Point
    old: GateDecision
    new: GateDecision

    def closed(self, rule: str) -> tuple[bool, bool]:
        """Whether a rule denies the request, in either version."""
        return _closed(self.old, rule), _closed(self.new, rule)


def _closed(decision: GateDecision, rule: str) -> bool:
    return any(row.rule == rule and row.outcome in _CLOSED for row in decision.rows)


def diff(old: Gate, new: Gate, tiers: TierPolicy, bench: Bench) -> PolicyDiff:
    """What became of every rule, exception and freeze.

    tiers: the table that both are asked with.
    bench: runs the cases that are shown.
    """
    finder = _Finder(old, new, tiers, bench)
    changes = [finder.change(pair) for pair in _pairs(old.policy, new.policy)]
    changes += [finder.exception(*pair) for pair in _exceptions(old.policy, new.policy)]
    changes += finder.freeze()
    return PolicyDiff(old=old.ref, new=new.ref, changes=tuple(changes), moved=_moved(old.policy, new.policy))


def _moved(old: Policy, new: Policy) -> bool:
    there = {rule.id for rule in old.rules} & {rule.id for rule in new.rules}
    return [rule.id for rule in old.rules if rule.id in there] != [rule.id for rule in new.rules if rule.id in there]


# -- what is written ---------------------------------------------------------------------------------------------------


def _pairs(old: Policy, new: Policy) -> Iterator[_Pair]:
    """The rules that are not written alike, in the order of the new policy; those that fell away last."""
    before, after = {rule.id: rule for rule in old.rules}, {rule.id: rule for rule in new.rules}
    for name in dict.fromkeys([*after, *before]):
        one, other = before.get(name), after.get(name)
        parts: tuple[str, ...] = ()
        if one is not None and other is not None:
            left, right = _parts(one, old.params), _parts(other, new.params)
            parts = tuple(part for part in left if left[part] != right[part])
            if not parts:
                continue
        yield _Pair(id=name, old=one, new=other, parts=parts)


def _parts(rule: PolicyRule, params: Mapping[str, object]) -> dict[str, object]:
    """A rule key by key, as far as it means something."""
    message = rule.message
    used = [each for each in (rule.when, rule.condition) if each is not None]
    return {
        "use": rule.rule.id if rule.rule is not None else "",
        "with": dict(rule.options),
        "when": _spelt(rule.when),
        rule.effect or "condition": _spelt(rule.condition),
        "params": {name: params.get(name) for each in used for name in _params_of(each)},
        "code": rule.code,
        "level": dict(rule.levels),
        "override": dict(rule.overrides),
        "locked": rule.locked,
        "message": (message.pieces, [path.text for path in message.paths]) if message is not None else None,
        "hint": rule.hint,
    } | {name: "" for name in ("deny", "warn", "require", "condition") if name != (rule.effect or "condition")}


def _spelt(expression: Expression | None) -> str:
    return " ".join(expression.text.split()) if expression is not None else ""


def _params_of(expression: Expression) -> list[str]:
    return [
        node.name
        for node in walk(expression.tree)
        if isinstance(node, Field) and isinstance(node.base, Name) and node.base.name == "params"
    ]


def _exceptions(old: Policy, new: Policy) -> Iterator[tuple[PolicyException | None, PolicyException | None]]:
    before, after = {each.id: each for each in old.exceptions}, {each.id: each for each in new.exceptions}
    for name in dict.fromkeys([*after, *before]):
        one, other = before.get(name), after.get(name)
        if one is None or other is None or _told(one) != _told(other):
            yield one, other


def _told(each: PolicyException) -> tuple[object, ...]:
    return each.code, each.until, _spelt(each.when), each.reason, each.owner


# -- what it means -----------------------------------------------------------------------------------------------------


class _Finder:
    """Looks for requests that tell two policies apart."""

    def __init__(self, old: Gate, new: Gate, tiers: TierPolicy, bench: Bench) -> None:
        self.old, self.new, self.bench = old, new, bench
        self.usual = bench.usual([old, new], usual_request(old.policy.stage, tiers.table))
        self.ground = ground_of(old, bench.known, tiers.table)

    def change(self, pair: _Pair) -> RuleChange:
        """What became of a rule."""
        looser, tighter, tried = self._looked(pair.rules, lambda seen: seen.closed(pair.id))
        meaning = _meaning(pair, looser, tighter)
        told = self._told(pair) if looser is tighter is None and meaning is not Meaning.WORDS else None
        return RuleChange(
            what=f"rule {pair.id}",
            meaning=Meaning.TOLD if told is not None and meaning is Meaning.ALIKE else meaning,
            before=pair.old.place if pair.old is not None else None,
            after=pair.new.place if pair.new is not None else None,
            parts=pair.parts,
            loosened=self._shown(looser, f"{pair.id} denies this"),
            tightened=self._shown(tighter, f"{pair.id} lets this through"),
            told=self._shown(told, f"{pair.id} is decided as it was"),
            tried=tried,
        )

    def exception(self, old: PolicyException | None, new: PolicyException | None) -> RuleChange:
        """What became of an exception: what it lets through."""
        each = new or old
        assert each is not None
        touched = [rule for gate in (self.old, self.new) for rule in gate.policy.rules if each.code in rule.codes]
        asked = [_asking(one) for one in (old, new) if one is not None and one.when is not None]
        names = {rule.id for rule in touched}

        def closed(seen: _Seen) -> tuple[bool, bool]:
            excepted = [_excepted(decision, names, each.id) for decision in (seen.old, seen.new)]
            return excepted[1] and not excepted[0], excepted[0] and not excepted[1]

        looser, tighter, tried = self._looked([*touched, *asked], closed)
        meaning = Meaning.ADDED if old is None else Meaning.DROPPED if new is None else _changed(looser, tighter)
        return RuleChange(
            what=f"exception {each.id}",
            meaning=Meaning.WORDS if meaning is Meaning.ALIKE else meaning,
            before=old.place if old is not None else None,
            after=new.place if new is not None else None,
            loosened=self._shown(looser, f"without exception {each.id} this is denied"),
            tightened=self._shown(tighter, f"exception {each.id} lets this through"),
            tried=tried,
        )

    def freeze(self) -> list[RuleChange]:
        """What became of the freeze."""
        old, new = self.old.policy.freeze, self.new.policy.freeze
        if (old and (old.until, old.reason)) == (new and (new.until, new.reason)):
            return []
        places: list[Place | None] = [each.place if each is not None else None for each in (old, new)]
        meaning = Meaning.ADDED if old is None else Meaning.DROPPED if new is None else Meaning.WORDS
        if old is not None and new is not None and old.until != new.until:
            meaning = Meaning.TIGHTENED if new.until.epoch > old.until.epoch else Meaning.LOOSENED
        return [RuleChange(what="freeze", meaning=meaning, before=places[0], after=places[1])]

    def _looked(
        self, rules: Sequence[PolicyRule], closed: Callable[[_Seen], tuple[bool, bool]]
    ) -> tuple[_Seen | None, _Seen | None, int]:
        """A request that only the old version denies, one that only the new one does, and how many were tried.

        One on which the whole verdict differs is taken before one that something else denies too.
        """
        found: list[_Seen | None] = [None, None]
        tried = 0
        for point in points(self.ground, self.usual, rules, [self.old, self.new]):
            tried += 1
            seen = _Seen(point, self.bench.decide(self.old, point), self.bench.decide(self.new, point))
            before, after = closed(seen)
            if before is not after:
                way = 0 if before else 1
                kept = found[way]
                if kept is None or (_whole(seen) and not _whole(kept)):
                    found[way] = seen
            if all(each is not None and _whole(each) for each in found):
                break
        return found[0], found[1], tried

    def _told(self, pair: _Pair) -> _Seen | None:
        """A request of which the rule warns, or which it notes, in one version only."""
        for point in points(self.ground, self.usual, pair.rules, [self.old, self.new]):
            seen = _Seen(point, self.bench.decide(self.old, point), self.bench.decide(self.new, point))
            if _spoken(seen.old, pair.id) != _spoken(seen.new, pair.id):
                return seen
        return None

    def _shown(self, seen: _Seen | None, name: str) -> Shown | None:
        if seen is None:
            return None
        return Shown(
            request=words(seen.point),
            before=_said(seen.old, seen.new),
            after=_said(seen.new, seen.old),
            whole=_whole(seen),
            fixture=pasted(self.bench, name, seen.point, self.old, self.new, seen.old),
        )


def _excepted(decision: GateDecision, rules: set[str], exception: str) -> bool:
    return any(row.rule in rules and row.outcome is Outcome.EXCEPTED and row.why == exception for row in decision.rows)


def _asking(exception: PolicyException) -> PolicyRule:
    """An exception's condition as that of a rule, for what it reads."""
    return PolicyRule(id=exception.id, place=exception.place, path="", condition=exception.when, effect="deny")


def _whole(seen: _Seen) -> bool:
    return seen.old.allow is not seen.new.allow


def _said(decision: GateDecision, other: GateDecision) -> str:
    """The verdict, with whatever else is found where the other one finds something else."""
    verdict = "allow" if decision.allow else f"deny {', '.join(decision.reasons)}"
    beside, there = _beside(decision), _beside(other)
    return verdict + "".join(f", {each}" for each in beside if beside != there)


def _beside(decision: GateDecision) -> tuple[str, ...]:
    """What is found and denies nothing: codes, with their level or what lets them through."""
    found = (_worded(each) for each in decision.findings if not each.denies)
    return tuple(dict.fromkeys(found))


def _worded(finding: Finding) -> str:
    if finding.status is FindingStatus.ACTIVE:
        return f"{finding.level.value} {finding.code}"
    return f"{finding.status.value} {finding.code}" + (
        f" by {finding.by}" if finding.status is FindingStatus.EXCEPTED else ""
    )


def _spoken(decision: GateDecision, rule: str) -> list[str]:
    return [_worded(each) for each in decision.findings if each.rule == rule and not each.denies]


def _meaning(pair: _Pair, looser: _Seen | None, tighter: _Seen | None) -> Meaning:
    if pair.old is None:
        return Meaning.ADDED
    if pair.new is None:
        return Meaning.DROPPED
    found = _changed(looser, tighter)
    return Meaning.WORDS if found is Meaning.ALIKE and _WORDS.issuperset(pair.parts) else found


def _changed(looser: _Seen | None, tighter: _Seen | None) -> Meaning:
    if looser is not None and tighter is not None:
        return Meaning.BOTH
    if looser is not None:
        return Meaning.LOOSENED
    return Meaning.ALIKE if tighter is None else Meaning.TIGHTENED
