"""Charts as inline SVG: drawn with matplotlib, offline, the same bytes for the same figures, in the page's colours."""

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from msgspec import Struct

from gatewright.text import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 5.6  #: inches; with these letters a chart is still read on a telephone
MAX_SERIES = 6  #: what comes after these is added up in one
_LETTERS = 11  #: points
_LABEL = 26  #: characters of a name beside a bar
_ROOM = 45  #: characters below bars that stand
_ROW = 0.34  #: inches of a bar that lies
_LEGEND = 0.22  #: inches of two names of series
OTHERS = "others"

#: Colours that stand for those of the page, which differ by day and by night.
_INK, _LINE = "#0a0b01", "#0a0b02"
SERIES = tuple(f"#0a0c{number:02x}" for number in range(1, MAX_SERIES + 2))
ALLOWED, DENIED = "#0a0d01", "#0a0d02"
_VARIABLES = {
    _INK: "var(--ink)",
    _LINE: "var(--line)",
    ALLOWED: "var(--allowed)",
    DENIED: "var(--denied)",
    **{colour: f"var(--series-{number})" for number, colour in enumerate(SERIES, 1)},
}


class Series(Struct, frozen=True):
    """Figures of one kind, one for each bar."""

    name: str
    figures: tuple[int, ...]
    colour: str


class Bars(Struct, frozen=True, kw_only=True):
    """A chart of bars in which the figures of the series are stacked."""

    id: str  #: within the page
    title: str
    labels: tuple[str, ...]  #: one a bar
    series: tuple[Series, ...]
    lying: bool = False  #: whether bars lie, one below the other; else they stand beside each other

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not any(any(each.figures) for each in self.series)


def svg(chart: Bars) -> str:
    """The chart as an element of a page of HTML."""
    from matplotlib.figure import Figure

    height = 0.7 + _ROW * len(chart.labels) if chart.lying else 2.4
    height += _LEGEND * ((len(chart.series) + 1) // 2) if len(chart.series) > 1 else 0
    out = io.StringIO()
    with _settled(chart.id):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        axes = figure.subplots()
        figure.patch.set_visible(False)
        axes.patch.set_visible(False)
        (_lie if chart.lying else _stand)(axes, chart)
        if len(chart.series) > 1:
            figure.legend(loc="outside upper left", ncols=2, frameon=False, labelcolor=_INK)
        figure.savefig(out, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return _inline(out.getvalue(), chart)


@contextmanager
def _settled(salt: str) -> Iterator[None]:
    """Matplotlib as it comes, whatever the user's settings, a file in the working directory and its warnings say."""
    import logging
    import warnings

    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    import matplotlib as mpl

    own: dict[Any, Any] = {
        "svg.hashsalt": salt,
        "svg.fonttype": "none",  # letters stay letters: small, and read by who cannot see
        "text.parse_math": False,
        "font.size": _LETTERS,
        "text.color": _INK,
        "axes.labelcolor": _INK,
        "xtick.color": _LINE,
        "ytick.color": _LINE,
        "xtick.labelcolor": _INK,
        "ytick.labelcolor": _INK,
        "axes.edgecolor": _LINE,
        "grid.color": _LINE,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
    kept: dict[Any, Any] = {
        name: value for name, value in mpl.rcParamsDefault.items() if not name.startswith("backend")
    }
    with warnings.catch_warnings(), mpl.rc_context({**kept, **own}):
        warnings.simplefilter("ignore")  # a letter that the font for measuring does not have
        yield


def _stand(axes: "Axes", chart: Bars) -> None:
    from matplotlib.ticker import MaxNLocator

    places = range(len(chart.labels))
    below = [0] * len(chart.labels)
    for series in chart.series:
        axes.bar(places, series.figures, bottom=below, color=series.colour, width=0.8, label=_cut(series.name))
        below = [before + own for before, own in zip(below, series.figures, strict=True)]
    room = _ROOM // max([len(label) for label in chart.labels])
    shown = list(range(0, len(chart.labels), max(1, -(-len(chart.labels) // room))))
    axes.set_xticks(shown, [chart.labels[at] for at in shown])
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    axes.yaxis.set_major_formatter(lambda value, _: short(value))
    axes.grid(axis="y", linewidth=0.5)
    axes.set_axisbelow(True)


def _lie(axes: "Axes", chart: Bars) -> None:
    from matplotlib.ticker import MaxNLocator

    places = range(len(chart.labels))
    before = [0] * len(chart.labels)
    for series in chart.series:
        axes.barh(places, series.figures, left=before, color=series.colour, height=0.7, label=_cut(series.name))
        before = [base + own for base, own in zip(before, series.figures, strict=True)]
    for place, whole in zip(places, before, strict=True):
        axes.annotate(short(whole), (whole, place), xytext=(4, 0), textcoords="offset points", va="center")
    axes.set_yticks(places, [_cut(label) for label in chart.labels])
    axes.set_ylim(len(chart.labels) - 0.4, -0.6)
    axes.margins(x=0.12)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    axes.xaxis.set_major_formatter(lambda value, _: short(value))
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", linewidth=0.5)
    axes.set_axisbelow(True)


def short(number: float) -> str:
    """`950`, `12.5k`, `3M`: a number with three digits at most."""
    signs = iter("kMGTPEZY")
    size, sign = float(number), ""
    while abs(size) >= 999.5:  # noqa: PLR2004  from here on it would be shown with four digits
        size, sign = size / 1000, next(signs)
    return f"{size:.3g}{sign}"


def _cut(name: str) -> str:
    shown = printable(name)
    return shown if len(shown) <= _LABEL else f"{shown[: _LABEL - 1]}…"


def _inline(text: str, chart: Bars) -> str:
    """A document of SVG as an element of a page: its names are its own, its colours and letters those of the page."""
    body = re.sub(r"<style.*?</style>", "", text[text.index("<g id=") :], flags=re.DOTALL)
    body = re.sub(r"font-family: [^;\"]+", "font-family: inherit", body)
    body = re.sub(r' transform="rotate\(-0 [^)]*\)"', "", body)
    body = re.sub(r'( id="|url\(#|href="#)', rf"\g<1>{chart.id}-", body)
    for colour, variable in _VARIABLES.items():
        body = body.replace(colour, variable)
    box = re.search(r'viewBox="[\d. ]+"', text)
    assert box is not None
    head = f'<svg class="chart" role="img" aria-label={quoteattr(printable(chart.title))} {box.group()}'
    links = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"{head} {links}>\n{body.strip()}\n"


def stacked(names: Sequence[str], figures: Sequence[Sequence[int]]) -> tuple[Series, ...]:
    """A series for each name, the largest first; those that have no colour of their own are added up."""
    order = sorted(range(len(names)), key=lambda at: (-sum(figures[at]), names[at]))
    own, rest = order[:MAX_SERIES], order[MAX_SERIES:]
    found = [Series(names[at], tuple(figures[at]), SERIES[number]) for number, at in enumerate(own)]
    if rest:
        summed = tuple(sum(each) for each in zip(*(figures[at] for at in rest), strict=True))
        found.append(Series(OTHERS, summed, SERIES[MAX_SERIES]))
    return tuple(found)
