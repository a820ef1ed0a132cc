"""What a policy's rules make of each other: rules that never fire, always fire, or are shadowed by an earlier one.

What stands in a condition and is no comparison of a fact with a constant is left free on the grid, so a report is never
false; it may be missing.
"""

from collections.abc import Mapping

from gatewright.errors import Problem, Severity
from gatewright.model import Level
from gatewright.policy import contradictions
from gatewright.policy.conditions import MAX_POINTS, Condition, Reader, fires, points, shared, size
from gatewright.policy.policies import Policy, PolicyRule
from gatewright.policy.tree import problem

MAX_WORK = 3_000_000  #: points looked at in one policy


def findings(policy: Policy) -> list[Problem]:
    """Warnings on rules that never fire, always fire, or are shadowed, in the order of the policy."""
    reader = Reader(policy.params)
    conditions = [(rule, reader.condition(rule)) for rule in policy.rules if rule.condition is not None]
    found: list[Problem] = []
    budget = MAX_WORK
    for at, (rule, condition) in enumerate(conditions):
        if budget <= 0:
            break
        outcome, work = _outcomes(condition)
        budget -= work
        if outcome:
            found.append(_constant(rule, policy.params, fires=outcome == "always"))
            continue
        for other, before in conditions[:at]:
            if budget > 0 and _can_shadow(policy, other, rule):
                shadowed, work = _shadows(before, condition)
                budget -= work
                if shadowed:
                    found.append(_shadowed(rule, other))
                    break
                if _both_deny(rule, other) and contradictions.deny_everything(before, condition):
                    found.append(_contradicting(rule, other))
    return found


def _constant(rule: PolicyRule, params: Mapping[str, object], *, fires: bool) -> Problem:
    what = "denies every request" if fires else "can never fire"
    if rule.effect == "warn" and fires:
        what = "warns of every request"
    pair = contradictions.cannot_both_hold(rule, params) if not fires else None
    if pair is not None:
        what += f": {' and '.join(map(contradictions.worded, pair))} cannot both hold"
    return _warning(rule, f"rule `{rule.id}` {what}", "its comparisons contradict or cover each other", "constant-rule")


def _contradicting(rule: PolicyRule, other: PolicyRule) -> Problem:
    message = f"rule `{rule.id}` and rule `{other.id}` on line {other.place.line} deny every request between them"
    return _warning(rule, message, "leave a request that both let pass", "contradicting-rules")


def _shadowed(rule: PolicyRule, other: PolicyRule) -> Problem:
    message = f"rule `{rule.id}` finds nothing that rule `{other.id}` on line {other.place.line} does not find first"
    return _warning(rule, message, "remove it, or narrow the earlier one", "shadowed-rule")


def _warning(rule: PolicyRule, message: str, hint: str, check: str) -> Problem:
    assert rule.condition is not None
    return problem(
        rule.condition.source,
        rule.place.line,
        rule.place.column,
        message,
        hint=hint,
        path=f"{rule.path}.{rule.effect}",
        severity=Severity.WARNING,
        check=check,
    )


def _can_shadow(policy: Policy, earlier: PolicyRule, later: PolicyRule) -> bool:
    """Whether a finding of the earlier rule always counts where one of the later would, at the same level."""
    excepted = {exception.code for exception in policy.exceptions}
    lets_through = bool(earlier.overrides) or earlier.code in excepted
    return not lets_through and _level(earlier) is _level(later)


def _both_deny(rule: PolicyRule, other: PolicyRule) -> bool:
    return not rule.overrides and not other.overrides and _level(rule) is _level(other) is Level.DENY


def _level(rule: PolicyRule) -> Level:
    return rule.levels.get(rule.code, Level.WARN if rule.effect == "warn" else Level.DENY)


# -- looking at the grid -----------------------------------------------------------------------------------------------


def _outcomes(condition: Condition) -> tuple[str, int]:
    """`never`, `always`, or nothing, and how many points it took to know."""
    if size(condition.domains) > MAX_POINTS:
        return "", 1
    seen: set[object] = set()
    for work, point in enumerate(points(condition.domains), 1):
        seen.add(fires(condition, point))
        if len(seen) > 1 or None in seen:
            return "", work
    return ("always" if seen == {True} else "never"), size(condition.domains)


def _shadows(earlier: Condition, later: Condition) -> tuple[bool, int]:
    """Whether the earlier condition holds wherever the later one does, and how many points it took to know."""
    both = shared(earlier, later)
    if not set(earlier.domains) & set(later.domains) or size(both) > MAX_POINTS:
        return False, 1
    work = 0
    for point in points(both):
        work += 1
        if fires(later, point) is not False and fires(earlier, point) is not True:
            return False, work
    return True, work
