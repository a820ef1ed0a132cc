"""Characters and classes of patterns, as sets of ASCII code points and one sign for all others."""

import re

Charset = frozenset[int]  #: code points below 128; 128 stands for all others

OTHERS = 128
ALL: Charset = frozenset(range(129))
_DIGIT: Charset = frozenset(range(48, 58))
_WORD: Charset = _DIGIT | frozenset(range(65, 91)) | frozenset(range(97, 123)) | {95}
_SPACE: Charset = frozenset([9, 10, 12, 13, 32])
CLASSES = {"d": _DIGIT, "w": _WORD, "s": _SPACE, "D": ALL - _DIGIT, "W": ALL - _WORD, "S": ALL - _SPACE}
SIMPLE = {"n": 10, "t": 9, "r": 13, "f": 12, "v": 11}


class PatternError(Exception):
    """A pattern that no engine takes, or one outside the subset with RE2 not installed."""

    def __init__(self, at: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.at, self.message, self.hint = at, message, hint


class OutsideError(PatternError):
    """A pattern outside the subset; RE2 may still take it."""


def single(char: str) -> Charset:
    """The set of one character."""
    return frozenset([min(ord(char), OTHERS)])


def class_end(pattern: str, start: int) -> int:
    """Where the class that opens at `start` closes."""
    at = start + 1
    if pattern.startswith("^", at):
        at += 1
    if pattern.startswith("]", at):
        raise PatternError(at, "the pattern has an empty class `[]`", "escape the bracket: `\\]`")
    while at < len(pattern) and pattern[at] != "]":
        if pattern[at] == "[":
            raise OutsideError(at, "the pattern has `[` inside a class", "escape it: `\\[`")
        at += 2 if pattern[at] == "\\" else 1
    if at >= len(pattern):
        raise PatternError(start, "the pattern opens a class and never closes it", "escape the bracket: `\\[`")
    return at


_MEMBER = re.compile(r"\\(.)|(.)", re.DOTALL)


def class_members(body: str, offset: int) -> tuple[Charset, str]:
    """The characters of a class, and the class in the spelling of `re`."""
    chars: set[int] = set()
    spelled: list[str] = []
    members = list(_MEMBER.finditer(body))
    at = 0
    while at < len(members):
        match = members[at]
        escaped = match.group(1)
        if escaped is not None and escaped in CLASSES:
            chars |= CLASSES[escaped]
            spelled.append({"s": "\\t\\n\\f\\r ", "S": "\\S"}.get(escaped, match.group()))
            if escaped == "S":
                raise OutsideError(offset + match.start(), "the pattern has `\\S` inside a class")
            at += 1
            continue
        low = _class_char(match, offset)
        if at + 2 < len(members) and members[at + 1].group() == "-":
            high = _class_char(members[at + 2], offset)
            chars |= _span(low, high, offset + match.start())
            spelled.append(f"{_spelt(match)}-{_spelt(members[at + 2])}")
            at += 3
            continue
        chars.add(min(low, OTHERS))
        spelled.append(_spelt(match))
        at += 1
    return frozenset(chars), "".join(spelled)


def _spelt(match: re.Match[str]) -> str:
    # `re` warns of doubled signs in a class, which may once mean sets; escaped, they mean themselves.
    return f"\\{match.group()}" if match.group() in "&|~-[" else match.group()


def _class_char(match: re.Match[str], offset: int) -> int:
    escaped = match.group(1)
    if escaped is None:
        return ord(match.group())
    if escaped in SIMPLE:
        return SIMPLE[escaped]
    if escaped.isalnum():
        raise OutsideError(
            offset + match.start(), f"the pattern uses `\\{escaped}` inside a class, which is not simple"
        )
    return ord(escaped)


def _span(low: int, high: int, at: int) -> Charset:
    if high < low:
        raise PatternError(at, f"the pattern has a range from `{chr(low)}` back to `{chr(high)}`")
    span = set(range(min(low, OTHERS), min(high, OTHERS) + 1))
    return frozenset(span)
