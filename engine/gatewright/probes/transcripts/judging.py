"""Judging what was measured: which model counts, and whether it is the declared one."""

from gatewright.model.measurements import Agreement, Discord, Grade, Seen
from gatewright.model.tiers import UNKNOWN, TierTable, is_declared

_GRADES = {"claude": Grade.SERVED}


def grade_of(seen: Seen) -> Grade:
    """What the measured model rests on."""
    return Grade.UNAVAILABLE if seen.measured is None else _GRADES.get(seen.format, Grade.CONFIGURED)


def judged(seen: Seen, declared: str | None, table: TierTable | None) -> str | None:
    """The most expensive model seen, sub-agents included; without a table that ranks tiers, the measured one.

    A model in no tier costs nobody knows what: one that answered the worker itself stands behind those that are dearer
    than the declared one, and before all others.
    """
    if seen.measured is None or not _ranks(table):
        return seen.measured
    models = list(dict.fromkeys([seen.measured, *seen.models, *seen.subagents]))
    ranked = [model for model in models if _rank(model, table) is not None]
    dearest = min(ranked, key=lambda model: _rank(model, table) or 0, default=seen.measured)
    unlisted = next((model for model in models if model in seen.models and model not in ranked), None)
    if unlisted is None or is_dearer(dearest, declared, table):
        return dearest
    return unlisted


def agreement(seen: Seen, declared: str | None, table: TierTable | None) -> tuple[Agreement, Discord | None]:
    """How it agrees with the declared model, and why it does not."""
    if seen.measured is None:
        return Agreement.UNVERIFIED, Discord.UNVERIFIED
    if declared is None:
        return Agreement.INFO, None
    if is_dearer(judged(seen, declared, table), declared, table):
        return Agreement.DRIFT, Discord.ESCALATION
    is_met = all(is_declared(model, declared) for model in seen.models)
    return (Agreement.OK, None) if is_met else (Agreement.DRIFT, Discord.MISMATCH)


def is_dearer(model: str | None, declared: str | None, table: TierTable | None) -> bool:
    """Whether a model stands in a tier before that of the declared one; a model in no tier stands nowhere."""
    if model is None or declared is None:
        return False
    left, right = _rank(model, table), _rank(declared, table)
    return left is not None and right is not None and left < right


def _ranks(table: TierTable | None) -> bool:
    return table is not None and table.version > 1


def _rank(model: str, table: TierTable | None) -> int | None:
    """A model's place from the most expensive tier; None where it has none."""
    if table is None or not _ranks(table):
        return None
    tier = table.match(model).tier
    return None if tier == UNKNOWN else table.rank(tier)
