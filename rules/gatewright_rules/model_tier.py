"""Model tier: which models a table of version 1 lets workers run."""

from gatewright.model import TIER_POLICY, Findings, TierPolicy, deny, warn
from gatewright.spec import rule


@rule(codes=[TIER_POLICY], fires='model_listing is not None and model_listing != "allowed"')
def model_tier(model: str | None, model_listing: str | None, tier_policy: TierPolicy) -> Findings:
    """Deny a model that a version 1 tier table does not let workers run.

    What: looks the model up among `worker_allowed` and `worker_denied_tiers`.
    Why: the table is the owner's word on which models workers may spend.
    Denies: `TIER_POLICY` for a denied model, and for an unlisted one where the table says `unknown_model: deny`; warns
    with the same code where it says `warn`.
    """
    if model_listing == "denied":
        yield deny(TIER_POLICY, f"model={model} is denied to workers", hint="choose a model of `worker_allowed`")
    elif model_listing == "unlisted" and tier_policy.unknown_model == "warn":
        yield warn(TIER_POLICY, f"model={model} is not listed in the tier policy", hint="list it")
    elif model_listing == "unlisted":
        yield deny(TIER_POLICY, f"model={model} is not listed in the tier policy", hint="list it, or choose another")
