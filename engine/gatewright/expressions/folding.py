"""What an expression is before any fact is known."""

from gatewright.expressions.emit import compiled
from gatewright.expressions.nodes import Bool, Compare, Literal, Node, Not, roots


def constant(node: Node) -> bool | None:
    """The answer that a condition always gives, or None when it depends on facts.

    Where it always gives one answer or errs, that answer counts: an error denies anyhow.
    """
    if isinstance(node, Literal):
        return node.value if isinstance(node.value, bool) else None
    if not roots(node):
        return _computed(node)
    if isinstance(node, Not):
        inner = constant(node.operand)
        return None if inner is None else not inner
    if isinstance(node, Bool):
        return _joined(node)
    if isinstance(node, Compare) and len(node.ops) == 1:
        return _with_itself(node)
    return None


def _computed(node: Node) -> bool | None:
    try:
        answer = compiled(node)()
    except Exception:  # noqa: BLE001  an expression of literals alone that errs is no constant; it is reported as it runs
        return None
    return answer if isinstance(answer, bool) else None


def _joined(node: Bool) -> bool | None:
    deciding = node.op == "or"
    parts = [constant(part) for part in node.parts]
    if deciding in parts:
        return deciding
    return None if None in parts else not deciding


def _with_itself(node: Compare) -> bool | None:
    if _same(node.first, node.rest[0]):
        return {"==": True, "<=": True, ">=": True, "!=": False, "<": False, ">": False}.get(node.ops[0])
    return None


def _same(left: object, right: object) -> bool:
    """Whether two parts are spelt alike: nodes, lists of them, or plain values of one type."""
    if type(left) is not type(right):
        return False
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_same, left, right))
    if not isinstance(left, Node):
        return left == right
    names = [name for name in left.__struct_fields__ if name not in ("start", "end", "type")]
    return all(_same(getattr(left, name), getattr(right, name)) for name in names)
