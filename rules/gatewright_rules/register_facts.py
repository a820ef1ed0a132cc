"""The facts of the stage `register`: what is to be registered, what was proven of it, which check it settles."""

from gatewright.model import (
    INVALID_REQUEST,
    NO_MATCHING_TICKET,
    ORCHESTRATION_UNVERIFIED,
    UNVERIFIED_JOB,
    Job,
    MeasuredModel,
    Orchestration,
    PendingChecks,
    TicketChoice,
    is_declared,
)
from gatewright.spec import collected, derived, given

REGISTER = ("register",)


@derived(stages=REGISTER)
def model_verified(declared_model: str | None, model: MeasuredModel) -> bool:
    """Whether every model that was measured of the worker itself is the declared one, as ids are compared."""
    if declared_model is None or model.found is None:
        return False
    return all(is_declared(name, declared_model) for name in (model.found, *model.models))


@derived(stages=REGISTER)
def escalates(declared_tier: str | None, measured_tier: str | None, tier_order: list[str]) -> bool:
    """Whether the measured model is in a more expensive tier than the declared one; models in no tier have no rank."""
    if declared_tier not in tier_order or measured_tier not in tier_order:
        return False
    return tier_order.index(measured_tier) < tier_order.index(declared_tier)


FACTS = (
    given("job_id", str, "The id of the job that is registered.", stages=REGISTER, code=UNVERIFIED_JOB),
    given(
        "runtime",
        str | None,
        "The runtime whose ticket is meant; null for any.",
        stages=REGISTER,
        default=None,
        code=INVALID_REQUEST,
    ),
    given(
        "contract_sha",
        str | None,
        "The beginning of the contract's hash, twelve digits at least; null for any contract.",
        stages=REGISTER,
        default=None,
        code=INVALID_REQUEST,
    ),
    given(
        "channel",
        str | None,
        "The completion channel of the check that is settled.",
        stages=REGISTER,
        default=None,
        code=INVALID_REQUEST,
    ),
    given(
        "expected_channel",
        str | None,
        "The completion channel of the check that the proofs were asked for.",
        stages=REGISTER,
        default=None,
        code=INVALID_REQUEST,
    ),
    given("orchestration_task", str | None, "The orchestrator's id of the task.", stages=REGISTER, default=None),
    given(
        "declared_model",
        str | None,
        "The model that the worker is said to run.",
        stages=REGISTER,
        default=None,
        code=INVALID_REQUEST,
    ),
    collected("job", Job, "The job, as its probe has found it.", stages=REGISTER, code=UNVERIFIED_JOB),
    collected(
        "orchestration",
        Orchestration,
        "What the orchestrator knows of the task.",
        stages=REGISTER,
        code=ORCHESTRATION_UNVERIFIED,
    ),
    collected("model", MeasuredModel, "The model that the worker was measured to run.", stages=REGISTER),
    collected(
        "declared_tier",
        str | None,
        "The tier of the declared model, `unknown` if it is in none; null without a version 2 table or a model.",
        stages=REGISTER,
    ),
    collected(
        "measured_tier",
        str | None,
        "The tier of the most expensive measured model, `unknown` if it is in none; null without table or model.",
        stages=REGISTER,
    ),
    collected(
        "tier_order",
        list[str],
        "The tiers, most expensive first; empty where no table ranks them.",
        stages=REGISTER,
    ),
    collected(
        "unknown_measured",
        str,
        "What the tier table gives a measured model in no tier: `warn` or `deny`.",
        stages=REGISTER,
    ),
    model_verified,
    escalates,
    collected(
        "ticket",
        TicketChoice,
        "Which ticket the registration takes, or why none.",
        stages=REGISTER,
        code=NO_MATCHING_TICKET,
    ),
    collected(
        "pending", PendingChecks, "The allowed checks that the registration may settle, newest first.", stages=REGISTER
    ),
    collected("job_registered", bool, "Whether the job is registered already.", stages=REGISTER),
    collected("cost_proxy", int | None, "What the check that is settled costs.", stages=REGISTER),
)
