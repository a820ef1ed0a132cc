"""The innermost parts of the grammar: literals, lists, names and calls, and the reading of tokens itself."""

import keyword
from abc import ABC, abstractmethod

from gatewright.errors import ExpressionError, Fix
from gatewright.expressions import mistakes
from gatewright.expressions.kinds import INT_MAX
from gatewright.expressions.lexer import LIMIT, OTHER_WORDS, SYNTAX, Token, fault, refuse
from gatewright.expressions.nodes import Call, ListLiteral, Literal, Name, Node
from gatewright.text import only_nearest

MAX_NODES, MAX_DEPTH = 300, 40

FUNCTIONS = {
    "has": 1,
    "default": 2,
    "len": 1,
    "lower": 1,
    "starts_with": 2,
    "ends_with": 2,
    "contains": 2,
    "matches": 2,
}
CONSTANTS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}


class AtomParser(ABC):
    """One pass over the tokens of one text: reading, limits, and the grammar from `atom` inwards."""

    def __init__(self, text: str, found: list[Token]) -> None:
        self.text = text
        self.tokens = found
        self.at = 0
        self.nodes = 0
        self.depth = 0

    @abstractmethod
    def either(self) -> Node:
        """A whole condition; the rest of the grammar says how."""

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.at]

    @property
    def last_end(self) -> int:
        """Where the last token that was taken ends. A node ends there, with the parentheses of its last part."""
        return self.tokens[self.at - 1].end

    def take(self) -> Token:
        """The next token, taken."""
        token = self.tokens[self.at]
        self.at += 1
        return token

    def word(self, *words: str) -> Token | None:
        """The next token, taken, if it is one of these operators or operator words."""
        token = self.tokens[self.at]
        if token.text in words and token.kind in ("op", "name"):
            self.at += 1
            return token
        return None

    def fail(self, token: Token, message: str, hint: str = "", code: str = SYNTAX) -> ExpressionError:
        """The error that ends the reading at a token; a word of another language has its own in the hint."""
        meant = f"write `{OTHER_WORDS.get(token.text)}`" if token.kind == "name" else ""
        fix = Fix(token.start, token.end, OTHER_WORDS[token.text]) if meant == hint and meant else None
        return refuse(self.text, fault(code, token.start, token.end, message, hint, fix=fix))

    def count(self) -> None:
        """Count a node; raises ExpressionError beyond the limit."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            message = f"more than {MAX_NODES} operations"
            raise self.fail(self.tokens[self.at - 1], message, "split the rule in two", LIMIT)

    def deeper(self, levels: int = 1) -> None:
        """Go deeper; raises ExpressionError beyond the limit."""
        self.depth += levels
        if self.depth > MAX_DEPTH:
            raise self.fail(self.tokens[self.at - 1], f"nested more than {MAX_DEPTH} deep", "split the rule", LIMIT)

    def expect_end(self) -> None:
        """Raise ExpressionError unless all tokens are taken."""
        if self.token.kind != "end":
            message, hint = mistakes.left_over(self.text, self.tokens, self.at)
            raise self.fail(self.token, message, hint)

    def close(self, bracket: str) -> Token:
        """The closing bracket, taken."""
        token = self.word(bracket)
        if token is None:
            message, hint = mistakes.unclosed(self.text, self.tokens, self.at, bracket)
            raise self.fail(self.token, message, hint)
        return token

    def atom(self) -> Node:
        """The innermost part: a literal, a list, a name, a call or a parenthesis."""
        token = self.token
        if token.kind in ("number", "text"):
            return self._plain_literal()
        if token.kind == "op" and token.text == "(":
            return self._parenthesis()
        if token.kind == "op" and token.text == "[":
            self.at += 1
            return self._list(token, "]")
        if token.kind == "name" and not _reserved(token.text):
            return self._name()
        if token.kind == "name" and token.text in CONSTANTS:
            self.at += 1
            self.count()
            return Literal(value=CONSTANTS[token.text], start=token.start, end=token.end)
        raise self.fail(token, *mistakes.no_operand(self.tokens, self.at))

    def _plain_literal(self) -> Literal:
        token = self.take()
        if isinstance(token.value, int) and token.value > INT_MAX:
            message = f"`{token.text}` does not fit in 64 bits"
            raise self.fail(token, message, f"at most {INT_MAX}", LIMIT)
        self.count()
        return Literal(value=token.value, start=token.start, end=token.end)

    def _name(self) -> Node:
        token = self.take()
        self.count()
        if self.token.kind == "op" and self.token.text == "(":
            return self._call(token)
        if token.text.startswith("_"):
            raise self.fail(token, f"`{token.text}` is no fact: names do not start with `_`")
        if token.text in FUNCTIONS:
            raise self.fail(token, f"`{token.text}` is a function", f"write `{token.text}(…)`")
        return Name(name=token.text, start=token.start, end=token.end)

    def _call(self, name: Token) -> Node:
        self.at += 1
        self.deeper()
        if name.text not in FUNCTIONS:
            meant = only_nearest(name.text, FUNCTIONS)
            message, hint = mistakes.unknown_function(name.text, FUNCTIONS)
            fix = Fix(name.start, name.end, meant) if meant and f"`{meant}(…)`" in hint else None
            raise refuse(self.text, fault(SYNTAX, name.start, name.end, message, hint, fix=fix))
        args: list[Node] = []
        while self.token.text != ")":
            args.append(self.either())
            if not self.word(","):
                break
        close = self.close(")")
        self.depth -= 1
        wanted = FUNCTIONS[name.text]
        if len(args) != wanted:
            raise self.fail(name, *mistakes.wrong_count(name.text, wanted, len(args)))
        return Call(function=name.text, args=args, start=name.start, end=close.end)

    def _parenthesis(self) -> Node:
        opened = self.take()
        if self.token.text == ")" and self.token.kind == "op":
            raise self.fail(self.token, "`()` holds nothing", "write a condition, or a list as `[…]`")
        self.deeper()
        inner = self.either()
        self.depth -= 1
        if self.token.kind == "op" and self.token.text == ",":
            return self._list(opened, ")", inner)
        self.close(")")
        return inner

    def _list(self, opened: Token, bracket: str, first: Node | None = None) -> Node:
        items: list[Literal] = []
        if first is not None:
            items.append(self._literal(first))
            self.take()
        while not (self.token.kind == "op" and self.token.text == bracket):
            before = self.nodes
            self.deeper()
            item = self.either()
            if self.token.text == "for":
                raise self.fail(self.token, *mistakes.left_over(self.text, self.tokens, self.at))
            items.append(self._literal(item))
            self.depth -= 1
            # A list of names is data, not work: a lookup costs the same with three models as with three hundred.
            self.nodes = before
            if not self.word(","):
                break
        close = self.close(bracket)
        self.count()
        return ListLiteral(items=items, start=opened.start, end=close.end)

    def _literal(self, node: Node) -> Literal:
        if isinstance(node, Literal):
            return node
        found = fault(SYNTAX, node.start, node.end, *mistakes.no_literal(self.text, node))
        raise refuse(self.text, found)


def _reserved(word: str) -> bool:
    return word in CONSTANTS or keyword.iskeyword(word) or word in OTHER_WORDS
