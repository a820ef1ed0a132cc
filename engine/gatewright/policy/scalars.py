"""What a plain scalar is: null, true, false, a JSON number, or text; look-alikes of those are mistakes."""

import re
from math import isfinite

from gatewright.expressions.kinds import INT_MAX, INT_MIN
from gatewright.expressions.nodes import Scalar

Wrong = tuple[str, str]

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_MAYBE_NUMBER = re.compile(r"[-+]?\.?[0-9][0-9_oxbXOBa-fA-F.eE+-]*|[-+]?\.(?:inf|nan)", re.IGNORECASE)
_LOOK_ALIKES: tuple[tuple[str, str], ...] = (
    (r"[-+]?0[0-9]+", "has a leading zero: ten to some readers, eight to others"),
    (r"(?i)[-+]?0o[0-7_]+", "is an octal number to some readers, text to others"),
    (r"(?i)[-+]?0x[0-9a-f_]+", "is a hexadecimal number to some readers, text to others"),
    (r"(?i)[-+]?0b[01_]+", "is a binary number to some readers, text to others"),
    (r"(?i)(?=.*_)[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:e[-+]?[0-9_]+)?", "is a number to some readers, text to others"),
    (r"(?i)[-+]?\.inf", "is no finite number"),
    (r"(?i)[-+]?\.nan", "is no number, and compares with nothing"),
    (r"(?i)[-+]?\.[0-9]+(?:e[-+]?[0-9]+)?", "has no digit before the dot"),
    (r"(?i)[-+]?[0-9]+\.(?:e[-+]?[0-9]+)?", "has no digit behind the dot"),
    (r"(?i)\+[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?", "has a plus sign"),
)
_WORDS = {"null": None, "~": None, "": None, "true": True, "false": False}
_OTHER_CASE = {"null": "null", "true": "true", "false": "false"}


def plain_value(text: str) -> tuple[Scalar, Wrong | None]:
    """The value of a plain scalar, and what is wrong with it as message and hint, if anything is."""
    if text in _WORDS:
        return _WORDS[text], None
    if _MAYBE_NUMBER.match(text):
        return _number(text)
    other = _OTHER_CASE.get(text.lower())
    if other is not None:
        return text, (f"`{text}` has two spellings to readers of YAML", f'write `{other}`, or quote it: `"{text}"`')
    return text, None


def _number(text: str) -> tuple[Scalar, Wrong | None]:
    if _INTEGER.fullmatch(text):
        if len(text) > 20 or not INT_MIN <= int(text) <= INT_MAX:  # noqa: PLR2004  longer than any 64-bit number
            shown = text if len(text) <= 30 else f"{text[:12]}… ({len(text)} characters)"  # noqa: PLR2004
            return text, (f"`{shown}` does not fit in 64 bits", "write a smaller number, or quote it")
        return int(text), None
    if _FLOAT.fullmatch(text):
        number = float(text)
        if not isfinite(number):
            return text, (f"`{text}` is not a finite number", f'quote it if it is text: `"{text}"`')
        return number, None
    for pattern, why in _LOOK_ALIKES:
        if re.fullmatch(pattern, text):
            return text, (f"`{text}` {why}", "quote it, or write plain decimal")
    return text, None
