"""Mutants for people and programs: which of them no case notices, and the case that would."""

from collections.abc import Iterator
from math import floor

from gatewright.errors import Problem, Severity
from gatewright.model.decisions import Plain
from gatewright.model.mutations import Fate, Mutated, Mutation
from gatewright.report import junit, workflow
from gatewright.report.formats import as_csv, escaped, markdown_table, table
from gatewright.text import counted, printable

HEADERS = ("POLICY", "KIND", "MUTANTS", "KILLED", "SURVIVED", "UNDECIDED", "EQUIVALENT")
CSV_COLUMNS = ("policy", "line", "column", "subject", "kind", "fate", "before", "after", "killed_by", "case", "file")


def summary(mutation: Mutation) -> str:
    """How many mutants some case notices, of how many that could be noticed."""
    share = floor(mutation.percent * 10) / 10
    judged = mutation.count(Fate.KILLED) + len(mutation.alive)
    told = f"mutation {share:.1f} %: {mutation.count(Fate.KILLED)} of {counted(judged, 'mutant')} killed"
    same = mutation.count(Fate.EQUIVALENT)
    return f"{told} by {counted(mutation.cases, 'case')}" + (f", {same} more equivalent" if same else "")


def text(mutation: Mutation, *, style: str = "", width: int = 0) -> str:
    """A table of counts, and below it each mutant that no case notices with the case that would."""
    parts = [table(_rows(mutation), HEADERS, style=style, width=width)]
    parts += ["\n".join(_told(each)) + "\n" for each in mutation.alive]
    return "\n".join([*parts, summary(mutation) + "\n"])


def _rows(mutation: Mutation) -> list[list[str]]:
    groups: dict[tuple[str, str], list[Mutated]] = {}
    for each in mutation.mutants:
        groups.setdefault((each.policy, each.kind), []).append(each)
    rows = []
    for (policy, kind), held in groups.items():
        counts = [sum(each.fate is fate for each in held) for fate in Fate]
        rows.append([policy, kind, str(len(held)), *map(str, counts)])
    return rows


def _told(each: Mutated) -> Iterator[str]:
    yield f"{each.place}: {printable(each.subject)}: {each.kind} {each.fate.value}"
    yield from diff(each)
    if each.case:
        yield f"    no case notices; this one would, in {printable(each.file)}:"
        yield from (f"      {printable(line)}" for line in each.case.splitlines())
    else:
        yield "    no case notices, and none that would was found"


def diff(each: Mutated) -> list[str]:
    """What the policy says and what the mutant says, line by line."""
    lines = [f"    - {printable(line)}" for line in each.before.splitlines()]
    return lines + [f"    + {printable(line)}" for line in each.after.splitlines()]


# -- for programs ------------------------------------------------------------------------------------------------------


def plain(mutation: Mutation) -> dict[str, Plain]:
    """The mutants as plain data."""
    return {
        "cases": mutation.cases,
        "percent": floor(mutation.percent * 10) / 10,
        "summary": {fate.value: mutation.count(fate) for fate in Fate},
        "mutants": [_plain(each) for each in mutation.mutants],
    }


def _plain(each: Mutated) -> dict[str, Plain]:
    return {
        "policy": each.policy,
        "where": str(each.place),
        "subject": each.subject,
        "kind": each.kind,
        "fate": each.fate.value,
        "before": each.before,
        "after": each.after,
        "killed_by": each.killed_by,
        "case": each.case,
        "file": each.file,
    }


def csv(mutation: Mutation) -> str:
    """A line a mutant."""
    lines = [
        [
            *(each.policy, str(each.place.line), str(each.place.column), each.subject, each.kind, each.fate.value),
            *(each.before, each.after, each.killed_by, each.case, each.file),
        ]
        for each in mutation.mutants
    ]
    return as_csv(CSV_COLUMNS, lines)


def markdown(mutation: Mutation) -> str:
    """A page of Markdown."""
    headers = [header.capitalize() for header in HEADERS]
    lines = ["# Mutation", "", f"{escaped(summary(mutation))}.", "", *markdown_table(headers, _rows(mutation))]
    for each in mutation.alive:
        lines += ["", f"## {escaped(str(each.place))}: {escaped(each.subject)}, {each.kind}", ""]
        lines += [*diff(each), ""]
        if each.case:
            lines += [f"No case notices. This one would, in {escaped(each.file)}:", ""]
            lines += [f"    {printable(line)}" for line in each.case.splitlines()]
        else:
            lines.append("No case notices, and none that would was found.")
    return "\n".join(lines) + "\n"


def github(mutation: Mutation) -> str:
    """The mutants that no case notices as commands of a GitHub workflow, each beside its line."""
    return "".join(
        workflow.annotation(
            "warning",
            "\n".join(["no case notices:", *(line.strip() for line in diff(each))]),
            file=each.place.file,
            line=each.place.line,
            column=each.place.column,
            title=f"{each.kind} of {each.subject}",
        )
        for each in mutation.alive
    )


def problems(mutation: Mutation) -> list[Problem]:
    """The mutants that no case notices as problems at their places, each found by a check with the kind's name."""
    return [
        Problem(
            place=each.place,
            message=f"{each.subject}: no case notices `{_line(each.after)}` in the place of `{_line(each.before)}`",
            hint=_line(each.case) if each.case else "",
            severity=Severity.WARNING,
            check=each.kind,
        )
        for each in mutation.alive
    ]


def _line(text: str) -> str:
    return " ".join(text.split()) or "nothing"


def as_junit(mutation: Mutation) -> str:
    """A suite a policy, a case a mutant, which fails where no case notices it."""
    suites: dict[str, list[junit.Case]] = {}
    for each in mutation.mutants:
        failure = "\n".join(_told(each)) if each in mutation.alive else ""
        name = f"{each.place.line}:{each.place.column} {each.subject} {each.kind} {each.after or 'removed'}"
        suites.setdefault(each.policy, []).append(
            junit.Case(name=name, group=each.subject, failure=failure, kind=each.kind)
        )
    return junit.report([junit.Suite(policy, tuple(cases)) for policy, cases in suites.items()])
