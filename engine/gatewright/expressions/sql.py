"""A checked tree into SQL, for looking at millions of rows at once: the same answer for each row, or none.

INVARIANT: emitted SQL either answers what the tracing evaluator answers, or says that it does not: `fails` is true for
every row on which the tracer errs, and for some on which SQL may not be relied on, such as letters beyond ASCII where
letter case counts. Whoever uses it asks the tracer about those rows. A tree that cannot be said so is refused.

The dialect is DuckDB's. Nothing of a policy's text gets into it but numbers and quoted text.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise

from msgspec import Struct

from gatewright.expressions.kinds import INT_MAX, INT_MIN, SCALAR, Kind
from gatewright.expressions.nodes import (
    Arith,
    Bool,
    Call,
    Compare,
    Field,
    ListLiteral,
    Literal,
    Name,
    Negate,
    Node,
    Not,
)
from gatewright.expressions.patterns import MAX_MATCHED, OutsideError, PatternError, subset

#: Text that regular expressions of both engines read alike: visible ASCII and blanks, and no more of it than is read.
_PRINTABLE = "(regexp_full_match({0}, '[ -~]*') AND strlen({0}) <= {1})"


_PYTHON = {Kind.TEXT: str, Kind.INTEGER: int, Kind.BOOLEAN: bool}


class UncompilableError(Exception):
    """A tree that SQL cannot be relied on to answer."""


class Term(Struct, frozen=True):
    """What a tree is in SQL: its value, and when the value may not be relied on; empty for never."""

    value: str
    fails: str = ""


class SqlEmitter:
    """Turns trees into SQL.

    columns: what stands for a fact, or a field of one, by its dotted path; `len PATH` for the length of a list. A term
    among them may say that it cannot be relied on.
    values: names whose value is known beforehand, as the compiler to Python has them.
    """

    def __init__(self, columns: Mapping[str, str | Term], values: Mapping[str, object] | None = None) -> None:
        self.columns = {path: Term(held) if isinstance(held, str) else held for path, held in columns.items()}
        self.values = dict(values or {})

    def condition(self, node: Node) -> Term:
        """A node as a condition: exactly a boolean wherever it does not fail. Raises UncompilableError."""
        if node.type.kind is not Kind.BOOLEAN or node.type.optional:
            raise UncompilableError
        return self.term(node)

    def term(self, node: Node) -> Term:
        """A node. Raises UncompilableError."""
        match node:
            case Literal(value=value):
                return Term(literal(value))
            case Name() | Field():
                return self._path(node)
            case Not(operand=operand):
                inner = self.condition(operand)
                return Term(f"(NOT {inner.value})", inner.fails)
            case Bool(op=op, parts=parts):
                return _joined(op, [self.condition(part) for part in parts])
            case Compare():
                return self._compare(node)
            case Arith():
                return self._arith(node)
            case Negate(operand=operand) if operand.type.kind is Kind.INTEGER:
                inner = self.term(operand)
                return _checked(f"TRY_CAST(-({inner.value}::HUGEINT) AS BIGINT)", inner)
            case Call():
                return self._call(node)
        raise UncompilableError

    def _path(self, node: Node) -> Term:
        path = dotted(node)
        root, _, field = path.partition(".")
        if root in self.values:
            held = self.values[root]
            held = held.get(field) if field and isinstance(held, Mapping) else held
            if not isinstance(held, str | int | float | bool) and held is not None:
                raise UncompilableError
            return Term(literal(held))
        if path not in self.columns or node.type.kind not in SCALAR:
            raise UncompilableError
        return self.columns[path]

    # -- comparisons ---------------------------------------------------------------------------------------------------

    def _compare(self, node: Compare) -> Term:
        operands = [node.first, *node.rest]
        pairs = [self._pair(left, op, right) for (left, right), op in zip(pairwise(operands), node.ops, strict=True)]
        return pairs[0] if len(pairs) == 1 else _joined("and", pairs)

    def _pair(self, left: Node, op: str, right: Node) -> Term:
        if op in ("in", "not in"):
            return self._member(left, op, right)
        if op in ("is", "is not", "==", "!=") and (_is_null(left) or _is_null(right)):
            tested = self.term(right if _is_null(left) else left)
            return Term(f"({tested.value} IS {'' if op in ('is', '==') else 'NOT '}NULL)", tested.fails)
        if left.type.kind is not right.type.kind or left.type.kind not in SCALAR:
            raise UncompilableError  # integers and decimal numbers: SQL compares them as decimal ones
        x, y = self.term(left), self.term(right)
        if op in ("==", "!="):
            sign = "IS NOT DISTINCT FROM" if op == "==" else "IS DISTINCT FROM"
            return Term(f"({x.value} {sign} {y.value})", _either(x.fails, y.fails))
        nulls = [f"{term.value} IS NULL" for term, side in ((x, left), (y, right)) if side.type.optional]
        return Term(f"({x.value} {op} {y.value})", _either(x.fails, y.fails, *nulls))

    def _member(self, left: Node, op: str, right: Node) -> Term:
        listed = self._listed(right)
        wanted = _PYTHON.get(left.type.kind)
        if wanted is None or any(type(each) is not wanted for each in listed if each is not None):
            raise UncompilableError
        item = self.term(left)
        values = ", ".join(literal(each) for each in listed if each is not None)
        inside = f"coalesce({item.value} IN ({values}), FALSE)" if values else "FALSE"
        if None in listed:
            inside = f"({inside} OR {item.value} IS NULL)"
        return Term(inside if op == "in" else f"(NOT {inside})", item.fails)

    def _listed(self, node: Node) -> list[object]:
        if isinstance(node, ListLiteral):
            return [item.value for item in node.items]
        root, _, field = dotted(node).partition(".")
        held = self.values.get(root)
        held = held.get(field) if field and isinstance(held, Mapping) else held
        if isinstance(held, list | tuple):
            return list(held)
        raise UncompilableError

    # -- numbers and functions -----------------------------------------------------------------------------------------

    def _arith(self, node: Arith) -> Term:
        if not node.left.type.kind is node.right.type.kind is Kind.INTEGER:
            raise UncompilableError
        x, y = self.term(node.left), self.term(node.right)
        return _checked(f"TRY_CAST({x.value}::HUGEINT {node.op} {y.value}::HUGEINT AS BIGINT)", x, y)

    def _call(self, node: Call) -> Term:
        if node.function == "has":
            held = self._path(node.args[0])
            return Term(f"({held.value} IS NOT NULL)", held.fails)
        if node.function == "default":
            held, fallback = self._path(node.args[0]), self.term(node.args[1])
            if node.args[0].type.kind is not node.args[1].type.kind:
                raise UncompilableError
            return Term(f"coalesce({held.value}, {fallback.value})", _either(held.fails, fallback.fails))
        if node.function == "len" and node.args[0].type.kind is Kind.LIST:
            return self._column(f"len {dotted(node.args[0])}")
        if any(arg.type.kind is not Kind.TEXT for arg in node.args):
            raise UncompilableError
        if node.function == "matches":
            return self._matches(node.args[0], node.args[1])
        return self._of_texts(node.function, [self.term(arg) for arg in node.args])

    def _column(self, path: str) -> Term:
        if path not in self.columns:
            raise UncompilableError
        return self.columns[path]

    def _of_texts(self, function: str, args: list[Term]) -> Term:
        values = ", ".join(arg.value for arg in args)
        fails = _either(*(arg.fails for arg in args), *(f"{arg.value} IS NULL" for arg in args))
        if function == "len":
            return Term(f"length({values})", fails)
        if function == "lower":  # letters beyond ASCII have rules of their own
            return Term(f"lower({values})", _either(fails, f"strlen({values}) <> length({values})"))
        return Term(f"{function}({values})", fails)  # `contains`, `starts_with` and `ends_with` are called so there too

    def _matches(self, text: Node, pattern: Node) -> Term:
        assert isinstance(pattern, Literal)
        try:
            subset(str(pattern.value))
        except (OutsideError, PatternError):
            raise UncompilableError from None
        item = self.term(text)
        readable = _PRINTABLE.format(item.value, MAX_MATCHED)
        fails = _either(item.fails, f"{item.value} IS NULL", f"NOT {readable}")
        return Term(f"regexp_matches({item.value}, {literal(pattern.value)})", fails)


def literal(value: object) -> str:
    """A plain value in SQL. Raises UncompilableError for text that a database may not hold."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        if not INT_MIN < value <= INT_MAX:  # the least one cannot be written
            raise UncompilableError
        return f"({value})::BIGINT"
    if isinstance(value, float):
        return f"'{value!r}'::DOUBLE"
    text = str(value)
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise UncompilableError
    return "'" + text.replace("'", "''") + "'"


def dotted(node: Node) -> str:
    """The spelling of a path of names and fields. Raises UncompilableError for anything else."""
    if isinstance(node, Name):
        return node.name
    if isinstance(node, Field):
        return f"{dotted(node.base)}.{node.name}"
    raise UncompilableError


def _is_null(node: Node) -> bool:
    return isinstance(node, Literal) and node.value is None


def _either(*conditions: str) -> str:
    told = [condition for condition in dict.fromkeys(conditions) if condition]
    return f"({' OR '.join(told)})" if told else ""


def _checked(value: str, *terms: Term) -> Term:
    """A number that is null where an operand is, and where it leaves the range."""
    return Term(value, _either(*(term.fails for term in terms), f"{value} IS NULL"))


def _joined(op: str, parts: Iterable[Term]) -> Term:
    """`and`, `or`: what stands behind the part that decides is not looked at, so it cannot fail either."""
    joined: Term | None = None
    for part in parts:
        joined = part if joined is None else _two(op, joined, part)
    assert joined is not None
    return joined


def _two(op: str, left: Term, right: Term) -> Term:
    going_on = f"coalesce({left.value}, FALSE)" if op == "and" else f"NOT coalesce({left.value}, TRUE)"
    behind = f"({going_on} AND {right.fails})" if right.fails else ""
    return Term(f"({left.value} {op.upper()} {right.value})", _either(left.fails, behind))
