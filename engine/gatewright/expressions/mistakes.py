"""Grammar faults put into words: a message that says what stands there, a hint that says what was meant."""

import keyword
from collections.abc import Iterable

from gatewright.expressions import slips
from gatewright.expressions.lexer import OTHER_WORDS, Token
from gatewright.expressions.nodes import Arith, Field, Name, Negate, Node
from gatewright.text import counted, nearest

Words = tuple[str, str]

_STATEMENTS = frozenset(
    ["import", "from", "assert", "del", "return", "raise", "def", "class", "while", "with", "for", "try", "global"]
)


def left_over(text: str, tokens: list[Token], at: int) -> Words:
    """What follows a complete expression, and why it cannot."""
    token, before = tokens[at], tokens[at - 1]
    if token.text in (")", "]") and token.kind == "op":
        opening = "(" if token.text == ")" else "["
        return f"`{token.text}` closes nothing", f"delete it, or open with `{opening}`"
    if token.text == "," and token.kind == "op":
        return _comma(before, tokens[at + 1])
    if token.kind == "name" and (said := _left_over_name(token, tokens[at + 1])):
        return said
    if before.text in slips.WORD_OPERATORS and at > 1 and tokens[at - 2].text == "-":
        return f"`-{before.text}` is no operator here", f"write {slips.WORD_OPERATORS[before.text]}"
    return _side_by_side(text, before, token)


def _side_by_side(text: str, before: Token, token: Token) -> Words:
    if before.kind == "name" and before.text in _KEYS:
        return f"`{before.text}` is a key of a rule", f"write the condition behind the key: `{before.text}: …`"
    line = text.count("\n", 0, token.start) + 1
    if line > text.count("\n", 0, before.end) + 1:
        return f"a second expression starts on line {line}", "join the two with `and` or `or`"
    if token.kind == "text" and before.kind == "text":
        return "two texts stand side by side", "put a comma between, or a quote inside quotes as `\\'`"
    return f"an operator is missing before `{token.text}`", "join conditions with `and` or `or`; text goes in quotes"


def _comma(before: Token, after: Token) -> Words:
    if before.kind == after.kind == "number":
        return "`,` cannot stand in a number", f"write `{before.text}{after.text}`"
    return "`,` cannot stand here", "join conditions with `and`; lists are written in `[` `]`"


def _left_over_name(token: Token, after: Token) -> Words | None:
    name = token.text
    if name in _CONTROL:
        return _CONTROL[name]
    if (joined := _JOINED.get(name.lower().replace("_", ""))) is not None:
        return f"`{name}` is no operator here", f"write `{joined}`"
    if name == "not" and after.text == "==":
        return "`not ==` is no comparison", "write `!=`"
    known = f"`{OTHER_WORDS[name]}`" if name in OTHER_WORDS else slips.WORD_OPERATORS.get(name.lower())
    if known and after.kind != "end":
        return f"`{name}` is no operator here", f"write {known}"
    function = name + "(" if name in _INFIX else slips.function(name)
    if function and after.kind in ("text", "name"):
        return f"`{name}` stands between its arguments", f"write `{function}text, …)`"
    if name in _STATEMENTS:
        return f"`{name}` is no part of the language", ""
    return None


_CONTROL = {
    "if": ("there is no `if … else`", "write two rules, or `and` and `or`"),
    "else": ("there is no `if … else`", "write two rules, or `and` and `or`"),
    "then": ("there is no `then`", "the effect is a key of the rule: `deny:`, `warn:` or `require:`"),
    "for": ("there are no loops", "`in` and `len` look into lists"),
}
_JOINED = {"notin": "not in", "isnot": "is not", "isin": "in"}
_KEYS = frozenset(["when", "deny", "warn", "require"])
_INFIX = frozenset(["matches", "contains", "starts_with", "ends_with", "has", "default"])


def no_operand(tokens: list[Token], at: int) -> Words:
    """A place where a value is due and none stands."""
    token = tokens[at]
    before = tokens[at - 1] if at else None
    if token.kind == "end":
        return f"the expression ends after `{before.text if before else ''}`", "a value is missing on the right"
    if token.kind == "name":
        if token.text == "with" and before is not None and before.text == "-" and at > 1:
            return "a function's name has `_`, not `-`", f"write `{tokens[at - 2].text}_with(text, part)`"
        return _no_operand_name(token, before)
    if token.text == "." and tokens[at + 1].kind == "number":
        return f"`.{tokens[at + 1].text}` is no number", f"write `0.{tokens[at + 1].text}`"
    if token.text == ".":
        return "`.` has no name on its left", "write the fact's name before `.`"
    if token.text in (")", "]"):
        return f"a value is missing before `{token.text}`", ""
    if before is None:
        return f"`{token.text}` has nothing on its left", "start with a value"
    return f"a value is missing between `{before.text}` and `{token.text}`", ""


def _no_operand_name(token: Token, before: Token | None) -> Words:
    name = token.text
    known = OTHER_WORDS.get(name)
    if known:
        return f"`{name}` is not known", f"write `{known}`"
    if name == "in" and before is not None and before.text in ("is", "not"):
        return f"`{before.text} in` is no operator here", "write `in` or `not in`, without `is`"
    if name in ("and", "or", "in", "is"):
        where = f"between `{before.text}` and `{name}`" if before else f"on the left of `{name}`"
        return f"a value is missing {where}", ""
    if name == "not":
        return "`not` cannot stand here", "put what it denies in parentheses: `… == (not x)`"
    if name == "lambda" or name in ("yield", "await", "async"):
        return f"`{name}` is no part of the language", "an expression reads facts; it cannot define anything"
    if name in ("if", "else"):
        return "there is no `if … else`", "write two rules, or `and` and `or`"
    return f"`{name}` is no part of the language", "write a condition on facts"


#: What other languages keep their functions in.
_PACKAGES = frozenset(["re", "regexp", "regex", "strings", "string", "str"])


def called(text: str, node: Node) -> Words:
    """Something called that is no function of the language."""
    if isinstance(node, Field):
        base = text[node.base.start : node.base.end]
        if node.name in slips.LOOPS:
            return f"`{node.name}` is called as a method, and there are none", _loop(node.name, base)
        function = slips.function(node.name) or (f"{node.name}(" if node.name in _INFIX | {"lower", "len"} else None)
        shape = f"{function}text, …)" if base in _PACKAGES else f"{function}{base}, …)"
        hint = f"write `{shape}`" if function else "functions are written `name(value)`"
        if function in ("lower(", "len(", "has("):
            hint = f"write `{function}{base})`"
        if function == "default(":
            hint = f"write `default({base}.name, …)`"
        return f"`{node.name}` is called as a method, and there are none", hint
    what = f"`{node.name}`" if isinstance(node, Name) else f"`{text[node.start : node.end]}`"
    return f"{what} is no function", "facts are read without `(`"


def _loop(name: str, base: str) -> str:
    if name == "keys":
        return f"`in` looks at the keys of a map: write `… in {base}`"
    return "there are no loops; `in` looks into lists and maps, and `len` counts"


def no_field(text: str, tokens: list[Token], at: int) -> Words:
    """A dot without a field's name behind it."""
    token, before = tokens[at], tokens[at - 2]
    if before.kind == "number":
        if token.kind in ("end", "name"):
            return "a number needs digits after `.`", f"write `{before.text}.0`"
        return f"`{before.text}.{token.text}` is no number", "put a version, or any other text, in quotes"
    if token.kind == "end":
        return "the expression ends after `.`", "write the field's name after `.`"
    if token.kind == "number" and before.kind == "name":
        return f"`.` is followed by `{token.text}`", f"write `{before.text}[{token.text}]`"
    if token.text in ("*", "+") and "matches" in text[: token.start]:
        return f"`.` is followed by `{token.text}`", 'put a pattern in quotes: `matches(text, "pattern")`'
    return f"`.` is followed by `{token.text}`", 'write the field\'s name after `.`, or `["name"]`'


def no_literal(text: str, node: Node) -> Words:
    """Something in a list that is worked out, not written down."""
    if isinstance(node, Arith | Negate):
        return "a list holds literals only", f'put text in quotes: `"{text[node.start : node.end]}"`'
    if isinstance(node, Name):
        hint = f'text goes in quotes: `"{node.name}"`; facts are compared with `==` and `or`'
        return "a list holds literals only", hint
    return "a list holds literals only", "compare with `==` and `or` instead"


def odd_field(name: str) -> Words:
    """A field whose name cannot stand after a dot."""
    if name.startswith("__"):
        return f"`{name}` is no field of a fact", "names that start with `__` are never read"
    if keyword.iskeyword(name):
        return f"`{name}` is a word of the language", f'write `["{name}"]`'
    return f"`.{name}` starts with `_`", f'write `["{name}"]`'


def unclosed(text: str, tokens: list[Token], at: int, bracket: str) -> Words:
    """A bracket that is open where something else stands."""
    opening = {")": "(", "]": "["}[bracket]
    token = tokens[at]
    if token.kind == "end":
        return f"`{opening}` is never closed", f"add `{bracket}`"
    message, hint = left_over(text, tokens, at)
    if message.endswith("closes nothing"):
        return f"`{token.text}` does not close `{opening}`", f"write `{bracket}`"
    return message, hint


def unknown_function(name: str, functions: Iterable[str]) -> Words:
    """A call of something that is not on the list."""
    test = slips.test_of(name)
    if test:
        return f"`{name}` is no function here", f"write `{test}`"
    known = slips.function(name) or nearest(name, functions)
    if known:
        return f"`{name}` is no function here", f"write `{known.rstrip('(')}(…)`"
    return f"`{name}` is no function here", "there are " + ", ".join(f"`{each}`" for each in sorted(functions))


def wrong_count(name: str, wanted: int, given: int) -> Words:
    """A function with too many or too few arguments."""
    shapes = {
        "has": "has(path)",
        "default": "default(path, literal)",
        "matches": 'matches(text, "pattern")',
        "len": "len(value)",
        "lower": "lower(text)",
    }
    shape = shapes.get(name, f'{name}(text, "part")')
    return f"`{name}` takes {counted(wanted, 'argument')}, not {given}", f"write `{shape}`"
