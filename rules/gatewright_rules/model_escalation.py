"""Model escalation: a worker runs nothing dearer than what was declared."""

from gatewright.model import MODEL_TIER_ESCALATION, Findings, MeasuredModel, deny
from gatewright.spec import rule


@rule(codes=[MODEL_TIER_ESCALATION], stage="register", fires="escalates")
def model_escalation(
    declared_model: str | None,
    model: MeasuredModel,
    declared_tier: str | None,
    measured_tier: str | None,
    escalates: bool,  # noqa: FBT001  a fact
) -> Findings:
    """Deny a registration whose worker runs a model of a more expensive tier than the declared one.

    What: compares the tiers of the declared and of the measured model in the order of the tier table; of several
    measured models the most expensive counts, those of sub-agents included.
    Why: the check allowed the declared model, and its cap counted that one.
    Denies: `MODEL_TIER_ESCALATION` when the measured tier stands before the declared one. A model in no tier has no
    place in the order, and tables of version 1 have none.
    """
    if escalates:
        seen = model.judged or model.measured
        yield deny(
            MODEL_TIER_ESCALATION,
            f"declared={declared_model} tier={declared_tier} measured={seen} tier={measured_tier}",
            hint="end the worker, and start it on the declared model, or check again with the one that it runs",
            declared=declared_model,
            declared_tier=declared_tier,
            measured=seen,
            measured_tier=measured_tier,
        )
