"""The reference evaluator: simpleeval's machinery, narrowed to our tree and our strict operators, keeping every value.

It decides nothing at full speed; it says why. The compiler's answers are held equal to these by a differential test.
simpleeval's own looseness is switched off: no attribute of an object is ever read, nothing is truthy, no function but
the listed ones exists, and its operator table is replaced.
"""

import ast
import operator
from collections.abc import Callable, Mapping

from simpleeval import SimpleEval

from gatewright.errors import EvaluationError, Fault
from gatewright.expressions import operators, patterns
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
from gatewright.expressions.operators import EVAL_RANGE, EVAL_UNDEFINED, OperationError

NOT_EVALUATED = object()


class Trace:
    """What an evaluation found: the answer, the value of each node that was reached, the fault if it ended in one."""

    def __init__(self) -> None:
        self.answer: object = NOT_EVALUATED
        self.values: dict[int, object] = {}
        self.fault: Fault | None = None

    def value(self, node: Node) -> object:
        """The value of a node, or NOT_EVALUATED where a short circuit or a fault came first."""
        return self.values.get(id(node), NOT_EVALUATED)


def trace(tree: Node, text: str, facts: Mapping[str, object], *, condition: bool = False) -> Trace:
    """Evaluate a checked tree and keep what every part of it was.

    `condition` asks for a boolean answer. Never raises for what the expression meets; the fault is in the trace.
    """
    evaluator = _StrictEval(tree, text, facts)
    found = evaluator.trace
    try:
        answer = evaluator.eval(text, previously_parsed=evaluator.tree)
        found.answer = evaluator.truth(tree, answer) if condition else answer
    except EvaluationError as error:
        found.fault = error.fault
    return found


def evaluate(tree: Node, text: str, facts: Mapping[str, object]) -> object:
    """The answer of a checked tree. Raises EvaluationError."""
    found = trace(tree, text, facts)
    if found.fault is not None:
        raise EvaluationError(found.fault)
    return found.answer


_AST_COMPARE: dict[str, type[ast.cmpop]] = {
    "==": ast.Eq,
    "!=": ast.NotEq,
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
    "in": ast.In,
    "not in": ast.NotIn,
    "is": ast.Is,
    "is not": ast.IsNot,
}
_AST_ARITH: dict[str, type[ast.operator]] = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult}
_OWN = "gatewright_node"


def to_ast(node: Node) -> ast.expr:
    """The same tree in the nodes of Python's `ast`, each pointing back at ours."""
    made = _to_ast(node)
    setattr(made, _OWN, node)
    return made


def _to_ast(node: Node) -> ast.expr:  # noqa: C901, PLR0911  one case a class of node
    match node:
        case Literal(value=value):
            return ast.Constant(value)
        case ListLiteral(items=items):
            return ast.List([to_ast(item) for item in items], ast.Load())
        case Name(name=name):
            return ast.Name(name, ast.Load())
        case Field(base=base, name=name):
            return ast.Attribute(to_ast(base), name, ast.Load())
        case Index(base=base, key=key):
            return ast.Subscript(to_ast(base), to_ast(key), ast.Load())
        case Not(operand=operand):
            return ast.UnaryOp(ast.Not(), to_ast(operand))
        case Negate(operand=operand):
            return ast.UnaryOp(ast.USub(), to_ast(operand))
        case Bool(op=op, parts=parts):
            return ast.BoolOp(ast.And() if op == "and" else ast.Or(), [to_ast(part) for part in parts])
        case Arith(op=op, left=left, right=right):
            return ast.BinOp(to_ast(left), _AST_ARITH[op](), to_ast(right))
        case Compare(first=first, ops=ops, rest=rest):
            return ast.Compare(to_ast(first), [_AST_COMPARE[op]() for op in ops], [to_ast(each) for each in rest])
        case Call(function=function, args=args):
            return ast.Call(ast.Name(function, ast.Load()), [to_ast(arg) for arg in args], [])
    msg = f"no tree for {type(node).__name__}"
    raise AssertionError(msg)


def _is_null(left: object, right: object) -> bool:
    return left is None and right is None


def _operator_table() -> dict[type, Callable[..., object]]:
    return {
        ast.Add: lambda x, y: operators.arithmetic("+", x, y),
        ast.Sub: lambda x, y: operators.arithmetic("-", x, y),
        ast.Mult: lambda x, y: operators.arithmetic("*", x, y),
        ast.Eq: operators.equal,
        ast.NotEq: lambda x, y: not operators.equal(x, y),
        ast.Lt: lambda x, y: operators.ordered("<", x, y),
        ast.LtE: lambda x, y: operators.ordered("<=", x, y),
        ast.Gt: lambda x, y: operators.ordered(">", x, y),
        ast.GtE: lambda x, y: operators.ordered(">=", x, y),
        ast.In: operators.member,
        ast.NotIn: lambda x, y: not operators.member(x, y),
        ast.Is: _is_null,
        ast.IsNot: lambda x, y: not _is_null(x, y),
        ast.USub: operators.negative,
        ast.Not: operator.not_,
    }


class _StrictEval(SimpleEval):
    """One evaluation of one tree. Made anew each time, so that threads share nothing."""

    def __init__(self, tree: Node, text: str, facts: Mapping[str, object]) -> None:
        super().__init__(operators=_operator_table(), functions={}, names={})
        self.tree, self.text, self.facts = to_ast(tree), text, facts
        self.trace = Trace()
        self.nodes = {
            ast.Constant: self._eval_literal,
            ast.List: self._eval_list,
            ast.Name: self._eval_fact,
            ast.Attribute: self._eval_field,
            ast.Subscript: self._eval_element,
            ast.UnaryOp: self._eval_unary,
            ast.BoolOp: self._eval_joined,
            ast.BinOp: self._eval_binop,
            ast.Compare: self._eval_compare,
            ast.Call: self._eval_function,
        }

    def _eval(self, node: ast.expr) -> object:
        own: Node = getattr(node, _OWN)
        try:
            value = self.nodes[type(node)](node)
        except OperationError as error:
            # The error is made anew outside this handler's reach of the values, see `_fault`.
            found = self._fault(own, error)
        else:
            self.trace.values[id(own)] = value
            return value
        raise EvaluationError(found)

    def _fault(self, own: Node, error: OperationError) -> Fault:
        source = self.text[own.start : own.end]
        message = error.message
        if error.code == EVAL_UNDEFINED:
            message = f"`{source}` does not exist: {error.message}"
        return Fault(error.code, own.start, own.end, message, error.hint)

    def truth(self, own: Node, value: object) -> bool:
        """The value of a condition, which must be a boolean."""
        try:
            return operators.truth(value)
        except OperationError as error:
            found = self._fault(own, error)
        raise EvaluationError(found)

    def _eval_literal(self, node: ast.Constant) -> object:
        return node.value

    def _eval_list(self, node: ast.List) -> list[object]:
        return [self._eval(item) for item in node.elts]

    def _eval_fact(self, node: ast.Name) -> object:
        if node.id not in self.facts:
            raise OperationError(EVAL_UNDEFINED, "the fact was not given")
        return self.facts[node.id]

    def _eval_field(self, node: ast.Attribute) -> object:
        return operators.field(self._eval(node.value), node.attr)

    def _eval_element(self, node: ast.Subscript) -> object:
        return operators.element(self._eval(node.value), self._eval(node.slice))

    def _eval_unary(self, node: ast.UnaryOp) -> object:
        value = self._eval(node.operand)
        if isinstance(node.op, ast.Not):
            return not self.truth(getattr(node.operand, _OWN), value)
        return self.operators[type(node.op)](value)

    def _eval_joined(self, node: ast.BoolOp) -> bool:
        wanted = isinstance(node.op, ast.And)
        for part in node.values:
            if self.truth(getattr(part, _OWN), self._eval(part)) is not wanted:
                return not wanted
        return wanted

    def _eval_function(self, node: ast.Call) -> object:
        own: Call = getattr(node, _OWN)
        if own.function in ("has", "default"):
            return self._path_call(own, node)
        values = [self._eval(arg) for arg in node.args]
        if own.function == "matches":
            return _matches(str(values[1]), values[0])
        plain: dict[str, Callable[..., object]] = {
            "len": operators.length,
            "lower": operators.lower,
            "starts_with": operators.starts_with,
            "ends_with": operators.ends_with,
            "contains": operators.contains,
        }
        return plain[own.function](*values)

    def _path_call(self, own: Call, node: ast.Call) -> object:
        root = path_root(own.args[0])
        assert root is not None
        base = self._eval_fact(ast.Name(root.name, ast.Load()))
        found = operators.reached(base, self._steps(node.args[0]))
        if own.function == "has":
            return found is not None
        return self._eval(node.args[1]) if found is None else found

    def _steps(self, node: ast.expr) -> list[object]:
        if isinstance(node, ast.Attribute):
            return [*self._steps(node.value), node.attr]
        if isinstance(node, ast.Subscript):
            return [*self._steps(node.value), self._eval(node.slice)]
        return []


def _matches(pattern: str, value: object) -> bool:
    text = operators.text_of("matches", value)
    try:
        return patterns.matcher(pattern)(text) is not None
    except OverflowError as error:
        message = f"`matches` with this pattern reads texts of at most {error.args[0]:,} characters"
        hint = "start the pattern with `^`, and leave it no choices"
        raise OperationError(EVAL_RANGE, message, hint) from None
