"""Tiers known: what has to be approved is known by the tier table alone."""

from gatewright.model import TIER_POLICY_UNAVAILABLE, Findings, TierPolicy, deny
from gatewright.spec import rule


@rule(codes=[TIER_POLICY_UNAVAILABLE], stage="dispatch", fires="not tier_policy.loaded", owns=["tier_policy"])
def tiers_known(tier_policy: TierPolicy) -> Findings:
    """Deny a dispatch when the tier table cannot be used.

    What: looks at whether the tier table was loaded.
    Why: without it the top tier cannot be told from the others, and nothing would ask for approval.
    Denies: `TIER_POLICY_UNAVAILABLE` when the file is missing, unreadable or breaks a rule of tier tables.
    """
    if not tier_policy.loaded:
        yield deny(
            TIER_POLICY_UNAVAILABLE,
            f"tier_policy={tier_policy.path}: {tier_policy.error or 'it could not be loaded'}",
            hint=f"mend the file, and look at it with `gatewright lint {tier_policy.path}`",
        )
