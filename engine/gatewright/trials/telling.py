"""A dry run as reports see it."""

import os

from gatewright.report.trials import Owing, Result, Run
from gatewright.text import counted
from gatewright.trials.fixtures import Case
from gatewright.trials.runs import Trial


def run_of(trial: Trial) -> Run:
    """What a report needs to know of a trial."""
    case = trial.case
    return Run(
        id=case.id,
        name=case.name,
        file=case.place.file,
        where=str(case.place),
        line=case.place.line,
        column=case.place.column,
        result=_result(trial),
        expected=_expected(case),
        differences=_differences(trial),
        error=trial.error,
        why=case.skip or case.xfail,
        decision=trial.decision,
        explanation=trial.explanation,
        policy=trial.decision.policy.path if trial.decision is not None else _named(case),
        owed=_owed(trial) if trial.differences else {},
    )


def _owed(trial: Trial) -> dict[str, Owing]:
    """The first rule that may give each code, in the policies that judged the case."""
    found: dict[str, Owing] = {}
    for judged in trial.judged:
        for rule in judged.gate.policy.rules:
            for code in rule.codes:
                found.setdefault(code, Owing(rule.id, rule.place))
    return found


def _named(case: Case) -> str:
    """The policy that a case names, from the working directory."""
    return os.path.normpath(os.path.join(os.path.dirname(case.place.file), case.policy))


def _result(trial: Trial) -> Result:
    if trial.error:
        return Result.ERROR
    if trial.skipped:
        return Result.SKIP
    if not trial.passed:
        return Result.FAIL
    return Result.XFAIL if trial.case.xfail else Result.PASS


def _differences(trial: Trial) -> tuple[str, ...]:
    if trial.passed or trial.error or trial.differences:
        return trial.differences
    return (f"it comes out as expected, and is marked `xfail`: {trial.case.xfail}",)


def _expected(case: Case) -> str:
    if case.steps:
        return f"what its {counted(len(case.steps), 'step')} {'says' if len(case.steps) == 1 else 'say'}"
    expect = case.expect
    words = ["DENY " + ", ".join(sorted(expect.deny))] if expect.deny else ["ALLOW"]
    for word, codes in (("warnings", expect.warn), ("overridden", expect.overridden), ("excepted", expect.excepted)):
        if codes:
            words.append(f"{word}: {', '.join(sorted(codes))}")
    return ", ".join(words)
