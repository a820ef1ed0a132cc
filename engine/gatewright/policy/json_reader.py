"""JSON, read as strictly as YAML and into the same tree: no duplicate keys, no NaN, every value with its place."""

import json
import re
from typing import NoReturn

from gatewright.errors import PolicyError, Problem
from gatewright.expressions.kinds import INT_MAX, INT_MIN
from gatewright.expressions.nodes import Scalar as Value
from gatewright.policy.reader import MAX_BYTES, MAX_DEPTH
from gatewright.policy.tree import Document, Entry, Mapping, Scalar, Sequence, Source, Tree, line_and_column, problem

CHECK = "json"
_SPACE = re.compile(r"[ \t\r\n]*")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_WORD = re.compile(r"[^\s,\]}:]+")
_WORDS: dict[str, Value] = {"true": True, "false": False, "null": None}
_MAX_DIGITS = 20  #: more digits than any 64-bit number has


def read(data: bytes, file: str) -> Document:
    """The document in the bytes of a JSON file. Raises PolicyError for whatever is wrong with them."""
    source = Source(file, _decoded(data, file))
    _check_grammar(source)
    reader = _Reader(source)
    tree = reader.value(0)
    return Document(source, tree, tuple(reader.problems))


def _refuse(source: Source, at: int, message: str, hint: str = "") -> NoReturn:
    line, column = line_and_column(source.text, at)
    raise PolicyError((problem(source, line, column, message, hint=hint, check=CHECK),))


def _decoded(data: bytes, file: str) -> str:
    if len(data) > MAX_BYTES:
        _refuse(Source(file, ""), 0, f"{len(data):,} bytes, at most {MAX_BYTES:,} are read", "split the file")
    try:
        return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError:
        _refuse(Source(file, ""), 0, "the file is not UTF-8", "save it as UTF-8")


def _check_grammar(source: Source) -> None:
    """Let the standard reader say whether it is JSON at all; `_Reader` then relies on that."""

    def constant(name: str) -> NoReturn:
        _refuse(source, max(source.text.find(name), 0), f"`{name}` is no finite number", "write a number")

    try:
        json.loads(source.text, parse_constant=constant, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        _refuse(source, error.pos, error.msg[:1].lower() + error.msg[1:], "the file is not JSON")
    except RecursionError:
        _refuse(source, 0, "nested too deep to be read")


class _Reader:
    """Walks a text that is known to be JSON, keeping places."""

    def __init__(self, source: Source) -> None:
        self.source, self.text, self.at = source, source.text, 0
        self.problems: list[Problem] = []

    def skip(self) -> str:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Tree:
        char = self.skip()
        if char in "[{" and depth >= MAX_DEPTH:
            _refuse(self.source, self.at, f"nested more than {MAX_DEPTH} deep")
        if char == "{":
            return self._mapping(depth)
        return self._sequence(depth) if char == "[" else self._scalar()

    def _mapping(self, depth: int) -> Mapping:
        line, column = line_and_column(self.text, self.at)
        tree = Mapping(entries={}, line=line, column=column)
        self.at += 1
        while self.skip() != "}":
            key = self._scalar()
            self.skip()
            self.at += 1
            value = self.value(depth + 1)
            before = tree.entries.get(key.raw)
            if before is not None:
                message = f"duplicate key `{key.raw}`, first on line {before.key.line}"
                self.report(key, message, "keep one of the two")
            else:
                tree.entries[key.raw] = Entry(key, value)
            self._comma()
        self.at += 1
        return tree

    def _sequence(self, depth: int) -> Sequence:
        line, column = line_and_column(self.text, self.at)
        items: list[Tree] = []
        self.at += 1
        while self.skip() != "]":
            items.append(self.value(depth + 1))
            self._comma()
        self.at += 1
        return Sequence(items=items, line=line, column=column)

    def _comma(self) -> None:
        if self.skip() == ",":
            self.at += 1

    def _scalar(self) -> Scalar:
        start = self.at
        line, column = line_and_column(self.text, start)
        match = _TEXT.match(self.text, start) or _WORD.match(self.text, start)
        assert match is not None
        self.at = match.end()
        word = match.group()
        found = Scalar(value=None, raw=word, line=line, column=column, start=start, end=self.at)
        if word.startswith('"'):
            found.value = found.raw = str(json.loads(word))
            found.style = '"'
        else:
            found.value = _WORDS[word] if word in _WORDS else self._number(found, word)
        return found

    def _number(self, scalar: Scalar, word: str) -> int | float:
        if word.lstrip("-").isdigit():
            if len(word) <= _MAX_DIGITS and INT_MIN <= int(word) <= INT_MAX:
                return int(word)
            self.report(scalar, "the number does not fit in 64 bits", "write a smaller number")
            return 0
        number = float(word)
        if number in (float("inf"), float("-inf")):
            self.report(scalar, f"`{word}` is not a finite number", "write a number")
        return number

    def report(self, scalar: Scalar, message: str, hint: str) -> None:
        self.problems.append(problem(self.source, scalar.line, scalar.column, message, hint=hint, check=CHECK))
