"""Regular expressions that cannot run away.

A pattern is a literal, read here once at load. Inside a small subset it is decided by `re`, in linear time by
construction; outside it the linear-time engine RE2 decides, when it is installed, and nothing does when it is not. The
subset is where both engines agree: classes are ASCII, `$` is the end of the text, `.` does not match a line break.
"""

import re
from collections.abc import Callable

from gatewright.expressions.pattern_classes import OutsideError as OutsideError
from gatewright.expressions.pattern_classes import PatternError as PatternError
from gatewright.expressions.pattern_subset import subset as subset

MAX_PATTERN = 500
MAX_MATCHED = 10_000  #: characters of a text that `matches` reads; a longer one is out of range
MAX_MATCHED_BY_RE2 = 100_000  #: the same where RE2 decides, whose time is linear whatever the pattern
_MAX_PROGRAM = 2_000  #: steps of a pattern that RE2 has read; it may go through all of them at each character
_MAX_WORK = 7_000_000  #: steps times characters, some 50 ms

Matcher = Callable[[str], object]


def matcher(pattern: str) -> Matcher:
    """A function that answers None for a text that holds no match of `pattern`, and something else for one that does.

    It raises OverflowError with the limit for a text longer than `MAX_MATCHED`, unless the pattern is tied to the start
    of the text and has one way to go on from there.
    Raises PatternError with the character at which the pattern goes wrong.
    """
    if len(pattern) > MAX_PATTERN:
        raise PatternError(MAX_PATTERN, f"the pattern has {len(pattern)} characters, at most {MAX_PATTERN} are read")
    try:
        translated, any_length = subset(pattern)
    except OutsideError as outside:
        return _re2_matcher(pattern, outside)
    compiled = re.compile(translated, re.ASCII)
    search = compiled.search
    return compiled.match if any_length else lambda text: search(_bounded(text))


def _re2_matcher(pattern: str, outside: OutsideError) -> Matcher:
    try:
        import re2
    except ImportError:
        hint = outside.hint or "install `gatewright[re2]` for patterns outside the simple subset"
        raise PatternError(outside.at, outside.message, hint) from None
    options = re2.Options()
    options.max_mem = 1 << 20
    options.log_errors = False
    try:
        compiled = re2.compile(pattern, options)
    except re2.error as error:
        detail = error.args[0] if error.args else "not understood"
        detail = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
        raise PatternError(outside.at, f"the pattern is refused: {detail}", outside.hint) from None
    if compiled.programsize > _MAX_PROGRAM:
        message = f"the pattern takes {compiled.programsize:,} steps, at most {_MAX_PROGRAM:,} are allowed"
        raise PatternError(outside.at, message, "repeat less often, and offer fewer choices")
    most = min(MAX_MATCHED_BY_RE2, _MAX_WORK // compiled.programsize)
    return lambda text: compiled.search(_bounded(text, most).encode("utf-8", "replace").decode())


def _bounded(text: str, most: int = MAX_MATCHED) -> str:
    if len(text) > most:
        raise OverflowError(most)
    return text
