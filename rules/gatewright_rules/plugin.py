"""The hooks by which the built-in rules and facts are offered, as any plugin offers its own."""

from collections.abc import Iterable

from gatewright.spec import Fact, Rule, hookimpl
from gatewright_rules import FACTS, RULES


@hookimpl
def gatewright_rules() -> Iterable[Rule]:
    """The gate checks, in the order of the shipped policy."""
    return RULES


@hookimpl
def gatewright_facts() -> Iterable[Fact]:
    """The facts of the stages that have gate checks."""
    return FACTS
