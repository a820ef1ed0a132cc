"""Dry runs as a page of HTML: how they went, why some failed, each denial, and what they cover."""

from collections import Counter
from collections.abc import Sequence

from gatewright import __version__
from gatewright.model.coverage import Coverage
from gatewright.report.charts import ALLOWED, DENIED, SERIES, Bars, Series
from gatewright.report.coverage_page import figure_of, tables_of
from gatewright.report.decision import headline
from gatewright.report.page import Cell, Figure, Page, Sum, Table, shown_rows, text_cell
from gatewright.report.trials import WORDS, Result, Run
from gatewright.text import counted

_MARKS = {Result.PASS: "good", Result.FAIL: "bad", Result.ERROR: "bad"}
_SIGNS = {Result.PASS: "✓", Result.FAIL: "✗", Result.ERROR: "✗", Result.SKIP: "-", Result.XFAIL: "-"}
_GROUPS = (
    ("passed", ALLOWED, (Result.PASS,)),
    ("failed", DENIED, (Result.FAIL, Result.ERROR)),
    ("skipped or known to fail", SERIES[-1], (Result.SKIP, Result.XFAIL)),
)


def page(runs: Sequence[Run], coverage: Coverage | None = None) -> Page:
    """The page of dry runs. coverage: what they show, where that was asked for."""
    counts = Counter(run.result for run in runs)
    tables = [_failures(runs)] if any(not run.passed for run in runs) else []
    tables += [_cases(runs), _denials(runs), *(tables_of(coverage) if coverage is not None else ())]
    return Page(
        title="Dry runs of policies",
        facts=tuple(_policies(runs)),
        figures=(
            *(_figure(name, counts, results) for name, _, results in _GROUPS),
            *([figure_of(coverage)] if coverage is not None else ()),
        ),
        sums=(Sum((len(runs), "cases"), tuple((counts[result], result.value) for result in Result if counts[result])),),
        charts=(_by_file(runs),),
        tables=tuple(tables),
        version=__version__,
    )


def _policies(runs: Sequence[Run]) -> list[tuple[str, str]]:
    found = {run.decision.policy.path: run.decision.policy.digest for run in runs if run.decision is not None}
    return [("Policy", f"{path} {digest[:12]}") for path, digest in found.items()]


def _figure(name: str, counts: Counter[Result], results: Sequence[Result]) -> Figure:
    number = sum(counts[result] for result in results)
    return Figure(name.capitalize(), f"{number:,}", mark="bad" if number and name == "failed" else "")


def _result(run: Run) -> Cell:
    return Cell(f"{_SIGNS[run.result]} {WORDS[run.result].lower()}", mark=_MARKS.get(run.result, ""))


def _cases(runs: Sequence[Run]) -> Table:
    rows, left_out = shown_rows([_case(run) for run in runs])
    columns: tuple[str, ...] = ("Case", "Result", "Expected", "Decision", "Where", "Why")
    if not any(run.why or run.error for run in runs):
        rows, columns = tuple(row[:-1] for row in rows), columns[:-1]
    return Table(id="cases", title="Cases", columns=columns, rows=rows, left_out=left_out)


def _case(run: Run) -> tuple[Cell, ...]:
    came = headline(run.decision) if run.decision is not None else ""
    return (
        text_cell(run.name),
        _result(run),
        *(text_cell(each) for each in (run.expected, came, run.where, run.why or run.error)),
    )


def _failures(runs: Sequence[Run]) -> Table:
    failed = [run for run in runs if not run.passed]
    rows, left_out = shown_rows(
        [
            (
                text_cell(run.name),
                _result(run),
                text_cell("; ".join(run.differences) or run.error),
                text_cell(run.where),
            )
            for run in failed
        ]
    )
    about = f"{counted(len(failed), 'case')} of {len(runs):,}; `gatewright test` explains each."
    columns = ("Case", "Result", "What is wrong", "Where")
    return Table(id="failures", title="Failures", columns=columns, rows=rows, left_out=left_out, about=about)


def _denials(runs: Sequence[Run]) -> Table:
    every = [
        tuple(text_cell(each) for each in (run.name, finding.code, finding.rule, finding.where or "", finding.message))
        for run in runs
        if run.decision is not None
        for finding in run.decision.findings
        if finding.denies
    ]
    rows, left_out = shown_rows(every)
    columns = ("Case", "Code", "Rule", "Where", "Message")
    return Table(id="denials", title="Denials", columns=columns, rows=rows, left_out=left_out)


def _by_file(runs: Sequence[Run]) -> Bars:
    files: dict[str, Counter[Result]] = {}
    for run in runs:
        files.setdefault(run.file, Counter())[run.result] += 1
    return Bars(
        id="by-file",
        title="Cases by file",
        labels=tuple(file.rsplit("/", 1)[-1] for file in files),
        series=tuple(
            Series(name, tuple(sum(counts[each] for each in results) for counts in files.values()), colour)
            for name, colour, results in _GROUPS
        ),
        lying=True,
    )
