"""Where each member of an object stands in a JSON text, so that one can be changed and all else stays byte for byte."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import NoReturn

from msgspec import Struct

from gatewright.runtimes.pretrust.outcomes import TrustError

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_SCALAR = re.compile(r"[^\s,\]}]+")
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
_MARK = "\ufeff"


class Member(Struct, frozen=True, kw_only=True):
    """`"name": value` within an object."""

    name: str
    start: int
    value: int
    end: int  #: behind the value
    before: int | None  #: behind the value before it


class Json(Struct, frozen=True):
    """A text that holds one JSON object, and what it says; numbers keep their spelling."""

    mark: str  #: the byte order mark, if there is one
    text: str
    document: Mapping[str, object]

    @property
    def top(self) -> int:
        """Where the object starts."""
        return _behind(_SPACE, self.text, 0)

    def members(self, at: int) -> list[Member]:
        """The members of the object that starts at a place."""
        return list(_members(self.text, at))

    def member(self, at: int, name: str) -> Member | None:
        """The member of that name."""
        return next((each for each in _members(self.text, at) if each.name == name), None)

    def with_member(self, at: int, member: str) -> str:
        """The text with a member behind the last one of an object, laid out as the first one is."""
        members = self.members(at)
        if not members:
            return self.put(at + 1, at + 1, member)
        blank = self.text[at + 1 : members[0].start]
        return self.put(members[-1].end, members[-1].end, f",{blank}{member}")

    def without_member(self, at: int, member: Member) -> str:
        """The text without a member of an object."""
        if member.before is not None:
            return self.put(member.before, member.end, "")
        behind = next((each.start for each in self.members(at) if each.start > member.start), member.end)
        return self.put(member.start, behind, "")

    def put(self, start: int, end: int, new: str) -> str:
        """The text with something else between two places."""
        return self.text[:start] + new + self.text[end:]


def read(data: bytes, file: str) -> Json:
    """The object in the bytes of a file. Raises TrustError for what is no valid JSON, and for a name that is twice."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise TrustError(file, "it is no text in UTF-8") from None
    mark, text = (_MARK, text[1:]) if text.startswith(_MARK) else ("", text)
    try:
        document = json.loads(
            text,
            object_pairs_hook=lambda pairs: _object(pairs, file),
            parse_int=lambda spelt: ("number", spelt),
            parse_float=lambda spelt: ("number", spelt),
            parse_constant=lambda spelt: _refuse(file, f"it is not valid JSON: `{spelt}` is no value"),
        )
    except json.JSONDecodeError as error:
        problem = f"it is not valid JSON: {error.msg.lower()} (at line {error.lineno}, column {error.colno})"
        raise TrustError(file, problem, "mend it first") from None
    except RecursionError:
        raise TrustError(file, "it is nested too deep") from None
    if not isinstance(document, dict):
        raise TrustError(file, "it holds no JSON object")
    return Json(mark, text, document)


def quoted(text: str) -> str:
    """A text as a JSON string."""
    return json.dumps(text, ensure_ascii=False)


def _object(pairs: list[tuple[str, object]], file: str) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise TrustError(file, f"it says {quoted(twice)} twice in one object", "delete one of the two")
    return found


def _refuse(file: str, problem: str) -> NoReturn:
    raise TrustError(file, problem, "mend it first")


def _members(text: str, at: int) -> Iterator[Member]:
    """The members of the object that starts at a place; the text is valid."""
    at, before = _behind(_SPACE, text, at + 1), None
    while text[at] != "}":
        name_end = _behind(_STRING, text, at)
        value = _behind(_SPACE, text, _behind(_SPACE, text, name_end) + 1)
        end = _value_end(text, value)
        yield Member(name=json.loads(text[at:name_end]), start=at, value=value, end=end, before=before)
        before, at = end, _behind(_SPACE, text, end)
        if text[at] == ",":
            at = _behind(_SPACE, text, at + 1)


def _value_end(text: str, at: int) -> int:
    if text[at] not in "[{":
        return _behind(_STRING if text[at] == '"' else _SCALAR, text, at)
    depth = 0
    for match in _BRACKETS.finditer(text, at):
        depth += (match.group() in "[{") - (match.group() in "]}")
        if not depth:
            return match.end()
    raise AssertionError(at)  # the text is valid


def _behind(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    assert match is not None
    return match.end()
