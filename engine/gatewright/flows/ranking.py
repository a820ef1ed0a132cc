"""What a tier table says of the models of a registration."""

from gatewright.model import MeasuredModel, TierPolicy
from gatewright.model.tiers import TierTable
from gatewright.runner.plan import Collectors


def _table(tier_policy: TierPolicy) -> TierTable | None:
    """The table, if it is one that ranks models by tier."""
    table = tier_policy.table
    return table if table is not None and table.version > 1 else None


def _tier(model: str | None, tier_policy: TierPolicy) -> str | None:
    table = _table(tier_policy)
    return None if model is None or table is None else table.match(model.strip()).tier


def declared_tier(declared_model: str | None, tier_policy: TierPolicy) -> str | None:
    """The tier of the declared model."""
    return _tier(declared_model, tier_policy)


def measured_tier(model: MeasuredModel, tier_policy: TierPolicy) -> str | None:
    """The tier of the most expensive model that was seen."""
    return _tier(model.judged if model.judged is not None else model.found, tier_policy)


def tier_order(tier_policy: TierPolicy) -> list[str]:
    """The tiers, most expensive first."""
    table = _table(tier_policy)
    return [] if table is None else list(table.order)


def unknown_measured(tier_policy: TierPolicy) -> str:
    """What a measured model in no tier gets."""
    table = _table(tier_policy)
    return "warn" if table is None else table.unknown_measured


RANKING: Collectors = {
    "declared_tier": declared_tier,
    "measured_tier": measured_tier,
    "tier_order": tier_order,
    "unknown_measured": unknown_measured,
}
