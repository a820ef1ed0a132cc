"""The facts of one decision: what is known, what cannot be had, and what must not be shown."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from gatewright.expressions.kinds import kind_of
from gatewright.runner.admit import Unavailable
from gatewright.text import printable, shown

MAX_SHOWN = 200
_MIN_MASKED = 4  #: a secret shorter than this would mask ordinary words


class Facts(Struct, frozen=True):
    """Admitted facts, ready for the gate that admitted them."""

    gate: object  #: the gate that admitted them
    values: tuple[object, ...] | None  #: for its fused function; None where one that it needs cannot be had
    known: Mapping[str, object]
    missing: Mapping[str, Unavailable]
    secrets: frozenset[str]  #: names of the facts that are only shown by their length
    given: Mapping[str, object] = {}  #: what they were admitted from, for another gate
    collectors: Mapping[str, Callable[..., object]] = {}

    def masked(self, text: str) -> str:
        """The text with every secret in it replaced by its length."""
        for name in self.secrets:
            value = self.known.get(name)
            if isinstance(value, str) and len(value) >= _MIN_MASKED and value in text:
                text = text.replace(value, worded(value, secret=True))
        return text

    def masked_value(self, value: object) -> object:
        """Plain data with every secret in its texts replaced."""
        if isinstance(value, str):
            return self.masked(value)
        if isinstance(value, list):
            return [self.masked_value(each) for each in value]
        return {name: self.masked_value(held) for name, held in value.items()} if isinstance(value, dict) else value


def worded(value: object, *, secret: bool = False) -> str:
    """A value inside a message: text as it is, cut and made safe for a terminal; a secret only by its length."""
    if secret and value is not None:
        size = f", {len(value)} chars" if isinstance(value, str) else ""
        return f"<{kind_of(value).value}{size}>"
    if isinstance(value, str):
        text = printable(value[: MAX_SHOWN + 1])  # no more of it is looked at than is shown
        return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}… ({len(value):,} characters)"
    return shown(value, limit=MAX_SHOWN)
