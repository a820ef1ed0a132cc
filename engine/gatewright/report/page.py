"""A page of HTML for auditors: one file that loads nothing, in which no text is more than text."""

import os
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.util import find_spec
from typing import TYPE_CHECKING

from msgspec import Struct

from gatewright.errors import UsageError
from gatewright.report.charts import Bars
from gatewright.text import printable

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = os.path.join(os.path.dirname(__file__), "templates")
_LONG = 300  #: characters of a cell, at most
_WORD = 40  #: characters of a word that is not broken
MAX_ROWS = 500  #: of a table; what comes after them is counted, and stands in the other formats


class Cell(Struct, frozen=True):
    """What stands in a cell of a table."""

    text: str
    mark: str = ""  #: `good` or `bad`, beside a sign in the text that says the same
    number: bool = False
    order: str = ""  #: what the cell is sorted by; its text where it is empty

    @property
    def kind(self) -> str:
        """What the page's style calls it."""
        broken = any(len(word) > _WORD for word in self.text.split())
        names = (self.mark, "number" * self.number, "broken" * broken, "long" * (len(self.text) > _WORD))
        return " ".join(name for name in names if name)


class Table(Struct, frozen=True, kw_only=True):
    """A table with a caption; its last row may be what the others add up to."""

    id: str  #: within the page
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: tuple[Cell, ...] = ()
    left_out: str = ""  #: which rows are not shown
    about: str = ""


class Figure(Struct, frozen=True):
    """A number that stands by itself."""

    name: str
    value: str
    about: str = ""
    mark: str = ""


class Sum(Struct, frozen=True):
    """A whole, and parts that have to add up to it."""

    whole: tuple[int, str]
    parts: tuple[tuple[int, str], ...]  #: each a number and what it counts, as `counted` writes them

    @property
    def closes(self) -> bool:
        """Whether they do."""
        return self.whole[0] == sum(number for number, _ in self.parts)

    @property
    def text(self) -> str:
        """`5 checks = 3 allowed + 2 denied`."""
        parts = " + ".join(f"{number:,} {what}" for number, what in self.parts)
        return f"{self.whole[0]:,} {self.whole[1]} {'=' if self.closes else 'are not'} {parts}"


class Page(Struct, frozen=True, kw_only=True):
    """What is on a page, from top to bottom."""

    title: str
    facts: tuple[tuple[str, str], ...]  #: name and value, of the whole
    banners: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    sums: tuple[Sum, ...] = ()
    notes: tuple[str, ...] = ()
    charts: tuple[Bars, ...] = ()
    tables: tuple[Table, ...] = ()
    version: str = ""


def html(page: Page) -> str:
    """The page. Raises UsageError where what draws it is not installed."""
    require()
    environment = _environment()
    from markupsafe import Markup

    from gatewright.report.charts import svg

    style, script = _source("page.css"), _source("page.js")
    drawn = [(chart, Markup(svg(chart))) for chart in page.charts if not chart.empty]  # noqa: S704  escaped where it is drawn
    text: str = environment.get_template("page.html").render(
        page=page,
        charts=drawn,
        style=Markup(style),  # noqa: S704  our own
        script=Markup(script),  # noqa: S704  our own
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
    )
    return text


def require() -> None:
    """Raise UsageError where what draws a page is not installed."""
    missing = [name for name in ("jinja2", "matplotlib") if find_spec(name) is None]
    if missing:
        names = " and ".join(f"`{name}`" for name in missing)
        hint = "install gatewright with its extra: `pip install 'gatewright[html]'`"
        raise UsageError(f"a page of HTML needs {names}", hint)


def _environment() -> "Environment":
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # What hides or moves other text is shown as an escape, whoever wrote it.
    environment.finalize = lambda value: printable(value) if type(value) is str else value
    return environment


def _source(name: str) -> str:
    with open(os.path.join(TEMPLATES, name), encoding="utf-8") as file:
        return file.read()


def text_cell(value: object, nothing: str = "(none)") -> Cell:
    """A cell of text; of a very long one the beginning."""
    text = nothing if value is None else str(value)
    return Cell(text if len(text) <= _LONG else f"{text[:_LONG]}… ({len(text):,} characters)")


def number_cell(number: int, mark: str = "") -> Cell:
    """A cell of a number, sorted by its size."""
    return Cell(f"{number:,}", mark=mark, number=True, order=str(number))


def shown_rows(rows: Sequence[tuple[Cell, ...]]) -> tuple[tuple[tuple[Cell, ...], ...], str]:
    """As many rows as a page has room for, and a word on those that it has not."""
    if len(rows) <= MAX_ROWS:
        return tuple(rows), ""
    return tuple(
        rows[:MAX_ROWS]
    ), f"{len(rows) - MAX_ROWS:,} more rows are in the other formats; the total has them all"
