"""Dry runs for people: failures as pytest shows them, the table of denials, a count."""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import Enum

from msgspec import Struct

from gatewright.errors import Place
from gatewright.model import Finding, GateDecision
from gatewright.model.decisions import Plain
from gatewright.model.explanations import Explanation
from gatewright.report.decision import explanation, headline
from gatewright.report.formats import table
from gatewright.text import counted, printable


class Result(Enum):
    """How a dry run went."""

    PASS = "pass"  # noqa: S105  no password
    FAIL = "fail"  #: it came out otherwise than expected
    ERROR = "error"  #: it could not be run
    SKIP = "skip"  #: it is not to be run
    XFAIL = "xfail"  #: it came out otherwise, as is known


class Owing(Struct, frozen=True):
    """A rule that may give a code."""

    rule: str
    place: Place


class Run(Struct, frozen=True, kw_only=True):
    """A dry run as a report sees it."""

    id: str
    name: str
    file: str
    where: str
    line: int
    column: int
    result: Result
    expected: str
    differences: tuple[str, ...]
    error: str
    why: str = ""  #: it is skipped, or known to come out otherwise
    decision: GateDecision | None
    explanation: Explanation | None
    policy: str = ""  #: the path of its policy
    owed: Mapping[str, Owing] = {}  #: by code, the rule that would have given what was expected

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong with it."""
        return self.result not in (Result.FAIL, Result.ERROR)


DENIAL_HEADERS = ("CASE", "CODE", "RULE", "WHERE", "MESSAGE")
_RULE = 78


def title(text: str, sign: str) -> str:
    """A line with a text in its middle, as pytest draws it."""
    return f" {printable(text)} ".center(_RULE, sign)


def failure(run: Run) -> str:
    """A failed case below a line with its id."""
    return f"{title(run.id, '_')}\n\n{told(run)}\n"


def told(run: Run) -> str:
    """Why a case failed: what was expected, what came, each difference, and the rules that made it so."""
    lines = [printable(run.where)]
    if run.error:
        lines += [f"E   {printable(line)}" for line in run.error.splitlines()]
        return "\n".join(lines)
    lines += [f"    expected   {run.expected}"]
    if run.decision is not None:
        lines.append(f"    got        {headline(run.decision)}")
    lines += [f"E   {printable(difference)}" for difference in run.differences]
    if run.explanation is not None:
        lines += ["", explanation(run.explanation).rstrip("\n")]
    return "\n".join(lines)


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


_SIGNS = {Result.PASS: ".", Result.FAIL: "F", Result.ERROR: "E", Result.SKIP: "s", Result.XFAIL: "x"}
WORDS = {
    Result.PASS: "PASSED",
    Result.FAIL: "FAILED",
    Result.ERROR: "ERROR",
    Result.SKIP: "SKIPPED",
    Result.XFAIL: "XFAIL",
}


def progress(runs: Sequence[Run]) -> str:
    """A line a file with a sign a case: `.` passed, `F` failed, `E` in error, `s` skipped, `x` known to fail."""
    lines: list[str] = []
    for file in dict.fromkeys(run.file for run in runs):
        signs = "".join(_SIGNS[run.result] for run in runs if run.file == file)
        lines.append(f"{printable(file)} {signs}")
    return "".join(f"{line}\n" for line in lines)


def verbose(run: Run) -> str:
    """A case in a line: its id, what came, and how it went."""
    came = f"  {headline(run.decision)}" if run.decision is not None else ""
    why = f"  ({printable(run.why)})" if run.why and run.passed else ""
    return f"{printable(run.id)} {WORDS[run.result]}{came}{why}"


def summary(runs: Sequence[Run], deselected: int) -> str:
    """`61 passed`, `1 failed, 60 passed, 3 deselected`."""
    counts = Counter(run.result for run in runs)
    parts = [f"{counts[Result.FAIL]} failed"] if counts[Result.FAIL] else []
    parts += [f"{counts[Result.PASS]} passed"]
    parts += [counted(counts[Result.ERROR], "error")] if counts[Result.ERROR] else []
    parts += [f"{counts[Result.SKIP]} skipped"] if counts[Result.SKIP] else []
    parts += [f"{counts[Result.XFAIL]} xfailed"] if counts[Result.XFAIL] else []
    parts += [f"{deselected} deselected"] if deselected else []
    return ", ".join(parts)


def plain(runs: Sequence[Run]) -> dict[str, Plain]:
    """The runs as plain data."""
    counts = Counter(run.result for run in runs)
    return {
        "summary": {"total": len(runs), **{result.value: counts[result] for result in Result}},
        "cases": [_plain(run) for run in runs],
    }


def _plain(run: Run) -> Plain:
    return {
        "id": run.id,
        "where": run.where,
        "result": run.result.value,
        "expected": run.expected,
        "differences": list(run.differences),
        "error": run.error,
        "why": run.why,
        "decision": run.decision.to_dict() if run.decision is not None else None,
    }
