"""A checked tree into Python source: plain operations where kinds are known, strict helpers where they are not.

INVARIANT: emitted code either answers what the tracing evaluator answers, or raises; it never answers where the
tracer would err. What went wrong is then asked of the tracer, so no position or message is carried here.

The source is made of our own names, hoisted constants and the fixed forms below; nothing of a policy's text gets into
it but names that the lexer has read as plain ASCII identifiers.
"""

import keyword
from collections.abc import Callable, Mapping
from itertools import pairwise

from gatewright.expressions import patterns
from gatewright.expressions.helpers import HELPERS
from gatewright.expressions.kinds import INT_MAX, INT_MIN, NUMERIC, SCALAR, Kind, Type, comparable
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
    roots,
)


class Emitter:
    """Turns trees into source; keeps the constants that the source names, hoisted out of it.

    `values` are names whose value is known beforehand: params and options. They, and their fields, become constants.
    """

    def __init__(self, values: Mapping[str, object] | None = None) -> None:
        self.constants: dict[str, object] = {}
        self.reads: dict[str, str] | None = None
        self.nullable: frozenset[str] = frozenset()  #: facts that may be null, whose fields are not read ahead
        self._known: dict[object, str] = {}
        self._values = dict(values or {})

    def knowing(self, values: Mapping[str, object]) -> "Emitter":
        """An emitter that shares the constants and knows these names beforehand."""
        other = Emitter(values)
        other.constants, other.reads, other._known = self.constants, self.reads, self._known
        other.nullable = self.nullable
        return other

    def read(self, base: str, field: str) -> str:
        """Source of a field of a noun. Where `reads` is a dict, it is read once, into a local that the dict names."""
        source = self.attribute(base, field)
        if self.reads is None or not base.isidentifier() or base in self.nullable:
            return source
        return self.reads.setdefault(source, f"r{len(self.reads)}")

    def attribute(self, base: str, field: str) -> str:
        """Source of a field of a noun, read each time; one that is named by a word of Python is asked for by name."""
        return f"_field({base}, {self.constant(field)})" if keyword.iskeyword(field) else f"{base}.{field}"

    def constant(self, value: object) -> str:
        """A name for a value that the source can use; equal hashable values of one type share a name."""
        key: object = id(value)
        if isinstance(value, str | int | float):
            key = (type(value), value)
        if key not in self._known:
            name = f"k{len(self.constants)}"
            self._known[key] = name
            self.constants[name] = value
        return self._known[key]

    def condition(self, node: Node) -> str:
        """Source of a node used as a condition: exactly a boolean."""
        source = self.emit(node)
        if node.type.kind is Kind.BOOLEAN and not node.type.optional:
            return source
        return f"_truth({source})"

    def emit(self, node: Node) -> str:  # noqa: C901, PLR0911  one case a class of node
        """Source of a node, in parentheses where it needs them."""
        match node:
            case Literal(value=value):
                return self._literal(value)
            case ListLiteral(items=items):
                return self.constant(tuple(item.value for item in items))
            case Name(name=name):
                return self._literal(self._values[name]) if name in self._values else f"v_{name}"
            case Field() | Index():
                return self._access(node)
            case Not(operand=operand):
                return f"(not {self.condition(operand)})"
            case Bool(op=op, parts=parts):
                return "(" + f" {op} ".join(self.condition(part) for part in parts) + ")"
            case Compare():
                return self._compare(node)
            case Arith():
                return self._arith(node)
            case Negate(operand=operand):
                return f"_neg({self.emit(operand)})"
            case Call():
                return self._call(node)
        msg = f"no source for {type(node).__name__}"
        raise AssertionError(msg)

    def _literal(self, value: object) -> str:
        if value is None or isinstance(value, bool):
            return repr(value)
        if isinstance(value, int):
            return f"({value})" if value < 0 else str(value)
        return self.constant(value)

    def _access(self, node: Field | Index) -> str:
        if isinstance(node, Field) and isinstance(node.base, Name) and node.base.name in self._values:
            record = self._values[node.base.name]
            if isinstance(record, dict) and node.name in record:
                return self._literal(record[node.name])
        base = self.emit(node.base)
        kind = node.base.type.kind
        name = node.name if isinstance(node, Field) else None
        if name is None and isinstance(node, Index) and isinstance(node.key, Literal):
            name = node.key.value if isinstance(node.key.value, str) else None
        if name is not None:
            if kind is Kind.RECORD and node.base.type.noun is not None:
                return self.attribute(base, name) if node.base.type.optional else self.read(base, name)
            if kind is Kind.MAP:
                return f"{base}[{self.constant(name)}]"
            return f"_field({base}, {self.constant(name)})"
        assert isinstance(node, Index)
        plain = (kind is Kind.LIST and node.key.type.kind is Kind.INTEGER) or (
            kind is Kind.MAP and node.key.type.kind is Kind.TEXT
        )
        key = self.emit(node.key)
        return f"{base}[{key}]" if plain else f"_element({base}, {key})"

    # -- comparisons -----------------------------------------------------------------------------------------------

    def _compare(self, node: Compare) -> str:
        operands = [node.first, *node.rest]
        if len(node.ops) > 1 and all(_plain_order(x.type, y.type) for x, y in pairwise(operands)):
            chain = self.emit(node.first)
            for op, operand in zip(node.ops, node.rest, strict=True):
                chain += f" {op} {self.emit(operand)}"
            return f"({chain})"
        pairs = zip(operands, node.ops, operands[1:], strict=False)
        return "(" + " and ".join(self._pair(left, op, right) for left, op, right in pairs) + ")"

    def _pair(self, left: Node, op: str, right: Node) -> str:
        x, y = self.emit(left), self.emit(right)
        if op in ("is", "is not"):
            return self._nullness(left, x, op)
        if op in ("==", "!="):
            return self._equality(left, x, op, right, y)
        if op in ("in", "not in"):
            return self._membership(left, x, op, right, y)
        return f"{x} {op} {y}" if _plain_order(left.type, right.type) else f"_order({op!r}, {x}, {y})"

    def _equality(self, left: Node, x: str, op: str, right: Node, y: str) -> str:
        for one, other, source in ((left, right, y), (right, left, x)):
            if isinstance(one, Literal) and one.value is None:
                return self._nullness(other, source, "is" if op == "==" else "is not")
        if left.type.kind in SCALAR and right.type.kind in SCALAR:
            return f"{x} {op} {y}"
        return f"{'_eq' if op == '==' else '_ne'}({x}, {y})"

    def _nullness(self, node: Node, source: str, op: str) -> str:
        if isinstance(node, Literal):  # Python itself warns of `5 is None`
            return repr((node.value is None) is (op == "is"))
        return f"{source} {op} None"

    def _membership(self, left: Node, x: str, op: str, right: Node, y: str) -> str:
        listed = self._listed(right)
        if listed is not None and left.type.kind in SCALAR:
            return f"{x} {op} {self.constant(frozenset(listed))}"
        plain_list = right.type.kind is Kind.LIST and left.type.kind is Kind.TEXT and _of(right.type) is Kind.TEXT
        plain_map = right.type.kind is Kind.MAP and left.type.kind is Kind.TEXT and not left.type.optional
        if plain_list or plain_map:
            return f"{x} {op} {y}"
        return f"{'_in' if op == 'in' else '_not_in'}({x}, {y})"

    def _listed(self, node: Node) -> list[object] | None:
        """The elements of a list that is known beforehand; None for any other node."""
        if isinstance(node, ListLiteral):
            return [item.value for item in node.items]
        held: object = None
        if isinstance(node, Name):
            held = self._values.get(node.name)
        elif isinstance(node, Field) and isinstance(node.base, Name):
            record = self._values.get(node.base.name)
            held = record.get(node.name) if isinstance(record, dict) else None
        return list(held) if isinstance(held, list | tuple) else None

    # -- numbers and functions -------------------------------------------------------------------------------------

    def _arith(self, node: Arith) -> str:
        x, y = self.emit(node.left), self.emit(node.right)
        if node.left.type.kind is node.right.type.kind is Kind.INTEGER:
            return f"(t if {INT_MIN} <= (t := {x} {node.op} {y}) <= {INT_MAX} else _range(t))"
        return f"_arith({node.op!r}, {x}, {y})"

    def _call(self, node: Call) -> str:
        if node.function in ("has", "default"):
            return self._path_call(node)
        args = [self.emit(arg) for arg in node.args]
        if node.function == "matches":
            return self._matches(node, args[0])
        known = all(arg.type.kind is Kind.TEXT for arg in node.args)
        if node.function == "len":
            sized = node.args[0].type.kind in (Kind.TEXT, Kind.LIST, Kind.MAP)
            return f"len({args[0]})" if sized else f"_len({args[0]})"
        if not known:
            return f"_{node.function}({', '.join(args)})"
        if node.function == "contains":
            return f"({args[1]} in {args[0]})"
        method = {"lower": "lower", "starts_with": "startswith", "ends_with": "endswith"}[node.function]
        return f"{args[0]}.{method}({', '.join(args[1:])})"

    def _matches(self, node: Call, text: str) -> str:
        pattern = node.args[1]
        assert isinstance(pattern, Literal)
        return f"({self.constant(patterns.matcher(str(pattern.value)))}({text}) is not None)"

    def _path_call(self, node: Call) -> str:
        root, steps = self._path(node.args[0])
        if node.function == "has":
            if not steps:
                return f"({root} is not None)"
            return f"(_reached({root}, ({', '.join(steps)},)) is not None)"
        fallback = node.args[1]
        value = self.emit(fallback)
        return f"_default({root}, ({''.join(step + ', ' for step in steps)}), {value})"

    def _path(self, node: Node) -> tuple[str, list[str]]:
        if isinstance(node, Field):
            root, steps = self._path(node.base)
            return root, [*steps, self.constant(node.name)]
        if isinstance(node, Index):
            root, steps = self._path(node.base)
            return root, [*steps, self.emit(node.key)]
        return self.emit(node), []


def _plain_order(left: Type, right: Type) -> bool:
    kinds = {left.kind, right.kind}
    return (kinds <= NUMERIC or kinds == {Kind.TEXT}) and comparable(left, right)


def _of(found: Type) -> Kind:
    return found.of.kind if found.of is not None else Kind.ANY


def compiled(tree: Node) -> Callable[..., object]:
    """A function of the facts that a tree reads, in the order of `roots(tree)`.

    Raises anything at all where the tracer raises EvaluationError; ask the tracer what it was.
    """
    emitter = Emitter()
    source = emitter.emit(tree)
    params = ", ".join(f"v_{name}" for name in roots(tree))
    return function(f"def expression({params}):\n    return {source}\n", "expression", emitter.constants)


def function(source: str, name: str, constants: dict[str, object]) -> Callable[..., object]:
    """Run the definition of one function in a world that holds helpers and constants only."""
    world = dict(HELPERS)
    world.update(constants)
    exec(compile(source, f"<gatewright {name}>", "exec"), world)  # noqa: S102  our own source, see the module
    made = world[name]
    assert callable(made)
    return made
