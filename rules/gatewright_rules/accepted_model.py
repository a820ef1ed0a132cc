"""Accepted model: a worker above its tier is not accepted, and one that was not measured is marked."""

from gatewright.model import (
    MODEL_TIER_ESCALATION,
    MODEL_UNVERIFIED,
    ContractTerms,
    Findings,
    Registration,
    deny,
    warn,
)
from gatewright.spec import rule


@rule(
    codes=[MODEL_TIER_ESCALATION, MODEL_UNVERIFIED],
    stage="accept",
    fires="registration.escalated or not registration.verified",
)
def accepted_model(job_id: str, registration: Registration, terms: ContractTerms) -> Findings:
    """Deny the work of a worker that ran a dearer model than was declared, and mark one that was not measured.

    What: looks at what the ledger says of the job's model.
    Why: what was started against the rules is no cheaper for being done; and a declaration is no measurement.
    Denies: `MODEL_TIER_ESCALATION` when a registration of the job was denied for it; `MODEL_UNVERIFIED` when the model
    was not verified and the contract says `model: verified`.
    Warns: `MODEL_UNVERIFIED` where the contract does not ask for it.
    """
    if registration.escalated:
        yield deny(
            MODEL_TIER_ESCALATION,
            f"job `{job_id}` ran a model of a more expensive tier than was declared",
            hint="dispatch the work again, or ask the owner",
        )
    if not registration.verified:
        message = f"the model of job `{job_id}` is not verified: declared is {registration.model or 'none'}"
        if terms.model_required:
            yield deny(MODEL_UNVERIFIED, message, hint="the contract says `model: verified`")
        else:
            yield warn(MODEL_UNVERIFIED, message, hint="register with a probe of the model")
