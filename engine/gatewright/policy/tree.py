"""The tree of a document: plain values that know where they stand, and the text that they stand in."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from gatewright.errors import Fix, Place, Problem, Severity
from gatewright.expressions.nodes import Scalar as Value
from gatewright.text import caret, printable


class Source(Struct, frozen=True):
    """A file's name and its text, for places and excerpts."""

    file: str
    text: str

    def place(self, line: int, column: int) -> Place:
        """A place in this file, from line and column counted from 1."""
        return Place(self.file, line, column)

    def excerpt(self, line: int, column: int) -> str:
        """The line with a caret below the column; empty where the file has no such line."""
        starts = _line_starts(self.text)
        if not 0 < line <= len(starts):
            return ""
        end = self.text.find("\n", starts[line - 1])
        return caret(self.text[starts[line - 1] : end if end >= 0 else None].rstrip("\r"), column)


class Node(Struct, kw_only=True):
    """What every part of a document has: its line and column, counted from 1."""

    line: int
    column: int


class Scalar(Node, kw_only=True):
    """A single value, with the text that it was written as."""

    value: Value
    raw: str  #: the text of a plain scalar, or the value of a quoted one
    style: str = ""  #: empty for plain, else the quote or block sign
    start: int = 0  #: the first character in the source's text
    end: int = 0


class Sequence(Node, kw_only=True):
    """A list."""

    items: "list[Scalar | Sequence | Mapping]"


class Entry(Struct):
    """A key of a mapping with its value."""

    key: Scalar
    value: "Scalar | Sequence | Mapping"


class Mapping(Node, kw_only=True):
    """A map with text keys, in the order of the file."""

    entries: dict[str, Entry]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries.values())

    def get(self, key: str) -> "Tree | None":
        """The value of a key, or None."""
        entry = self.entries.get(key)
        return entry.value if entry is not None else None


Tree = Scalar | Sequence | Mapping


def plain(tree: Tree) -> object:
    """The same data in dicts, lists and plain values."""
    if isinstance(tree, Scalar):
        return tree.value
    if isinstance(tree, Sequence):
        return [plain(item) for item in tree.items]
    return {name: plain(entry.value) for name, entry in tree.entries.items()}


class Document(Struct, frozen=True):
    """A file that was read: its text, its tree, and what was wrong with single values."""

    source: Source
    tree: Tree
    problems: tuple[Problem, ...] = ()


def problem(  # noqa: PLR0913  a problem has this many sides, each given by keyword
    source: Source,
    line: int,
    column: int,
    message: str,
    *,
    hint: str = "",
    path: str = "",
    severity: Severity = Severity.ERROR,
    check: str = "policy",
    fix: Fix | None = None,
) -> Problem:
    """A problem at a place of a source, with the line shown; what is quoted in it stays on one line."""
    return Problem(
        place=source.place(line, column),
        message=printable(message),
        hint=printable(hint),
        path=path,
        severity=severity,
        check=check,
        excerpt=source.excerpt(line, column),
        fix=fix,
    )


def line_and_column(text: str, index: int) -> tuple[int, int]:
    """Line and column, counted from 1, of a character of a text."""
    starts = _line_starts(text)
    line = bisect_right(starts, index)
    return line, index - starts[line - 1] + 1


@lru_cache(maxsize=8)
def _line_starts(text: str) -> list[int]:
    """Where each line starts. Kept, since a file of mistakes asks for as many places."""
    return [0, *(match.end() for match in re.finditer("\n", text))]


def place_in(source: Source, scalar: Scalar, offset: int) -> tuple[int, int]:
    """Line and column of the character `offset` of a scalar's value, in whatever style it was written."""
    raw = source.text[scalar.start : scalar.end]
    if scalar.style == "" and "\n" not in raw:
        return scalar.line, scalar.column + offset
    at = _offsets(raw, str(scalar.value), scalar.style)
    if not at:
        return scalar.line, scalar.column
    index = at[offset] if offset < len(at) else at[-1] + 1
    return line_and_column(source.text, scalar.start + index)


def fix_in(source: Source, scalar: Scalar, fix: Fix | None) -> Fix | None:
    """A fix of a scalar's value as one of the file; None where the value's characters are written in other ones."""
    raw, value = source.text[scalar.start : scalar.end], str(scalar.value)
    if fix is None or not raw:
        return None
    single = scalar.style == "" and "\n" not in raw
    at = list(range(len(value))) if single else _offsets(raw, value, scalar.style)
    if fix.end > len(at) or fix.start >= fix.end:
        return None
    start = scalar.start + at[fix.start]
    end = start + fix.end - fix.start
    if source.text[start:end] != value[fix.start : fix.end]:
        return None
    return Fix(start, end, _written(fix.text, scalar.style))


def _written(text: str, style: str) -> str:
    """A text as it is written inside a scalar of that style."""
    if style == '"':
        return text.replace("\\", "\\\\").replace('"', '\\"')
    return text.replace("'", "''") if style == "'" else text


def respelt(scalar: Tree, text: str | None) -> Fix | None:
    """The fix that puts another name in the place of a scalar's, in the quotes that it has."""
    if text is None or not isinstance(scalar, Scalar) or scalar.style not in ("", '"', "'"):
        return None
    quotes = len(scalar.style)
    return Fix(scalar.start + quotes, scalar.end - quotes, text) if scalar.start < scalar.end else None


def rewritten(scalar: Tree, text: str | None) -> Fix | None:
    """The fix that puts a plain value in the place of a scalar, quotes and all."""
    if text is None or not isinstance(scalar, Scalar) or scalar.style not in ("", '"', "'"):
        return None
    return Fix(scalar.start, scalar.end, text) if scalar.start < scalar.end else None


_ESCAPE_WIDTH = {"x": 4, "u": 6, "U": 10}


def _offsets(raw: str, value: str, style: str) -> list[int]:
    """For each character of the value, the character of the raw text that it came from.

    Letters and signs come through all YAML styles one by one and in order; only white space is folded, and only quotes
    and escapes take more than one character.
    """
    if style == '"':
        return _double_quoted(raw)
    at = raw.find("\n") + 1 if style in ("|", ">") else len(style)
    found: list[int] = []
    for char in value:
        at = _skipped(raw, at, char)
        found.append(min(at, max(len(raw) - 1, 0)))
        at += _width(raw, at, char, style)
    return found


def _skipped(raw: str, at: int, char: str) -> int:
    if char.isspace():
        return at
    while at < len(raw) and raw[at].isspace():
        at += 1
    return at


def _width(raw: str, at: int, char: str, style: str) -> int:
    if style == "'" and char == "'":
        return 2
    return 0 if char.isspace() and not raw[at : at + 1].isspace() else 1


_BREAK = re.compile(r"\\\r?\n[ \t\r\n]*|[ \t]*\r?\n[ \t\r\n]*")


def _double_quoted(raw: str) -> list[int]:
    """The same for a text in double quotes: a line break folds to a space, one behind a backslash to nothing."""
    found: list[int] = []
    at = 1
    while at < len(raw) - 1:
        match = _BREAK.match(raw, at)
        if match is None:
            found.append(at)
            at += _ESCAPE_WIDTH.get(raw[at + 1 : at + 2], 2) if raw[at] == "\\" else 1
            continue
        lines = match.group().count("\n") - 1
        found += [at] * (lines if lines or match.group()[0] == "\\" else 1)
        at = match.end()
    return found
