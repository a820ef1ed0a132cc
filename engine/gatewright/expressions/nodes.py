"""The tree of a checked expression. Every node knows the characters it came from and, once checked, its type."""

from msgspec import Struct

from gatewright.expressions.kinds import ANY, Type

Scalar = str | int | float | bool | None


class Node(Struct, kw_only=True):
    """What all nodes have: `start` and `end` in the expression's text, and a `type` set by the checker."""

    start: int
    end: int
    type: Type = ANY


class Literal(Node, kw_only=True):
    """A text, number, boolean or null."""

    value: Scalar


class ListLiteral(Node, kw_only=True):
    """A list of literals, in brackets or, to the right of `in`, in parentheses."""

    items: "list[Literal]"


class Name(Node, kw_only=True):
    """A fact, by name."""

    name: str


class Field(Node, kw_only=True):
    """A field of a record or map: `contract.readable`."""

    base: Node
    name: str


class Index(Node, kw_only=True):
    """An element of a list or map: `roles[0]`, `window[tier]`."""

    base: Node
    key: Node


class Not(Node, kw_only=True):
    """`not x`."""

    operand: Node


class Negate(Node, kw_only=True):
    """`-x`, for what is no literal."""

    operand: Node


class Bool(Node, kw_only=True):
    """`a and b and c`, or the same with `or`; evaluated from the left, only as far as needed."""

    op: str
    parts: list[Node]


class Arith(Node, kw_only=True):
    """`a + b`, `a - b`, `a * b`."""

    op: str
    left: Node
    right: Node


class Compare(Node, kw_only=True):
    """`a < b < c`: one operator more than a plain comparison has operands in between."""

    first: Node
    ops: list[str]
    rest: list[Node]


class Call(Node, kw_only=True):
    """A function of the language with its arguments."""

    function: str
    args: list[Node]


def children(node: Node) -> list[Node]:
    """The nodes directly below, in the order of the text."""
    match node:
        case Field(base=base):
            return [base]
        case Index(base=base, key=key):
            return [base, key]
        case Not(operand=operand) | Negate(operand=operand):
            return [operand]
        case Bool(parts=parts):
            return parts
        case Arith(left=left, right=right):
            return [left, right]
        case Compare(first=first, rest=rest):
            return [first, *rest]
        case Call(args=args):
            return args
        case _:
            return []


def walk(node: Node) -> "list[Node]":
    """The node and all below it, outermost first."""
    found: list[Node] = []
    waiting = [node]
    while waiting:
        current = waiting.pop()
        found.append(current)
        waiting.extend(reversed(children(current)))
    return found


def roots(node: Node) -> list[str]:
    """The facts an expression reads, in the order of the text, each once."""
    return list(dict.fromkeys(part.name for part in walk(node) if isinstance(part, Name)))


def path_root(node: Node) -> Name | None:
    """The fact at the start of a dotted path; None when the node is no path."""
    while isinstance(node, Field | Index):
        node = node.base
    return node if isinstance(node, Name) else None


def reads_field(tree: Node, name: str, field: str) -> bool:
    """Whether an expression reads the field of a fact, `name.field`."""
    return any(
        isinstance(node, Field) and node.name == field and isinstance(node.base, Name) and node.base.name == name
        for node in walk(tree)
    )
