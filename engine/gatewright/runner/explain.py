"""Why: for each rule that has something to say, its condition, the value of every operand, and where each came from."""

from collections.abc import Mapping

from gatewright.expressions.checker import checked
from gatewright.expressions.nodes import (
    Arith,
    Bool,
    Compare,
    Field,
    Index,
    ListLiteral,
    Literal,
    Name,
    Node,
    Not,
    children,
    roots,
)
from gatewright.expressions.schema import Schema
from gatewright.expressions.tracer import NOT_EVALUATED, Trace, trace
from gatewright.model import GateDecision, Outcome, RuleRow
from gatewright.model.explanations import Clause, Explanation, Operand, RuleTrace
from gatewright.policy.policies import PolicyRule
from gatewright.runner.changes import changes
from gatewright.runner.facts import Facts, worded
from gatewright.runner.gate import Gate
from gatewright.spec import FactSource

MAX_WIDTH = 60


def explain(gate: Gate, facts: Facts, *, quiet: bool = True) -> Explanation:
    """The decision on these facts, and how each rule came to its outcome. Decides exactly as `gate.decide` does.

    quiet: whether the conditions of rules that passed are traced too.
    """
    decision = gate.decide(facts)
    traces = tuple(
        _rule_trace(gate, rule, row, decision, facts, passed=quiet)
        for rule, row in zip(gate.policy.rules, decision.rows, strict=True)
    )
    return Explanation(decision, traces)


def _rule_trace(
    gate: Gate, rule: PolicyRule, row: RuleRow, decision: GateDecision, facts: Facts, *, passed: bool
) -> RuleTrace:
    if row.outcome is Outcome.PASSED and not passed:
        return RuleTrace(row=row, findings=(), condition="", where=rule.place, clauses=(), operands=())
    findings = tuple(finding for finding in decision.findings if finding.rule == rule.id)
    text, tree, known = _condition(rule, facts)
    quiet = row.outcome in (Outcome.NOT_APPLICABLE, Outcome.OFF)
    would_pass = changes(gate, rule, facts, decision) if row.outcome is Outcome.DENIED else ()
    if tree is None or quiet or any(name in facts.missing for name in roots(tree)):
        return RuleTrace(
            row=row, findings=findings, condition=text, where=rule.place, clauses=(), operands=(), changes=would_pass
        )
    found = trace(tree, text, known, condition=True)
    writer = _Writer(text, found, facts.secrets & set(roots(tree)))
    return RuleTrace(
        row=row,
        findings=findings,
        condition=" ".join(text.split()),
        where=rule.place,
        clauses=tuple(writer.clause(part) for part in _parts(tree)),
        operands=tuple(_operands(gate, tree, found, facts)),
        changes=would_pass,
    )


def _condition(rule: PolicyRule, facts: Facts) -> tuple[str, Node | None, Mapping[str, object]]:
    """The expression by which a rule can be explained: its condition, or its plain form with the options as names."""
    if rule.condition is not None:
        return rule.condition.text, rule.condition.tree, facts.known
    if rule.rule is None or rule.rule.fires is None:
        return "", None, facts.known
    names = {wanted.name: wanted.type for wanted in rule.rule.wants}
    names |= {option.name: option.type for option in rule.rule.options}
    tree, _ = checked(rule.rule.fires, Schema(names=names))
    options = {name: list(value) if isinstance(value, tuple) else value for name, value in rule.options.items()}
    return rule.rule.fires, tree, {**facts.known, **options}


def _parts(tree: Node) -> list[Node]:
    """The comparisons of a condition, in order: what `and` and `or` join, whatever stands between."""
    if isinstance(tree, Bool):
        return [inner for part in tree.parts for inner in _parts(part)]
    if isinstance(tree, Not) and isinstance(tree.operand, Bool):
        return _parts(tree.operand)
    return [tree]


def _operands(gate: Gate, tree: Node, found: Trace, facts: Facts) -> list[Operand]:
    catalog_facts = gate.catalog.facts_of(gate.policy.stage)
    operands: list[Operand] = []
    for name in roots(tree):
        fact = catalog_facts.get(name)
        if fact is None:
            continue
        for path, value in _paths(tree, name, found):
            secret = name in facts.secrets
            operands.append(Operand(path, worded(value, secret=secret), _SOURCES[fact.source]))
    return operands


_SOURCES = {
    FactSource.REQUEST: "request",
    FactSource.DERIVED: "derived",
    FactSource.COLLECTED: "collected",
}


def _paths(tree: Node, name: str, found: Trace) -> list[tuple[str, object]]:
    """Every path that starts at a fact and was evaluated, the longest of each, with its value."""
    values: dict[str, object] = {}

    def visit(node: Node) -> None:
        path = _path(node)
        if path is not None and path.split(".")[0].split("[")[0] == name:
            value = found.value(node)
            if value is not NOT_EVALUATED:
                values.setdefault(path, value)
            return
        for child in children(node):
            visit(child)

    visit(tree)
    return list(values.items())


def _path(node: Node) -> str | None:
    if isinstance(node, Field):
        base = _path(node.base)
        return None if base is None else f"{base}.{node.name}"
    if isinstance(node, Index) and isinstance(node.key, Literal):
        base = _path(node.base)
        return None if base is None else f"{base}[{node.key.value!r}]"
    return node.name if isinstance(node, Name) else None


class _Writer:
    """Writes clauses: the text of a comparison, and below it the same with values."""

    def __init__(self, text: str, found: Trace, secrets: frozenset[str]) -> None:
        self.text, self.found, self.secrets = text, found, secrets

    def clause(self, node: Node) -> Clause:
        inner, negated = (node.operand, True) if isinstance(node, Not) else (node, False)
        if isinstance(inner, Compare):
            above, below = self._columns(inner)
        else:
            above, below = self._source(inner), self._value(inner)
        if negated:
            above, below = f"not {above}", f"not {below}"
        return Clause(above, below, self._result(node))

    def _columns(self, node: Compare) -> tuple[str, str]:
        above, below = [self._source(node.first)], [self._value(node.first)]
        for op, operand in zip(node.ops, node.rest, strict=True):
            above += [op, self._source(operand)]
            below += [op, self._value(operand)]
        widths = [max(len(x), len(y)) for x, y in zip(above, below, strict=True)]
        widths = [width if width <= MAX_WIDTH else 0 for width in widths]
        lines = (
            " ".join(part.ljust(width) for part, width in zip(line, widths, strict=True)) for line in (above, below)
        )
        first, second = (line.rstrip() for line in lines)
        return first, second

    def _source(self, node: Node) -> str:
        return " ".join(self.text[node.start : node.end].split())

    def _value(self, node: Node) -> str:
        if isinstance(node, Literal | ListLiteral):
            return self._source(node)
        if isinstance(node, Arith):
            return f"{self._sum(node)} = {self._worded(node)}"
        return self._worded(node)

    def _sum(self, node: Node) -> str:
        if isinstance(node, Arith):
            return f"{self._sum(node.left)} {node.op} {self._sum(node.right)}"
        return self._worded(node)

    def _worded(self, node: Node) -> str:
        value = self.found.value(node)
        if value is NOT_EVALUATED:
            return "?"
        secret = not self.secrets.isdisjoint(roots(node))
        if isinstance(value, str) and not secret:
            return f'"{worded(value)}"'
        return worded(value, secret=secret)

    def _result(self, node: Node) -> str:
        value = self.found.value(node)
        if value is True or value is False:
            return "true" if value else "false"
        fault = self.found.fault
        if fault is not None and node.start <= fault.start and fault.end <= node.end:
            return fault.code
        return "not reached"
