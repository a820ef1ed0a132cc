"""Test reports in the Test Anything Protocol, version 14: a line a point, and below a point that fails why."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from gatewright.report.formats import as_json
from gatewright.text import printable


class Point(Struct, frozen=True, kw_only=True):
    """One thing that was tested."""

    name: str
    passed: bool
    skip: str = ""  #: why it was not tested
    todo: str = ""  #: why it is known to fail
    about: Mapping[str, str] = {}  #: what else is to be told, by name


def report(points: Sequence[Point]) -> str:
    """The points as one document."""
    lines = ["TAP version 14", f"1..{len(points)}"]
    for number, point in enumerate(points, 1):
        lines.append(f"{'ok' if point.passed else 'not ok'} {number} - {_escaped(point.name)}{_directive(point)}")
        if point.about:
            lines += ["  ---", *(f"  {name}: {_value(text)}" for name, text in point.about.items()), "  ..."]
    return "".join(f"{line}\n" for line in lines)


def _directive(point: Point) -> str:
    for word, why in (("SKIP", point.skip), ("TODO", point.todo)):
        if why:
            return f" # {word} {_escaped(why)}"
    return ""


def _value(text: str) -> str:
    """A text of any number of lines on one: JSON, which is YAML too."""
    return as_json("\n".join(printable(line) for line in text.splitlines())).strip()


def _escaped(text: str) -> str:
    """A text on one line that starts no directive."""
    return printable(text).replace("\\", "\\\\").replace("#", "\\#")
