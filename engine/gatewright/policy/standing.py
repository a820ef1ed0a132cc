"""Where an exception stands on a day: it holds, is soon over, or has expired.

INVARIANT: whether an exception holds is decided here and nowhere else, so that a check, a dry run, a back-test, a lint
and a report can never differ on it.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from enum import Enum

from gatewright.errors import Problem, Severity
from gatewright.model import Level
from gatewright.policy.policies import Policy, PolicyException
from gatewright.policy.tree import problem
from gatewright.text import counted

SOON_DAYS = 14  #: how long before its end an exception is told to be soon over


class Standing(Enum):
    """Where an exception stands."""

    LIVE = "live"
    ENDING = "soon over"
    EXPIRED = "expired"


def is_live(exception: PolicyException, today: date | None) -> bool:
    """Whether an exception still holds: through its last day, in UTC; never when the day is not known."""
    return today is not None and today <= exception.until


def standing_of(exception: PolicyException, today: date, soon_days: int = SOON_DAYS) -> Standing:
    """Where an exception stands on a day, in UTC."""
    if not is_live(exception, today):
        return Standing.EXPIRED
    try:
        later = today + timedelta(days=soon_days)
    except OverflowError:
        return Standing.ENDING
    return Standing.LIVE if is_live(exception, later) else Standing.ENDING


def can_be_used(policy: Policy, exception: PolicyException) -> bool:
    """Whether some rule of the policy still denies with the exception's code."""
    return any(
        exception.code in rule.codes
        and not rule.locked
        and rule.levels.get(exception.code, Level.WARN if rule.effect == "warn" else Level.DENY) is Level.DENY
        for rule in policy.rules
    )


def problems(policy: Policy, today: date) -> Iterator[Problem]:
    """What lint has to say of a policy's exceptions on a day."""
    for exception in policy.exceptions:
        who = f"exception `{exception.id}` of {exception.owner}"
        until = exception.until.isoformat()
        standing = standing_of(exception, today)
        if standing is Standing.EXPIRED:
            hint = "remove it, or have its owner decide on another day"
            yield _problem(policy, exception, f"{who} has expired after {until}", hint, "exception-expired")
        elif standing is Standing.ENDING:
            hint = "its owner decides whether the denial may come back"
            yield _problem(policy, exception, f"{who} ends after {until}", hint, "exception-ending", Severity.NOTE)
        if not can_be_used(policy, exception):
            message = f"{who} lets nothing through: no rule denies with `{exception.code}`"
            yield _problem(policy, exception, message, "remove it", "exception-unused")


def unused(policy: Policy, exception: PolicyException, cases: int) -> Problem:
    """The problem of an exception that none of so many decisions of cases uses."""
    looked_at = counted(cases, "decision")
    message = f"no case uses exception `{exception.id}` of {exception.owner}; {looked_at} of this policy looked at"
    return _problem(policy, exception, message, "show what it is for in a case, or remove it", "exception-unused")


def _problem(
    policy: Policy,
    exception: PolicyException,
    message: str,
    hint: str,
    check: str,
    severity: Severity = Severity.WARNING,
) -> Problem:
    at = policy.exceptions.index(exception)
    return problem(
        policy.source,
        exception.place.line,
        exception.place.column,
        message,
        hint=hint,
        path=f"exceptions[{at}]",
        severity=severity,
        check=check,
    )
