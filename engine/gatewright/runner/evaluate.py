"""One rule at a time: slower than the fused function, and able to say what it found and why."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gatewright.errors import Fault
from gatewright.expressions import narrowing
from gatewright.expressions.nodes import reads_field, roots
from gatewright.model import RULE_ERROR, Finding, FindingStatus, Level, deny
from gatewright.policy.policies import Expression, PolicyRule, Template
from gatewright.runner.facts import Facts, worded
from gatewright.runner.plan import is_unread
from gatewright.runner.results import Fate, engine_finding
from gatewright.spec import Fact, Rule
from gatewright.text import printable

if TYPE_CHECKING:
    from gatewright.expressions.tracer import Trace


def fate_of(rule: PolicyRule, facts: Facts) -> Fate:
    """What a rule has to say about these facts. Never raises: what goes wrong is a denial."""
    if rule.when is not None:
        lacking = first_lacking(rule.when, facts)
        if lacking:
            return Fate(not_applicable=f"needs {lacking}", missing=lacking)
        found = traced(rule.when, facts.known)
        if found.fault is not None:
            return Fate(findings=(fault_finding(rule.when, found.fault),))
        if found.answer is False:
            return Fate(not_applicable="`when` is false")
    if rule.rule is not None:
        return _python_fate(rule, rule.rule, facts)
    assert rule.condition is not None
    return _expression_fate(rule, rule.condition, facts)


def first_lacking(expression: Expression, facts: Facts) -> str:
    """The first fact that an expression reads and that cannot be had; empty if all are there.

    A noun that could not be had, such as an unreadable contract, is there only for an expression that asks for just
    that: `contract.readable`.
    """
    for name in roots(expression.tree):
        value = facts.known.get(name)
        if name in facts.missing or (is_unread(value) and not _asks(expression, name, value)):
            return name
    return ""


def _asks(expression: Expression, name: str, value: object) -> bool:
    return reads_field(expression.tree, name, getattr(type(value), "MISSING", ""))


def traced(expression: Expression, facts: Mapping[str, object]) -> "Trace":
    """The trace of a condition of the policy."""
    from gatewright.expressions.tracer import trace

    return trace(expression.tree, expression.text, facts, condition=True)


def fault_finding(expression: Expression, fault: Fault) -> Finding:
    """The denial for an expression that met something it may not guess about."""
    where = expression.place(fault.start)
    message = f"`{expression.text.strip()}` cannot be decided: {fault.message}"
    return engine_finding(fault.code, message, where, fault.hint or "guard it with `has(…)` or `default(…)`")


# -- expression rules --------------------------------------------------------------------------------------------------


def _expression_fate(rule: PolicyRule, condition: Expression, facts: Facts) -> Fate:
    lacking = first_lacking(condition, facts)
    if lacking:
        return Fate(not_applicable=f"needs {lacking}", missing=lacking)
    found = traced(condition, facts.known)
    if found.fault is not None:
        return Fate(findings=(fault_finding(condition, found.fault),))
    if found.answer is (rule.effect == "require"):
        return Fate()
    level = Level.WARN if rule.effect == "warn" else Level.DENY
    finding = Finding(code=rule.code, level=level, message=message_of(rule, facts), hint=rule.hint)
    return Fate(findings=(finding,), answers=_answered(rule, condition, facts))


def _answered(rule: PolicyRule, condition: Expression, facts: Facts) -> frozenset[str]:
    """The lacking facts that a condition is about: nouns that it asks for, and facts that it denies for being null."""
    denied_null = narrowing.not_null(condition.tree, condition.text, truth=rule.effect == "require")
    known = {name: facts.known.get(name) for name in roots(condition.tree)}
    return frozenset(
        name
        for name, value in known.items()
        if (value is None and name in denied_null) or (is_unread(value) and _asks(condition, name, value))
    )


def message_of(rule: PolicyRule, facts: Facts) -> str:
    """The rule's message with the facts filled in; a message that fails is told as failed, never left out."""
    if rule.message is None:
        assert rule.condition is not None
        verb = "is not true" if rule.effect == "require" else "is true"
        return f"`{printable(' '.join(rule.condition.text.split()))}` {verb}"
    return filled(rule.message, facts)


def filled(template: Template, facts: Facts) -> str:
    """A message with its facts."""
    from gatewright.expressions.tracer import trace

    words = [template.pieces[0]]
    for path, piece in zip(template.paths, template.pieces[1:], strict=True):
        found = trace(path.tree, path.text, facts.known)
        secret = not facts.secrets.isdisjoint(roots(path.tree))
        # Another fact may hold a secret: it is masked before it is escaped or cut, after which nobody would know it.
        value = found.answer if secret else facts.masked_value(found.answer)
        words.append(f"({path.text} is not known)" if found.fault is not None else worded(value, secret=secret))
        words.append(piece)
    return "".join(words)


# -- registered rules --------------------------------------------------------------------------------------------------


def _python_fate(entry: PolicyRule, rule: Rule, facts: Facts) -> Fate:
    arguments: list[object] = []
    for wanted in rule.wants:
        absent = facts.missing.get(wanted.name)
        if absent is not None:
            if wanted.name in rule.owns and absent.code in rule.codes:
                found = deny(absent.code, absent.why, hint="give it as it should be")
                return Fate(findings=(found,), missing=wanted.name, answers=frozenset([wanted.name]))
            return Fate(not_applicable=f"needs {wanted.name}", missing=wanted.name)
        value = facts.known[wanted.name]
        unread = is_unread(value) and wanted.name not in rule.owns
        if unread or (value is None and not wanted.type.optional):
            return Fate(not_applicable=f"needs {wanted.name}", missing=wanted.name)
        arguments.append(_own_copy(value))
    lacking = (name for name in rule.owns if facts.known.get(name) is None or is_unread(facts.known.get(name)))
    return Fate(findings=tuple(_called(entry, rule, arguments)), answers=frozenset(lacking))


def _own_copy(value: object) -> object:
    """A list or map of the rule's own, so that a rule that changes it changes nobody else's facts."""
    if isinstance(value, list):
        return list(value)
    return dict(value) if isinstance(value, dict) else value


def _called(entry: PolicyRule, rule: Rule, arguments: list[object]) -> list[Finding]:
    found: list[Finding] = []
    try:
        for finding in rule.function(*arguments, **entry.options):
            wrong = _wrong_finding(rule, finding)
            if wrong:
                return [*found, _rule_error(entry, wrong)]
            found.append(finding)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  a broken rule closes the gate, never opens it
        # The text of a strange exception may hold values of the request: the kind and the place are told, not the text.
        found.append(_rule_error(entry, f"it raised {type(error).__name__}{_origin(error)}"))
    return found


def _wrong_finding(rule: Rule, finding: object) -> str:
    if not isinstance(finding, Finding):
        return f"it yielded {type(finding).__name__}, not a finding"
    if finding.code not in rule.codes:
        return f"it gave `{printable(str(finding.code))[:60]}`, which it does not declare"
    level: object = finding.level  # whatever the rule put there
    if not isinstance(level, Level):
        return "it gave a level that is none"
    if type(finding.message) is not str or type(finding.hint) is not str:
        return "it gave a message or hint that is no text"
    if finding.status is not FindingStatus.ACTIVE or finding.by:
        return "it let its own finding through, which the policy alone may do"
    return ""


def _origin(error: BaseException) -> str:
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return ""
    code = traceback.tb_frame.f_code
    return f" in {code.co_name}, line {traceback.tb_lineno}"


def _rule_error(entry: PolicyRule, problem: str) -> Finding:
    return engine_finding(RULE_ERROR, f"rule `{entry.id}` failed: {problem}", entry.place, "mend the rule")


def absent_finding(fact: Fact | None, name: str, needed_by: list[str], why: str) -> tuple[str, str]:
    """Message and hint for a fact that no rule answers for."""
    rules = ", ".join(f"`{rule}`" for rule in needed_by)
    hint = f"rule {rules} needs it" if len(needed_by) == 1 else f"rules {rules} need it"
    source = f" ({fact.source.value})" if fact is not None else ""
    return f"fact `{name}`{source} cannot be had: {why}", hint
