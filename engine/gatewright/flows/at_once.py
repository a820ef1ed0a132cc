"""A check that the ledger can record in one go.

Where all that counts of the window is whether there is room in it, the check is decided twice ahead of asking, as if
there were and as if there were not. The ledger then counts, and records the one that fits. What was recorded is decided
once more, on the very figures that were counted, and must come out the same.
"""

from collections.abc import Iterable, Mapping

from gatewright.expressions.nodes import roots
from gatewright.flows.check import CheckRequest, Outside, facts_of
from gatewright.flows.rows import more_of, row_of
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.protocol import AtOnce, Draft, Ledger, Look, Question, Usage
from gatewright.ledger.rows import MAX_AGENTS, line_of
from gatewright.ledger.stores import Nothing
from gatewright.model import GateDecision, TierTable
from gatewright.policy.policies import PolicyRule
from gatewright.runner import Facts, Gate, plan
from gatewright.spec import Fact

#: The rules that read of the window whether there is room in it, and whether times in it are odd; those that are odd
#: are never recorded in one go.
_COUNTING = frozenset(["gatewright_rules.fan_out_cap", "gatewright_rules.ledger_clock"])
_BLANKS = ("attempt", "ts")
_MAX_CAP = 2**62

Decided = tuple[GateDecision, Facts]


class _Supposed(Nothing):
    """An empty ledger, but for what is supposed, or known, of the window."""

    def __init__(self, usage: Usage | None, wall: float = 0.0) -> None:
        self.time = self.wall = self.ticket_time = wall
        self.supposed = usage
        self.asked: tuple[str, TierTable] | None = None

    def usage(self, tier: str, table: TierTable, agents: int) -> Usage:
        """What is supposed: that the window is empty, or where nothing is, that it has no room left."""
        self.asked = tier, table
        return self.supposed or Usage(agents=max(0, table.caps.get(tier, 0) - agents + 1))


def check_at_once(gate: Gate, request: CheckRequest, outside: Outside, ledger: Ledger) -> Decided | None:
    """Decide, and record the decision with its ticket; None, with nothing done, where that takes a step as usual.

    Raises LedgerError.
    """
    if not isinstance(ledger, AtOnce) or not asks_for_room_only(gate):
        return None
    question = _question(gate, request, outside)
    counted = ledger.check_at_once(question) if question is not None else None
    if question is None or counted is None:
        return None
    facts = facts_of(gate, request, outside, _Supposed(counted.usage, counted.wall))
    decision = gate.decide(facts)
    recorded = question.full if counted.full else question.room
    if _draft(decision, request, outside, _Supposed(counted.usage)) != recorded:
        problem = f"{recorded.reason} was recorded, and by the figures that were counted it is {decision.reason}"
        hint = "a rule answers differently to the same facts: look for it among the plugins"
        raise LedgerError(ledger.name, problem, hint)
    return decision, facts


def asks_for_room_only(gate: Gate) -> bool:
    """Whether nothing in a policy depends on the time, or on more of the window than whether there is room."""
    names = set(plan.also_read(gate.policy, gate.catalog))
    for rule in filter(plan.is_active, gate.policy.rules):
        if not _counting(rule):
            names.update(plan.needed_by(rule))
        elif rule.when is not None:
            names.update(roots(rule.when.tree))
    return gate.policy.freeze is None and not {"window", "now"} & _with_sources(names, gate.facts)


def _counting(rule: PolicyRule) -> bool:
    return rule.rule is not None and rule.rule.function.__module__ in _COUNTING


def _with_sources(names: Iterable[str], facts: Mapping[str, Fact]) -> set[str]:
    """Facts, and those that they are made of."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [wanted.name for wanted in facts[name].wants] if name in facts else []
    return found


def _question(gate: Gate, request: CheckRequest, outside: Outside) -> Question | None:
    """What to ask the ledger; None where a check is not of the usual kind."""
    sha = outside.contract.sha256
    if sha is None or not 1 <= request.agents <= MAX_AGENTS:
        return None
    supposed = _Supposed(Usage()), _Supposed(None)
    room, full = (
        _draft(gate.decide(facts_of(gate, request, outside, look)), request, outside, look) for look in supposed
    )
    if supposed[0].asked is None or room is None or full is None:
        return None
    tier, table = supposed[0].asked
    if table.caps.get(tier, 0) > _MAX_CAP:
        return None
    return Question(
        tier=tier,
        table=table,
        agents=request.agents,
        contract_sha=sha,
        runtime=request.runtime,
        request_id=request.request_id,
        room=room,
        full=full,
    )


def _draft(decision: GateDecision, request: CheckRequest, outside: Outside, look: Look) -> Draft | None:
    """The row of a decision without its number and time; None where the ledger could not tell what it is of."""
    data = {**row_of(look, request, outside, decision), **more_of(request, decision)}
    if request.request_id is not None:
        data["request_id"] = request.request_id
    if data["contract_sha"] != decision.contract_sha or "tier" not in data:
        return None
    return Draft(allow=decision.allow, reason=decision.reason, parts=tuple(parts_of(data)))


def parts_of(data: Mapping[str, object]) -> Iterable[bytes]:
    """The canonical line of a row, cut where its number and its time stand."""
    text, mark = "", "{"
    for name in sorted(data):
        text, mark = f"{text}{mark}{line_of(name)}:", ","
        if name in _BLANKS:
            yield text.encode()
            text = ""
        else:
            text += line_of(data[name])
    yield (text + "}").encode()
