"""The values with which a comparison is tried when a policy's rules are looked at."""

import math
from collections.abc import Iterator

from gatewright.expressions.kinds import Kind, Type

OTHER = "\0another text"  #: a text that no policy can list, and that stands before those it can
ABSENT = object()  #: in the place of a value that is not there


def apart(kind: Type) -> tuple[object, ...]:
    """Values of that kind that no constant of a policy needs to be near."""
    if kind.kind is Kind.TEXT:
        return (OTHER,)
    return (True, False) if kind.kind is Kind.BOOLEAN else (0,)


def around(kind: Type, value: object) -> Iterator[object]:
    """A constant and its neighbours among the values of that kind, and a value apart from it.

    An ordering changes its answer at a constant and nowhere else, so these are enough.
    """
    yield from apart(kind)
    for each in value if isinstance(value, list) else [value]:
        if kind.kind is Kind.INTEGER and isinstance(each, int | float):
            below = math.floor(each)
            yield from (below - 1, below, below + 1)
            continue
        yield each
        if isinstance(each, str):
            yield each + "\0"  # the next text; the one apart stands before all that a policy can list
        elif kind.kind is Kind.NUMBER and isinstance(each, int | float):
            yield from (math.nextafter(each, -math.inf), math.nextafter(each, math.inf))
