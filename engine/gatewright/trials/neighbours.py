"""The nearest neighbours of a request: the same facts with one thing changed by the smallest step.

A number goes up or down by one; a text becomes another one that the field, the rule or a case beside it names; a
boolean turns; what may be null becomes null. So nothing has to be understood of what a rule does with its facts.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gatewright.expressions.kinds import NUMERIC, Kind, Type
from gatewright.expressions.nodes import ListLiteral, Literal, Node, walk
from gatewright.model import Moment
from gatewright.model.nouns import DAYS
from gatewright.policy.policies import PolicyRule
from gatewright.runner.facts import Facts, worded

_MOST = 24  #: values that are tried in the place of one
_DAY = 86_400.0
_SECONDS = (1.0, 60.0, _DAY)
_CLOCK = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

Seen = Mapping[str, tuple[object, ...]]  #: by path, what stands there in cases that are looked for


class Step(Struct, frozen=True):
    """One change: the path and what stands there before and after, and the whole fact with it."""

    path: str
    before: object
    after: object
    fact: str
    value: object  #: of the whole fact

    def worded(self, *, secret: bool = False) -> str:
        """The change in words: `agents 9 in the place of 8`."""
        return f"{self.path} {_short(self.after, secret=secret)} in the place of {_short(self.before, secret=secret)}"


def _short(value: object, *, secret: bool) -> str:
    if isinstance(value, Moment):
        return value.text
    return f'"{worded(value)}"' if isinstance(value, str) and not secret else worded(value, secret=secret)


class Named(Struct, frozen=True):
    """The constants at which a rule may change its mind."""

    numbers: tuple[int | float, ...]
    texts: tuple[str, ...]
    moments: tuple[float, ...] = ()  #: seconds since the epoch


def named_by(rule: PolicyRule, params: Mapping[str, object]) -> Named:
    """The numbers and texts in a rule's conditions and options, and in the params of its policy."""
    trees = [each.tree for each in (rule.condition, rule.when) if each is not None]
    found: list[object] = [literal.value for tree in trees for literal in literals(tree)]
    for value in (*rule.options.values(), *params.values()):
        found += value if isinstance(value, tuple | list) else [value]
    return named_of(found)


def named_of(values: Sequence[object]) -> Named:
    """The numbers and texts among values."""
    numbers = [each for each in values if isinstance(each, int | float) and not isinstance(each, bool)]
    texts = [each for each in values if isinstance(each, str)]
    return Named(tuple(dict.fromkeys(numbers))[:_MOST], tuple(dict.fromkeys(texts))[:_MOST])


def literals(tree: Node) -> Iterator[Literal]:
    """The literals of an expression, those in lists too."""
    for node in walk(tree):
        yield from node.items if isinstance(node, ListLiteral) else [node] if isinstance(node, Literal) else []


class Neighbourhood:
    """Makes the neighbours of requests.

    names: the facts that are changed.
    types: of the facts of the stage.
    far: whether numbers and times jump to those that are named too, in the place of going one step.
    """

    def __init__(self, names: Sequence[str], types: Mapping[str, Type], named: Named, *, far: bool = False) -> None:
        self.names, self.types, self.named, self.far = names, types, named, far

    def steps(self, facts: Facts, seen: Seen) -> Iterator[Step]:
        """Every change of one of the facts."""
        for name in self.names:
            if name in self.types and name in facts.known:
                value = facts.known[name]
                for path, before, after, whole in self._changed(name, self.types[name], value, seen):
                    yield Step(path, before, after, name, whole)

    def _changed(
        self, path: str, kind: Type, value: object, seen: Seen
    ) -> Iterator[tuple[str, object, object, object]]:
        """Path, value before and after, and what the whole becomes, for each change below a path."""
        if isinstance(value, Moment):
            yield from ((path, value, after, after) for after in self._moments(value))
        elif isinstance(value, Struct) and kind.kind is Kind.RECORD:
            for name, held in (kind.fields or {}).items():
                for at, before, after, whole in self._changed(f"{path}.{name}", held, getattr(value, name), seen):
                    yield at, before, after, replace(value, **{name: whole})
        elif isinstance(value, dict) and kind.of is not None:
            yield from self._entries(path, kind.of, value, seen)
        else:
            yield from ((path, value, after, after) for after in self._others(path, kind, value, seen))

    def _entries(
        self, path: str, kind: Type, value: dict[str, object], seen: Seen
    ) -> Iterator[tuple[str, object, object, object]]:
        for name, held in value.items():
            for at, before, after, whole in self._changed(f"{path}.{name}", kind, held, seen):
                yield at, before, after, {**value, name: whole}
            yield f"{path}.{name}", held, None, {key: each for key, each in value.items() if key != name}
        yield from ((path, value, after, after) for after in seen.get(path, ()) if after != value)

    def _others(self, path: str, kind: Type, value: object, seen: Seen) -> Iterator[object]:
        found = [*self._of_kind(kind, value), *self._there(kind, value, seen.get(path, ()))]
        kept: list[object] = []
        for each in found[:_MOST]:
            if not _same(each, value) and not any(_same(each, other) for other in kept):
                kept.append(each)
        return iter(kept)

    def _of_kind(self, kind: Type, value: object) -> Iterator[object]:
        if kind.kind in NUMERIC:
            yield from self._numbers(kind, value)
        elif kind.kind is Kind.BOOLEAN:
            yield from (False, True)
        elif kind.kind is Kind.TEXT:
            yield from (*kind.among, *self.named.texts)
        elif kind.kind is Kind.LIST and value:
            yield []

    def _there(self, kind: Type, value: object, seen: tuple[object, ...]) -> Iterator[object]:
        """What stands at the same place in cases that are looked for, and null where it may be.

        A number jumps nowhere, unless null is all that those cases have in its place.
        """
        if kind.kind not in NUMERIC:
            yield from seen
            if kind.optional:
                yield None
        elif None in seen and len(seen) == 1 and value is not None:
            yield None

    def _numbers(self, kind: Type, value: object) -> Iterator[object]:
        if isinstance(value, int | float):
            yield from (value + 1, value - 1)
        if isinstance(value, float):
            yield from (math.nextafter(value, math.inf), math.nextafter(value, -math.inf))
        if self.far:
            for each in self.named.numbers:
                yield from (each + step for step in (-1, 0, 1) if kind.kind is Kind.NUMBER or isinstance(each, int))

    def _moments(self, value: Moment) -> Iterator[Moment]:
        steps = [value.epoch + sign * seconds for seconds in _SECONDS for sign in (1, -1)]
        yield from moments(steps)
        if self.far:
            yield from moments((*self.named.moments, *named_times(self.named.texts, value)))


def moments(epochs: Iterable[float]) -> Iterator[Moment]:
    """Times by their seconds since the epoch, but for those that no calendar holds."""
    for epoch in epochs:
        try:
            yield Moment.at(epoch)
        except ValueError:
            continue


def named_times(texts: Iterable[str], around: Moment) -> Iterator[float]:
    """Times that texts name: a time of that day, a day or a weekday at that time, each with the one before and behind.

    What else a text says is no time.
    """
    midnight = around.epoch - around.epoch % _DAY
    for text in texts:
        if _CLOCK.fullmatch(text):
            named = midnight + int(text[:2]) * 3600.0 + int(text[3:]) * 60.0
            yield from (named, named - 60.0, named + 60.0)
        elif _DATE.fullmatch(text):
            try:
                named = Moment.parsed(f"{text}T00:00:00Z").epoch + around.epoch - midnight
            except ValueError:
                continue
            yield from (named, named - _DAY, named + _DAY)
        elif text in DAYS:
            days = (DAYS.index(text) - DAYS.index(around.weekday)) % len(DAYS)
            yield from (around.epoch + (days + step) * _DAY for step in (0, -1, 1))


def _same(left: object, right: object) -> bool:
    return type(left) is type(right) and left == right


def leaves(path: str, kind: Type, value: object) -> Iterator[tuple[str, object]]:
    """Every value below a fact, with its path; a map is one too, since it is changed as a whole."""
    if isinstance(value, Struct) and not isinstance(value, Moment) and kind.kind is Kind.RECORD:
        for name, held in (kind.fields or {}).items():
            yield from leaves(f"{path}.{name}", held, getattr(value, name))
    elif not isinstance(value, Moment):
        yield path, value
        if isinstance(value, dict) and kind.of is not None:
            for name, held in value.items():
                yield from leaves(f"{path}.{name}", kind.of, held)


def with_leaf(known: Mapping[str, object], path: str, value: object) -> tuple[str, object]:
    """The name of a fact, and the fact with another value at the end of a path of fields."""
    name, *fields = path.split(".")
    return name, _set(known[name], fields, value)


def _set(held: object, fields: list[str], value: object) -> object:
    if not fields:
        return value
    first, *rest = fields
    if isinstance(held, Struct):
        return replace(held, **{first: _set(getattr(held, first), rest, value)})
    key = ".".join(fields)  # the keys of a map may hold dots
    return {**held, key: value} if isinstance(held, dict) else held
