"""Answers without numbers: a list below a question, with a sign before one of them that is a cursor and no prompt."""

import re
from collections.abc import Iterable, Sequence

from gatewright.runtimes.screens.lines import Line, LineKind

ABOVE = 12  #: lines from a question to the first of its answers
_WORDS = (
    "yes|no|ok|allow|deny|always|never|once|skip|trust|don't|do not|continue|cancel|exit|quit|proceed|accept|decline"
    "|approve|reject|use|keep|try|retry|later|not now|back"
)
#: How an answer begins, whatever is asked: a box to tick, or one of a few words.
_ANSWER = re.compile(rf"(?:\[.?\]|[○◯◉☐☑☒] )|(?:{_WORDS})(?![\w'-])", re.IGNORECASE)


def lists(lines: Sequence[Line], questions: Iterable[int], typed: frozenset[int]) -> dict[int, range]:
    """The lists of answers on a screen, by the line that the cursor stands in.

    What is typed into a prompt looks the same where it is broken over lines; so it is a list only below one of the
    questions, or where every line of it begins as answers do.

    typed: lines that are known to be typed.
    """
    asked = sorted(questions)
    found: dict[int, range] = {}
    for at, line in enumerate(lines):
        whole = _around(lines, at) if line.kind is LineKind.TURN else range(0)
        if len(whole) > 1 and typed.isdisjoint(whole) and _is_list(lines, whole, asked):
            found[at] = whole
    return found


def draft(lines: Sequence[Line], at: int) -> range:
    """The lines of what is typed between two rules, whatever their words are; elsewhere this line alone."""
    end = at + 1
    while end < len(lines) and lines[end].kind in (LineKind.TEXT, LineKind.CHOICE):
        end += 1
    whole = range(at, end)
    return whole if lines[at].sign and _is_ruled(lines, whole) else range(at, at + 1)


def _is_list(lines: Sequence[Line], whole: range, asked: Sequence[int]) -> bool:
    if _is_ruled(lines, whole):
        return False
    return all(_begins_answer(lines[at]) for at in whole) or _is_asked(lines, whole, asked)


def _around(lines: Sequence[Line], at: int) -> range:
    """The lines above and below one that begin in the column in which its own words begin."""
    line = lines[at]
    column = line.column + line.text.rindex(line.typed)
    is_stream = line.text == line.sign + line.typed  # one without blanks
    columns = frozenset((line.column, column, column + 1) if is_stream else (column,))
    first = last = at
    while first > 0 and _is_beside(lines[first - 1], columns):
        first -= 1
    while last + 1 < len(lines) and _is_beside(lines[last + 1], columns):
        last += 1
    return range(first, last + 1)


def _is_beside(line: Line, columns: frozenset[int]) -> bool:
    return line.kind is LineKind.TEXT and line.column in columns


def _is_ruled(lines: Sequence[Line], whole: range) -> bool:
    """Whether rules stand around the lines, as around a prompt; a frame has sides too, and may hold a question."""
    if lines[whole.start].framed or whole.start == 0 or whole.stop == len(lines):
        return False
    return lines[whole.start - 1].kind is lines[whole.stop].kind is LineKind.RULE


def _begins_answer(line: Line) -> bool:
    return _ANSWER.match(line.typed or line.text) is not None


def _is_asked(lines: Sequence[Line], whole: range, asked: Sequence[int]) -> bool:
    """Whether a question stands above the list, with nothing between but more of its own words."""
    before = [at for at in asked if at < whole.start]
    between = lines[before[-1] + 1 : whole.start] if before else ()
    plain = (LineKind.BLANK, LineKind.TEXT, LineKind.RULE)
    return bool(before) and len(between) <= ABOVE and all(line.kind in plain and not line.opens_box for line in between)
