"""Problems of files for machines that show them: code scanning, annotations, test reports, spreadsheets, pages."""

from collections.abc import Sequence

from gatewright.errors import Problem, Severity
from gatewright.report import junit, sarif, tap, workflow
from gatewright.report.formats import as_csv, as_json, escaped, markdown_table
from gatewright.text import printable

COLUMNS = ("file", "line", "column", "severity", "check", "path", "message", "hint")


def rendered(name: str, problems: Sequence[Problem], files: Sequence[str], failing: frozenset[Severity]) -> str:
    """The problems in one of these formats. failing: the weights of problems that are failures."""
    if name == "sarif":
        return as_sarif(problems)
    if name == "github":
        return github(problems)
    if name == "csv":
        return as_csv(COLUMNS, [_cells(problem) for problem in problems])
    if name == "markdown":
        return markdown(problems, files)
    suites = [(file, _cases(file, problems, failing)) for file in dict.fromkeys(files)]
    if name == "junit":
        return junit.report([junit.Suite(file, tuple(cases)) for file, cases in suites])
    return tap.report([_point(file, case) for file, cases in suites for case in cases])


NAMES = ("sarif", "github", "junit", "tap", "csv", "markdown")


def as_sarif(problems: Sequence[Problem]) -> str:
    """The problems as a log of SARIF."""
    return as_json(sarif.log(results(problems)))


def results(problems: Sequence[Problem]) -> list[sarif.Result]:
    """The problems, each with its fix where it has one."""
    return [
        sarif.Result(
            rule=problem.check,
            level=problem.severity.value,
            text=said(problem),
            place=problem.place,
            fix=problem.fix,
            fix_text=problem.hint,
        )
        for problem in problems
    ]


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


def _cases(file: str, problems: Sequence[Problem], failing: frozenset[Severity]) -> list[junit.Case]:
    """A case a problem, one that passes for a file without any."""
    own = [problem for problem in problems if problem.place.file == file]
    if not own:
        return [junit.Case(name="lint")]
    return [
        junit.Case(
            name=f"{each.check} {each.place.line}:{each.place.column}",
            failure=told if each.severity in failing else "",
            kind=each.check if each.severity in failing else "",
            output="" if each.severity in failing else told,
        )
        for each in own
        for told in [f"{each.place}: {said(each)}"]
    ]


def _point(file: str, case: junit.Case) -> tap.Point:
    told = case.failure or case.output
    return tap.Point(name=f"{file}: {case.name}", passed=not case.failure, about={"message": told} if told else {})


def _cells(problem: Problem) -> list[str]:
    place = problem.place
    words = (problem.severity.value, problem.check, problem.path, problem.message, problem.hint)
    return [place.file, str(place.line), str(place.column), *words]


def markdown(problems: Sequence[Problem], files: Sequence[str]) -> str:
    """A page of Markdown: a table of the problems, or a word that there are none."""
    lines = ["# Lint", ""]
    if problems:
        lines += markdown_table([column.capitalize() for column in COLUMNS], [_cells(each) for each in problems])
    else:
        lines.append(f"No problem in {', '.join(escaped(file) for file in files)}.")
    return "\n".join(lines) + "\n"
