"""Tier policy loaded: without the table there is no tier, and without a tier no cap."""

from gatewright.model import TIER_POLICY_UNAVAILABLE, Findings, TierPolicy, deny
from gatewright.spec import rule


@rule(codes=[TIER_POLICY_UNAVAILABLE], fires="not tier_policy.loaded", owns=["tier_policy"])
def tier_policy_loaded(tier_policy: TierPolicy) -> Findings:
    """Deny a request when the tier table cannot be used.

    What: looks at whether the tier table was loaded.
    Why: a table with a mistake in it must not turn every cap off.
    Denies: `TIER_POLICY_UNAVAILABLE` when the file is missing, unreadable or breaks a rule of tier tables.
    """
    if not tier_policy.loaded:
        yield deny(
            TIER_POLICY_UNAVAILABLE,
            f"tier_policy={tier_policy.path}: {tier_policy.error or 'it could not be loaded'}",
            hint=f"mend the file, and look at it with `gatewright lint {tier_policy.path}`",
        )
