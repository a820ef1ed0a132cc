"""The `-k` expression: parts of names, joined by `and`, `or`, `not` and parentheses."""

import re
from collections.abc import Callable

from gatewright.errors import UsageError

Matches = Callable[[str], bool]
_WORD = re.compile(r"\s*(\(|\)|[^\s()]+)")


def matcher(expression: str) -> Matches:
    """A function that says whether an id fits. Raises UsageError for an expression that is none."""
    words = _WORD.findall(expression)
    if not words:
        raise UsageError("`-k` is empty", "give a part of a name")
    reader = _Reader(words, expression)
    found = reader.either()
    if reader.at < len(words):
        raise reader.fail(f"`{words[reader.at]}` cannot stand here")
    return found


class _Reader:
    def __init__(self, words: list[str], expression: str) -> None:
        self.words, self.expression, self.at = words, expression, 0

    def fail(self, problem: str) -> UsageError:
        return UsageError(f"`-k {self.expression}`: {problem}", "join words with `and`, `or` and `not`")

    def taken(self, word: str) -> bool:
        if self.at < len(self.words) and self.words[self.at] == word:
            self.at += 1
            return True
        return False

    def either(self) -> Matches:
        parts = [self.both()]
        while self.taken("or"):
            parts.append(self.both())
        return lambda name: any(part(name) for part in parts)

    def both(self) -> Matches:
        parts = [self.negation()]
        while self.taken("and"):
            parts.append(self.negation())
        return lambda name: all(part(name) for part in parts)

    def negation(self) -> Matches:
        if self.taken("not"):
            inner = self.negation()
            return lambda name: not inner(name)
        if self.taken("("):
            inner = self.either()
            if not self.taken(")"):
                raise self.fail("a parenthesis is not closed")
            return inner
        return self.word()

    def word(self) -> Matches:
        if self.at >= len(self.words) or self.words[self.at] in ("and", "or", ")"):
            raise self.fail("a word is missing")
        part = self.words[self.at].casefold()
        self.at += 1
        return lambda name: part in name.casefold()
