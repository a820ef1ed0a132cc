"""How one rule fared, and how the fates of all rules add up to a verdict."""

from collections.abc import Callable, Mapping
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from gatewright.errors import AdmissionError, Place
from gatewright.expressions.admission import admitted_map
from gatewright.model import Finding, FindingStatus, Level, Moment, Outcome, RuleRow
from gatewright.model.codes import ENGINE_CODES
from gatewright.model.decisions import Plain
from gatewright.policy import standing
from gatewright.policy.policies import PolicyException, PolicyRule
from gatewright.runner.facts import Facts, worded
from gatewright.text import is_blank


class Fate(Struct, frozen=True, kw_only=True):
    """What one rule had to say, before the policy's levels, overrides and exceptions."""

    findings: tuple[Finding, ...] = ()
    not_applicable: str = ""  #: why the rule does not apply
    missing: str = ""  #: the fact for the lack of which it does not apply
    answers: frozenset[str] = frozenset()  #: facts that are lacking and that its findings are about


Holds = Callable[[PolicyException], bool]  #: whether an exception's `when` is true for this request


def settle(
    rule: PolicyRule, fate: Fate, facts: Facts, exceptions: tuple[PolicyException, ...], holds: Holds
) -> tuple[RuleRow, tuple[Finding, ...]]:
    """The row of a rule, and its findings with the level and status that the policy gives them."""
    if fate.not_applicable:
        return RuleRow(rule.id, Outcome.NOT_APPLICABLE, (), rule.place, fate.not_applicable), ()
    found = [_placed(rule, finding, facts) for finding in fate.findings]
    found = [_levelled(rule, finding) for finding in found]
    found = [finding for finding in found if finding.level is not Level.OFF]
    found = [_overridden(rule, finding, facts) for finding in found]
    found = [_excepted(rule, finding, facts.known, exceptions, holds) for finding in found]
    return _row(rule, found), tuple(found)


def _placed(rule: PolicyRule, finding: Finding, facts: Facts) -> Finding:
    message, hint = facts.masked(finding.message), facts.masked(finding.hint)
    where = finding.where or rule.place
    return replace(finding, message=message, hint=hint, rule=rule.id, where=where, data=_figures(finding, facts))


def _figures(finding: Finding, facts: Facts) -> Mapping[str, Plain]:
    """The figures of a finding; none where they are no plain data, so that they cannot hide the finding itself."""
    if not finding.data:
        return finding.data
    try:
        data = admitted_map(finding.data)
    except (AdmissionError, TypeError, ValueError):
        return {}
    return {facts.masked(name): facts.masked_value(value) for name, value in data.items()}  # type: ignore[misc]  # plain


def _levelled(rule: PolicyRule, finding: Finding) -> Finding:
    level = rule.levels.get(finding.code)
    if level is None or finding.code in ENGINE_CODES or (rule.locked and finding.level is Level.DENY):
        return finding
    return replace(finding, level=level)


def _overridden(rule: PolicyRule, finding: Finding, facts: Facts) -> Finding:
    name = rule.overrides.get(finding.code)
    if name is None or not finding.denies or finding.code in ENGINE_CODES or rule.locked:
        return finding
    text = facts.known.get(name)
    if not isinstance(text, str) or is_blank(text):
        return finding
    by = worded(text.strip(), secret=True) if name in facts.secrets else facts.masked(text.strip())
    return replace(finding, status=FindingStatus.OVERRIDDEN, by=by)


def _excepted(
    rule: PolicyRule,
    finding: Finding,
    facts: Mapping[str, object],
    exceptions: tuple[PolicyException, ...],
    holds: Holds,
) -> Finding:
    if not finding.denies or finding.code in ENGINE_CODES or rule.locked:
        return finding
    now = facts.get("now")
    today = date.fromisoformat(now.date) if isinstance(now, Moment) else None
    for exception in exceptions:
        if exception.code != finding.code or not holds(exception):
            continue
        if standing.is_live(exception, today):
            return replace(finding, status=FindingStatus.EXCEPTED, by=exception.id)
        finding = replace(finding, hint=_lapsed(finding.hint, exception, today))
    return finding


def _lapsed(hint: str, exception: PolicyException, today: date | None) -> str:
    if today is None:
        said = f"exception `{exception.id}` does not hold while the time is not known"
    else:
        said = f"exception `{exception.id}` of {exception.owner} expired after {exception.until.isoformat()}"
    return f"{hint}; {said}" if hint else said


_BY_STATUS = {FindingStatus.OVERRIDDEN: Outcome.OVERRIDDEN, FindingStatus.EXCEPTED: Outcome.EXCEPTED}
_BY_LEVEL = {Level.DENY: Outcome.DENIED, Level.WARN: Outcome.WARNED, Level.NOTE: Outcome.NOTED}
_ORDER = (
    Outcome.ERRORED,
    Outcome.DENIED,
    Outcome.OVERRIDDEN,
    Outcome.EXCEPTED,
    Outcome.WARNED,
    Outcome.NOTED,
    Outcome.PASSED,
)


def _outcome(finding: Finding) -> Outcome:
    if finding.code in ENGINE_CODES:
        return Outcome.ERRORED
    return _BY_STATUS.get(finding.status) or _BY_LEVEL[finding.level]


def _row(rule: PolicyRule, findings: list[Finding]) -> RuleRow:
    outcomes = {_outcome(finding) for finding in findings} | {Outcome.PASSED}
    worst = next(outcome for outcome in _ORDER if outcome in outcomes)
    codes = tuple(dict.fromkeys(finding.code for finding in findings))
    why = next((finding.by for finding in findings if finding.by and _outcome(finding) is worst), "")
    return RuleRow(rule.id, worst, codes, rule.place, why)


def engine_finding(code: str, message: str, where: Place | None, hint: str = "") -> Finding:
    """A denial that the engine itself gives; nothing lets it through."""
    return Finding(code=code, level=Level.DENY, message=message, hint=hint, rule="engine", where=where)
