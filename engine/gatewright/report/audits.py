"""An audit for people and programs: the same sections and numbers as a table, JSON, CSV and Markdown."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from msgspec import Struct, structs

from gatewright.model import Moment
from gatewright.model.audits import Audit, Registrations
from gatewright.model.decisions import Plain
from gatewright.report.formats import as_csv, escaped, markdown_table, table
from gatewright.text import counted, printable

WIDTH = 100  #: columns of a table where no terminal says how many it has
NONE = "(none)"
_LABEL = 9  #: columns in front of a sentence
_DIGITS = 12  #: of a digest, where people read it

Cell = str | int | None


class Section(Struct, frozen=True):
    """A table of an audit: columns that name a group, then columns of figures."""

    name: str
    title: str
    keys: tuple[str, ...]
    figures: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: tuple[Cell, ...] = ()  #: of the figures; empty where they do not add up to anything

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns."""
        return self.keys + self.figures


_MODELS = ("models", "Models", ("model",), ("dispatches", "agents", "cost", "computed"))
_TIERS = ("tiers", "Tiers", ("tier",), ("dispatches", "agents", "denied"))
_RUNTIMES = ("runtimes", "Runtimes", ("runtime",), ("dispatches", "agents", "denied"))
_DENIALS = ("denials", "Denials", ("stage", "code", "rule"), ("count", "last_seen", "example"))
_OVERRIDES = ("overrides", "Overrides", ("model", "reason"), ("dispatches",))
_EXCEPTIONS = ("exceptions", "Exceptions", ("exception", "code", "standing"), ("decisions",))
_TABLES = ("tables", "Tier tables", ("path", "sha256"), ("decisions",))
_POLICIES = ("policies", "Policies", ("stage", "policy", "path", "digest"), ("decisions",))
_REGISTRATIONS = (
    "registrations",
    "Registrations",
    (),
    ("jobs", "attempts", "verified", "denied", "non_orchestrated", "pending"),
)
_PERIODS = ("periods", "Periods", ("start",), ("dispatches", "denials"))
_ALL = (
    *(_MODELS, _TIERS, _RUNTIMES, _DENIALS, _OVERRIDES, _EXCEPTIONS),
    *(_TABLES, _POLICIES, _REGISTRATIONS, _PERIODS),
)
SECTIONS = tuple(each[0] for each in _ALL)


def sections(audit: Audit, wanted: Sequence[str] = ()) -> list[Section]:
    """The sections of an audit, all of them or those that are wanted."""
    denials = [structs.replace(each, last_seen=time_of(each.last_seen)) for each in audit.denials]
    periods = [structs.replace(each, start=time_of(each.start)) for each in audit.periods]
    denied = sum(each.count for each in audit.denials)
    found = [
        _section(_MODELS, audit.models, total=(audit.dispatches, audit.agents, audit.cost, audit.computed)),
        _section(_TIERS, audit.tiers, total=(audit.dispatches, audit.agents, audit.denied)),
        _section(_RUNTIMES, audit.runtimes, total=(audit.dispatches, audit.agents, audit.denied)),
        _section(_DENIALS, denials, total=(denied, None, None)),
        _section(_OVERRIDES, audit.overrides, total=(sum(each.dispatches for each in audit.overrides),)),
        _section(_EXCEPTIONS, audit.exceptions),
        _section(_TABLES, audit.tables, total=(audit.checks,)),
        _section(_POLICIES, audit.policies, total=(sum(each.decisions for each in audit.policies),)),
        _section(_REGISTRATIONS, [audit.registrations]),
        _section(_PERIODS, periods, total=(audit.dispatches, denied)),
    ]
    return [section for section in found if not wanted or section.name in wanted]


def _section(
    shape: tuple[str, str, tuple[str, ...], tuple[str, ...]], uses: Sequence[Struct], *, total: tuple[Cell, ...] = ()
) -> Section:
    name, title, keys, figures = shape
    rows = tuple(tuple(getattr(use, column) for column in keys + figures) for use in uses)
    return Section(name, title, keys, figures, rows, total)


def time_of(ts: float | None) -> str | None:
    """A time as RFC 3339; one beyond the calendar as its number."""
    if ts is None:
        return None
    try:
        return Moment.at(ts).text
    except ValueError:
        return str(ts)


# -- what holds for the whole ------------------------------------------------------------------------------------------


def head(audit: Audit) -> dict[str, Plain]:
    """What holds for the whole of an audit, by name."""
    return {
        "ledger": audit.ledger,
        "since": time_of(audit.since),
        "until": time_of(audit.until),
        "first": time_of(audit.first),
        "last": time_of(audit.last),
        "rows": audit.rows,
        "checks": audit.checks,
        "dispatches": audit.dispatches,
        "agents": audit.agents,
        "cost": audit.cost,
        "computed": audit.computed,
        "other_rows": audit.other_rows,
        "without_agents": audit.without_agents,
        "without_time": audit.without_time,
        "skipped": audit.skipped.lines,
        "period": audit.period,
    }


def remarks(audit: Audit) -> list[str]:
    """Sentences on what a reader of the figures has to know; what was judged under several policies first."""
    found = list(audit.mixed)
    if audit.skipped.lines:
        more = ", …" if audit.skipped.lines > len(audit.skipped.places) else ""
        found.append(f"lines that are no rows: {audit.skipped.lines} ({', '.join(audit.skipped.places)}{more})")
    if audit.without_time:
        where = "they are in no span, and left out" if audit.bounded else "they are counted all the same"
        found.append(f"rows without a time that can be read: {audit.without_time}; {where}")
    if audit.unnamed:
        found.append(f"decisions whose row names no policy: {audit.unnamed}; which one it was is not known")
    if audit.without_agents:
        found.append(f"dispatches whose number of agents cannot be read: {audit.without_agents}; they count as none")
    if audit.not_started:
        found.append(
            f"dispatches that were allowed and not started: {audit.not_started}; they are counted all the same"
        )
    found += _unproven(audit.registrations)
    if audit.computed:
        found.append(f"dispatches whose row has no cost: {audit.computed}; it was computed from agents and characters")
    return found


def _unproven(found: Registrations) -> Iterator[str]:
    if found.pending:
        yield f"dispatches that were allowed and that no registration has proven: {found.pending}; they are pending"
    if found.non_orchestrated:
        yield f"registrations without an orchestrator's task: {found.non_orchestrated}; they are non-orchestrated"


def plain(audit: Audit, wanted: Sequence[str] = ()) -> dict[str, Plain]:
    """An audit as plain data."""
    found: dict[str, Plain] = {**head(audit), "remarks": list(remarks(audit)), "mixed": bool(audit.mixed)}
    found["skipped_places"] = list(audit.skipped.places)
    for section in sections(audit, wanted):
        rows: list[Plain] = [dict(zip(section.columns, row, strict=True)) for row in section.rows]
        found[section.name] = rows if section.keys else rows[0]
    return found


# -- for people --------------------------------------------------------------------------------------------------------


def text(audit: Audit, wanted: Sequence[str] = (), *, style: str = "", width: int = 0) -> str:
    """An audit as tables, one below the other."""
    columns = width or WIDTH
    parts = ["".join(f"{line}\n" for line in _headlines(audit, columns))]
    for section in sections(audit, wanted):
        headers = [_header(column) for column in section.columns]
        shown = table(_cells(section), headers, style=style, width=columns) if section.rows else ""
        parts.append(f"{section.title}\n{shown}" if shown else f"{section.title}: none\n")
    return "\n".join(parts)


def _headlines(audit: Audit, columns: int) -> Iterator[str]:
    notes = remarks(audit)[len(audit.mixed) :]
    for label, said in (
        *(("!!", each) for each in audit.mixed),
        ("Ledger", printable(audit.ledger) or NONE),
        ("Span", span(audit)),
        ("Rows", _rows(audit)),
        *(("Note", each) for each in notes),
    ):
        room = columns - _LABEL
        lines = wrap(said, room, break_long_words=False, break_on_hyphens=False) if len(said) > room else [said]
        yield from (f"{label if at == 0 else '':{_LABEL}}{line}" for at, line in enumerate(lines))


def span(audit: Audit) -> str:
    """The span that was asked for, in words."""
    if not audit.bounded:
        return "all rows"
    ends = (time_of(audit.since), time_of(audit.until))
    return " ".join(f"{word} {end}" for word, end in zip(("from", "until before"), ends, strict=True) if end)


def _rows(audit: Audit) -> str:
    registered = audit.registrations.attempts + audit.registrations.denied
    counts = ((audit.checks, "check"), (registered, "registration"), (audit.other_rows, "other"))
    parts = ", ".join(counted(number, what) for number, what in counts)
    times = f", {time_of(audit.first)} to {time_of(audit.last)}" if audit.first is not None else ""
    return f"{audit.rows}: {parts}{times}"


def _header(column: str) -> str:
    return column.replace("_", " ").upper()


def _cells(section: Section) -> list[list[str]]:
    """The rows of a section as text, and below them what they add up to."""
    keys = len(section.keys)
    rows = [
        [
            _shown(column, cell, NONE if at < keys else "")
            for at, (column, cell) in enumerate(zip(section.columns, row, strict=True))
        ]
        for row in section.rows
    ]
    if section.total and rows:
        rows.append(["= total", *[""] * (keys - 1), *("" if cell is None else str(cell) for cell in section.total)])
    return rows


def _shown(column: str, cell: Cell, nothing: str) -> str:
    if cell is None:
        return nothing
    return str(cell)[:_DIGITS] if column in ("sha256", "digest") else str(cell)


def markdown(audit: Audit, wanted: Sequence[str] = ()) -> str:
    """An audit as a page of Markdown tables. No text of a row can end its cell, or be anything but text."""
    lines = ["# Report", ""]
    lines += [f"**{escaped(each)}**\n" for each in audit.mixed]
    lines += markdown_table(
        ["Figure", "Value"], [[_header(name).capitalize(), _figure_of(value)] for name, value in head(audit).items()]
    )
    notes = [f"- {escaped(each)}" for each in remarks(audit)]
    lines += ["", *notes] if notes else []
    for section in sections(audit, wanted):
        headers = [_header(column).capitalize() for column in section.columns]
        shown = markdown_table(headers, _cells(section)) if section.rows else ["None."]
        lines += ["", f"## {section.title}", "", *shown]
    return "\n".join(lines) + "\n"


def _figure_of(value: Plain) -> str:
    return NONE if value is None else str(value)


# -- for spreadsheets --------------------------------------------------------------------------------------------------

CSV_COLUMNS = ("section", "key_1", "key_2", "key_3", "key_4", "figure", "value")


def csv(audit: Audit, wanted: Sequence[str] = ()) -> str:
    """An audit as lines of one figure each (RFC 4180). What a spreadsheet would take for a formula starts with `'`."""
    lines = [_csv_line("totals", (), name, value) for name, value in head(audit).items()]
    lines += [_csv_line("remarks", (), "remark", remark) for remark in remarks(audit)]
    for section in sections(audit, wanted):
        keys = len(section.keys)
        for row in section.rows:
            for figure, value in zip(section.figures, row[keys:], strict=True):
                lines.append(_csv_line(section.name, row[:keys], figure, value))
    return as_csv(CSV_COLUMNS, lines)


def _csv_line(section: str, keys: Sequence[Cell], figure: str, value: Plain) -> list[str]:
    room = len(CSV_COLUMNS) - 3
    named = [*(NONE if key is None else str(key) for key in keys), *[""] * (room - len(keys))]
    return [section, *named, figure, "" if value is None else str(value)]
