"""Problems of files for machines that show them: code scanning, annotations of a workflow, test reports."""

import os
from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import quote

from gatewright.errors import Fix, Problem, Severity
from gatewright.model.decisions import Plain
from gatewright.report import junit, workflow
from gatewright.text import printable

_SARIF_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def sarif(problems: Sequence[Problem]) -> dict[str, Plain]:
    """The problems as a log of SARIF 2.1.0, each with its fix where it has one."""
    checks = list(dict.fromkeys(problem.check for problem in problems))
    driver: dict[str, Plain] = {"name": "gatewright", "rules": [{"id": check} for check in checks]}
    run: dict[str, Plain] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(problem, checks.index(problem.check)) for problem in problems],
    }
    return {"version": "2.1.0", "runs": [run]}


def _result(problem: Problem, rule: int) -> dict[str, Plain]:
    place: dict[str, Plain] = {"startLine": problem.place.line, "startColumn": problem.place.column}
    artifact: dict[str, Plain] = {"uri": _uri(problem.place.file)}
    found: dict[str, Plain] = {
        "ruleId": problem.check,
        "ruleIndex": rule,
        "level": _SARIF_LEVELS[problem.severity],
        "message": {"text": said(problem)},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": place}}],
    }
    if problem.fix is not None:
        change: Plain = {"artifactLocation": artifact, "replacements": [_replacement(problem.fix)]}
        found["fixes"] = [{"description": {"text": problem.hint}, "artifactChanges": [change]}]
    return found


def _replacement(fix: Fix) -> dict[str, Plain]:
    region: dict[str, Plain] = {"charOffset": fix.start, "charLength": fix.end - fix.start}
    return {"deletedRegion": region, "insertedContent": {"text": fix.text}}


def _uri(file: str) -> str:
    return PurePosixPath(file).as_uri() if os.path.isabs(file) else quote(os.fsencode(file))


def said(problem: Problem) -> str:
    """What is wrong, at which key, and what was meant, on one line."""
    where = f"{problem.path}: " if problem.path else ""
    hint = f" ({problem.hint})" if problem.hint else ""
    return printable(f"{where}{problem.message}{hint}")


def github(problems: Sequence[Problem]) -> str:
    """The problems as commands of a GitHub workflow, which shows each beside its line."""
    return "".join(
        workflow.annotation(
            problem.severity.value,
            said(problem),
            file=problem.place.file,
            line=problem.place.line,
            column=problem.place.column,
            title=f"gatewright {problem.check}",
        )
        for problem in problems
    )


def as_junit(problems: Sequence[Problem], files: Sequence[str], failing: frozenset[Severity]) -> str:
    """The problems as a test report: a suite a file, a case a problem, one that passes for a file without any."""
    return junit.report(
        [junit.Suite(file, tuple(_cases(file, problems, failing))) for file in dict.fromkeys(files)],
    )


def _cases(file: str, problems: Sequence[Problem], failing: frozenset[Severity]) -> list[junit.Case]:
    own = [problem for problem in problems if problem.place.file == file]
    if not own:
        return [junit.Case(name="lint")]
    return [
        junit.Case(
            name=f"{each.check} {each.place.line}:{each.place.column}",
            failure=told if each.severity in failing else "",
            output="" if each.severity in failing else told,
        )
        for each in own
        for told in [f"{each.place}: {said(each)}"]
    ]
