"""What the fused function leaves to be asked: the rules that have, or may have, something to say."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from gatewright.catalog import sources
from gatewright.model import FACT_UNAVAILABLE, POLICY_FROZEN, Finding, Level, Moment, Outcome, RuleRow
from gatewright.model.codes import ENGINE_CODES
from gatewright.model.decisions import Verdict
from gatewright.policy.policies import Policy, PolicyException, PolicyRule
from gatewright.runner import evaluate, plan
from gatewright.runner.facts import Facts
from gatewright.runner.results import engine_finding, settle

if TYPE_CHECKING:
    from gatewright.runner.gate import Gate


def verdict(gate: "Gate", said: int, facts: Facts) -> Verdict:
    """The verdict on a request for which the fused function of its gate said that some rules are to be asked."""
    asked = [_asked(gate, at, rule, said, facts) for at, rule in enumerate(gate.policy.rules)]
    return of_asked(gate, gate.policy, asked, facts)


def of_asked(gate: "Gate", policy: Policy, asked: Sequence["Asked"], facts: Facts) -> Verdict:
    """The verdict that what was said by each rule of a policy adds up to. gate: that the facts were admitted by."""
    answered = frozenset().union(*(each.answers for each in asked))
    findings = _freeze(policy, facts)
    told: set[str] = set()
    for rule, each in zip(policy.rules, asked, strict=True):
        findings += each.findings
        if each.missing and each.missing not in told:
            told.add(each.missing)
            findings += _unanswered(gate, each.missing, rule, facts, answered)
    return _summed(gate, findings, [each.row for each in asked])


class Asked(Struct, frozen=True):
    """What came of one rule."""

    row: RuleRow
    findings: tuple[Finding, ...] = ()
    missing: str = ""
    answers: frozenset[str] = frozenset()  #: lacking facts for which it denies


def _asked(gate: "Gate", at: int, rule: PolicyRule, said: int, facts: Facts) -> Asked:
    if not said & gate.bits.asked(at) or not plan.is_active(rule):
        return Asked(gate.quiet_row(at, said))
    return ask(rule, facts, gate.policy.exceptions)


def ask(rule: PolicyRule, facts: Facts, exceptions: tuple[PolicyException, ...]) -> Asked:
    """What one rule has to say, and what a policy with these exceptions makes of it."""
    if not plan.is_active(rule):
        return Asked(RuleRow(rule.id, Outcome.OFF, (), rule.place))
    fate = evaluate.fate_of(rule, facts)
    row, found = settle(rule, fate, facts, exceptions, lambda exception: _holds(exception, facts))
    # A rule that the policy has lowered denies for nothing, so what it would have denied may not pass either.
    denies = any(finding.level is Level.DENY for finding in found)
    return Asked(row, found, fate.missing, fate.answers if denies else frozenset())


def _summed(gate: "Gate", findings: list[Finding], rows: list[RuleRow]) -> Verdict:
    denials = (finding.code for finding in findings if finding.denies)
    warnings = (finding.code for finding in findings if finding.level is Level.WARN)
    return Verdict(
        stage=gate.policy.stage,
        policy=gate.ref,
        findings=tuple(findings),
        rows=tuple(rows),
        reasons=tuple(dict.fromkeys(denials)),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _holds(exception: PolicyException, facts: Facts) -> bool:
    """Whether an exception is about this request. One that cannot be decided is not."""
    if exception.when is None:
        return True
    if evaluate.first_lacking(exception.when, facts):
        return False
    return evaluate.traced(exception.when, facts.known).answer is True


def _freeze(policy: Policy, facts: Facts) -> list[Finding]:
    freeze = policy.freeze
    if freeze is None:
        return []
    now = facts.known.get("now")
    if isinstance(now, Moment) and now.epoch >= freeze.until.epoch:
        return []
    message = f"the policy denies everything until {freeze.until.text}: {freeze.reason}"
    return [engine_finding(POLICY_FROZEN, message, freeze.place, "wait, or edit `freeze` in the policy")]


def _unanswered(gate: "Gate", name: str, rule: PolicyRule, facts: Facts, answered: frozenset[str]) -> list[Finding]:
    """The denial for a fact that a rule lacks and no rule denies for, be it for what the fact is made of."""
    if not answered.isdisjoint(_behind(gate, name, facts)):
        return []
    absent = facts.missing.get(name)
    users = [each.id for each in gate.policy.rules if plan.is_active(each) and name in plan.needed_by(each)]
    if absent is not None:
        why = absent.why
    else:
        why = f"`{name}` {'is null' if facts.known.get(name) is None else 'is not there'}"
    message, hint = evaluate.absent_finding(gate.facts.get(name), name, users, why)
    code = absent.code if absent is not None and absent.code in ENGINE_CODES else FACT_UNAVAILABLE
    return [engine_finding(code, message, rule.place, hint)]


def _behind(gate: "Gate", name: str, facts: Facts) -> set[str]:
    """A lacking fact and the lacking facts that it lacks for: what it is made of, and what its probe needed."""
    found = {name}
    waiting = [name]
    while waiting:
        current = waiting.pop()
        absent = facts.missing.get(current)
        causes = [each for each in sources(gate.facts, current) if _lacks(each, facts)]
        causes += [absent.cause] if absent is not None and absent.cause else []
        waiting += [each for each in causes if each not in found]
        found.update(causes)
    return found


def _lacks(name: str, facts: Facts) -> bool:
    value = facts.known.get(name)
    return value is None or plan.is_unread(value)
