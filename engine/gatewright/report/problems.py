"""Problems of files for people: the place, what is wrong, what was meant, and the line itself."""

from collections.abc import Iterable

from gatewright.errors import Problem, Severity
from gatewright.model.decisions import Plain
from gatewright.text import counted, printable


def text(problems: Iterable[Problem], *, excerpts: bool = True) -> str:
    """One problem after the other: `file:line:column: error: what (hint)`, and the line with a caret."""
    lines: list[str] = []
    for problem in problems:
        where = f"{problem.path}: " if problem.path else ""
        hint = f" ({problem.hint})" if problem.hint else ""
        said = printable(f"{where}{problem.message}{hint}")
        lines.append(f"{problem.place}: {problem.severity.value}: {said}")
        if excerpts and problem.excerpt.strip(" ^\n"):
            lines.append(problem.excerpt)
    return "".join(f"{line}\n" for line in lines)


def summary(problems: Iterable[Problem], files: int) -> str:
    """How many problems of each weight in how many files."""
    found = list(problems)
    counts = [
        counted(number, severity.value)
        for severity in Severity
        if (number := sum(problem.severity is severity for problem in found))
    ]
    return f"{counted(files, 'file')}: {', '.join(counts) if counts else 'no problems'}"


def plain(problems: Iterable[Problem]) -> list[Plain]:
    """The same as plain data."""
    return [
        {
            "file": problem.place.file,
            "line": problem.place.line,
            "column": problem.place.column,
            "path": problem.path,
            "message": problem.message,
            "hint": problem.hint,
            "severity": problem.severity.value,
            "check": problem.check,
        }
        for problem in problems
    ]
