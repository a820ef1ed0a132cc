"""Words that people read: nearest names, characters by name, values shown safely."""

import re
from collections.abc import Iterable

import msgspec

#: Characters that a reader cannot see or that change what is seen: controls, format characters, odd spaces, line
#: separators, lone surrogates. A fixed list, so that every Python decides alike. Tab, line feed and carriage return
#: are left to whoever reads lines.
_HIDDEN_ASCII = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
_HIDDEN = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u1680\u180e\u2000-\u200f"
    "\u2028-\u202f\u205f-\u206f\u3000\ud800-\udfff\ufeff\ufff9-\uffff\U000110bd\U000e0000-\U000e007f]"
)


def hidden(text: str) -> re.Match[str] | None:
    """The first character of a text that a reader cannot see, or that changes what is seen; None if there is none."""
    # `re` compiles a pattern on its first use and keeps it, and most texts need only the short one.
    return re.search(_HIDDEN_ASCII if text.isascii() else _HIDDEN, text)


def distance(a: str, b: str) -> int:
    """Edits between two words: insert, delete, replace, or swap two neighbours.

    The optimal string alignment distance (Damerau 1964), which counts a swap as one slip because that is what a
    finger does.
    """
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        before, last, row = row, before, [i] + [0] * len(b)
        for j, right in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                cost = min(cost, last[j - 2] + 1)
            row[j] = cost
    return row[-1]


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The name that was probably meant, or None when nothing is close.

    A slip in every three letters is forgiven, and letter case costs nothing: `Version` means `version`.
    """
    folded = word.casefold()
    allowed = max(1, (len(word) + 1) // 3)
    scored = sorted((distance(folded, name.casefold()), distance(word, name), name) for name in names)
    if scored and scored[0][0] <= allowed:
        return scored[0][2]
    return None


def only_nearest(word: str, names: Iterable[str]) -> str | None:
    """The same where no other name is as near: then there is one right answer."""
    choices = set(names)
    near = nearest(word, choices)
    if near is None:
        return None
    least = distance(word.casefold(), near.casefold())
    others = choices - {near}
    return near if all(distance(word.casefold(), other.casefold()) > least for other in others) else None


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """A hint that names the nearest of `names`, or lists them when none is near and they are few."""
    choices = sorted(names)
    near = nearest(word, choices)
    if near is not None:
        return f"did you mean `{near}`?"
    if len(choices) == 1:
        return f"there is only `{choices[0]}`"
    if 0 < len(choices) <= 12:  # noqa: PLR2004  more than a dozen names is a page, not a hint
        return "one of " + ", ".join(f"`{name}`" for name in choices)
    return ""


def char_name(char: str) -> str:
    """A character as `U+00A0 NO-BREAK SPACE`, for text that cannot be shown."""
    import unicodedata

    return f"U+{ord(char):04X} {unicodedata.name(char, 'CONTROL CHARACTER')}"


def shown(value: object, *, limit: int = 80) -> str:
    """A value as people write it: text in quotes, `null`, `true`; long ones cut in the middle of nothing hidden.

    Control characters and line breaks are escaped, so that no value can draw on a terminal.
    """
    try:
        text = msgspec.json.encode(value).decode()
    except (TypeError, ValueError):
        text = repr(value)
    length = len(text)
    text = printable(text[: limit + 1])  # no more of it is looked at than is shown
    if len(text) <= limit:
        return text
    return f"{text[: limit - 1]}… ({length} characters)"


def shortened(text: str, limit: int) -> str:
    """A text, or the beginning of one that is too long, with its length."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def printable(text: str) -> str:
    """Text in which every character that a terminal would act on, or that hides, is written as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    code = ord(char)
    if code < 0x100:  # noqa: PLR2004  the limit of the two-digit escape
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004


def is_blank(text: str) -> bool:
    """Whether a text shows nothing: only white space, and characters that nobody sees."""
    return not any(char.isprintable() and not char.isspace() for char in text)


def caret(line: str, column: int, *, width: int = 100) -> str:
    """A source line and, below it, a caret under `column` (1-based); of a long line, the part around the caret."""
    at = column - 1
    first = 0 if len(line) <= width else max(0, min(at - width // 2, len(line) - width))
    shown_line = "".join(char if char.isprintable() else " " for char in line[first : first + width])
    before, after = "…" if first else "", "…" if first + width < len(line) else ""
    return f"    {before}{shown_line}{after}\n    {' ' * (at - first + len(before))}^"


def counted(number: int, noun: str) -> str:
    """`1 rule`, `2 rules`: a number with its noun."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
