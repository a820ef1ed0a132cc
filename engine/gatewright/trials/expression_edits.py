"""Slight wrongs within one expression: a number off by one, an operator beside the right one, `and` for `or`."""

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from gatewright.errors import ExpressionError, Fix
from gatewright.expressions import narrowing
from gatewright.expressions.checker import checked, condition_fault
from gatewright.expressions.folding import constant
from gatewright.expressions.nodes import Bool, Compare, ListLiteral, Literal, Not, walk
from gatewright.expressions.schema import Schema
from gatewright.policy.policies import Expression

#: For a comparison the one that answers otherwise at the limit, or the contrary where there is none.
_BESIDE = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "in": "not in",
    "not in": "in",
    "is": "is not",
    "is not": "is",
}
_SPELT = {"not in": r"not\s+in", "is not": r"is\s+not"}

Widening = Callable[[str], str | None]  #: by the text of a path, a value that no list should let in


class Edit(Struct, frozen=True):
    """One change of an expression's text, and what kind of slip it is."""

    kind: str
    fix: Fix


def edits(expression: Expression, widening: Widening) -> Iterator[Edit]:
    """The slips that are tried in an expression, outermost first."""
    text = expression.text
    for node in walk(expression.tree):
        match node:
            case Compare():
                yield from _operators(node, text)
                yield from _lists(node, text, widening)
            case Bool():
                yield _joined(node, text)
            case Not() if text[node.start : node.start + 3] == "not":
                yield Edit("negation", Fix(node.start, node.start + 3, ""))
            case Literal(value=int() | float() as value) if not isinstance(value, bool):
                yield from (Edit("threshold", Fix(node.start, node.end, str(value + step))) for step in (1, -1))


def _operators(node: Compare, text: str) -> Iterator[Edit]:
    before = node.first
    for op, operand in zip(node.ops, node.rest, strict=True):
        found = re.compile(_SPELT.get(op, re.escape(op))).search(text, before.end, operand.start)
        if found is not None:
            yield Edit("operator", Fix(found.start(), found.end(), _BESIDE[op]))
        before = operand


def _joined(node: Bool, text: str) -> Edit:
    """The same parts joined by the other word."""
    first, last = node.parts[0].end, node.parts[-1].start
    other = "or" if node.op == "and" else "and"
    pieces = []
    for left, right in zip(node.parts, node.parts[1:], strict=False):
        pieces.append(re.sub(rf"\b{node.op}\b", other, text[left.end : right.start]))
        pieces.append(text[right.start : right.end] if right is not node.parts[-1] else "")
    return Edit("join", Fix(first, last, "".join(pieces)))


def _lists(node: Compare, text: str, widening: Widening) -> Iterator[Edit]:
    for left, operand in zip([node.first, *node.rest], node.rest, strict=False):
        if not isinstance(operand, ListLiteral) or not operand.items:
            continue
        items = operand.items
        for at, item in enumerate(items if len(items) > 1 else []):
            cut = (item.start, items[at + 1].start) if at + 1 < len(items) else (items[at - 1].end, item.end)
            yield Edit("list", Fix(*cut, ""))
        value = widening("".join(text[left.start : left.end].split()))
        if value is not None:
            end = items[-1]
            yield Edit("list", Fix(end.start, end.end, f"{text[end.start : end.end]}, {quoted(value)}"))


def quoted(text: str) -> str:
    """A text as an expression writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def edited(expression: Expression, fix: Fix, schema: Schema, when: Expression | None = None) -> Expression | None:
    """The expression with a change; None where no policy with it would load."""
    text = expression.text[: fix.start] + fix.text + expression.text[fix.end :]
    known = narrowing.not_null(when.tree, when.text, truth=True) if when is not None else frozenset()
    try:
        tree, warnings = checked(text, schema, known)
    except ExpressionError:
        return None
    if condition_fault(text, tree) is not None or constant(tree) is not None:
        return None
    return Expression(
        text=text, tree=tree, source=expression.source, scalar=expression.scalar, warnings=tuple(warnings)
    )
