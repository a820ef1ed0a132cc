"""Kinds and names, checked before anything runs; every fault of an expression, each with its characters.

A fault of severity error means that the expression may not run; a warning, that it may run into null.
"""

import re

from gatewright.errors import ExpressionError, Fault, Severity
from gatewright.expressions import doubts, narrowing
from gatewright.expressions.checker_base import KIND, NAME, Known
from gatewright.expressions.checker_calls import Calls
from gatewright.expressions.checker_comparisons import Comparisons
from gatewright.expressions.kinds import (
    ANY,
    BOOLEAN,
    INTEGER,
    NULL,
    NUMBER,
    NUMERIC,
    Kind,
    Type,
    kind_of,
)
from gatewright.expressions.lexer import fault
from gatewright.expressions.nodes import (
    Arith,
    Bool,
    Call,
    Compare,
    Field,
    Index,
    ListLiteral,
    Literal,
    Name,
    Negate,
    Node,
    Not,
    path_root,
)
from gatewright.expressions.operators import a
from gatewright.expressions.parser import parse
from gatewright.expressions.schema import Schema
from gatewright.text import did_you_mean, distance, nearest


def checked(text: str, schema: Schema, known: Known = frozenset()) -> tuple[Node, tuple[Fault, ...]]:
    """The tree of an expression with the type of every node, and the warnings.

    `known` names paths that are not null here, as a `when` in front has seen to. Raises ExpressionError with every
    fault that keeps the expression from running.
    """
    tree = parse(text)
    checker = _Checker(text, schema)
    checker.check(tree, known)
    errors = tuple(found for found in checker.faults if found.severity is Severity.ERROR)
    if errors:
        raise ExpressionError(text, errors)
    return tree, tuple(checker.faults)


def condition_fault(text: str, tree: Node) -> Fault | None:
    """The fault of an expression that is no condition: its answer is no boolean."""
    if tree.type.kind in (Kind.BOOLEAN, Kind.ANY):
        return None
    message = f"a condition is true or false, and this is {a(tree.type.kind)}"
    return fault(KIND, tree.start, tree.end, message, _question(tree, text.strip()))


def _question(node: Node, source: str) -> str:
    """What to ask of a value that was taken for a condition."""
    match node.type.kind:
        case Kind.TEXT if path_root(node) is not None:
            return f'compare it: `{source} == "…"`, or ask whether it is there: `has({source})`'
        case Kind.TEXT:
            return f'compare it: `{source} == "…"`'
        case Kind.LIST | Kind.MAP:
            return f"ask whether it holds anything: `len({source}) > 0`"
        case Kind.RECORD:
            return "compare one of its fields"
    return "compare it with something"


#: Names that are values in other languages.
_WORDS = {
    **dict.fromkeys(["yes", "on"], "a boolean is written `true`"),
    **dict.fromkeys(["no", "off"], "a boolean is written `false`"),
    "none": "null is written `null`",
    **dict.fromkeys(["inf", "infinity", "nan"], "numbers are finite, and each has a value"),
}


_SUBTRACTION = "text goes in quotes: with `-` in it, it reads as a subtraction"
#: What other languages reach a request's parts through.
_ROOTS = frozenset(["input", "data", "request", "req", "resource", "context", "ctx", "facts", "self", "object"])


class _Checker(Comparisons, Calls):
    """Walks one tree once, from the leaves up, and writes each node's type into it."""

    def check(self, node: Node, known: Known) -> Type:
        node.type = self._type(node, known)
        return node.type

    def _type(self, node: Node, known: Known) -> Type:  # noqa: PLR0911  one case a class of node
        match node:
            case Literal(value=value):
                self.doubt(doubts.of_letters(node))
                return NULL if value is None else Type(kind_of(value))
            case ListLiteral():
                return self._list(node)
            case Name():
                return self._name(node)
            case Field():
                return self._field(node, known)
            case Index():
                return self._index(node, known)
            case Not(operand=operand):
                self._boolean(operand, known)
                return BOOLEAN
            case Bool():
                return self._bool(node, known)
            case Compare():
                return self.compare(node, known)
            case Arith() | Negate():
                return self._arith(node, known)
        assert isinstance(node, Call)
        return self.call(node, known)

    # -- names and fields ------------------------------------------------------------------------------------------

    def _name(self, node: Name) -> Type:
        found = self.schema.names.get(node.name)
        if found is not None:
            return found
        hint = self._param_hint(node.name) or _WORDS.get(node.name.lower()) or self._unknown_hint(node)
        fix = self.renamed(node, node.name, self.schema.names) if hint.startswith("did you mean") else None
        self.report(node, NAME, f"unknown name `{node.name}`", hint, fix)
        return ANY

    def _param_hint(self, name: str) -> str:
        params = self.schema.names.get("params")
        return f"write `params.{name}`" if params is not None and name in (params.fields or {}) else ""

    def _unknown_hint(self, node: Name) -> str:
        before, after = self.text[: node.start].rstrip(), self.text[node.end :]
        near = nearest(node.name, self.schema.names)
        if near and (before[-1:] not in ("=", "[", ",") or distance(node.name, near) == 1):
            return f"did you mean `{near}`?"
        if after[:1] == "." and node.name in _ROOTS:
            return f"facts stand by themselves: leave `{node.name}.` out"
        if after[:1] == "-" or self.text[: node.start][-1:] == "-":
            near = self._hyphenated(node)
            return f"did you mean `{near}`?" if near else _SUBTRACTION
        return "text goes in quotes; `gatewright facts` lists the names"

    def _hyphenated(self, node: Name) -> str | None:
        """The name that was meant by the word with `-` in it which a name is a part of."""
        words = (match for match in re.finditer(r"[\w-]+", self.text) if match.start() <= node.start < match.end())
        word = next(words).group()
        spellings = (word.replace("-", "_"), word.replace("-", ""))
        return next((name for name in self.schema.names for each in spellings if distance(each, name) <= 1), None)

    def _field(self, node: Field, known: Known) -> Type:
        base = self.check(node.base, known)
        return self._member(node, base, node.name, known)

    def _member(self, node: Field | Index, base: Type, name: str, known: Known) -> Type:
        self.not_null(node.base, base, known, f"`.{name}`")
        if base.kind is Kind.RECORD and base.fields is not None:
            if name in base.fields:
                return base.fields[name]
            owner = self._owner(node)
            hint = did_you_mean(name, base.fields) or _declared(owner, base)
            fix = self.renamed(node, name, base.fields) if isinstance(node, Field) else None
            self.report(node, NAME, f"`{owner}` has no field `{name}`", hint, fix)
            return ANY
        if base.kind is Kind.MAP:
            return base.of or ANY
        if base.kind is not Kind.ANY:
            owner = self._owner(node)
            self.report(
                node, KIND, f"`{owner}` is {a(base.kind)} and has no fields", self._no_fields_hint(owner, base, name)
            )
        return ANY

    def _owner(self, node: Field | Index) -> str:
        if isinstance(node, Field):  # with the parentheses around it, which are no part of the base itself
            return self.source(node).rsplit(".", 1)[0].rstrip()
        return self.source(node.base)

    def _no_fields_hint(self, owner: str, base: Type, name: str) -> str:
        if name.lower() in ("length", "len", "size", "count") and base.kind in (Kind.TEXT, Kind.LIST):
            return f"write `len({owner})`"
        if base.kind is Kind.TEXT:
            return "there are no methods; `starts_with`, `ends_with`, `contains`, `lower`, `len` look into text"
        return "only records and maps have fields"

    def _index(self, node: Index, known: Known) -> Type:
        base, key = self.check(node.base, known), self.check(node.key, known)
        if isinstance(node.key, Literal) and isinstance(node.key.value, str):
            return self._member(node, base, node.key.value, known)
        self.not_null(node.base, base, known, "`[…]`")
        self.not_null(node.key, key, known, "`[…]`")
        if base.kind is Kind.LIST:
            self.key_kind(node.key, key, {Kind.INTEGER}, "a list is indexed by whole numbers")
            return base.of or ANY
        if base.kind is Kind.MAP:
            self.key_kind(node.key, key, {Kind.TEXT}, "the keys of a map are text")
            return base.of or ANY
        if base.kind is not Kind.ANY:
            message = f"`{self.source(node.base)}` is {a(base.kind)} and has no elements"
            hint = "`starts_with`, `ends_with` and `contains` look into text" if base.kind is Kind.TEXT else ""
            self.report(node, KIND, message, hint or "only lists and maps have elements")
        return ANY

    # -- conditions ------------------------------------------------------------------------------------------------

    def _boolean(self, node: Node, known: Known) -> None:
        found = self.check(node, known)
        if found.kind in (Kind.BOOLEAN, Kind.ANY):
            self.not_null(node, found, known, "a condition")
            return
        message = f"a condition is a boolean, and `{self.source(node)}` is {a(found.kind)}"
        self.report(node, KIND, message, _question(node, self.source(node)))

    def _bool(self, node: Bool, known: Known) -> Type:
        before: Node | None = None
        for part in node.parts:
            if not self._forgotten_comparison(node.op, before, part):
                self._boolean(part, known)
            known = known | narrowing.not_null(part, self.text, truth=node.op == "and")
            before = part
        return BOOLEAN

    def _forgotten_comparison(self, op: str, before: Node | None, part: Node) -> bool:
        """`model == "a" or "b"`: the second comparison was meant, and is not there."""
        if not (isinstance(part, Literal) and type(part.value) in (str, int, float)):
            return False
        part.type = Type(kind_of(part.value))
        hint = f"`{op}` joins conditions; compare on both sides"
        if isinstance(before, Compare) and before.ops == ["=="] and isinstance(before.rest[0], Literal):
            left = self.source(before.first)
            hint = f"write `{left} in [{self.source(before.rest[0])}, {self.source(part)}]`"
        self.report(part, KIND, f"`{op}` joins conditions, and `{self.source(part)}` is {a(part.type.kind)}", hint)
        return True

    def _list(self, node: ListLiteral) -> Type:
        for item in node.items:
            self.doubt(doubts.of_letters(item))
            item.type = NULL if item.value is None else Type(kind_of(item.value))
        kinds = {Kind.NUMBER if item.type.kind in NUMERIC else item.type.kind for item in node.items} - {Kind.NULL}
        if len(kinds) > 1:
            names = " and ".join(sorted(kind.value for kind in kinds))
            self.report(node, KIND, f"the list mixes {names}", "a list holds values of one kind")
        return Type(Kind.LIST, of=Type(kinds.pop()) if len(kinds) == 1 else ANY)

    def _arith(self, node: Arith | Negate, known: Known) -> Type:
        sides = [node.left, node.right] if isinstance(node, Arith) else [node.operand]
        op = node.op if isinstance(node, Arith) else "-"
        kinds = {self._number(op, side, known) for side in sides}
        if Kind.ANY in kinds:
            return Type(Kind.ANY)
        return INTEGER if kinds == {Kind.INTEGER} else NUMBER

    def _number(self, op: str, node: Node, known: Known) -> Kind:
        found = self.check(node, known)
        if found.kind in NUMERIC | {Kind.ANY}:
            self.not_null(node, found, known, f"`{op}`")
            return found.kind
        hint = "texts are not joined" if found.kind is Kind.TEXT and op == "+" else ""
        if op == "-" and isinstance(node, Field) and (rest := re.match(r"-[A-Za-z][\w-]*", self.text[node.end :])):
            hint = f'a key with `-` in it stands in brackets: `{self._owner(node)}["{node.name}{rest.group()}"]`'
        self.report(node, KIND, f"`{op}` needs numbers, and `{self.source(node)}` is {a(found.kind)}", hint)
        return Kind.ANY


def _declared(owner: str, record: Type) -> str:
    if record.fields:
        return "its fields are " + ", ".join(f"`{name}`" for name in record.fields)
    return "declare it in the policy, under `params:`" if owner == "params" else ""
