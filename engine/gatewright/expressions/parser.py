"""Tokens into a tree: a recursive descent over a grammar that has nothing in it to take away.

or       := and ("or" and)*
and      := not ("and" not)*
not      := "not" not | compare
compare  := sum (operator sum)*
operator := "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not" "in" | "is" | "is" "not"
sum      := product (("+" | "-") product)*
product  := unary ("*" unary)*
unary    := "-" unary | postfix
postfix  := atom ("." name | "[" or "]")*
atom     := literal | list | name | call | "(" or ")"
call     := function "(" (or ("," or)*)? ")"
list     := "[" (literal ("," literal)*)? "]" | "(" literal "," (literal ("," literal)*)? ")"
literal  := text | number | "true" | "false" | "null"

A list and a call may end in a comma; `is` takes null alone on its right. A list in parentheses has a comma in it.

The precedences are Python's; a property test holds every accepted tree equal to the one that `ast.parse` makes.
"""

import keyword
from collections.abc import Callable

from gatewright.expressions import mistakes
from gatewright.expressions.kinds import INT_MAX, INT_MIN
from gatewright.expressions.lexer import SYNTAX, Token, fault, refuse, tokens
from gatewright.expressions.nodes import Arith, Bool, Compare, Field, Index, Literal, Negate, Node, Not
from gatewright.expressions.parser_atoms import FUNCTIONS as FUNCTIONS
from gatewright.expressions.parser_atoms import AtomParser

_ORDER = {"<": "up", "<=": "up", ">": "down", ">=": "down"}


def parse(text: str) -> Node:
    """The tree of an expression, not yet checked.

    Raises ExpressionError with the first fault: its characters, a message and a hint.
    """
    parser = _Parser(text, tokens(text))
    tree = parser.either()
    parser.expect_end()
    return tree


class _Parser(AtomParser):
    """The grammar from the outside in."""

    def either(self) -> Node:
        return self._joined("or", self.both)

    def both(self) -> Node:
        return self._joined("and", self.negation)

    def _joined(self, op: str, read: Callable[[], Node]) -> Node:
        start = self.token.start
        parts = [read()]
        while self.word(op):
            parts.append(read())
        if len(parts) == 1:
            return parts[0]
        self.count()
        return Bool(op=op, parts=parts, start=start, end=self.last_end)

    def negation(self) -> Node:
        token = self.word("not")
        if token is None:
            return self.comparison()
        self.count()
        self.deeper()
        operand = self.negation()
        self.depth -= 1
        return Not(operand=operand, start=token.start, end=self.last_end)

    def comparison(self) -> Node:
        start = self.token.start
        first = self.sum()
        ops: list[str] = []
        rest: list[Node] = []
        while (op := self._comparison_operator()) is not None:
            token, name = op
            right = self.sum()
            if name in ("is", "is not") and not (isinstance(right, Literal) and right.value is None):
                instead = "==" if name == "is" else "!="
                raise self.fail(token, f"`{name}` compares with null only", f"write `{instead}`")
            self._check_chain([*ops, name], token)
            ops.append(name)
            rest.append(right)
        if not ops:
            return first
        self.count()
        return Compare(first=first, ops=ops, rest=rest, start=start, end=self.last_end)

    def _comparison_operator(self) -> tuple[Token, str] | None:
        token = self.token
        if token.kind == "op" and token.text in ("==", "!=", "<", "<=", ">", ">="):
            self.at += 1
            return token, token.text
        if token.kind != "name":
            return None
        if token.text == "in":
            self.at += 1
            return token, "in"
        if token.text == "not" and self.tokens[self.at + 1].text == "in":
            self.at += 2
            return token, "not in"
        if token.text == "is":
            self.at += 1
            return token, "is not" if self.word("not") else "is"
        return None

    def _check_chain(self, ops: list[str], token: Token) -> None:
        directions = {_ORDER.get(op) for op in ops}
        if len(ops) > 1 and (None in directions or len(directions) > 1):
            raise self.fail(token, "only `<` and `<=`, or `>` and `>=`, form a chain", "join comparisons with `and`")

    def sum(self) -> Node:
        return self._arith(("+", "-"), self.product)

    def product(self) -> Node:
        return self._arith(("*",), self.unary)

    def _arith(self, ops: tuple[str, ...], read: Callable[[], Node]) -> Node:
        start = self.token.start
        left = read()
        chained = 0
        while (token := self.token).kind == "op" and token.text in ops:
            self.at += 1
            self.deeper()
            chained += 1
            right = read()
            self.count()
            left = Arith(op=token.text, left=left, right=right, start=start, end=self.last_end)
        self.depth -= chained
        return left

    def unary(self) -> Node:
        token = self.word("-")
        if token is None:
            return self.postfix()
        if self.token.kind == "number" and self.token.value == INT_MAX + 1:
            # The least integer: its digits alone are one too many.
            number = self.take()
            self.count()
            return Literal(value=INT_MIN, start=token.start, end=number.end)
        self.deeper()
        operand = self.unary()
        self.depth -= 1
        value = operand.value if isinstance(operand, Literal) else None
        if type(value) is float or (type(value) is int and value > INT_MIN):
            return Literal(value=-value, start=token.start, end=self.last_end)
        self.count()
        return Negate(operand=operand, start=token.start, end=self.last_end)

    def postfix(self) -> Node:
        start = self.token.start
        node = self.atom()
        steps = 0
        while self.token.kind == "op" and self.token.text in (".", "[", "("):
            token = self.take()
            if token.text == "(":
                raise self.fail(token, *mistakes.called(self.text, node))
            self.count()
            self.deeper()
            steps += 1
            node = self._field(node, start) if token.text == "." else self._index(node, start)
        self.depth -= steps
        return node

    def _field(self, base: Node, start: int) -> Node:
        name = self.token
        if name.kind != "name" or self.tokens[self.at - 2].kind == "number":
            raise self.fail(name, *mistakes.no_field(self.text, self.tokens, self.at))
        if name.text.startswith("_") or keyword.iskeyword(name.text):
            raise self.fail(name, *mistakes.odd_field(name.text))
        self.at += 1
        return Field(base=base, name=name.text, start=start, end=name.end)

    def _index(self, base: Node, start: int) -> Node:
        key = self.either()
        close = self.close("]")
        if isinstance(key, Literal) and isinstance(key.value, str) and key.value.startswith("__"):
            raise refuse(self.text, fault(SYNTAX, key.start, key.end, *mistakes.odd_field(key.value)))
        return Index(base=base, key=key, start=start, end=close.end)
