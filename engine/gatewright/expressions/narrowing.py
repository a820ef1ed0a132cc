"""What a condition tells about null: after `x is not None and`, `x` is not null."""

from gatewright.expressions.nodes import Bool, Call, Compare, Field, Index, ListLiteral, Literal, Name, Node, Not

Paths = frozenset[str]
_NONE: Paths = frozenset()


def key(node: Node, text: str) -> str | None:
    """The spelling of a path without white space, by which two mentions of it are the same; None for no path."""
    if isinstance(node, Name):
        return node.name
    if isinstance(node, Field):
        base = key(node.base, text)
        return None if base is None else f"{base}.{node.name}"
    if isinstance(node, Index):
        base = key(node.base, text)
        return None if base is None else f"{base}[{text[node.key.start : node.key.end]}]"
    return None


def not_null(node: Node, text: str, *, truth: bool) -> Paths:
    """The paths that are not null where `node` has turned out to be `truth`."""
    match node:
        case Not(operand=operand):
            return not_null(operand, text, truth=not truth)
        case Bool(op=op, parts=parts) if (op == "and") is truth:
            return _NONE.union(*(not_null(part, text, truth=truth) for part in parts))
        case Call(function="has", args=[path]) if truth:
            return _with_bases(path, text)
        case Compare():
            return _compared(node, text, truth=truth)
    return _NONE


def _compared(node: Compare, text: str, *, truth: bool) -> Paths:
    op, left, right = node.ops[0], node.first, node.rest[0]
    if op in ("is", "is not", "==", "!=") and _is_null(right):
        return _path(left, text) if (op in ("is not", "!=")) is truth else _NONE
    if op in ("==", "!=") and isinstance(right, Literal):
        return _path(left, text) if (op == "==") is truth else _NONE
    if op in ("in", "not in") and isinstance(right, ListLiteral):
        listed_null = any(item.value is None for item in right.items)
        return _path(left, text) if (op == "in") is truth and not listed_null else _NONE
    if op in ("<", "<=", ">", ">="):
        # An ordering that gave any answer met no null on either side; a false chain may have met its first alone.
        return _NONE.union(*(_path(side, text) for side in (left, *(node.rest if truth else [right]))))
    return _NONE


def _is_null(node: Node) -> bool:
    return isinstance(node, Literal) and node.value is None


def _path(node: Node, text: str) -> Paths:
    found = key(node, text)
    return _NONE if found is None else frozenset([found])


def _with_bases(node: Node, text: str) -> Paths:
    found = _path(node, text)
    while isinstance(node, Field | Index):
        node = node.base
        found |= _path(node, text)
    return found
