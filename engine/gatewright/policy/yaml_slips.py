"""The parser's complaints in words for policy authors, and what was probably meant."""

import re

from ruamel.yaml.error import MarkedYAMLError

from gatewright.errors import Problem
from gatewright.policy.tree import Source, problem

_QUOTE = "put the whole value in quotes"
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
        "check the indentation and quotes",
    ),
    ("expected ',' or ']'", "a list in `[` `]` is not closed", "add `,` or `]`"),
    ("expected ',' or '}'", "a map in `{` `}` is not closed", "add `,` or `}`"),
    ("found unexpected end of stream", "the file ends inside a quoted text", "close the quote"),
    ("found unknown escape character", "", r"double the backslash, or use single quotes"),
    ("expected the node content", "a value is missing", ""),
    ("did not find expected <document start>", "text follows the end of the document", ""),
    ("expected chomping or indentation", "the rest of the line after `|` or `>` belongs on the next line", ""),
    ("found undefined tag handle", "a YAML tag starts with `!`", "write `not`, or quote the text"),
    ("found duplicate anchor", "anchors are not read", "write the value out"),
)


def of_parser(source: Source, error: MarkedYAMLError) -> Problem:
    """A problem made of what the parser said and where."""
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    said = str(error.problem or error.context or "cannot be read as YAML")
    for part, message, hint in _SAYINGS:
        if part in said:
            return problem(source, line, column, message or said, hint=hint, check="yaml")
    return problem(source, line, column, said, hint=_QUOTE, check="yaml")


def of_tag(tag: str) -> tuple[str, str]:
    """Message and hint for a tag, which is often a negation or a template."""
    name = re.sub(r"^tag:yaml\.org,2002:", "!!", tag)
    if name.startswith("!!"):
        return f"`{name}` is a tag, and tags are not read", "write the plain value; put text in quotes"
    word = name.lstrip("!")
    return f"`!{word}` is a tag, and tags are not read", f"for a negation write `not {word}`; put text in quotes"


def complex_key(text: str, index: int) -> tuple[str, str]:
    """Message and hint for a map or list that stands where a key is due."""
    if text[max(index - 1, 0) : index + 1] == "{{":
        return "a map stands where a key is due", 'a template starts with a quote: `"{{ … }}"`'
    return "a map or list stands where a key is due", "keys are text; put text with brackets in quotes"


_ESCAPES = r"(?s)\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))"
_SHORT = {"0": 0, "a": 7, "b": 8, "e": 27, "v": 11, "f": 12, "N": 0x85, "_": 0xA0, "L": 0x2028, "P": 0x2029}


def escape_of(raw: str, char: str) -> int:
    """Where in a double-quoted scalar the escape stands that made `char`; 0 if it stands there by itself."""
    for match in re.finditer(_ESCAPES, raw):
        digits = match.group(1) or match.group(2) or match.group(3)
        code = int(digits, 16) if digits else _SHORT.get(match.group(4), -1)
        if code == ord(char):
            return match.start()
    return max(raw.find(char), 0)
