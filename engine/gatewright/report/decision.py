"""A decision for people: the verdict, then for each rule that has something to say, why."""

from collections import Counter

from gatewright.model import Finding, FindingStatus, GateDecision, Level, Outcome
from gatewright.model.explanations import Change, Clause, Explanation, RuleTrace
from gatewright.report.formats import table
from gatewright.text import counted, printable

_INDENT = "    "
_STATUS = {FindingStatus.OVERRIDDEN: "OVERRIDDEN", FindingStatus.EXCEPTED: "EXCEPTED"}
_LEVEL = {Level.DENY: "DENY", Level.WARN: "WARN", Level.NOTE: "NOTE", Level.OFF: "OFF"}


def headline(decision: GateDecision) -> str:
    """The verdict in a line: `DENY TIER_FANOUT_CAP`, `ALLOW with warnings: TIER_UNKNOWN_MODEL`."""
    if not decision.allow:
        more = len(decision.reasons) - 1
        return f"DENY {decision.reason}" + (f" and {counted(more, 'more reason')}" if more else "")
    if decision.warnings:
        return "ALLOW with warnings: " + ", ".join(decision.warnings)
    return "ALLOW"


def word(finding: Finding) -> str:
    """What a finding does, in capitals."""
    return _STATUS.get(finding.status) or _LEVEL[finding.level]


def finding_lines(finding: Finding) -> list[str]:
    """A finding: its code, rule and place; what it says; what to do."""
    where = f"  {finding.where}" if finding.where is not None else ""
    lines = [f"{word(finding)} {finding.code}  {finding.rule}{where}", _INDENT + printable(finding.message)]
    if finding.by:
        lines.append(f"{_INDENT}let through by: {printable(finding.by)}")
    if finding.hint:
        lines.append(f"{_INDENT}hint: {printable(finding.hint)}")
    return lines


def trace_lines(rule: RuleTrace) -> list[str]:
    """The condition of a rule, clause by clause with values, and where the values came from."""
    lines = [line for clause in _telling(rule.clauses) for line in _clause_lines(clause)]
    if rule.operands:
        told = ", ".join(f"{operand.name}={operand.value} ({operand.source})" for operand in rule.operands)
        lines.append(_INDENT + told)
    if rule.changes:
        lines.append(f"{_INDENT}would pass {_ways(rule.changes)}")
    return lines


def _ways(changes: tuple[Change, ...]) -> str:
    """What would let a rule pass: `with agents <= 1, or after 2026-11-29T18:02:11Z`."""
    told = ", or ".join(change.text for change in changes)
    return told if told.startswith("after ") else f"with {told}"


_NULL_GUARDS = {"is not None": "true", "is None": "false"}


def _telling(clauses: tuple[Clause, ...]) -> list[Clause]:
    """The clauses that say something: not those that were not reached, nor guards that found no null."""
    reached = [clause for clause in clauses if clause.result != "not reached"]
    guards = [clause for clause in reached for end, result in _NULL_GUARDS.items() if _is_guard(clause, end, result)]
    return [clause for clause in reached if clause not in guards] or reached


def _is_guard(clause: Clause, end: str, result: str) -> bool:
    return clause.text.endswith(end) and clause.result == result


def _clause_lines(clause: Clause) -> list[str]:
    if clause.values == clause.text:
        return [f"{_INDENT}{clause.text}   {clause.result}"]
    width = max(len(clause.text), len(clause.values))
    return [f"{_INDENT}{clause.text}", f"{_INDENT}{clause.values.ljust(width)}   {clause.result}"]


def explanation(told: Explanation) -> str:
    """The whole decision: each finding with its rule's condition and values, then the verdict and a count of rules."""
    blocks: list[str] = []
    engine = [finding for finding in told.decision.findings if finding.rule == "engine"]
    blocks += ["\n".join(finding_lines(finding)) for finding in engine]
    for rule in told.telling:
        lines = [line for finding in rule.findings for line in finding_lines(finding)]
        blocks.append("\n".join(lines + trace_lines(rule)))
    blocks.append(f"{headline(told.decision)}   {summary(told.decision)}")
    return "\n\n".join(blocks) + "\n"


def summary(decision: GateDecision) -> str:
    """How many rules fared how: `15 rules: 13 passed, 1 denied, 1 warned`."""
    counts = Counter(row.outcome for row in decision.rows)
    parts = [f"{counts[outcome]} {outcome.value}" for outcome in Outcome if counts[outcome]]
    return f"{counted(len(decision.rows), 'rule')}: {', '.join(parts)}"


ROW_HEADERS = ("RULE", "OUTCOME", "CODES", "WHY", "WHERE")


def row_cells(decision: GateDecision) -> list[list[str]]:
    """One row a rule: how it fared, which codes it gave, why it did not apply and where it stands."""
    return [
        [row.rule, row.outcome.value, ", ".join(row.codes), row.why, str(row.where) if row.where else ""]
        for row in decision.rows
    ]


def rows(decision: GateDecision, *, style: str = "", width: int = 0) -> str:
    """The same as a table."""
    return table(row_cells(decision), ROW_HEADERS, style=style, width=width)
