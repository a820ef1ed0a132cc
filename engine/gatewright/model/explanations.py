"""Why a decision is as it is: for each rule its condition, the values that it met, and where they came from."""

from collections.abc import Mapping

from msgspec import Struct

from gatewright.errors import Place
from gatewright.model.decisions import Finding, GateDecision, Outcome, Plain, RuleRow


class Operand(Struct, frozen=True):
    """A fact that a condition read: its name, its value in words, and where it came from."""

    name: str
    value: str
    source: str


class Clause(Struct, frozen=True):
    """One comparison of a condition: as written, with values, and how it turned out."""

    text: str
    values: str
    result: str  #: `true`, `false`, `not reached`, or the fault's code


class Change(Struct, frozen=True):
    """A single change of the request with which a rule would pass."""

    text: str  #: such as `agents <= 1`, `after 2026-11-29T18:02:11Z`
    facts: Mapping[str, object]  #: the facts to change


class RuleTrace(Struct, frozen=True, kw_only=True):
    """How one rule came to its outcome."""

    row: RuleRow
    findings: tuple[Finding, ...]
    condition: str  #: the expression, on one line; empty for a rule without a plain form
    where: Place | None
    clauses: tuple[Clause, ...]
    operands: tuple[Operand, ...]
    changes: tuple[Change, ...] = ()  #: of a rule that denies: what would let it pass


class Explanation(Struct, frozen=True):
    """A decision with the trace of every rule."""

    decision: GateDecision
    rules: tuple[RuleTrace, ...]

    @property
    def telling(self) -> tuple[RuleTrace, ...]:
        """The rules that found something."""
        quiet = (Outcome.PASSED, Outcome.NOT_APPLICABLE, Outcome.OFF)
        return tuple(rule for rule in self.rules if rule.row.outcome not in quiet)

    def to_dict(self) -> dict[str, Plain]:
        """The decision as plain data, with the trace of every rule that found something."""
        plain = self.decision.to_dict()
        plain["explanations"] = [_trace_dict(rule) for rule in self.telling]
        return plain


def _trace_dict(rule: RuleTrace) -> dict[str, Plain]:
    return {
        "rule": rule.row.rule,
        "outcome": rule.row.outcome.value,
        "condition": rule.condition,
        "where": str(rule.where) if rule.where is not None else None,
        "clauses": [{"text": clause.text, "values": clause.values, "result": clause.result} for clause in rule.clauses],
        "operands": [
            {"name": operand.name, "value": operand.value, "source": operand.source} for operand in rule.operands
        ],
        "would_pass_with": [change.text for change in rule.changes],
    }
