"""Formats by name, and where each goes: `json`, `table:github`, `json:FILE`."""

import re
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


_MARKUP = re.compile(r"[\\`*\[\]<>#~&$]|(?<!\w)_|_(?!\w)")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def markdown_table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table in Markdown. No text of a cell can end it, or be anything but text."""
    lines = [headers, ["---"] * len(headers), *([escaped(cell) for cell in row] for row in rows)]
    return [f"| {' | '.join(line)} |" for line in lines]


def escaped(cell: str) -> str:
    """A text as Markdown shows it as it is, in a cell too."""
    return _MARKUP.sub(r"\\\g<0>", printable(cell)).replace("|", "&#124;")


def as_csv(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows of text as RFC 4180 has them. What a spreadsheet would take for a formula starts with `'`."""
    import csv
    from io import StringIO

    out = StringIO()
    lines = csv.writer(out)
    lines.writerow(headers)
    lines.writerows([inert(cell) for cell in row] for row in rows)
    return out.getvalue()


def inert(cell: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return ("'" if cell.startswith(_FORMULA) else "") + printable(cell)


def table(rows: Sequence[Sequence[str]], headers: Sequence[str], *, style: str = "", width: int = 0) -> str:
    """Rows under headers, in a style of tabulate; cells are text.

    width: of the terminal, 0 for none. Where it is not enough, columns that hold nothing go, and then cells wrap.
    """
    from tabulate import tabulate

    cells = [[printable(cell) for cell in row] for row in rows]
    if width and cells and _whole(_natural(cells, headers)) > width:
        told = [at for at in range(len(headers)) if any(row[at] for row in cells)]
        cells, headers = [[row[at] for at in told] for row in cells], [headers[at] for at in told]
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
_LAST = 36  #: what the last column, which holds sentences, keeps at least
_NARROW = 12  #: and every other one


def _natural(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> list[int]:
    """How wide each column is when nothing wraps."""
    return [max([len(headers[at]) + _ROOM, *(len(row[at]) for row in rows)]) for at in range(len(headers))]


def natural_width(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> int:
    """How wide a table is when nothing wraps, without the columns that hold nothing."""
    told = [at for at in range(len(headers)) if any(row[at] for row in rows)]
    return _whole(_natural([[row[at] for at in told] for row in rows], [headers[at] for at in told]))


def _whole(widths: Sequence[int]) -> int:
    """How wide a table of columns of these widths is."""
    return sum(widths) + _GAP * (len(widths) - 1)


def _widths(rows: Sequence[Sequence[str]], headers: Sequence[str], width: int) -> list[int | None] | None:
    """How wide each column may be: the last one gives way first, then the widest ones.

    Words are kept whole while that is possible: a code that is cut cannot be copied.
    """
    columns = range(len(headers))
    last = len(headers) - 1
    natural = _natural(rows, headers)
    words = [max(len(word) for row in rows for word in [*row[at].split(), ""]) if rows else 0 for at in columns]
    found = list(natural)
    for least in (words, [_NARROW] * len(headers)):
        for at in sorted(columns, key=lambda each: (each != last, -found[each])):
            over = max(_whole(found) - width, 0)
            found[at] = max(found[at] - over, min(found[at], max(least[at], _LAST if at == last else _NARROW)))
    return [wide if wide < own else None for wide, own in zip(found, natural, strict=True)]
