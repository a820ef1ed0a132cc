"""Problems of files for people: the place, what is wrong, what was meant, and the line itself."""

from collections.abc import Iterable

from gatewright.errors import Fix, Problem, Severity
from gatewright.model.decisions import Plain
from gatewright.text import counted, printable


def text(problems: Iterable[Problem], *, fixed: bool = False) -> str:
    """One problem after the other: `file:line:column: error: what (hint)`, and the line with a caret.

    fixed: they are fixed, which is told in the place of their weight.
    """
    lines: list[str] = []
    for problem in problems:
        where = f"{problem.path}: " if problem.path else ""
        hint = f" ({problem.hint})" if problem.hint else ""
        said = printable(f"{where}{problem.message}{hint}")
        lines.append(f"{problem.place}: {'fixed' if fixed else problem.severity.value}: {said}")
        if not fixed and problem.excerpt.strip(" ^\n"):
            lines.append(problem.excerpt)
    return "".join(f"{line}\n" for line in lines)


def summary(problems: Iterable[Problem], files: int, fixed: int = 0) -> str:
    """How many problems of each weight in how many files, and how many were fixed."""
    found = list(problems)
    counts = [
        counted(number, severity.value)
        for severity in Severity
        if (number := sum(problem.severity is severity for problem in found))
    ]
    counts = [f"{fixed} fixed"] * bool(fixed) + (counts or ["no problems"])
    return f"{counted(files, 'file')}: {', '.join(counts)}"


def plain(problems: Iterable[Problem], *, fixed: bool = False) -> list[Plain]:
    """The same as plain data. fixed: they are fixed."""
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
            "fix": _fix(problem.fix),
            "fixed": fixed,
        }
        for problem in problems
    ]


def _fix(fix: Fix | None) -> Plain:
    return {"start": fix.start, "end": fix.end, "text": fix.text} if fix is not None else None
