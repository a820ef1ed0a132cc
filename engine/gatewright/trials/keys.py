"""What a verdict depends on, as columns in SQL: checks that have them alike come out alike."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from gatewright.catalog import sources
from gatewright.expressions.nodes import Bool, Compare, Field, Name, Node, roots
from gatewright.expressions.sql import literal
from gatewright.model.tiers import UNKNOWN
from gatewright.policy.policies import PolicyRule
from gatewright.runner import Gate, plan
from gatewright.trials.replaying import Side
from gatewright.trials.rule_columns import BY_MODEL, Columns, RuleColumns, plain_form
from gatewright.trials.views import any_of

#: Facts that are the same in rows that share their shape: rules that read no others come out alike.
_SHARED = frozenset([*("runtime", "model", "completion_channel", "tier_policy"), *BY_MODEL])
#: Facts for which a row is looked at by itself where they are not as usual.
SELDOM = ("tier_override",)
#: Facts that few rows tell in the text that is kept of them: such rows are looked at by themselves as well.
_TOLD = ("tier_override", "top_approved", "actor", "labels")
_PACKED = 30  #: numbers of two bits in one of 64


class Unfit(Exception):  # noqa: N818  no error: it says that the slower way is to be gone
    """A policy whose verdicts do not depend on columns alone."""


class Keys(Struct, frozen=True, kw_only=True):
    """What one policy's verdict on a check depends on, but for what the window holds."""

    columns: tuple[str, ...]  #: in SQL, beside what rows share, and the bits
    counting: tuple[PolicyRule, ...]  #: rules that read the window
    reads: frozenset[str]  #: facts that are read at all


def keys_of(side: Side, number: int, asked: Columns) -> Keys:
    """The keys of a side whose models are in the table `models NUMBER`; adds what is asked of rows. Raises Unfit."""
    gate = side.gate
    active = [rule for rule in gate.policy.rules if plan.is_active(rule)]
    closures = {rule.id: _closure(gate, plan.needed_by(rule)) for rule in active}
    also = _closure(gate, plan.also_read(gate.policy, gate.catalog))
    if "window" in also:
        raise Unfit
    counting = tuple(rule for rule in active if "window" in closures[rule.id])
    made = RuleColumns(gate, number, asked)
    for rule in active:
        if rule not in counting and not closures[rule.id] <= _SHARED:
            made.add(rule, closures[rule.id])
    for exception in gate.policy.exceptions:
        names = roots(exception.when.tree) if exception.when is not None else []
        made.add_exception(exception, _closure(gate, (name for name in names if name in gate.facts)))
    if gate.policy.freeze is not None:
        made.add_freeze(gate.policy.freeze)
    columns = [*made.texts, *(_packed(some) for some in _parts(made.numbers))]
    reads = frozenset().union(also, *closures.values())
    return Keys(columns=tuple(columns), counting=counting, reads=reads)


def _parts(bits: Sequence[str]) -> list[Sequence[str]]:
    return [bits[at : at + _PACKED] for at in range(0, len(bits), _PACKED)]


def _packed(bits: Sequence[str]) -> str:
    """Numbers of two bits as one number: fewer columns are put into groups sooner."""
    return "(" + " + ".join(f"(({found})::BIGINT << {2 * at})" for at, found in enumerate(bits)) + ")"


def _closure(gate: Gate, names: Iterable[str]) -> frozenset[str]:
    return frozenset(each for name in names for each in sources(gate.facts, name))


def odd(reads: frozenset[str]) -> str:
    """Which rows are looked at one by one, where these facts are read."""
    tests = ["NOT starts_with(\"facts\", '{')"]
    # Null, or not there? Without the facts that rows of our own hold, the one is known and the other is not.
    tests += ['(unsure AND "facts" IS NULL AND "tier_override" IS NULL)'] if "tier_override" in reads else []
    tests += [f'"{name}" IS NOT NULL' for name in SELDOM if name in reads]
    # A fact that is told apart from the other keys is seldom there; whatever looks like one is looked at.
    names: list[str] = [name for name in _TOLD if name in reads]
    names += ["ticket_inside"] if "ticket_path" in reads else []
    tests += [f"contains(\"facts\", '{name}')" for name in names]
    if "cost_proxy" in reads:  # a product that may be too large
        tests += [f'"{name}" NOT BETWEEN {-(2**31)} AND {2**31}' for name in ("n_agents", "est_chars")]
    return any_of(tests)


def models_table(side: Side, models: Sequence[str | None]) -> list[dict[str, object]]:
    """What is derived from each model. Raises Unfit where that cannot be had."""
    found: list[dict[str, object]] = []
    for model in models:
        resolver = plan.Resolver(side.gate.facts, {"model": model, "tier_policy": side.tiers}, {})
        for name in BY_MODEL:
            resolver.resolve(name)
        if resolver.missing:
            raise Unfit
        found.append({"named": model, **{f"of_{name}": resolver.known[name] for name in BY_MODEL}})
    return found


def relevant_tiers(side: Side, keys: Keys) -> list[str]:
    """The tiers in which a rule that reads the window may have something to say. Raises Unfit."""
    table = side.tiers.table
    only_caps = all(_asks_for_cap(rule) for rule in counting_still(keys))
    if not keys.counting:
        return []
    if table is None or table.version == 1:  # no check has a tier
        if not only_caps:
            raise Unfit
        return []
    tiers = [*dict.fromkeys([*table.order, *table.index.values(), UNKNOWN])]
    if len({tier.casefold() for tier in tiers}) < len(tiers) or not all(tier.isascii() for tier in tiers):
        raise Unfit  # rows of tiers that differ in letter case only count for both
    return [tier for tier in tiers if tier in table.caps] if only_caps else tiers


def _asks_for_cap(rule: PolicyRule) -> bool:
    """Whether the first thing that a rule asks is whether there is a cap, so that it is silent where there is none."""
    if rule.when is not None:
        tree = rule.when.tree
    elif rule.rule is not None and rule.rule.fires is not None:
        tree = plain_form(rule.rule)
    elif rule.condition is not None and rule.effect != "require":
        tree = rule.condition.tree
    else:
        return False
    first = tree.parts[0] if isinstance(tree, Bool) and tree.op == "and" else tree
    return isinstance(first, Compare) and first.ops == ["is not"] and _is_cap(first.first)


def _is_cap(node: Node) -> bool:
    return isinstance(node, Field) and node.name == "cap" and isinstance(node.base, Name) and node.base.name == "window"


def counting_still(keys: Keys) -> list[PolicyRule]:
    """The rules that read the window, without the one that looks for odd times, of which there are none."""
    return [rule for rule in keys.counting if not _looks_for_odd_times(rule)]


def looks_for_odd_times(keys: Keys) -> bool:
    """Whether a rule looks for times in the window that lie ahead."""
    return any(_looks_for_odd_times(rule) for rule in keys.counting)


def _looks_for_odd_times(rule: PolicyRule) -> bool:
    return rule.rule is not None and rule.rule.function.__module__ == "gatewright_rules.ledger_clock"


def sql_list(values: Iterable[object]) -> str:
    """Values in parentheses, as `IN` takes them."""
    return "(" + ", ".join(literal(each) for each in values) + ")"
