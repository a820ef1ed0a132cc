"""Where each key and value of a TOML text stands, so that one can be changed and all else stays byte for byte.

The text has been read by a TOML parser before: what is looked for here is places, not mistakes.
"""

import re
import tomllib
from collections.abc import Iterator

from msgspec import Struct

_BLANK = re.compile(r"[ \t]*")
_BETWEEN = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")  #: statements, and the elements of arrays
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")' r"|'''.*?'{3,5}(?!')" r'|"(?:[^"\\\n]|\\.)*"' r"|'[^'\n]*'",
    re.DOTALL,
)
_BARE_KEY = re.compile(r"[^\s.=\]\"'#,{}]+")
_PLAIN = re.compile(r"[^,\]}#\r\n]+")  #: numbers, booleans and times, one of which holds a blank
_LINE_REST = re.compile(r"[^\n]*(?:\n|$)")

Path = tuple[str, ...]


class Header(Struct, frozen=True, kw_only=True):
    """`[table]` or `[[table]]`."""

    path: Path
    start: int
    end: int  #: behind its line


class Pair(Struct, frozen=True, kw_only=True):
    """`key = value`, on a line of its own or within braces."""

    path: Path  #: from the top of the document
    table: Path  #: what its line, or its braces, say already
    start: int
    value: int
    value_end: int
    end: int  #: behind its line; of one within braces, behind its value
    inside: int | None = None  #: behind the opening brace that it stands in, if it stands in one
    before: int | None = None  #: within braces, behind the value before it


def spans(text: str) -> list[Header | Pair]:
    """All headers and pairs in the order of the text; those within braces follow the pair whose value they are."""
    return list(_Scanner(text).statements())


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text

    def statements(self) -> Iterator[Header | Pair]:
        table: Path = ()
        at = self._skip(_BETWEEN, 0)
        while at < len(self.text):
            if self.text[at] == "[":
                table, end = self._header(at)
                yield Header(path=table, start=at, end=end)
            else:
                pairs = self._line(at, table)
                yield from pairs
                end = pairs[0].end
            at = self._skip(_BETWEEN, end)

    def _header(self, at: int) -> tuple[Path, int]:
        path, behind = self._key(at + (2 if self.text.startswith("[[", at) else 1))
        return path, self._skip(_LINE_REST, behind)

    def _line(self, at: int, table: Path) -> list[Pair]:
        """The pair of a line, then those within it."""
        found = list(self._pair(at, table))
        end = self._skip(_LINE_REST, found[0].value_end)
        first = Pair(
            path=found[0].path, table=table, start=at, value=found[0].value, value_end=found[0].value_end, end=end
        )
        return [first, *found[1:]]

    def _pair(self, at: int, table: Path, inside: int | None = None, before: int | None = None) -> Iterator[Pair]:
        key, behind = self._key(at)
        value = self._skip(_BLANK, behind + 1)
        end = self._value_end(value)
        path = (*table, *key)
        yield Pair(path=path, table=table, start=at, value=value, value_end=end, end=end, inside=inside, before=before)
        if self.text[value] == "{":
            yield from self._braces(value + 1, path)

    def _braces(self, inside: int, table: Path) -> Iterator[Pair]:
        at, before = self._skip(_BETWEEN, inside), None
        while self.text[at] != "}":
            first, *more = self._pair(at, table, inside, before)
            yield first
            yield from more
            before = first.value_end
            at = self._skip(_BETWEEN, before)
            if self.text[at] == ",":
                at = self._skip(_BETWEEN, at + 1)

    def _key(self, at: int) -> tuple[Path, int]:
        """A dotted key, and where the sign behind it stands."""
        parts: list[str] = []
        while True:
            at = self._skip(_BLANK, at)
            quoted = self.text[at] in "\"'"
            match = (_STRING if quoted else _BARE_KEY).match(self.text, at)
            assert match is not None
            parts.append(_spoken(match.group()) if quoted else match.group())
            at = self._skip(_BLANK, match.end())
            if self.text[at] != ".":
                return tuple(parts), at
            at += 1

    def _value_end(self, at: int) -> int:
        sign = self.text[at]
        if sign in "\"'":
            return self._skip(_STRING, at)
        if sign not in "[{":
            match = _PLAIN.match(self.text, at)
            assert match is not None
            return at + len(match.group().rstrip())
        return self._brackets_end(at)

    def _brackets_end(self, at: int) -> int:
        """Behind the bracket that closes the one at a place; strings and comments hold none."""
        depth = 0
        while True:
            sign = self.text[at]
            if sign in "\"'":
                at = self._skip(_STRING, at)
            elif sign == "#":
                at = self._skip(_LINE_REST, at)
            else:
                depth += (sign in "[{") - (sign in "]}")
                at += 1
                if not depth:
                    return at

    def _skip(self, pattern: re.Pattern[str], at: int) -> int:
        match = pattern.match(self.text, at)
        assert match is not None
        return match.end()


def _spoken(token: str) -> str:
    key: str = tomllib.loads(f"key = {token}")["key"]
    return key
