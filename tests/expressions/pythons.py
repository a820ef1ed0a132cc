"""The tree that Python's own parser makes of a text, compared with ours."""

import ast

from gatewright.expressions import nodes

_CONSTANTS = {"true": True, "false": False, "null": None}
_NOTHING = object()
_OPS = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
_ARITH = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}


def tree(text):
    """What Python reads in a text; a line break is white space, as it is in ours. Raises SyntaxError."""
    return ast.parse(f"(\n{text}\n)", mode="eval").body


def same(ours, theirs):
    """Whether both trees have the same shape, operators, names and literals."""
    if isinstance(ours, nodes.Literal):
        return _same_value(ours.value, _value(theirs))
    shape = shaped(theirs)
    return shape is not None and _same_shape(ours, *shape)


def _value(theirs):
    """The value of a literal; Python spells negative numbers and our small words in other nodes."""
    match theirs:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _value(operand)
            return -inner if type(inner) in (int, float) else _NOTHING
    return _NOTHING


def _same_value(ours, theirs):
    return type(ours) is type(theirs) and ours == theirs


def shaped(theirs):  # noqa: PLR0911  one answer a class of node
    """The class of ours that a node of Python's stands for, its words, and its parts in order."""
    match theirs:
        case ast.Name(id=name):
            return nodes.Name, [name], []
        case ast.Attribute(value=base, attr=name):
            return nodes.Field, [name], [base]
        case ast.Subscript(value=base, slice=key):
            return nodes.Index, [], [base, key]
        case ast.UnaryOp(op=op, operand=operand):
            return (nodes.Not if isinstance(op, ast.Not) else nodes.Negate), [], [operand]
        case ast.BoolOp(op=op, values=parts):
            return nodes.Bool, ["and" if isinstance(op, ast.And) else "or"], parts
        case ast.BinOp(op=op, left=left, right=right):
            return nodes.Arith, [_ARITH[type(op)]], [left, right]
        case ast.Compare(left=first, ops=ops, comparators=rest):
            return nodes.Compare, [_OPS[type(op)] for op in ops], [first, *rest]
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return nodes.Call, [name], args
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return nodes.ListLiteral, [], items
    return None


def _words(ours):
    match ours:
        case nodes.Name(name=name) | nodes.Field(name=name):
            return [name]
        case nodes.Bool(op=op) | nodes.Arith(op=op):
            return [op]
        case nodes.Compare(ops=ops):
            return ops
        case nodes.Call(function=function):
            return [function]
    return []


def _same_shape(ours, kind, words, parts):
    mine = ours.items if isinstance(ours, nodes.ListLiteral) else nodes.children(ours)
    if type(ours) is not kind or _words(ours) != words or len(mine) != len(parts):
        return False
    return all(same(one, other) for one, other in zip(mine, parts, strict=True))
