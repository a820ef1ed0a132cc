"""Requests at which rules may change their mind, made from the constants of two policies; no solver takes part.

A usual request is changed in one, two or three of the facts that matter: numbers to the constants and their neighbours,
texts to those that are named and to one that is not, booleans both ways, and null where it can be.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from msgspec import Struct

from gatewright.catalog import sources
from gatewright.expressions.kinds import NUMERIC, Kind, Type
from gatewright.expressions.nodes import Field, Index, Literal, Name, Node, walk
from gatewright.model import Moment, Stage, TierTable
from gatewright.policy.policies import PolicyRule
from gatewright.runner import Gate
from gatewright.runner.facts import worded
from gatewright.runner.plan import needed_by
from gatewright.spec import REQUIRED, Fact, FactSource
from gatewright.trials.neighbours import leaves, moments, named_by, named_times, with_leaf

OTHER = "something-else"
_MOST = 16  #: values of one fact
_POINTS = 4000  #: requests for one rule
_HOURS = (0, 8, 12, 18)

Values = Sequence[tuple[str, Sequence[object]]]


class Point(Struct, frozen=True, kw_only=True):
    """A request: what is asked for, what is looked up in another way than usual, and what of both is changed."""

    request: Mapping[str, object]
    facts: Mapping[str, object] = {}
    changed: Mapping[str, object] = {}  #: by path
    now: Moment


class Ground(Struct, frozen=True, kw_only=True):
    """What requests of a stage are usually made of."""

    stage: Stage
    known: Mapping[str, object]  #: every fact that is given or looked up
    facts: Mapping[str, Fact]
    table: TierTable | None


def usual_request(stage: Stage, table: TierTable | None) -> dict[str, object]:
    """What a request of a stage asks for, unless something is changed."""
    if stage not in (Stage.DISPATCH, Stage.CHECK):
        return {}
    model = next(iter(table.index), "some-model") if table is not None else "some-model"
    usual = {"runtime": "codex", "model": model, "agents": 1, "est_chars": 1000}
    return {**usual, "completion_channel": "orchestration"} if stage is Stage.CHECK else usual


def points(ground: Ground, usual: Point, rules: Sequence[PolicyRule], gates: Sequence[Gate]) -> Iterator[Point]:
    """The requests at which these rules, or versions of one, may differ; the usual one first."""
    values = _values(ground, rules, gates)
    yield usual
    left = _POINTS
    for size in (1, 2, 3):
        for chosen in combinations(values, size):
            for combination in product(*(held for _, held in chosen)):
                left -= 1
                if left < 0:
                    return
                yield _at(ground, usual, {path: value for (path, _), value in zip(chosen, combination, strict=True)})


def _at(ground: Ground, usual: Point, changed: Mapping[str, object]) -> Point:
    request, facts, now = dict(usual.request), dict(usual.facts), usual.now
    known = dict(ground.known)
    for path, value in changed.items():
        if path == "now":
            assert isinstance(value, Moment)
            now = value
            continue
        name, whole = with_leaf(known, path, value)
        known[name] = whole
        if ground.facts[name].source is FactSource.REQUEST and (ground.stage is Stage.CHECK or name not in facts):
            request[name] = whole
        else:
            facts[name] = whole
    return Point(request=request, facts=facts, changed=changed, now=now)


def _values(ground: Ground, rules: Sequence[PolicyRule], gates: Sequence[Gate]) -> Values:
    """For each fact, or field of one, that the rules read: the values that it is tried with."""
    named = [named_by(rule, gate.policy.params) for gate in gates for rule in rules]
    numbers = list(dict.fromkeys(number for each in named for number in each.numbers))
    texts = list(dict.fromkeys(text for each in named for text in each.texts))
    needs = [need for rule in rules for need in (*needed_by(rule), *rule.overrides.values())]
    names = dict.fromkeys(name for need in needs for name in sources(gates[0].facts, need))
    keys = [key for rule in rules for tree in _trees(rule) for key in _keys(tree)]
    found: list[tuple[str, Sequence[object]]] = []
    for name in names:
        fact = ground.facts.get(name)
        if name == "tier_policy" or name not in ground.known or fact is None or fact.source is FactSource.DERIVED:
            continue
        if name == "now":
            found.append((name, _moments(ground, texts)))
            continue
        for path, kind, value in _leaves(name, fact.type, ground.known.get(name)):
            choices = _choices(ground, path, kind, numbers, texts, keys)
            held = [each for each in choices if type(each) is not type(value) or each != value]
            if held:
                found.append((path, held[:_MOST]))
    return found


def _leaves(name: str, kind: Type, value: object) -> Iterator[tuple[str, Type, object]]:
    for path, held in leaves(name, kind, value):
        inner = kind
        for part in path.split(".")[1:]:
            inner = (inner.fields or {}).get(part, inner.of or inner)
        yield path, inner, held


def _choices(
    ground: Ground, path: str, kind: Type, numbers: list[int | float], texts: list[str], keys: list[str]
) -> Iterator[object]:
    if kind.kind is Kind.BOOLEAN:
        yield from (True, False)
    elif kind.kind in NUMERIC:
        yield from _numbers(kind, numbers)
    elif kind.kind is Kind.TEXT:
        models = _models(ground.table) if path == "model" else []
        yield from dict.fromkeys([*models, *kind.among, *texts, OTHER, ""])
    elif kind.kind is Kind.MAP:
        yield from ({key: text} for key in dict.fromkeys(keys) for text in (*texts, OTHER))
        yield {}
    elif kind.kind is Kind.LIST:
        yield from ([], *([text] for text in (*texts, OTHER)))
    if kind.optional:
        yield None


def _numbers(kind: Type, numbers: Iterable[int | float]) -> list[int | float]:
    """The constants with their neighbours and a few small numbers, small ones first: they are easier to read."""
    around = {number + step for number in (*numbers, 1) for step in (-1, 0, 1)}
    return sorted((each for each in around if kind.kind is Kind.NUMBER or isinstance(each, int)), key=abs)


def _models(table: TierTable | None) -> list[str]:
    """A model of each tier, and one of none."""
    if table is None:
        return []
    of_tier: dict[str, str] = {}
    for model, tier in table.index.items():
        of_tier.setdefault(tier, model)
    return [*of_tier.values(), OTHER]


def _moments(ground: Ground, texts: Iterable[str]) -> list[Moment]:
    """Times that are named, and some of each day of a week."""
    start = ground.known["now"]
    assert isinstance(start, Moment)
    named = list(moments(dict.fromkeys(named_times(texts, start))))
    return named[:_MOST] + [Moment.at(start.epoch + day * 86_400 + hour * 3600) for hour in _HOURS for day in range(7)]


def _trees(rule: PolicyRule) -> Iterable[Node]:
    return [each.tree for each in (rule.when, rule.condition) if each is not None]


def _keys(tree: Node) -> Iterator[str]:
    """The keys of maps that an expression asks for."""
    for node in walk(tree):
        if isinstance(node, Field) and isinstance(node.base, Name) and node.base.type.kind is Kind.MAP:
            yield node.name
        elif isinstance(node, Index) and isinstance(node.key, Literal) and isinstance(node.key.value, str):
            yield node.key.value


def missing(facts: Mapping[str, Fact], given: Iterable[str]) -> list[str]:
    """The facts of a request that have to be given, and are not."""
    there = set(given)
    return [
        name
        for name, fact in facts.items()
        if fact.source is FactSource.REQUEST and fact.default is REQUIRED and name not in there
    ]


def ground_of(gate: Gate, known: Mapping[str, object], table: TierTable | None) -> Ground:
    """The ground of requests to a gate, from the facts of a usual one."""
    facts = gate.catalog.facts_of(gate.policy.stage)
    defaults = {name: fact.default for name, fact in facts.items() if fact.default is not REQUIRED}
    return Ground(stage=gate.policy.stage, known={**defaults, **known}, facts=facts, table=table)


def words(point: Point) -> str:
    """What of a request is not as usual: `agents 9, runtime "fable"`."""
    told = [f"{path} {_told(value)}" for path, value in point.changed.items()]
    return ", ".join(told) or "the usual request"


def _told(value: object) -> str:
    if isinstance(value, Moment):
        return value.text
    return f'"{worded(value)}"' if isinstance(value, str) else worded(value)
