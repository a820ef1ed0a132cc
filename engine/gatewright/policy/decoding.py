"""The bytes of a file into text: UTF-8, of a bounded size, without characters that nobody sees."""

import re
from typing import NoReturn

from gatewright.errors import Fix, PolicyError, Problem
from gatewright.policy.tree import Scalar, Source, line_and_column, problem
from gatewright.text import char_name, hidden

MAX_BYTES = 1_000_000

_CARRIAGE = re.compile(r"\r(?!\n)")
_ESCAPES = r"(?s)\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))"
_SHORT = {"0": 0, "a": 7, "b": 8, "e": 27, "v": 11, "f": 12, "N": 0x85, "_": 0xA0, "L": 0x2028, "P": 0x2029}


def decoded(data: bytes, file: str, check: str) -> Source:
    """The text of a file.

    Raises PolicyError for a file that is too large or not UTF-8, and at the first character that changes what a reader
    sees: a control, a format character, a carriage return that ends no line.
    """
    if len(data) > MAX_BYTES:
        message = f"{len(data):,} bytes, at most {MAX_BYTES:,} are read"
        refuse(Source(file, ""), 0, message, "split the file", check)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[:4] == b"\x00\x00\xfe\xff":
        refuse(Source(file, ""), 0, "the file is UTF-16, not UTF-8", "save it as UTF-8", check)
    if b"\0" in (data[0:1], data[1:2]) and data[:200].count(0) * 3 > len(data[:200]):
        refuse(Source(file, ""), 0, "the file is UTF-16 or UTF-32, not UTF-8", "save it as UTF-8", check)
    plain = data.removeprefix(b"\xef\xbb\xbf")
    try:
        source = Source(file, plain.decode("utf-8"))
    except UnicodeDecodeError as error:
        good = plain[: error.start].decode("utf-8")
    else:
        _refuse_hidden(source, check)
        return source
    return refuse(Source(file, good + "?"), len(good), "the file is not UTF-8", "save it as UTF-8", check)


def refuse(source: Source, at: int, message: str, hint: str, check: str, *, fix: Fix | None = None) -> NoReturn:
    """Raise the error for a file that cannot be read past a character."""
    line, column = line_and_column(source.text, at)
    raise PolicyError((problem(source, line, column, message, hint=hint, check=check, fix=fix),))


def _refuse_hidden(source: Source, check: str) -> None:
    text = source.text
    if text.isascii() and text.isprintable():
        return
    match = hidden(text)
    carriage = _CARRIAGE.search(text)
    if match is not None and (carriage is None or match.start() < carriage.start()):
        char = match.group()
        blank = char in "\u00a0\u2007\u202f\u3000"
        fix = Fix(match.start(), match.end(), " ") if blank else None
        hint = "write a plain space" if blank else "delete it"
        refuse(source, match.start(), f"hidden character {char_name(char)}", hint, check, fix=fix)
    if carriage is not None:
        message, hint = "a carriage return ends no line by itself", "save the file with \\n or \\r\\n line ends"
        refuse(source, carriage.start(), message, hint, check)


def hidden_escape(source: Source, scalar: Scalar, check: str) -> Problem | None:
    """The problem of a quoted text with an escape for what could not be written plainly; None for any other text."""
    match = hidden(str(scalar.value))
    if match is None:
        return None
    char = match.group()
    at = scalar.start + _escape_of(source.text[scalar.start : scalar.end], char)
    what = "a lone surrogate, half a character" if "\ud800" <= char <= "\udfff" else "a hidden character"
    message = f"the escape stands for {what}: {char_name(char)}"
    return problem(source, *line_and_column(source.text, at), message, hint="delete it", check=check)


def _escape_of(raw: str, char: str) -> int:
    """Where in a quoted text the escape stands that made `char`; 0 if none did."""
    for match in re.finditer(_ESCAPES, raw):
        digits = match.group(1) or match.group(2) or match.group(3)
        code = int(digits, 16) if digits else _SHORT.get(match.group(4), -1)
        if code == ord(char):
            return match.start()
    return 0


def beyond_unicode(source: Source, check: str) -> Problem | None:
    """The problem of the first escape that stands for no character; None if there is none."""
    for match in re.finditer(r"\\U([0-9A-Fa-f]{8})", source.text):
        if int(match.group(1), 16) > 0x10FFFF:  # noqa: PLR2004  the last code point
            at = line_and_column(source.text, match.start())
            message = f"the escape `{match.group()}` stands for no character of Unicode"
            return problem(source, *at, message, hint="mend the digits", check=check)
    return None
