"""Dry runs for machines that show them: test reports, code scanning, annotations of a workflow, spreadsheets, pages."""

import re
from collections.abc import Sequence

from gatewright.errors import Place
from gatewright.report import junit, sarif, tap, workflow
from gatewright.report.decision import headline
from gatewright.report.formats import as_csv, as_json, escaped, markdown_table
from gatewright.report.trials import Result, Run, summary

COLUMNS = ("file", "line", "case", "result", "expected", "decision", "differences", "why")
_CODE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$")
_ERROR = "case-error"  #: the kind of a case that cannot be run
_OTHER = "unexpected-outcome"  #: of a difference that is about no code


def rendered(name: str, runs: Sequence[Run]) -> str:
    """The dry runs in one of these formats."""
    if name == "sarif":
        return as_json(sarif.log([found for run in runs for found in _results(run)]))
    return _FORMATS[name](runs)


def wrong(run: Run) -> str:
    """Why a case does not pass, as text."""
    if run.error:
        return run.error
    came = [f"got {headline(run.decision)}"] if run.decision is not None else []
    return "\n".join([*run.differences, f"expected {run.expected}", *came])


def code_of(difference: str) -> str:
    """The reason code that a difference is about."""
    words = difference.removesuffix(" was not given")
    found = _CODE.search(words)
    return found.group() if found is not None else _OTHER


def github(runs: Sequence[Run]) -> str:
    """The cases that do not pass as commands of a GitHub workflow."""
    return "".join(
        workflow.annotation("error", wrong(run), file=run.file, line=run.line, column=run.column, title=run.name)
        for run in runs
        if not run.passed
    )


def as_junit(runs: Sequence[Run]) -> str:
    """A suite a policy, with its digest; a case is grouped by the rule that its decision hangs on."""
    policies = dict.fromkeys(run.policy for run in runs)
    return junit.report([_suite(policy, [run for run in runs if run.policy == policy]) for policy in policies])


def _suite(policy: str, runs: Sequence[Run]) -> junit.Suite:
    digests = dict.fromkeys(run.decision.policy.digest for run in runs if run.decision is not None)
    properties = {"policy_digest": next(iter(digests))} if len(digests) == 1 else {}
    return junit.Suite(policy, tuple(_junit_case(run) for run in runs), properties)


def _junit_case(run: Run) -> junit.Case:
    failed = run.result is Result.FAIL
    return junit.Case(
        name=f"{run.file}::{run.name}",
        group=rule_of(run),
        failure=wrong(run) if failed else "",
        kind=code_of(run.differences[0]) if failed and run.differences else "",
        error=run.error,
        skipped=run.why if run.result in (Result.SKIP, Result.XFAIL) else "",
    )


def rule_of(run: Run) -> str:
    """The rule that a decision hangs on: of its first finding, else of what is missing, else the policy as a whole."""
    if run.decision is None:
        return run.policy
    findings = run.decision.findings
    telling = [finding for finding in findings if finding.denies] or list(findings)
    if telling:
        return telling[0].rule
    owing = [run.owed[code] for code in map(code_of, run.differences) if code in run.owed]
    return owing[0].rule if owing else run.decision.policy.id


def _results(run: Run) -> list[sarif.Result]:
    """What is wrong with a case, at the rule that gave the code or owes it, with the case as a related place."""
    here = Place(run.file, run.line, run.column)
    if run.result is Result.ERROR:
        return [sarif.Result(rule=_ERROR, level="error", text=f"{run.name}: {run.error}", place=here)]
    if run.result is Result.PASS or run.result is Result.SKIP:
        return []
    places = {code: owing.place for code, owing in run.owed.items()}
    if run.decision is not None:
        places |= {each.code: each.where for each in run.decision.findings if each.where}
    found = []
    for difference in run.differences:
        code = code_of(difference)
        place = places.get(code)
        found.append(
            sarif.Result(
                rule=code,
                level="error",
                text=f"{run.name}: {difference}",
                place=place or here,
                related=(here,) if place is not None else (),
                accepted=run.why if run.result is Result.XFAIL else "",
            )
        )
    return found


def as_tap(runs: Sequence[Run]) -> str:
    """A point a case."""
    return tap.report([_point(run) for run in runs])


def _point(run: Run) -> tap.Point:
    about = {"message": wrong(run), "at": run.where} if not run.passed else {}
    return tap.Point(
        name=run.id,
        passed=run.result in (Result.PASS, Result.SKIP),
        skip=run.why if run.result is Result.SKIP else "",
        todo=run.why if run.result is Result.XFAIL else "",
        about=about,
    )


def _cells(run: Run) -> list[str]:
    came = headline(run.decision) if run.decision is not None else ""
    told = "; ".join(run.differences) or run.error
    return [run.file, str(run.line), run.name, run.result.value, run.expected, came, told, run.why]


def csv(runs: Sequence[Run]) -> str:
    """A line a case."""
    return as_csv(COLUMNS, [_cells(run) for run in runs])


def markdown(runs: Sequence[Run]) -> str:
    """A page of Markdown: a count, a table of the cases, and why some do not pass."""
    lines = ["# Dry runs", "", escaped(summary(runs, 0)), ""]
    lines += markdown_table([column.capitalize() for column in COLUMNS], [_cells(run) for run in runs])
    return "\n".join(lines) + "\n"


_FORMATS = {"github": github, "junit": as_junit, "tap": as_tap, "csv": csv, "markdown": markdown}
NAMES = ("sarif", *_FORMATS)
