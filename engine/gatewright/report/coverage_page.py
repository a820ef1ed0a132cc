"""Coverage of reason codes as parts of a page of HTML: a matrix of rules and what is shown of each of their codes."""

from gatewright import __version__
from gatewright.model.coverage import CodeUse, Coverage
from gatewright.report import coverage as report
from gatewright.report.page import Cell, Figure, Page, Table, number_cell, text_cell

_COLUMNS = ("Rule", "Code", "Level", "Fired", "Narrowly missed", "Not applicable", "Excepted", "Overridden", "Errored")


def page(coverage: Coverage) -> Page:
    """The page of a coverage by itself."""
    exceptions = [
        (*(text_cell(told) for told in (each.exception, each.code, each.owner, each.until)), number_cell(each.used))
        for each in coverage.exceptions
    ]
    columns = ("Exception", "Code", "Owner", "Until", "Used")
    more = [Table(id="exceptions", title="Exceptions", columns=columns, rows=tuple(exceptions))] if exceptions else []
    return Page(
        title="Coverage of reason codes",
        facts=(("Shown by", coverage.source),),
        figures=(figure_of(coverage), Figure("Decisions", f"{coverage.decisions:,}")),
        tables=(*tables_of(coverage), *more),
        version=__version__,
    )


def figure_of(coverage: Coverage) -> Figure:
    """How much is shown."""
    mark = "bad" if coverage.uncovered else ""
    return Figure("Coverage", report.percent(coverage.codes), "of reason codes, by fixtures", mark)


def tables_of(coverage: Coverage) -> list[Table]:
    """A matrix for each policy."""
    return [
        Table(
            id=f"coverage-{number}",
            title=f"Coverage of {policy}",
            columns=(*_COLUMNS, "Missing"),
            rows=tuple(_row(use) for use in codes),
            about=f"{report.percent(codes)} shown; of all policies: {report.summary(coverage)}.",
        )
        for number, (policy, codes) in enumerate(report.by_policy(coverage).items(), 1)
    ]


def _row(use: CodeUse) -> tuple[Cell, ...]:
    wanted = use.wanted > 0
    return (
        text_cell(use.rule),
        text_cell(use.code),
        text_cell(use.level, ""),
        _shown(use.fired, wanted=wanted),
        _shown(use.missed, wanted=wanted),
        *(_counted(number) for number in (use.not_applicable, use.excepted, use.overridden, use.errored)),
        text_cell("; ".join(use.lacking)),
    )


def _shown(number: int | None, *, wanted: bool) -> Cell:
    """A figure with a sign that says whether it is enough."""
    if number is None or not wanted:
        return _counted(number)
    sign, mark = ("✓", "good") if number else ("✗", "bad")
    return Cell(f"{sign} {number:,}", mark=mark, number=True, order=str(number))


def _counted(number: int | None) -> Cell:
    return Cell("-", number=True, order="-1") if number is None else number_cell(number)
