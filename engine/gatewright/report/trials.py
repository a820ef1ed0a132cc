"""Dry runs for people: failures as pytest shows them, the table of denials, a count."""

from collections.abc import Sequence

from msgspec import Struct

from gatewright.model import Finding, GateDecision
from gatewright.model.decisions import Plain
from gatewright.model.explanations import Explanation
from gatewright.report import junit, workflow
from gatewright.report.decision import explanation, headline
from gatewright.report.formats import table
from gatewright.text import counted, printable


class Run(Struct, frozen=True, kw_only=True):
    """A dry run as a report sees it."""

    id: str
    name: str
    file: str
    where: str
    line: int
    column: int
    passed: bool
    expected: str
    differences: tuple[str, ...]
    error: str
    decision: GateDecision | None
    explanation: Explanation | None


DENIAL_HEADERS = ("CASE", "CODE", "RULE", "WHERE", "MESSAGE")
_RULE = 78


def title(text: str, sign: str) -> str:
    """A line with a text in its middle, as pytest draws it."""
    return f" {printable(text)} ".center(_RULE, sign)


def failure(run: Run) -> str:
    """Why a case failed: what was expected, what came, each difference, and the rules that made it so."""
    lines = [title(run.id, "_"), "", printable(run.where)]
    if run.error:
        lines += [f"E   {printable(line)}" for line in run.error.splitlines()]
        return "\n".join(lines) + "\n"
    lines += [f"    expected   {run.expected}"]
    if run.decision is not None:
        lines.append(f"    got        {headline(run.decision)}")
    lines += [f"E   {difference}" for difference in run.differences]
    if run.explanation is not None:
        lines += ["", explanation(run.explanation).rstrip("\n")]
    return "\n".join(lines) + "\n"


def denials(runs: Sequence[Run], *, style: str = "", width: int = 0) -> str:
    """The table of denials: one row a denial of each case."""
    rows = [
        [_short(run), finding.code, finding.rule, _place(finding), printable(finding.message)]
        for run in runs
        if run.decision is not None
        for finding in run.decision.findings
        if finding.denies
    ]
    return table(rows, DENIAL_HEADERS, style=style, width=width) if rows else ""


def _short(run: Run) -> str:
    return printable(f"{run.file.rsplit('/', 1)[-1]}::{run.name}")


def _place(finding: Finding) -> str:
    if finding.where is None:
        return ""
    return f"{finding.where.file.rsplit('/', 1)[-1]}:{finding.where.line}"


def progress(runs: Sequence[Run]) -> str:
    """A line a file with a sign a case: `.` passed, `F` failed, `E` could not be run."""
    lines: list[str] = []
    for file in dict.fromkeys(run.file for run in runs):
        signs = "".join(_sign(run) for run in runs if run.file == file)
        lines.append(f"{printable(file)} {signs}")
    return "".join(f"{line}\n" for line in lines)


def _sign(run: Run) -> str:
    if run.error:
        return "E"
    return "." if run.passed else "F"


def verbose(run: Run) -> str:
    """A case in a line: its id, what came, and how it went."""
    word = "ERROR" if run.error else "PASSED" if run.passed else "FAILED"
    came = f"  {headline(run.decision)}" if run.decision is not None else ""
    return f"{printable(run.id)} {word}{came}"


def summary(runs: Sequence[Run], deselected: int) -> str:
    """`61 passed`, `1 failed, 60 passed, 3 deselected`."""
    failed = sum(not run.passed and not run.error for run in runs)
    errors = sum(bool(run.error) for run in runs)
    parts = [f"{failed} failed"] if failed else []
    parts += [f"{sum(run.passed for run in runs)} passed"]
    parts += [counted(errors, "error")] if errors else []
    parts += [f"{deselected} deselected"] if deselected else []
    return ", ".join(parts)


def plain(runs: Sequence[Run]) -> dict[str, Plain]:
    """The runs as plain data."""
    return {
        "summary": {
            "total": len(runs),
            "pass": sum(run.passed for run in runs),
            "fail": sum(not run.passed and not run.error for run in runs),
            "error": sum(bool(run.error) for run in runs),
        },
        "cases": [
            {
                "id": run.id,
                "where": run.where,
                "result": "error" if run.error else "pass" if run.passed else "fail",
                "expected": run.expected,
                "differences": list(run.differences),
                "error": run.error,
                "decision": run.decision.to_dict() if run.decision is not None else None,
            }
            for run in runs
        ],
    }


def github(runs: Sequence[Run]) -> str:
    """The cases that do not pass as commands of a GitHub workflow."""
    return "".join(
        workflow.annotation("error", _wrong(run), file=run.file, line=run.line, column=run.column, title=run.name)
        for run in runs
        if not run.passed
    )


def as_junit(runs: Sequence[Run]) -> str:
    """The cases as a test report, a suite a file."""
    files = dict.fromkeys(run.file for run in runs)
    return junit.report(
        [junit.Suite(file, tuple(_junit_case(run) for run in runs if run.file == file)) for file in files]
    )


def _junit_case(run: Run) -> junit.Case:
    failure = "" if run.passed or run.error else _wrong(run)
    return junit.Case(name=run.name, failure=failure, error=run.error)


def _wrong(run: Run) -> str:
    """Why a case does not pass, as text."""
    if run.error:
        return run.error
    came = [f"got {headline(run.decision)}"] if run.decision is not None else []
    return "\n".join([*run.differences, f"expected {run.expected}", *came])
