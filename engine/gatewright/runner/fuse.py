"""A whole policy as one Python function.

For each rule it says in one bit that the rule does not apply, or in another that it has, or may have, something to say;
a rule about which nothing is said has passed. What was found is then asked rule by rule (`evaluate`), so the usual
decision, in which nothing is found, costs a handful of comparisons.
"""

from collections.abc import Callable, Mapping

from msgspec import Struct

from gatewright.expressions.checker import checked
from gatewright.expressions.emit import Emitter, function
from gatewright.expressions.kinds import Type
from gatewright.expressions.nodes import Node, reads_field, roots
from gatewright.expressions.schema import Schema
from gatewright.policy.policies import Policy, PolicyRule
from gatewright.runner.plan import is_active
from gatewright.spec import Rule

Fused = Callable[[tuple[object, ...]], int]


class Bits(Struct, frozen=True):
    """How the fused function's answer is laid out."""

    count: int

    def skipped(self, at: int) -> int:
        """Rule `at` does not apply, since its `when` is false."""
        return 1 << at

    def asked(self, at: int) -> int:
        """Rule `at` has, or may have, something to say."""
        return 1 << (self.count + at)

    @property
    def frozen(self) -> int:
        """The policy denies everything for now."""
        return 1 << (2 * self.count)

    @property
    def everything(self) -> int:
        """Every rule is to be asked."""
        return ((1 << self.count) - 1) << self.count


def fused(
    policy: Policy, rules: tuple[PolicyRule, ...], needed: tuple[str, ...], types: Mapping[str, Type]
) -> tuple[Fused, Bits]:
    """The function of a policy's rules over the needed facts, given in that order as a tuple."""
    emitter = Emitter({"params": dict(policy.params)})
    emitter.reads = {}
    emitter.nullable = frozenset(f"v_{name}" for name in needed if types[name].optional)
    bits = Bits(len(rules))
    body = []
    if policy.freeze is not None:
        body.append(f"if v_now.epoch < {policy.freeze.until.epoch!r}: said |= {bits.frozen:#x}")
    for at, rule in enumerate(rules):
        body += _rule_lines(emitter, rule, types, bits.skipped(at), bits.asked(at))
    head = [f"({''.join(f'v_{name}, ' for name in needed)}) = facts"] if needed else []
    # Fields of nouns are read once, ahead of all rules: a noun that was admitted has them all.
    head += [f"{local} = {source}" for source, local in emitter.reads.items()]
    lines = ["def decide(facts):", *(f"    {line}" for line in [*head, "said = 0", *body, "return said"]), ""]
    made = function("\n".join(lines), "decide", emitter.constants)
    return made, bits  # type: ignore[return-value]  # the source above takes a tuple and returns an int


def _rule_lines(emitter: Emitter, rule: PolicyRule, types: Mapping[str, Type], skipped: int, asked: int) -> list[str]:
    """One rule: a chain of tests, the first true one of which says the rule's bit."""
    if not is_active(rule):
        return []
    tests: list[tuple[str, int]] = []
    if rule.when is not None:
        tests += [(source, asked) for source in _unread_in(emitter, rule.when.tree, types)]
        tests.append((f"not {emitter.condition(rule.when.tree)}", skipped))
    tests += [(source, asked) for source in [*_lacking(emitter, rule, types), _speaks(emitter, rule)]]
    branches = [
        f"    {'elif' if number else 'if'} {test}: said |= {bit:#x}" for number, (test, bit) in enumerate(tests)
    ]
    return ["try:", *branches, f"except Exception: said |= {asked:#x}"]


def _lacking(emitter: Emitter, rule: PolicyRule, types: Mapping[str, Type]) -> list[str]:
    """Tests for facts without which the rule does not apply; what follows from that is asked, it is rare."""
    if rule.rule is not None:
        nulls = [
            f"v_{wanted.name} is None"
            for wanted in rule.rule.wants
            if types[wanted.name].optional and not wanted.type.optional
        ]
        wanted_names = [wanted.name for wanted in rule.rule.wants if wanted.name not in rule.rule.owns]
        return nulls + [test for name in wanted_names for test in _unread(emitter, name, types)]
    assert rule.condition is not None
    return _unread_in(emitter, rule.condition.tree, types)


def _unread_in(emitter: Emitter, tree: Node, types: Mapping[str, Type]) -> list[str]:
    """Tests for nouns that an expression reads and that could not be had, unless it asks for just that."""
    return [
        test
        for name in roots(tree)
        for test in _unread(emitter, name, types)
        if name in types and not reads_field(tree, name, getattr(types[name].noun, "MISSING", ""))
    ]


def _unread(emitter: Emitter, name: str, types: Mapping[str, Type]) -> list[str]:
    noun = types[name].noun if name in types else None
    field = getattr(noun, "MISSING", None)
    return [] if field is None else [f"not {emitter.read(f'v_{name}', field)}"]


def _speaks(emitter: Emitter, rule: PolicyRule) -> str:
    """A test that is true whenever the rule has something to say."""
    if rule.rule is not None:
        return _plain_form(emitter, rule, rule.rule)
    assert rule.condition is not None
    source = emitter.condition(rule.condition.tree)
    return f"not {source}" if rule.effect == "require" else source


def _plain_form(emitter: Emitter, entry: PolicyRule, rule: Rule) -> str:
    if rule.fires is None:
        return "True"
    names = {wanted.name: wanted.type for wanted in rule.wants}
    names |= {option.name: option.type for option in rule.options}
    tree, _ = checked(rule.fires, Schema(names=names))
    return emitter.knowing(entry.options).condition(tree)
