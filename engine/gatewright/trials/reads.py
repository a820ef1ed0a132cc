"""What the rules of a policy read of a request, and which of them have no answer where a row does not tell a fact."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from gatewright.catalog import BUILT_IN, sources
from gatewright.expressions.checker import checked
from gatewright.expressions.nodes import Field, Name, Node, walk
from gatewright.expressions.schema import Schema
from gatewright.model import FindingStatus, GateDecision, Level
from gatewright.model.reasons import REASONS
from gatewright.policy.policies import Policy, PolicyRule
from gatewright.runner import Gate, plan
from gatewright.spec import Rule

_LEVELS = {reason.code: Level(reason.level) for reason in REASONS if reason.level != "allow"}
#: Reads the override for being blank, which a request that was judged at all was denied for.
_BLANK_OVERRIDE = "gatewright_rules.request_shape"


class Lack(Struct, frozen=True):
    """What follows from facts that a row does not tell."""

    facts: tuple[str, ...] = ()  #: those without which the verdict is not known
    untold: frozenset[str] = frozenset()  #: codes of warnings that may be there or not
    overrides: frozenset[str] = frozenset()  #: facts that would let a denial through


class Reads:
    """What each rule of a gate reads: facts by name, of records `fact.field`."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        active = [rule for rule in gate.policy.rules if plan.is_active(rule)]
        self._rules = [(rule, self._read_by(rule), _can_deny(gate, rule)) for rule in active]
        self._always = self._closed(_read_always(gate.policy))
        self._overrides = frozenset(name for rule in active for name in rule.overrides.values())
        self._known: dict[frozenset[str], Lack] = {}

    def lack(self, blanks: frozenset[str]) -> Lack:
        """What follows where these are not told."""
        found = self._known.get(blanks)
        if found is None:
            found = self._known[blanks] = self._lack(blanks)
        return found

    def _lack(self, blanks: frozenset[str]) -> Lack:
        facts = _met(self._always, blanks)
        untold: set[str] = set()
        for rule, reads, denies in self._rules:
            met = _met(reads, blanks)
            if denies:
                facts |= met
            elif met:
                untold.update(rule.codes)
        return Lack(tuple(sorted(facts)), frozenset(untold), self._overrides & blanks)

    def doubtful(self, lack: Lack, decision: GateDecision, denied: frozenset[str]) -> str:
        """The fact that the row does not tell, and that may have let a denial through; empty for none.

        denied: the codes that the request was denied for when it was made, which nothing has let through.
        """
        if not lack.overrides:
            return ""
        by_code = {rule.id: rule.overrides for rule in self.gate.policy.rules if not rule.locked}
        for finding in decision.findings:
            if finding.level is Level.DENY and finding.status is FindingStatus.ACTIVE and finding.code not in denied:
                name = by_code.get(finding.rule, {}).get(finding.code)
                if name in lack.overrides:
                    return str(name)
        return ""

    def _read_by(self, rule: PolicyRule) -> frozenset[str]:
        trees = [expression.tree for expression in (rule.when, rule.condition) if expression is not None]
        names = {name for tree in trees for name in _paths(tree)}
        if rule.rule is not None:
            names |= self._read_by_python(rule.rule)
        return self._closed(names)

    def _read_by_python(self, rule: Rule) -> set[str]:
        """A rule's parameters; of a built-in one what its plain form reads: the rest is for its message."""
        if rule.fires is None or self.gate.catalog.owner(rule.id).origin != BUILT_IN:
            return {wanted.name for wanted in rule.wants}
        types = {wanted.name: wanted.type for wanted in rule.wants}
        types |= {option.name: option.type for option in rule.options}
        names = _paths(checked(rule.fires, Schema(names=types))[0]) - {option.name for option in rule.options}
        return names - {"tier_override"} if rule.function.__module__ == _BLANK_OVERRIDE else names

    def _closed(self, names: Iterable[str]) -> frozenset[str]:
        """The names, and those of the facts that they are derived from."""
        found = set(names)
        for name in tuple(found):
            root = name.partition(".")[0]
            found.update(each for each in sources(self.gate.facts, root) if each != root)
        return frozenset(found)


def _can_deny(gate: Gate, rule: PolicyRule) -> bool:
    if rule.rule is None:
        usual: Mapping[str, Level] = {rule.code: Level.WARN if rule.effect == "warn" else Level.DENY}
    else:
        usual = _LEVELS if gate.catalog.owner(rule.rule.id).origin == BUILT_IN else {}
    return any(rule.levels.get(code, usual.get(code, Level.DENY)) is Level.DENY for code in rule.codes)


def _read_always(policy: Policy) -> set[str]:
    """What exceptions and a freeze read, whatever rule a denial is of."""
    found = {name for each in policy.exceptions if each.when is not None for name in _paths(each.when.tree)}
    return found | {"now"} if policy.exceptions or policy.freeze is not None else found


def _paths(tree: Node) -> set[str]:
    """Facts, and of records the fields, that an expression reads."""
    bases = {id(node.base): node for node in walk(tree) if isinstance(node, Field)}
    found = set()
    for node in walk(tree):
        if isinstance(node, Name) and node.name != "params":
            above = bases.get(id(node))
            found.add(f"{node.name}.{above.name}" if above is not None else node.name)
    return found


def _met(reads: frozenset[str], blanks: frozenset[str]) -> set[str]:
    """The blanks that are read: as they are, as a field of what is read, or as the record of a field that is read."""
    return {
        blank
        for blank in blanks
        if any(name == blank or blank.startswith(f"{name}.") or name.startswith(f"{blank}.") for name in reads)
    }
