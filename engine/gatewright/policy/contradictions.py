"""Pairs that contradict each other: comparisons of one rule that cannot both hold, rules that deny all between them."""

from collections.abc import Iterator, Mapping

from gatewright.errors import Place
from gatewright.expressions.nodes import Bool, Node
from gatewright.policy.conditions import MAX_POINTS, Condition, Reader, fires, points, shared, size
from gatewright.policy.policies import Expression, PolicyRule

Part = tuple[Expression, Node]


def cannot_both_hold(rule: PolicyRule, params: Mapping[str, object]) -> tuple[Part, Part] | None:
    """Two comparisons, joined by `and` in a rule's conditions, that no request meets; None where there are none."""
    parts = list(_parts(rule))
    for at, first in enumerate(parts):
        for second in parts[at + 1 :]:
            if _never(first, second, params):
                return first, second
    return None


def _parts(rule: PolicyRule) -> Iterator[Part]:
    """What has to hold all at once for a rule to fire, as far as `and` joins it."""
    # Of what is required, the contrary has to hold, which `and` joins to nothing.
    conditions = [rule.when, rule.condition if rule.effect != "require" else None]
    for expression in conditions:
        if expression is not None:
            yield from ((expression, node) for node in _joined(expression.tree))


def _joined(node: Node) -> Iterator[Node]:
    if isinstance(node, Bool) and node.op == "and":
        for part in node.parts:
            yield from _joined(part)
    else:
        yield node


def _never(first: Part, second: Part, params: Mapping[str, object]) -> bool:
    reader = Reader(params)
    one, other = (reader.atom(node, expression.text) for expression, node in (first, second))
    both = Condition(
        lambda point: one(point) and other(point), {name: tuple(values) for name, values in reader.domains.items()}
    )
    if size(both.domains) > MAX_POINTS:
        return False
    return all(fires(both, point) is False for point in points(both.domains))


def worded(part: Part) -> str:
    """A comparison and its place: `agents > 8` at 6:11."""
    expression, node = part
    place: Place = expression.place(node.start)
    return f"`{' '.join(expression.text[node.start : node.end].split())}` at {place.line}:{place.column}"


def deny_everything(one: Condition, other: Condition) -> bool:
    """Whether each request meets one condition or the other, where neither meets all by itself."""
    both = shared(one, other)
    if not set(one.domains) & set(other.domains) or size(both) > MAX_POINTS:
        return False
    return all(fires(one, point) is not False or fires(other, point) is not False for point in points(both))
