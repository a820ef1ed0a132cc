"""JSON, read as strictly as YAML and into the same tree: no duplicate keys, no NaN, every value with its place."""

import json
import re
from math import isfinite
from typing import NoReturn

from gatewright.errors import Problem
from gatewright.expressions.kinds import INT_MAX, INT_MIN
from gatewright.expressions.nodes import Scalar as Value
from gatewright.policy.decoding import decoded, hidden_escape, refuse
from gatewright.policy.reader import MAX_DEPTH
from gatewright.policy.tree import Document, Entry, Mapping, Scalar, Sequence, Source, Tree, line_and_column, problem

CHECK = "json"
_SPACE = re.compile(r"[ \t\r\n]*")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]|,[ \t\r\n]*(?=[\]}])', re.DOTALL)
_WORD = re.compile(r"[^\s,\]}:]+")
_WORDS: dict[str, Value] = {"true": True, "false": False, "null": None}
_MAX_DIGITS = 20  #: more digits than any 64-bit number has


def read(data: bytes, file: str) -> Document:
    """The document in the bytes of a JSON file. Raises PolicyError for whatever is wrong with them."""
    source = decoded(data, file, CHECK)
    _check_brackets(source)
    _check_grammar(source)
    reader = _Reader(source)
    tree = reader.value()
    return Document(source, tree, tuple(reader.problems))


def _refuse(source: Source, at: int, message: str, hint: str = "") -> NoReturn:
    refuse(source, at, message, hint, CHECK)


def _check_brackets(source: Source) -> None:
    """Refuse nesting at the bracket that is too deep, before a reader runs out of stack over it.

    A comma before a closing bracket is refused here too, since Pythons tell it in different words and places.
    """
    depth = 0
    for match in _BRACKETS.finditer(source.text):
        if match.group() in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                _refuse(source, match.start(), f"nested more than {MAX_DEPTH} deep")
        elif match.group() in "]}":
            depth -= 1
        elif match.group().startswith(","):
            _refuse(source, match.start(), "a comma stands before a closing bracket", "delete the comma")


def _check_grammar(source: Source) -> None:
    """Let the standard reader say whether it is JSON at all; `_Reader` then relies on that."""
    try:
        json.loads(source.text, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        _refuse(source, error.pos, error.msg[:1].lower() + error.msg[1:], "the file is not JSON")


class _Reader:
    """Walks a text that is known to be JSON, keeping places."""

    def __init__(self, source: Source) -> None:
        self.source, self.text, self.at = source, source.text, 0
        self.problems: list[Problem] = []

    def skip(self) -> str:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.text[self.at : self.at + 1]

    def value(self) -> Tree:
        char = self.skip()
        if char == "{":
            return self._mapping()
        return self._sequence() if char == "[" else self._scalar()

    def _mapping(self) -> Mapping:
        line, column = line_and_column(self.text, self.at)
        tree = Mapping(entries={}, line=line, column=column)
        self.at += 1
        while self.skip() != "}":
            key = self._scalar()
            self.skip()
            self.at += 1
            value = self.value()
            before = tree.entries.get(key.raw)
            if before is not None:
                message = f"duplicate key `{key.raw}`, first on line {before.key.line}"
                self.report(key, message, "keep one of the two")
            else:
                tree.entries[key.raw] = Entry(key, value)
            self._comma()
        self.at += 1
        return tree

    def _sequence(self) -> Sequence:
        line, column = line_and_column(self.text, self.at)
        items: list[Tree] = []
        self.at += 1
        while self.skip() != "]":
            items.append(self.value())
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
            wrong = hidden_escape(self.source, found, CHECK)
            self.problems += [wrong] if wrong is not None else []
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
        if not isfinite(number):
            self.report(scalar, f"`{word}` is not a finite number", "write a number")
        return number

    def report(self, scalar: Scalar, message: str, hint: str) -> None:
        self.problems.append(problem(self.source, scalar.line, scalar.column, message, hint=hint, check=CHECK))
