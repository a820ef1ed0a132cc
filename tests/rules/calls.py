"""Calling a rule by itself: its codes, its levels, and what its plain form says on the same inputs."""

from gatewright.expressions.checker import checked
from gatewright.expressions.emit import compiled
from gatewright.expressions.nodes import roots
from gatewright.expressions.schema import Schema
from gatewright.expressions.tracer import trace
from gatewright.model import Finding, Level
from gatewright.spec import REQUIRED, Rule

DENY, WARN = Level.DENY, Level.WARN


def findings_of(rule: Rule, **given: object) -> list[Finding]:
    """What a rule yields on these facts and options; options that are left out have their defaults."""
    known = {wanted.name for wanted in rule.wants} | {option.name for option in rule.options}
    assert set(given) <= known, f"{rule.id} asks for {sorted(known)}"
    return list(rule.function(**given))


def codes_of(rule: Rule, **given: object) -> list[str]:
    """The codes that a rule gives on these facts and options, in order."""
    return [finding.code for finding in findings_of(rule, **given)]


def levels_of(rule: Rule, **given: object) -> list[tuple[str, Level]]:
    """The codes that a rule gives on these facts and options, each with its level."""
    return [(finding.code, finding.level) for finding in findings_of(rule, **given)]


def with_options(rule: Rule, given: dict[str, object]) -> dict[str, object]:
    """Facts and options, those of the rule's defaults included, as an expression sees them: tuples are lists."""
    options = {option.name: option.default for option in rule.options if option.default is not REQUIRED}
    both = {**options, **given}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in both.items()}


def fires(rule: Rule, **given: object) -> bool:
    """Whether the rule would be asked: its plain form is true, or cannot be decided.

    Both evaluators are asked, and neither may answer otherwise than the other.
    """
    assert rule.fires is not None
    names = {wanted.name: wanted.type for wanted in rule.wants}
    names |= {option.name: option.type for option in rule.options}
    tree, _ = checked(rule.fires, Schema(names=names))
    values = with_options(rule, given)
    traced = trace(tree, rule.fires, values, condition=True)
    try:
        answer = compiled(tree)(*(values[name] for name in roots(tree)))
    except (TypeError, AttributeError, KeyError, OverflowError, ValueError):
        assert traced.fault is not None, "the compiled form raises where the traced one answers"
        return True
    assert traced.fault is None, "the traced form errs where the compiled one answers"
    assert answer is traced.answer
    return answer is True
