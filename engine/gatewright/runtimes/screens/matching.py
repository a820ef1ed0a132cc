"""Markers: where on a screen the words of a known one stand."""

import re
from collections.abc import Sequence

from msgspec import Struct

from gatewright.model.screens import Form, KnownScreen
from gatewright.policy.markers import GAP
from gatewright.runtimes.screens.lines import Line, LineKind, key_of

MAX_JOINED = 6  #: lines that one marker may be broken over
MAX_KEY = 1_000  #: characters of them
_QUOTED = "\"'`"
_SEPARATORS = "(·•|∙,"


class Mark(Struct, frozen=True):
    """A marker of a known screen, ready to be looked for."""

    text: str
    within: bool  #: whether it may stand within a line
    pattern: re.Pattern[str]


class Ready(Struct, frozen=True):
    """A known screen with its markers made ready."""

    screen: KnownScreen
    marks: tuple[Mark, ...]


class Hit(Struct, frozen=True):
    """A marker that stands on the screen."""

    at: int  #: the line it starts in
    screen: KnownScreen
    marker: str


def ready(screen: KnownScreen) -> Ready:
    """A known screen with its markers made ready."""
    return Ready(screen, tuple(_mark(marker) for marker in screen.markers))


def _mark(marker: str) -> Mark:
    within = marker.startswith(GAP)
    parts = (re.escape(key_of(part)) for part in marker.strip(GAP).split(GAP))
    return Mark(text=marker, within=within, pattern=re.compile(".{0,60}?".join(parts), re.DOTALL))


def hits(lines: Sequence[Line], known: Sequence[Ready], own: frozenset[int]) -> list[Hit]:
    """Where dialogs and notices stand, from top to bottom.

    own: the lines whose words are the program's own, not typed by somebody or said by the agent.
    """
    found: list[Hit] = []
    counts: dict[str, set[str]] = {}
    for at, line in enumerate(lines):
        if at not in own or line.kind in (LineKind.BLANK, LineKind.RULE):
            continue
        tail = _tail(lines, at, own)
        for each in known:
            mark = _found(line, tail, each.marks)
            if mark is not None and each.screen.form in (Form.DIALOG, Form.NOTICE):
                found.append(Hit(at, each.screen, mark))
                counts.setdefault(each.screen.name, set()).add(mark)
    return [hit for hit in found if len(counts[hit.screen.name]) >= hit.screen.least]


def _tail(lines: Sequence[Line], at: int, own: frozenset[int]) -> str:
    """The lines below that may be the rest of this one, which was too long for the screen."""
    parts: list[str] = []
    for below in range(at + 1, min(at + MAX_JOINED, len(lines))):
        if below not in own or lines[below].kind is not LineKind.TEXT:
            break
        parts.append(lines[below].key)
    return "".join(parts)[:MAX_KEY]


def _found(line: Line, tail: str, marks: Sequence[Mark]) -> str | None:
    for mark in marks:
        for start in line.starts:
            if mark.pattern.match((start + tail)[:MAX_KEY]) is not None:
                return mark.text
        if mark.within and line.kind is not LineKind.REPLY and _stands_within(line.key, tail, mark):
            return mark.text
    return None


def _stands_within(key: str, tail: str, mark: Mark) -> bool:
    joined = (key + tail)[:MAX_KEY]
    match = mark.pattern.search(joined)
    if match is None or match.start() >= len(key):
        return False
    around = joined[match.start() - 1 : match.start()] + joined[match.end() : match.end() + 1]
    return not any(char in _QUOTED for char in around)


def status(line: Line, known: Sequence[Ready]) -> KnownScreen | None:
    """The known screen whose running indicator a line is."""
    if line.kind is LineKind.TURN:
        return None
    for each in known:
        if each.screen.form is Form.STATUS and any(_is_status(line, mark) for mark in each.marks):
            return each.screen
    return None


def _is_status(line: Line, mark: Mark) -> bool:
    """In brackets, behind a dot, alone, or at the end of a line that a sign opens: anything else is a sentence."""
    match = mark.pattern.search(line.key)
    if match is None:
        return False
    before, behind = line.key[: match.start()], line.key[match.end() :]
    if not before or match[0][0] == "(" or before[-1] in _SEPARATORS or ("(" in before and ")" in behind):
        return True
    return not behind and line.kind is not LineKind.REPLY and not (before[0].isalnum() or before[0] in _QUOTED)
