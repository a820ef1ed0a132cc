"""Formats by name, and where each goes: `json`, `table:github`, `json:FILE`."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from gatewright.errors import UsageError
from gatewright.text import did_you_mean, hidden, printable


class Format(Struct, frozen=True):
    """A format that was asked for."""

    name: str
    style: str = ""  #: the style of a table, one of tabulate's
    file: str = ""  #: where it goes; empty for standard output


def parsed(given: str, known: Sequence[str]) -> Format:
    """The format that `-f` names.

    `NAME`, `NAME:FILE`, and for tables `table:STYLE`. Raises UsageError for a format that the command does not have.
    """
    name, _, rest = given.partition(":")
    if name not in known:
        hint = did_you_mean(name, known) or "there are " + ", ".join(known)
        raise UsageError(f"unknown format `{name}`", hint)
    if name == "table" and rest:
        if rest in _styles():
            return Format(name, style=rest)
        if "." not in rest and "/" not in rest:
            raise UsageError(f"unknown style of tables `{rest}`", did_you_mean(rest, _styles()) or "or name a file")
    return Format(name, file=rest)


def _styles() -> list[str]:
    from tabulate import tabulate_formats

    return list(tabulate_formats)


def as_json(value: object) -> str:
    """One line of JSON with sorted keys and no blanks, ending in a line feed.

    What a terminal would act on, a reader could not see, or UTF-8 cannot hold is escaped, as JSON allows in any text.
    """
    try:
        text = msgspec.json.encode(value, order="sorted").decode()
    except UnicodeEncodeError:
        import json

        text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    while (found := hidden(text)) is not None:
        units = found.group().encode("utf-16-be").hex()
        text = text.replace(found.group(), "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4)))
    return text + "\n"


def table(rows: Sequence[Sequence[str]], headers: Sequence[str], *, style: str = "", width: int = 0) -> str:
    """Rows under headers, in a style of tabulate; cells are text and wrap where `width` is not enough."""
    from tabulate import tabulate

    cells = [[printable(cell) for cell in row] for row in rows]
    widths = _widths(cells, headers, width) if width else None
    text: str = tabulate(
        cells,
        list(headers),
        tablefmt=style or "simple",
        disable_numparse=True,
        maxcolwidths=widths,
    )
    return text + "\n"


_GAP = 2
_ROOM = 2  #: that tabulate gives a header
_NARROW = 12


def _widths(rows: Sequence[Sequence[str]], headers: Sequence[str], width: int) -> list[int | None] | None:
    """How wide each column may be: the last one gives way first, then the widest ones."""
    columns = range(len(headers))
    natural = [max([len(headers[at]) + _ROOM, *(len(row[at]) for row in rows)]) for at in columns]
    over = sum(natural) + _GAP * (len(natural) - 1) - width
    found: list[int | None] = [None] * len(natural)
    for at in sorted(columns, key=lambda each: (each != len(natural) - 1, -natural[each])):
        if over <= 0:
            break
        smaller = max(natural[at] - over, min(natural[at], _NARROW if at != len(natural) - 1 else 3 * _NARROW))
        over -= natural[at] - smaller
        found[at] = smaller
    return found
