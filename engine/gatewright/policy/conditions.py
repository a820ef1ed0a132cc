"""Conditions of rules on a grid: the values at which they can change their mind, and what they are at each point.

No solver: a grid is built from a policy's own constants, each number and each text with its neighbours, one text before
all others, null and absence where they can be. On it every comparison of one fact with constants takes every value that
it can take. Whatever else stands in a condition is left free.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from math import prod

from msgspec import Struct

from gatewright.expressions import operators
from gatewright.expressions.kinds import NUMERIC, Kind
from gatewright.expressions.narrowing import key
from gatewright.expressions.nodes import Bool, Call, Compare, Field, ListLiteral, Literal, Name, Node, Not
from gatewright.expressions.operators import OperationError
from gatewright.policy import grid
from gatewright.policy.policies import Expression, PolicyRule

MAX_POINTS = 20_000  #: of one grid; a larger one is not looked at
Values = Mapping[str, object]
Atom = Callable[[Values], bool]


class Condition(Struct, frozen=True):
    """A rule's whole condition over grid variables: raises OperationError where the rule would err."""

    fires: Atom
    domains: Mapping[str, tuple[object, ...]]


def shared(one: Condition, other: Condition) -> dict[str, tuple[object, ...]]:
    """The values of a grid for both conditions."""
    return {
        name: tuple(dict.fromkeys((*one.domains.get(name, ()), *other.domains.get(name, ()))))
        for name in {**one.domains, **other.domains}
    }


def points(domains: Mapping[str, tuple[object, ...]]) -> Iterator[Values]:
    """Every point of a grid."""
    names = list(domains)
    for combination in product(*domains.values()):
        yield dict(zip(names, combination, strict=True))


def size(domains: Mapping[str, tuple[object, ...]]) -> int:
    """How many points a grid has."""
    return prod(max(len(values), 1) for values in domains.values())


def fires(condition: Condition, point: Values) -> bool | None:
    """Whether a condition holds at a point; None where it errs."""
    try:
        return condition.fires(point)
    except OperationError:
        return None


class Reader:
    """Turns the conditions of one policy into functions of grid variables."""

    def __init__(self, params: Mapping[str, object]) -> None:
        self.params = params
        self.domains: dict[str, dict[object, None]] = {}

    def condition(self, rule: PolicyRule) -> Condition:
        """The whole condition of an expression rule."""
        self.domains = {}
        assert rule.condition is not None
        applies = self._of(rule.when) if rule.when is not None else None
        holds = self._of(rule.condition)
        wanted = rule.effect != "require"

        def fires(point: Values) -> bool:
            return (applies is None or applies(point)) and holds(point) is wanted

        return Condition(fires, {name: tuple(values) for name, values in self.domains.items()})

    def _of(self, expression: Expression) -> Atom:
        return self.atom(expression.tree, expression.text)

    def atom(self, node: Node, text: str) -> Atom:
        """A node as a function of a point."""
        match node:
            case Not(operand=operand):
                inner = self.atom(operand, text)
                return lambda point: not inner(point)
            case Bool(op=op, parts=parts):
                return _joined(op, [self.atom(part, text) for part in parts])
            case Literal(value=bool() as value):
                return lambda _: value
            case Call(function="has", args=[path]):
                return self._has(path, text) or self._free(node, text)
            case Compare(ops=[op]):
                return self._compared(node, op, text) or self._free(node, text)
            case _ if node.type.kind is Kind.BOOLEAN and key(node, text) is not None:
                return self._boolean(node, text)
        return self._free(node, text)

    def _free(self, node: Node, text: str) -> Atom:
        """A part that is not looked into: true or false, whatever the rest is."""
        name = "?" + "".join(text[node.start : node.end].split())
        self._allow(name, True, False)
        return lambda point: bool(point[name])

    def _allow(self, name: str, *values: object) -> None:
        self.domains.setdefault(name, {}).update(dict.fromkeys(values))

    def _path(self, node: Node, text: str) -> str | None:
        """The grid variable of a path; None for anything else, and for params, which are constants."""
        name = key(node, text)
        if name is None or self._constant(node) is not None:
            return None
        return "".join(name.split())

    def _constant(self, node: Node) -> Literal | ListLiteral | None:
        if isinstance(node, Literal | ListLiteral):
            return node
        if isinstance(node, Field) and isinstance(node.base, Name) and node.base.name == "params":
            value = self.params.get(node.name)
            if isinstance(value, str | int | float | bool):
                return Literal(value=value, start=node.start, end=node.end, type=node.type)
        return None

    def _boolean(self, node: Node, text: str) -> Atom:
        name = self._path(node, text)
        if name is None:
            return self._free(node, text)
        self._allow_null(name, node)
        self._allow(name, True, False)
        return lambda point: operators.truth(_present(point[name]))

    def _has(self, path: Node, text: str) -> Atom | None:
        name = self._path(path, text)
        if name is None or path.type.kind not in (Kind.TEXT, *NUMERIC, Kind.BOOLEAN):
            return None
        self._allow_null(name, path)
        self._allow(name, *grid.apart(path.type), None)
        return lambda point: point[name] is not None and point[name] is not grid.ABSENT

    def _compared(self, node: Compare, op: str, text: str) -> Atom | None:
        left, right = node.first, node.rest[0]
        name, constant = self._path(left, text), self._constant(right)
        if name is None and isinstance(flipped := self._constant(left), Literal):
            name, constant, op = self._path(right, text), flipped, _FLIPPED.get(op, op)
            left = right
        if name is None or constant is None or left.type.kind not in (Kind.TEXT, *NUMERIC, Kind.BOOLEAN):
            return None
        self._allow_null(name, left)
        value = _value(constant)
        self._allow(name, *grid.around(left.type, value))
        return lambda point: _computed(op, _present(point[name]), value)

    def _allow_null(self, name: str, node: Node) -> None:
        if node.type.optional:
            self._allow(name, None)
        if isinstance(node, Field) and node.base.type.kind is Kind.MAP:
            self._allow(name, grid.ABSENT)


_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _joined(op: str, parts: list[Atom]) -> Atom:
    if op == "and":
        return lambda point: all(part(point) for part in parts)
    return lambda point: any(part(point) for part in parts)


def _present(value: object) -> object:
    if value is grid.ABSENT:
        raise OperationError(operators.EVAL_UNDEFINED, "absent")
    return value


def _value(constant: Literal | ListLiteral) -> object:
    return constant.value if isinstance(constant, Literal) else [item.value for item in constant.items]


def _computed(op: str, left: object, right: object) -> bool:
    if op in ("==", "is"):
        return operators.equal(left, right)
    if op in ("!=", "is not"):
        return not operators.equal(left, right)
    if op in ("in", "not in"):
        return operators.member(left, right) is (op == "in")
    return operators.ordered(op, left, right)
