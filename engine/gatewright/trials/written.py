"""How parts of a policy are written: the text of a node, the lines that a change touches, where a value comes from."""

from collections.abc import Iterator
from datetime import date, timedelta

from gatewright.errors import Fix
from gatewright.expressions.kinds import Kind, Type, kind_of
from gatewright.policy.tree import Scalar, Source, Tree
from gatewright.policy.tree import Sequence as ListTree


def days_beside(day: date) -> Iterator[date]:
    """The day after a day and the day before it, as far as the calendar has them."""
    if day < date.max:
        yield day + timedelta(days=1)
    if day > date.min:
        yield day - timedelta(days=1)


def written(source: Source, node: Tree | None) -> str:
    """A node as it is written, from its first character to its last; nothing for none."""
    scalars = list(_scalars(node)) if node is not None else []
    if not scalars:
        return ""
    return source.text[min(each.start for each in scalars) : max(each.end for each in scalars)]


def lines(text: str, fix: Fix) -> tuple[str, str]:
    """The lines that a fix changes, before and after."""
    first = text.rfind("\n", 0, fix.start) + 1
    last = text.find("\n", fix.end)
    last = len(text) if last < 0 else last
    before = text[first:last]
    after = text[first : fix.start] + fix.text + text[fix.end : last]
    return before.strip(), after.strip()


def item(node: Tree | None, at: int) -> Tree | None:
    """The element of a list at a place; None where there is none."""
    return node.items[at] if isinstance(node, ListTree) and at < len(node.items) else None


def param_of(node: Tree | None) -> str | None:
    """The param that an option takes its value from."""
    value = node.value if isinstance(node, Scalar) else None
    return value.removeprefix("params.") if isinstance(value, str) and value.startswith("params.") else None


def _scalars(node: Tree) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, ListTree):
        for item in node.items:
            yield from _scalars(item)
    else:
        for entry in node:
            yield entry.key
            yield from _scalars(entry.value)


def type_of(value: object) -> Type:
    """The type of a param by its value."""
    if isinstance(value, list | tuple):
        return Type(Kind.LIST, of=Type(kind_of(value[0]))) if value else Type(Kind.LIST)
    return Type(kind_of(value))
