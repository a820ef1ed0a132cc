"""An audit as a page of HTML: its sections with their totals, and charts of the same figures."""

from collections.abc import Sequence
from itertools import chain

from gatewright import __version__
from gatewright.model import Moment
from gatewright.model.audits import Audit, RuntimeUse, TierUse
from gatewright.model.coverage import Coverage
from gatewright.report import audits
from gatewright.report.audits import Section
from gatewright.report.charts import ALLOWED, DENIED, Bars, Series, stacked
from gatewright.report.coverage_page import figure_of, tables_of
from gatewright.report.page import Cell, Figure, Page, Sum, Table, number_cell, shown_rows, text_cell

_TITLE = "What was asked, allowed and denied"
_REASONS = 12  #: bars of a chart; the others are added up in one
_DIGITS = 12  #: of a digest
_NAMED = 4  #: policies that are named on top
_DAY = 86_400


def page(audit: Audit, wanted: Sequence[str] = (), coverage: Coverage | None = None) -> Page:
    """The page of an audit. coverage: what fixtures show, which the page then has too."""
    found = [_table(section, audit) for section in audits.sections(audit, wanted)]
    figures = _figures(audit)
    if coverage is not None:
        found += tables_of(coverage)
        figures.append(figure_of(coverage))
    return Page(
        title=_TITLE,
        facts=tuple(_facts(audit)),
        banners=audit.mixed,
        figures=tuple(figures),
        sums=tuple(_sums(audit)),
        notes=tuple(audits.remarks(audit)[len(audit.mixed) :]),
        charts=tuple(_charts(audit, wanted)),
        tables=tuple(found),
        version=__version__,
    )


def _facts(audit: Audit) -> list[tuple[str, str]]:
    found = [("Ledger", audit.ledger or audits.NONE), ("Span", audits.span(audit))]
    if audit.first is not None:
        found.append(("Rows", f"{audits.time_of(audit.first)} to {audits.time_of(audit.last)}"))
    if len(audit.policies) and len({use.digest for use in audit.policies}) <= len(
        {use.stage for use in audit.policies}
    ):
        digests = (f"{use.stage} {(use.digest or audits.NONE)[:_DIGITS]}" for use in audit.policies)
        found.append(("Policies", ", ".join(digests)))
    return found


def _figures(audit: Audit) -> list[Figure]:
    exceptions = sum(use.decisions for use in audit.exceptions)
    overrides = sum(use.dispatches for use in audit.overrides)
    jobs = audit.registrations
    return [
        Figure("Checks", f"{audit.checks:,}"),
        Figure("Allowed", f"{audit.dispatches:,}", f"{_share(audit.dispatches, audit.checks)} of the checks"),
        Figure("Denied", f"{audit.denied:,}", f"{_share(audit.denied, audit.checks)} of the checks"),
        Figure("Agents", f"{audit.agents:,}", "in the checks that were allowed"),
        Figure("Estimated cost", f"{audit.cost:,}", "agents times characters"),
        Figure("Registered jobs", f"{jobs.jobs:,}", f"model proven of {jobs.verified:,}"),
        Figure("Overrides", f"{overrides:,}"),
        Figure("Exceptions", f"{exceptions:,}"),
    ]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"


def _sums(audit: Audit) -> list[Sum]:
    """Sums that a reader may check; each part is counted by itself."""
    registered = audit.registrations
    checks, denials = sum(use.decisions for use in audit.tables), sum(use.count for use in audit.denials)
    denied, registrations = sum(use.denied for use in audit.tiers), registered.attempts + registered.denied
    return [
        Sum(
            (audit.rows, _word(audit.rows, "row")),
            (
                (checks, _word(checks, "check")),
                (registrations, _word(registrations, "registration")),
                (audit.other_rows, _word(audit.other_rows, "other")),
            ),
        ),
        Sum(
            (checks, _word(checks, "check")),
            ((sum(use.dispatches for use in audit.models), "allowed"), (denied, "denied")),
        ),
        Sum(
            (denials, f"{_word(denials, 'denial')} by reason"),
            ((denied, "of checks"), (registered.denied, "of registrations")),
        ),
    ]


def _word(number: int, noun: str) -> str:
    return noun if number == 1 else f"{noun}s"


# -- tables ------------------------------------------------------------------------------------------------------------


def _table(section: Section, audit: Audit) -> Table:
    keys = len(section.keys)
    every = [
        tuple(
            _cell(column, cell, at >= keys) for at, (column, cell) in enumerate(zip(section.columns, row, strict=True))
        )
        for row in section.rows
    ]
    rows, left_out = shown_rows(every)
    about = f"Each of {_length(audit.period)}, in UTC." if section.name == "periods" and every else ""
    return Table(
        id=section.name,
        title=section.title,
        columns=tuple(column.replace("_", " ").capitalize() for column in section.columns),
        rows=rows,
        total=_total(section) if rows else (),
        left_out=left_out,
        about=about,
    )


def _cell(column: str, cell: audits.Cell, figure: bool) -> Cell:  # noqa: FBT001  which half of the row it is of
    if isinstance(cell, int):
        return number_cell(cell)
    if column in ("sha256", "digest") and cell is not None:
        return Cell(str(cell)[:_DIGITS], order=str(cell))
    return text_cell(cell, "" if figure else audits.NONE)


def _total(section: Section) -> tuple[Cell, ...]:
    if not section.total:
        return ()
    names = ("Total", *[""] * (len(section.keys) - 1))
    cells = (number_cell(cell) if isinstance(cell, int) else Cell("") for cell in section.total)
    return (*(Cell(name) for name in names), *cells)


def _length(seconds: int) -> str:
    """`1 hour`, `7 days`: the length of a period in words."""
    if seconds % _DAY == 0:
        return "1 day" if seconds == _DAY else f"{seconds // _DAY:,} days"
    return "1 hour" if seconds == 3600 else f"{seconds // 3600} hours"  # noqa: PLR2004  seconds of an hour


# -- charts ------------------------------------------------------------------------------------------------------------


def _charts(audit: Audit, wanted: Sequence[str]) -> list[Bars]:
    found = {
        "periods": _over_time(audit),
        "denials": _by_reason(audit),
        "tiers": _fared("by-tier", "By tier", [(use.tier, use) for use in audit.tiers]),
        "runtimes": _fared("by-runtime", "By runtime", [(use.runtime, use) for use in audit.runtimes]),
    }
    return [chart for name, chart in found.items() if not wanted or name in wanted]


def _over_time(audit: Audit) -> Bars:
    """Denials by reason in each period, those without any among them, so that the axis runs evenly."""
    held = {each.start: each for each in audit.periods if each.start is not None}
    starts = [each.start for each in audit.periods if each.start is not None]
    number = round((starts[-1] - starts[0]) / audit.period) + 1 if starts else 0
    places = [starts[0] + at * audit.period for at in range(number)]
    codes = sorted(set(chain.from_iterable(each.codes for each in held.values())))
    figures = [[held[place].codes.get(code, 0) if place in held else 0 for place in places] for code in codes]
    return Bars(
        id="over-time",
        title="Denials over time",
        labels=tuple(_when(place, audit.period) for place in places),
        series=stacked([code or audits.NONE for code in codes], figures),
    )


def _when(start: float, period: int) -> str:
    """The start of a period as a chart has room for it."""
    try:
        moment = Moment.at(start).text
    except ValueError:
        return f"{start:.3g}"
    return moment[5:10] if period >= _DAY else f"{moment[5:10]} {moment[11:16]}"


def _by_reason(audit: Audit) -> Bars:
    counts: dict[str, int] = {}
    for use in audit.denials:
        code = use.code or audits.NONE
        counts[code] = counts.get(code, 0) + use.count
    ranked = _ranked([(code, (number,)) for code, number in counts.items()])
    return Bars(
        id="by-reason",
        title="Denials by reason",
        labels=tuple(name for name, _ in ranked),
        series=(Series("denials", tuple(figures[0] for _, figures in ranked), DENIED),),
        lying=True,
    )


def _fared(name: str, title: str, uses: Sequence[tuple[str | None, TierUse | RuntimeUse]]) -> Bars:
    ranked = _ranked([(key or audits.NONE, (use.dispatches, use.denied)) for key, use in uses])
    series = (("allowed", ALLOWED), ("denied", DENIED))
    return Bars(
        id=name,
        title=title,
        labels=tuple(key for key, _ in ranked),
        series=tuple(
            Series(word, tuple(figures[at] for _, figures in ranked), colour)
            for at, (word, colour) in enumerate(series)
        ),
        lying=True,
    )


def _ranked(found: list[tuple[str, tuple[int, ...]]]) -> list[tuple[str, tuple[int, ...]]]:
    """The groups with the largest figures first, and what has no room added up in one."""
    order = sorted(found, key=lambda each: (-sum(each[1]), each[0]))
    rest = [figures for _, figures in order[_REASONS:]]
    if not rest:
        return order
    summed = tuple(sum(each) for each in zip(*rest, strict=True))
    return [*order[:_REASONS], (f"{len(rest):,} others", summed)]
