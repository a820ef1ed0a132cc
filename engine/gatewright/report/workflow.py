"""Commands that a GitHub workflow reads from standard output."""

from gatewright.text import printable

_NAMES = {"note": "notice"}


def annotation(level: str, message: str, *, file: str, line: int, column: int, title: str) -> str:
    """One annotation of a line of a file, on a line by itself."""
    properties = {"file": file, "line": str(line), "col": str(column), "title": title}
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_NAMES.get(level, level)} {told}::{_data(message)}\n"


def _data(text: str) -> str:
    """A text whose lines and percent signs the workflow reads back."""
    lines = [printable(line) for line in text.splitlines()]
    return "\n".join(lines).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
