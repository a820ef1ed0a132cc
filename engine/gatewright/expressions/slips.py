"""What people write instead, and what they meant: the hints of the expression language.

Each answer is a message and a hint. Habits come from JavaScript, Go, SQL, Rego, CEL, shell, C and from word processors.
"""

import re

from gatewright.errors import Fix

_OPERATORS: dict[str, tuple[str, str]] = {
    "=": ("`=` does not compare", "write `==`"),
    "===": ("`===` is JavaScript", "write `==`"),
    "!==": ("`!==` is JavaScript", "write `!=`"),
    "<>": ("`<>` is SQL", "write `!=`"),
    "<=>": ("`<=>` is no comparison here", "write `==`, `<` or `>`"),
    "=>": ("`=>` is no comparison", "write `>=`"),
    "=<": ("`=<` is no comparison", "write `<=`"),
    "=!": ("`=!` is no comparison", "write `!=`"),
    ">==": ("`>==` is no comparison", "write `>=`"),
    "<==": ("`<==` is no comparison", "write `<=`"),
    "=~": ("`=~` is no operator here", 'write `matches(text, "pattern")`'),
    "~=": ("`~=` is no operator here", 'write `matches(text, "pattern")`'),
    "!~": ("`!~` is no operator here", 'write `not matches(text, "pattern")`'),
    "&&": ("`&&` is no operator here", "write `and`"),
    "||": ("`||` is no operator here", "write `or`"),
    "&": ("`&` is no operator here", "write `and`"),
    "|": ("`|` is no operator here", "write `or`"),
    "!": ("`!` is no operator here", "write `not`"),
    "~": ("`~` is no operator here", "write `not`"),
    "?.": ("`?.` is no operator here", "write `has(path)` or `default(path, value)`"),
    "??": ("`??` is no operator here", "write `default(path, value)`"),
    "?": ("there is no `?` in this language", "write two rules, or `has(path)` and `default(path, value)`"),
    "::": ("`::` does not reach a field", "write `.`"),
    "->": ("`->` does not reach a field", "write `.`"),
    ":": ("`:` cannot stand in an expression", "write `==` to compare; text with a colon goes in quotes"),
    "..": ("`..` has one dot too many", "write `.`"),
    "...": ("`...` means nothing here", "write the field's name after one `.`"),
    ";": ("`;` cannot stand in an expression", "join conditions with `and`, or write two rules"),
    "--": ("`--` is no operator here", "write `-` once, or put a space between"),
    "++": ("`++` is no operator here", "write `+` once"),
    "**": ("there is no `**` in this language", "write the product out, or a param"),
    "^": ("there is no `^` in this language", "`and`, `or` and `!=` join conditions; write products out"),
    "%": ("there is no `%` in this language", "compare plain numbers; texts are not put together"),
    "/": ("there is no `/` in this language", "multiply the other side instead"),
    "//": ("there is no `//` in this language", "multiply the other side instead"),
    "<<": ("there is no `<<` in this language", "write the number out"),
    ">>": ("there is no `>>` in this language", "write the number out"),
    "{": ("`{` cannot stand in an expression", "lists are written in `[` `]`; facts need no braces"),
    "}": ("`}` cannot stand in an expression", "lists are written in `[` `]`; facts need no braces"),
    "@": ("`@` cannot stand in an expression", "put text in quotes"),
    "$": ("`$` cannot stand in an expression", "facts are written without `$`"),
    "`": ("a backtick (`) is no quote", 'write `"…"`'),
    "\\": ("`\\` cannot stand in an expression", "a line break needs no `\\`; put text in quotes"),
    "#": ("`#` starts no comment inside an expression", "put the comment on a line of its own, outside the expression"),
}


def operator(text: str, word: str, start: int) -> tuple[str, str]:
    """What an operator of another language, or an open quote, was meant to be."""
    if word in ('"', "'"):
        return _open_quote(text, start)
    if said := _gap(text, start):
        return said
    if word == ":" and (said := _colon(text, start)):
        return said
    if word == ".." and text[start - 1 : start].isdigit():
        return "there are no ranges", "write `low <= value <= high`"
    if word == "{" and text[start + 1 :].lstrip().startswith("}"):
        return "`{}` cannot stand in an expression", "an empty map has no keys: write `len(map) == 0`"
    if word == "/" and text[:start].rstrip().endswith(","):
        return "a pattern does not stand between `/`", 'put it in quotes: `matches(text, "pattern")`'
    if word in _OPERATORS:
        return _OPERATORS[word]
    return f"`{word}` does not compare, and nothing can be assigned", "write `==`"


#: A hint that leaves one thing to write. A single `&` or `|` may have been meant for arithmetic, `=>` for an arrow.
_ONE_ANSWER = re.compile(r"write (?:a plain )?`([^`\w\"']{1,2}|and|or|not|in|not in|null|true|false)`")
_SEVERAL_ANSWERS = ("&", "|", "=>")


def fix(text: str, start: int, end: int, hint: str) -> Fix | None:
    """What the hint says to write in the place of these characters, if that is one thing; words stand apart."""
    match = _ONE_ANSWER.fullmatch(hint)
    if match is None or text[start:end] in _SEVERAL_ANSWERS:
        return None
    word = match.group(1)
    if word.isascii() and word[0].isalpha():
        before, after = text[start - 1 : start], text[end : end + 1]
        word = (" " if before and not before.isspace() and before != "(" else "") + word
        word += "" if not after or after.isspace() else " "
    return Fix(start, end, word)


_OPENING = {
    "\u2018": "'",
    "\u201a": "'",
    "\u201b": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u201e": '"',
    "\u201f": '"',
    "\u00ab": '"',
}
_CLOSING = {"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u00bb": '"'}


def quoted(text: str, start: int) -> Fix | None:
    """A text in typographic quotes, from its first quote to its last, in plain ones."""
    quote = _OPENING.get(text[start])
    if quote is None:
        return None
    for at in range(start + 1, len(text)):
        if text[at] in "\n\\\"'":
            return None
        if _CLOSING.get(text[at]) == quote:
            return Fix(start, at + 1, quote + text[start + 1 : at] + quote)
    return None


def _gap(text: str, start: int) -> tuple[str, str] | None:
    """An operator in two parts, `> =`, of which either was found. No single part of it is to be mended alone."""
    for match in re.finditer(r"([<>!=])=?\s+=", text):
        if match.start() <= start < match.end():
            return f"`{match.group()}` is no operator", f"write `{match.group(1)}=` in one piece"
    return None


def _colon(text: str, start: int) -> tuple[str, str] | None:
    before = text[:start]
    if before.count("[") > before.count("]"):
        return "there are no slices", "name one element"
    if before.split(maxsplit=1)[:1] == ["if"]:
        return "there is no `if`", "write two rules, or a `when` beside the condition"
    return None


def _open_quote(text: str, start: int) -> tuple[str, str]:
    line_end = text.find("\n", start)
    rest = text[start : line_end if line_end >= 0 else len(text)]
    if len(rest) > 1 and line_end >= 0:
        return "the quote is not closed on its line", "close the quote; write a line break as `\\n`"
    return "the quote is never closed", "close it, or put text that holds a quote in the other kind of quote"


def text_prefix(word: str) -> tuple[str, str]:
    """A letter glued to a quote: `f"…"`, `b"…"`."""
    if word.lower() in ("f", "fr", "rf"):
        return f'`{word}"…"` is no text here', "compare the parts; only messages have `{fields}`"
    return f'`{word}"…"` is no text here', 'write `"…"`, or `r"…"` to keep backslashes'


def leading_zero(text: str, word: str, start: int) -> tuple[str, str]:
    """Digits that start with 0: a part of `1,000`, or an octal number."""
    for match in re.finditer(r"[0-9]{1,3}(?:[ ,][0-9]{3})+", text):
        if match.start() < start < match.end():
            return "a number has no gaps", f"write `{re.sub('[ ,]', '', match.group())}`"
    return f"`{word}` has a leading zero", "write plain decimal, or put text in quotes"


def raw_end() -> tuple[str, str]:
    """A raw text with a backslash before its closing quote."""
    return "a raw text cannot end in a backslash", 'write `"…\\\\"` without the `r`'


def number_tail(word: str) -> tuple[str, str]:
    """A number that runs into letters: `5k`, `0o17`, `500_`."""
    if word[:2].lower() in ("0o", "0b"):
        return f"`{word}…` is no decimal number", "write plain decimal"
    if word.endswith("_"):
        return f"`{word}` ends in `_`", "put `_` between digits only"
    return f"the number `{word[:-1]}` runs into `{word[-1]}`", "write plain decimal, and put text in quotes"


def hidden_character(char: str) -> str:
    """Where a character that nobody sees comes from."""
    if char in ("\u00a0", "\u2007", "\u202f"):
        return "write a plain space"
    import unicodedata

    if unicodedata.category(char) == "Cf":
        return "delete it: it changes what a reader sees"
    return "delete it"


#: The plain characters, and the typographic ones that stand for them.
_PLAIN = {
    "write a plain quote `'`": "\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u00b4",
    'write a plain quote `"`': "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb",
    "write a plain `-`": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    "write `<=`": "\u2264\u2a7d",
    "write `>=`": "\u2265\u2a7e",
    "write `!=`": "\u2260",
    "write `==`": "\u2261",
    "write `*`": "\u00d7\u00b7\u22c5",
    "multiply the other side instead": "\u00f7",
    "write `and`": "\u2227",
    "write `or`": "\u2228",
    "write `not`": "\u00ac",
    "write `in`": "\u2208",
    "write `not in`": "\u2209",
}
_LOOK_ALIKE = {char: hint for hint, chars in _PLAIN.items() for char in chars}


def odd_character(char: str) -> str:
    """The plain character that a typographic or foreign one stands for."""
    if char in _LOOK_ALIKE:
        return _LOOK_ALIKE[char]
    import unicodedata

    plain = unicodedata.normalize("NFKC", char)
    if plain != char and plain.isascii():
        return f"write a plain `{plain}`"
    if char.isalpha():
        return 'names are plain ASCII letters; a text goes in quotes, a field with another name in `["…"]`'
    return "only ASCII stands outside quotes"


_FUNCTIONS = {
    "count": "len(",
    "size": "len(",
    "length": "len(",
    "strlen": "len(",
    "exists": "has(",
    "defined": "has(",
    "isset": "has(",
    "is_set": "has(",
    "startswith": "starts_with(",
    "endswith": "ends_with(",
    "hasprefix": "starts_with(",
    "hassuffix": "ends_with(",
    "tolower": "lower(",
    "lowercase": "lower(",
    "casefold": "lower(",
    "lcase": "lower(",
    "upper": "lower(",
    "includes": "contains(",
    "include": "contains(",
    "match": "matches(",
    "regex": "matches(",
    "regexp": "matches(",
    "search": "matches(",
    "re_match": "matches(",
    "like": "matches(",
    "glob": "matches(",
    "fullmatch": "matches(",
    "get": "default(",
    "coalesce": "default(",
    "ifnull": "default(",
    "nvl": "default(",
    "haskey": "has(",
    "has_key": "has(",
}


def function(name: str) -> str | None:
    """The function of the language that a function of another one stands for, as `len(`; None if none does."""
    return _FUNCTIONS.get(name.replace("_", "").lower()) or _FUNCTIONS.get(name.lower())


#: Methods and functions of other languages that go through a list or a map.
LOOPS = frozenset(["all", "any", "every", "exists_one", "filter", "map", "some", "keys", "values", "items"])

#: Comparisons that other languages write as words.
WORD_OPERATORS = {
    "eq": "`==`",
    "equals": "`==`",
    "ne": "`!=`",
    "neq": "`!=`",
    "xor": "`!=`",
    "gt": "`>`",
    "gte": "`>=`",
    "ge": "`>=`",
    "lt": "`<`",
    "lte": "`<=`",
    "le": "`<=`",
    "between": "`low <= value <= high`",
}
#: Functions of other languages for which ours has an operator.
_TESTS = {
    "isnull": "value is null",
    "isnone": "value is null",
    "isempty": 'value == "" or len(value) == 0',
    "notnull": "value is not null",
    "isnotnull": "value is not null",
    "between": "low <= value <= high",
    "any": "value in list",
    "all": "condition and condition",
}


def test_of(name: str) -> str | None:
    """The condition that a test function of another language stands for; None if none does."""
    return _TESTS.get(name.replace("_", "").lower())
