"""The parser's complaints in words for policy authors, and what was probably meant."""

import re

from ruamel.yaml.error import MarkedYAMLError

from gatewright.errors import Problem
from gatewright.policy.tree import Source, problem

_QUOTE = "put the whole value in quotes"
_BLOCK = "text stands behind `|` or `>` on the same line"
_BLOCK_HINT = "begin the text on the next line; put a condition that begins with `>` in quotes"
#: What the parser says (a part of it), what we say (empty: the same), the hint.
_SAYINGS: tuple[tuple[str, str, str], ...] = (
    ("'\\t' that cannot start", "found a tab (\\t)", "write spaces: YAML does not indent or separate with tabs"),
    ("found character '%'", "found character `%` that cannot start a value", _QUOTE),
    ("found character '@'", "found character `@` that cannot start a value", _QUOTE),
    ("found character '`'", "found character ` that cannot start a value", _QUOTE),
    ("mapping values are not allowed", "a `key:` cannot stand here", "check the indentation, or quote text with `: `"),
    ("expected <block end>", "text follows a value that is already complete", f"{_QUOTE}, or check the indentation"),
    (
        "could not find expected ':'",
        "a line without `key:` stands where one is due",
        "check the indentation and quotes, and that a space follows `:`",
    ),
    ("expected ',' or ']'", "a list in `[` `]` is not closed", "add `,` or `]`"),
    ("expected ',' or '}'", "a map in `{` `}` is not closed", "add `,` or `}`"),
    ("found unexpected end of stream", "the file ends inside a quoted text", "close the quote"),
    ("found unexpected document separator", "`---` or `...` stands inside a quoted text", "close the quote"),
    ("found unknown escape character", "", r"double the backslash, or use single quotes"),
    ("expected the node content", "a value is missing", ""),
    ("<document start>", "text follows the end of the document", "check the indentation; a file holds one document"),
    ("expected chomping or indentation", _BLOCK, _BLOCK_HINT),
    ("expected a comment or a line break", _BLOCK, _BLOCK_HINT),
    ("expected indentation indicator", "the number after `|` or `>` is the indentation, 1-9", "leave it out"),
    ("sequence entries are not allowed", "a list cannot start here", f"start it on the next line, or {_QUOTE}"),
    ("mapping keys are not allowed", "`? ` cannot stand here", _QUOTE),
    ("expected escape sequence of", "the escape is too short", r"`\x` takes 2 hexadecimal digits, `\u` 4, `\U` 8"),
    ("found undefined tag handle", "a YAML tag starts with `!`", "write `not`, or quote the text"),
    ("found duplicate anchor", "anchors are not read", "write the value out"),
)


_UNCLOSED = (
    "the file ends inside a quoted text",
    "`---` or `...` stands inside a quoted text",
    "a list in `[` `]` is not closed",
    "a map in `{` `}` is not closed",
)


def of_parser(source: Source, error: MarkedYAMLError) -> Problem:
    """A problem made of what the parser said and where."""
    said = str(error.problem or error.context or "")
    mark = error.problem_mark or error.context_mark
    if "could not find expected ':'" in said and error.context_mark is not None:
        mark = error.context_mark  # where the line begins, not where the parser gave up on it
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    message, hint = _words(said, str(error.context or ""))
    if message == _BLOCK and (sign := _behind_a_value(source.text, line, column)):
        message, hint, column = "text follows a value that is already complete", _QUOTE, sign
    if message in _UNCLOSED and error.context_mark is not None:
        message = f"{message}, opened on line {error.context_mark.line + 1}"
    return problem(source, line, column, message, hint=hint, check="yaml")


def _behind_a_value(text: str, line: int, column: int) -> int:
    """The column of a `|` or `>` behind a map or list in brackets, or a text in quotes; 0 where a key is in front."""
    before = text.split("\n")[line - 1][: column - 1]
    match = re.search(r"[\]}\"']\s*([|>])[^|>]*$", before)
    return match.start(1) + 1 if match is not None else 0


def _words(said: str, context: str) -> tuple[str, str]:
    for part, message, hint in _SAYINGS:
        if part in said:
            return message or said, hint
    if context.endswith(("an alias", "an anchor")):
        sign = "*" if context.endswith("an alias") else "&"
        return f"`{sign}` starts an anchor's name, and anchors are not read", _QUOTE
    return "this cannot be read as YAML", f"check the indentation, or {_QUOTE}"


def of_tag(tag: str) -> tuple[str, str]:
    """Message and hint for a tag, which is often a negation or a template."""
    name = re.sub(r"^tag:yaml\.org,2002:", "!!", tag)
    if name.startswith("!!"):
        return f"`{name}` is a tag, and tags are not read", "write the plain value; put text in quotes"
    word = name.lstrip("!")
    return f"`!{word}` is a tag, and tags are not read", f"for a negation write `not {word or '…'}`; put text in quotes"


def complex_key(text: str, index: int) -> tuple[str, str]:
    """Message and hint for a map or list that stands where a key is due."""
    if text[max(index - 1, 0) : index + 1] == "{{":
        return "a map stands where a key is due", 'a template starts with a quote: `"{{ … }}"`'
    return "a map or list stands where a key is due", "keys are text; put text with brackets in quotes"
