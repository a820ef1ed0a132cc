"""Text into tokens, refusing whatever is not in the language with a hint at what was meant.

Nothing here depends on Python's own tokenizer: the set of characters and operators is closed, so a new Python cannot
widen it.
"""

import re
import sys
from typing import NamedTuple

from gatewright.errors import ExpressionError, Fault, Fix
from gatewright.expressions import slips
from gatewright.expressions.kinds import INT_MAX
from gatewright.expressions.nodes import Scalar
from gatewright.text import char_name, hidden

MAX_CHARACTERS = 4096

SYNTAX, CHARACTER, LIMIT = "EXPR_SYNTAX", "EXPR_CHARACTER", "EXPR_LIMIT"


class Token(NamedTuple):
    """A word of an expression: its class, its text, the characters `start` to `end`, and a literal's value."""

    kind: str  #: name, number, text, op, end
    text: str
    start: int
    end: int
    value: Scalar = None


_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r\n]+)
  | (?P<raw>[rR](?:"[^"\n]*"|'[^'\n]*'))
  | (?P<text>"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')
  | (?P<prefixed>(?i:[fbut]|[fbt]r|r[fbt])(?=["']))
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<hex>0[xX][0-9A-Fa-f]+(?:_[0-9A-Fa-f]+)*)
  | (?P<float>[0-9]+(?:_[0-9]+)*(?:\.[0-9]+(?:_[0-9]+)*(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+))
  | (?P<int>[0-9]+(?:_[0-9]+)*)
  | (?P<op>===|!==|>==|<==|=!|\.\.\.|\*\*=|//=|<<=|>>=|&&=|\|\|=
       |==|!=|<=>|<=|>=|<>|=>|=<|=~|~=|!~|&&|\|\||\?\.|\?\?|::|->|:=|\+=|-=|\*=|/=|%=|&=|\|=|\^=|--|\+\+|\*\*|//|<<|>>|\.\.
       |[<>+\-*()\[\],.=!&|^%/~?:;{}@$`\\\#"'])
    """,
    re.VERBOSE,
)
#: Words of the language in another spelling, or of another language.
OTHER_WORDS = {
    "AND": "and",
    "OR": "or",
    "NOT": "not",
    "IN": "in",
    "IS": "is",
    "And": "and",
    "Or": "or",
    "Not": "not",
    "In": "in",
    "TRUE": "true",
    "FALSE": "false",
    "NULL": "null",
    "NONE": "null",
    "Null": "null",
    "nil": "null",
    "NIL": "null",
    "undefined": "null",
}
_OPERATORS = frozenset(["==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "(", ")", "[", "]", ",", "."])
_PLAIN = re.compile(r"[\t\n\r\x20-\x7e]*")


def fault(code: str, start: int, end: int, message: str, hint: str = "", *, fix: Fix | None = None) -> Fault:
    """One mistake at the characters `start` to `end`."""
    return Fault(code, start, max(end, start + 1), message, hint, fix=fix)


def refuse(text: str, found: Fault) -> ExpressionError:
    """The error that ends reading of `text` at one fault."""
    return ExpressionError(text, (found,))


def tokens(text: str) -> list[Token]:
    """The tokens of an expression, the last one of kind `end`.

    Raises ExpressionError for a text that is empty, too long, or holds anything outside the language.
    """
    if len(text) > MAX_CHARACTERS:
        message = f"{len(text):,} characters, at most {MAX_CHARACTERS:,} are read"
        raise refuse(text, fault(LIMIT, MAX_CHARACTERS, len(text), message, "split the rule in two"))
    if not _PLAIN.fullmatch(text):
        _refuse_hidden(text)
    found: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise refuse(text, _odd_character(text, position))
        position = match.end()
        if match.lastgroup != "space":
            found.append(_token(text, match))
    if not found:
        raise refuse(text, fault(SYNTAX, 0, 1, "the expression is empty", "write a condition, or leave the key out"))
    found.append(Token("end", "", len(text), len(text)))
    return found


def _token(text: str, match: re.Match[str]) -> Token:
    kind, word, start, end = match.lastgroup, match.group(), match.start(), match.end()
    if kind == "name":
        return Token("name", word, start, end)
    if kind == "op":
        if word in _OPERATORS:
            return Token("op", word, start, end)
        message, hint = slips.operator(text, word, start)
        raise refuse(text, fault(SYNTAX, start, end, message, hint, fix=slips.fix(text, start, end, hint)))
    if kind == "raw":
        if (len(word[2:-1]) - len(word[2:-1].rstrip("\\"))) % 2:
            raise refuse(text, fault(SYNTAX, start, end, *slips.raw_end()))
        return Token("text", word, start, end, word[2:-1])
    if kind == "text":
        return Token("text", word, start, end, _unescaped(text, word[1:-1], start + 1))
    if kind == "prefixed":
        raise refuse(text, fault(SYNTAX, start, end, *slips.text_prefix(word)))
    return _number(text, word, str(kind), start, end)


def _number(text: str, word: str, kind: str, start: int, end: int) -> Token:
    after = text[end : end + 1]
    if after and (after.isalnum() or after == "_"):
        message, hint = slips.number_tail(word + after)
        raise refuse(text, fault(SYNTAX, start, end + 1, message, hint))
    digits = word.replace("_", "")
    if kind == "float":
        number = float(digits)
        if number in (float("inf"), float("-inf")):
            raise refuse(text, fault(LIMIT, start, end, f"`{word}` is not a finite number"))
        return Token("number", word, start, end, number)
    if kind == "int" and len(digits) > 1 and digits[0] == "0":
        raise refuse(text, fault(SYNTAX, start, end, *slips.leading_zero(text, word, start)))
    if len(digits) > 20:  # noqa: PLR2004  more digits than any 64-bit number, kept away from int()
        raise refuse(text, fault(LIMIT, start, end, "the number does not fit in 64 bits"))
    whole = int(digits, 16 if kind == "hex" else 10)
    if whole > INT_MAX + 1:  # the one more is the least integer's, without its sign
        raise refuse(text, fault(LIMIT, start, end, f"`{word}` does not fit in 64 bits", f"at most {INT_MAX}"))
    return Token("number", word, start, end, whole)


_ESCAPE = r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))"
_SURROGATES = range(0xD800, 0xE000)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "'": "'", "0": "\0"}


def _unescaped(text: str, inner: str, offset: int) -> str:
    if "\\" not in inner:
        return inner

    def one(match: re.Match[str]) -> str:
        simple = match.group(4)
        at = offset + match.start()
        if simple is not None:
            if simple == "0" and inner[match.end() : match.end() + 1].isdigit():
                digits = inner[match.start() : match.end() + 1]
                message = f"`{digits}` could be an octal escape or NUL and a digit"
                raise refuse(text, fault(SYNTAX, at, at + 3, message, "write `\\x00` for NUL"))
            if simple in _SIMPLE:
                return _SIMPLE[simple]
            message = f"`\\{simple}` is no escape in a text"
            raise refuse(text, fault(SYNTAX, at, at + 2, message, 'double the backslash, or write r"…"'))
        code = int(match.group(1) or match.group(2) or match.group(3), 16)
        if code in _SURROGATES or code > sys.maxunicode:
            what = "a lone surrogate, half a character" if code in _SURROGATES else "beyond Unicode"
            raise refuse(text, fault(CHARACTER, at, at + len(match.group()), f"`{match.group()}` is {what}"))
        return chr(code)

    return re.sub(_ESCAPE, one, inner)


def _refuse_hidden(text: str) -> None:
    """Refuse characters that a reader cannot see, wherever they stand, quoted text included."""
    match = hidden(text)
    if match is not None:
        at, char = match.start(), match.group()
        hint = slips.hidden_character(char)
        raise refuse(text, fault(CHARACTER, at, at + 1, f"hidden character {char_name(char)}", hint))


def _odd_character(text: str, at: int) -> Fault:
    char = text[at]
    hint = slips.odd_character(char)
    fix = slips.quoted(text, at) or slips.fix(text, at, at + 1, hint)
    return fault(CHARACTER, at, at + 1, f"`{char}` ({char_name(char)}) cannot stand here", hint, fix=fix)
