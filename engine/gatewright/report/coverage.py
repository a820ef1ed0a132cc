"""Coverage of reason codes for people and programs: the same figures in every format."""

from collections.abc import Iterator, Sequence
from math import floor

from gatewright.errors import Problem, Severity
from gatewright.model.coverage import CodeUse, Coverage, percent_of
from gatewright.model.decisions import Plain
from gatewright.report import junit, workflow
from gatewright.report.formats import as_csv, escaped, markdown_table, table
from gatewright.text import counted, printable

HEADERS = ("RULE", "CODE", "LEVEL", "FIRED", "MISSED", "N/A", "EXCEPTED", "OVERRIDDEN", "ERRORED", "WHERE")
CSV_COLUMNS = (
    *("policy", "stage", "rule", "code", "level", "line", "column"),
    *("fired", "missed", "not_applicable", "excepted", "overridden", "errored"),
    *("fired_by", "missed_by", "lacking"),
)
_NOT_RECORDED = "-"


def percent(codes: Sequence[CodeUse]) -> str:
    """`87.5 %`, rounded down: what is not quite shown is not 100."""
    return f"{floor(percent_of(codes) * 10) / 10:.1f} %"


def text(coverage: Coverage, *, style: str = "", width: int = 0) -> str:
    """A table a policy, below it what is not shown, and how much is."""
    parts = [
        f"{printable(policy)}  {percent(codes)}\n" + table(_rows(codes), HEADERS, style=style, width=width)
        for policy, codes in by_policy(coverage).items()
    ]
    if coverage.uncovered:
        parts.append("not shown\n" + "".join(f"{line}\n" for line in missing(coverage)))
    if coverage.exceptions:
        parts.append("exceptions\n" + "".join(f"  {line}\n" for line in _exceptions(coverage)))
    parts.append(summary(coverage) + "\n")
    return "\n".join(parts)


def by_policy(coverage: Coverage) -> dict[str, list[CodeUse]]:
    """The codes of each policy, by its path."""
    found: dict[str, list[CodeUse]] = {}
    for use in coverage.codes:
        found.setdefault(use.policy, []).append(use)
    return found


def missing(coverage: Coverage) -> Iterator[str]:
    """A line for each thing that is not shown: the place of the rule, the code, and what is missing."""
    for use in coverage.uncovered:
        yield from (printable(f"{use.where}: {use.rule}: {use.code}: {lack}") for lack in use.lacking)


def summary(coverage: Coverage) -> str:
    """How much is shown, of how many outcomes and codes, by how many decisions."""
    codes = [use for use in coverage.codes if use.wanted]
    shown, wanted = sum(use.shown for use in codes), sum(use.wanted for use in codes)
    what = "decision" if coverage.source == "fixtures" else "row"
    of = f"{wanted:,} outcomes of {counted(len(codes), 'code')}"
    return f"coverage {percent(codes)}: {shown:,} of {of} shown by {counted(coverage.decisions, what)}"


def _rows(codes: Sequence[CodeUse]) -> list[list[str]]:
    return [
        [use.rule, use.code, use.level, *_figures(use), f"{use.where.file.rsplit('/', 1)[-1]}:{use.where.line}"]
        for use in codes
    ]


def _figures(use: CodeUse) -> list[str]:
    figures = (use.fired, use.missed, use.not_applicable, use.excepted, use.overridden, use.errored)
    return [_NOT_RECORDED if figure is None else str(figure) for figure in figures]


def _exceptions(coverage: Coverage) -> Iterator[str]:
    for each in coverage.exceptions:
        used = f"let through {counted(each.used, 'denial')}" if each.used else "unused"
        yield printable(f"{each.where}: {each.exception} ({each.code}, until {each.until}, {each.owner}): {used}")


# -- for programs ------------------------------------------------------------------------------------------------------


def plain(coverage: Coverage) -> dict[str, Plain]:
    """The coverage as plain data: a file a policy, in it a rule, in it a code."""
    return {
        "source": coverage.source,
        "decisions": coverage.decisions,
        "percent": floor(coverage.percent * 10) / 10,
        "files": {policy: _plain_file(codes) for policy, codes in by_policy(coverage).items()},
        "exceptions": [
            {
                "policy": each.policy,
                "exception": each.exception,
                "code": each.code,
                "owner": each.owner,
                "until": each.until,
                "where": str(each.where),
                "used": each.used,
            }
            for each in coverage.exceptions
        ],
    }


def _plain_file(codes: Sequence[CodeUse]) -> dict[str, Plain]:
    rules: dict[str, list[CodeUse]] = {}
    for use in codes:
        rules.setdefault(use.rule, []).append(use)
    return {
        "stage": codes[0].stage,
        "percent": floor(percent_of(codes) * 10) / 10,
        "rules": {
            rule: {
                "where": str(uses[0].where),
                "percent": floor(percent_of(uses) * 10) / 10,
                "codes": {use.code: _plain_code(use) for use in uses},
            }
            for rule, uses in rules.items()
        },
    }


def _plain_code(use: CodeUse) -> dict[str, Plain]:
    return {
        "level": use.level,
        "fired": use.fired,
        "missed": use.missed,
        "not_applicable": use.not_applicable,
        "excepted": use.excepted,
        "overridden": use.overridden,
        "errored": use.errored,
        "fired_by": use.fired_by,
        "missed_by": use.missed_by,
        "lacking": list(use.lacking),
    }


def csv(coverage: Coverage) -> str:
    """A line a code."""
    lines = [
        [
            *(use.policy, use.stage, use.rule, use.code, use.level, str(use.where.line), str(use.where.column)),
            *("" if figure == _NOT_RECORDED else figure for figure in _figures(use)),
            *(use.fired_by, use.missed_by, "; ".join(use.lacking)),
        ]
        for use in coverage.codes
    ]
    return as_csv(CSV_COLUMNS, lines)


def markdown(coverage: Coverage) -> str:
    """A page of Markdown."""
    lines = ["# Coverage", "", escaped(summary(coverage)) + "."]
    for policy, codes in by_policy(coverage).items():
        headers = [header.capitalize() for header in HEADERS]
        lines += ["", f"## {escaped(policy)}: {percent(codes)}", "", *markdown_table(headers, _rows(codes))]
    if coverage.uncovered:
        lines += ["", "## Not shown", "", *(f"- {escaped(line)}" for line in missing(coverage))]
    if coverage.exceptions:
        lines += ["", "## Exceptions", "", *(f"- {escaped(line)}" for line in _exceptions(coverage))]
    return "\n".join(lines) + "\n"


def github(coverage: Coverage) -> str:
    """What is not shown as commands of a GitHub workflow, each beside its rule."""
    return "".join(
        workflow.annotation(
            "warning",
            f"{use.rule}: {use.code}: {'; '.join(use.lacking)}",
            file=use.where.file,
            line=use.where.line,
            column=use.where.column,
            title=f"not shown: {use.code}",
        )
        for use in coverage.uncovered
    )


def problems(coverage: Coverage) -> list[Problem]:
    """What is not shown as problems at the places of its rules, each found by a check with the code's name."""
    return [
        Problem(
            place=use.where,
            message=f"{use.rule}: {use.code}: {lack}",
            severity=Severity.WARNING,
            check=use.code,
        )
        for use in coverage.uncovered
        for lack in use.lacking
    ]


def as_junit(coverage: Coverage) -> str:
    """A suite a policy, a case a code, which fails where something of it is not shown."""
    return junit.report(
        [
            junit.Suite(
                policy,
                tuple(
                    junit.Case(
                        name=f"{use.rule} {use.code}",
                        group=use.rule,
                        kind=use.code,
                        failure="\n".join(f"{use.where}: {lack}" for lack in use.lacking),
                    )
                    for use in codes
                ),
            )
            for policy, codes in by_policy(coverage).items()
        ]
    )
