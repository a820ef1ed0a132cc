"""The smallest change that would pass: which one fact of the request, changed by how little, would take a denial away.

Nothing is inferred from the shape of an expression: a change is told only after it was tried on the gate itself, and
the step before it was tried too.
"""

from collections.abc import Callable, Iterator, Mapping

from gatewright.catalog import sources
from gatewright.expressions.kinds import Kind
from gatewright.expressions.nodes import Field, ListLiteral, Literal, Name, Node, roots, walk
from gatewright.model import GateDecision, Moment, Window
from gatewright.model.explanations import Change
from gatewright.policy.policies import PolicyRule
from gatewright.runner.facts import Facts, worded
from gatewright.runner.gate import Gate
from gatewright.runner.plan import needed_by
from gatewright.spec import FactSource

_FURTHEST = 10**12  #: beyond this no budget, cap or size is meant
_STRIDE = 8  #: by how much each try goes further than the one before
_MAX_TEXTS = 24
_MAX_NUMBERS = 12
_ANY = "any text at all"  #: stands for texts that no rule names

Passes = Callable[[Mapping[str, object]], bool]


def changes(gate: Gate, rule: PolicyRule, facts: Facts, decision: GateDecision) -> tuple[Change, ...]:
    """Single changes that would take the rule's denials away and bring no other denial.

    Numbers are changed by as little as it takes, texts to a value that the rule itself names, and for a window that is
    full, the time is told after which the request fits.
    """
    catalog_facts = gate.catalog.facts_of(gate.policy.stage)
    passes = _trial(gate, rule, facts, decision)
    found: list[Change] = []
    for name in _request_facts(gate, rule):
        fact, value = catalog_facts[name], facts.known.get(name)
        if fact.type.kind is Kind.INTEGER and isinstance(value, int) and not isinstance(value, bool):
            found += _number(name, value, _numbers(gate, rule), passes)
        elif fact.type.kind is Kind.TEXT and not fact.secret and (value is None or isinstance(value, str)):
            found += _text(name, value, _texts(rule), passes)
        elif fact.type.kind is Kind.MAP and not fact.secret and (value is None or isinstance(value, Mapping)):
            found += _entries(rule, name, value or {}, passes)
    found += _time(rule, facts)
    return tuple(found)


def _trial(gate: Gate, rule: PolicyRule, facts: Facts, decision: GateDecision) -> Passes:
    """Whether the request with some facts changed is free of the rule's denials, and of any that it did not have."""
    before = {(finding.rule, finding.code) for finding in decision.findings if finding.denies}

    def passes(change: Mapping[str, object]) -> bool:
        # What is derived from a changed fact is derived anew; everything else stays as it was.
        kept = {
            name: value for name, value in facts.known.items() if change.keys().isdisjoint(sources(gate.facts, name))
        }
        after = gate.decide({**kept, **change})
        denials = {(finding.rule, finding.code) for finding in after.findings if finding.denies}
        return denials <= before and not any(name == rule.id for name, _ in denials)

    return passes


def _request_facts(gate: Gate, rule: PolicyRule) -> list[str]:
    """The request's own facts that the rule reads, directly or through derived ones, in the order in which it does."""
    catalog_facts = gate.catalog.facts_of(gate.policy.stage)
    names = [source for name in needed_by(rule) for source in sources(gate.facts, name)]
    return [
        name
        for name in dict.fromkeys(names)
        if name in catalog_facts and catalog_facts[name].source is FactSource.REQUEST
    ]


# -- numbers -----------------------------------------------------------------------------------------------------------


def _numbers(gate: Gate, rule: PolicyRule) -> list[int]:
    """The whole numbers at which a condition of the rule may change its mind: those it names, each with neighbours."""
    trees = [expression.tree for expression in (rule.condition, rule.when) if expression is not None]
    named = [literal.value for tree in trees for literal in _literals(tree)]
    whole = [each for each in (*named, *gate.policy.params.values()) if type(each) is int]
    around = {each + step for each in whole[:_MAX_NUMBERS] for step in (-1, 0, 1)}
    return sorted(each for each in around if 0 < each <= _FURTHEST)


def _number(name: str, value: int, numbers: list[int], passes: Passes) -> Iterator[Change]:
    for step, sign in ((-1, "<="), (1, ">=")):
        onward = [each for each in numbers[::step] if (each - value) * step > 0]
        found = nearest(name, value, step, passes)
        if found is None:
            found = _among(name, value, onward, passes)
        if found is not None:
            beyond = [each for each in onward if (each - found) * step > 0]
            text = f"{name} {sign} {found}" if all(passes({name: each}) for each in beyond) else f"{name} {found}"
            yield Change(text, {name: found})


def _among(name: str, value: int, onward: list[int], passes: Passes) -> int | None:
    """The first passing number in one direction, where only a few pass, such as those between two bounds."""
    failing = value
    for each in onward:
        if passes({name: each}):
            return _bisected(name, failing, each, passes)
        failing = each
    return None


def nearest(name: str, value: int, step: int, passes: Passes) -> int | None:
    """The passing number nearest to `value` in one direction, where the step before it does not pass.

    Goes further each time until one passes, then halves in between. The limit below is 0: no count is negative.
    """
    distance, failing, passing = 1, value, None
    while passing is None:
        candidate = max(value + step * distance, 0) if step < 0 else value + step * distance
        if passes({name: candidate}):
            passing = candidate
        elif candidate == 0 or candidate > _FURTHEST:
            return _between_zero_and(name, failing, passes) if step < 0 else None
        else:
            failing, distance = candidate, distance * _STRIDE
    return _bisected(name, failing, passing, passes)


def _between_zero_and(name: str, failing: int, passes: Passes) -> int | None:
    """0 itself does not pass, as for a count that is at least 1; whether 1 does, and what lies between."""
    return _bisected(name, failing, 1, passes) if failing > 1 and passes({name: 1}) else None


def _bisected(name: str, failing: int, passing: int, passes: Passes) -> int:
    while abs(passing - failing) > 1:
        middle = (passing + failing) // 2
        if passes({name: middle}):
            passing = middle
        else:
            failing = middle
    return passing


# -- texts -------------------------------------------------------------------------------------------------------------


def _text(name: str, value: str | None, candidates: list[str], passes: Passes) -> Iterator[Change]:
    passing = [text for text in candidates if text != value and passes({name: text})]
    if passing:
        told = " or ".join(f'"{worded(text)}"' for text in passing[:4])
        more = f", or one of {len(passing) - 4} more" if len(passing) > 4 else ""  # noqa: PLR2004  a line's worth
        yield Change(f"{name} {told}{more}", {name: passing[0]})


def _entries(rule: PolicyRule, name: str, value: Mapping[str, object], passes: Passes) -> Iterator[Change]:
    """One entry of a map of texts that is put in or changed: to a text that the rule names, else to any."""
    for key in _keys(rule, name):
        for text in (*filter(None, _texts(rule)), _ANY):
            if text != value.get(key) and passes({name: {**value, key: text}}):
                told = "with any text" if text == _ANY else f'"{worded(text)}"'
                yield Change(f"{name}.{key} {told}", {name: {**value, key: text}})
                break


def _keys(rule: PolicyRule, name: str) -> list[str]:
    """The entries of a map that a rule reads by name."""
    trees = [expression.tree for expression in (rule.condition, rule.when) if expression is not None]
    nodes = (node for tree in trees for node in walk(tree))
    found = (
        node.name
        for node in nodes
        if isinstance(node, Field) and isinstance(node.base, Name) and node.base.name == name
    )
    return list(dict.fromkeys(found))


def _texts(rule: PolicyRule) -> list[str]:
    """The texts that a rule itself names: in its conditions and in its options."""
    trees = [expression.tree for expression in (rule.condition, rule.when) if expression is not None]
    found = [text for tree in trees for text in _listed(tree)]
    for option in rule.options.values():
        found += [each for each in option if isinstance(each, str)] if isinstance(option, tuple) else []
    return list(dict.fromkeys(found))[:_MAX_TEXTS]


def _listed(tree: Node) -> Iterator[str]:
    yield from (literal.value for literal in _literals(tree) if isinstance(literal.value, str))


def _literals(tree: Node) -> Iterator[Literal]:
    for node in walk(tree):
        yield from node.items if isinstance(node, ListLiteral) else [node] if isinstance(node, Literal) else []


# -- time --------------------------------------------------------------------------------------------------------------


def _time(rule: PolicyRule, facts: Facts) -> Iterator[Change]:
    names = needed_by(rule)
    reads_window = rule.rule is not None and "window" in names
    reads_window = reads_window or (rule.condition is not None and "window" in roots(rule.condition.tree))
    window = facts.known.get("window")
    if reads_window and isinstance(window, Window) and window.frees_at is not None:
        yield Change(f"after {Moment.at(window.frees_at).text}", {"now": window.frees_at})
