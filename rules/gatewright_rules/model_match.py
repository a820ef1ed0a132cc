"""Model match: what a worker runs is what was declared, as far as it can be measured."""

from gatewright.model import (
    MODEL_MISMATCH,
    MODEL_PROBE_FAILED,
    MODEL_UNVERIFIED,
    TIER_UNKNOWN_MODEL,
    Findings,
    MeasuredModel,
    deny,
    warn,
)
from gatewright.spec import rule
from gatewright.text import is_blank

_TO_A_TIER = "add it to a tier of the table"


@rule(
    codes=[MODEL_UNVERIFIED, MODEL_PROBE_FAILED, MODEL_MISMATCH, TIER_UNKNOWN_MODEL],
    stage="register",
    fires="not model_verified",
)
def model_match(
    declared_model: str | None,
    model: MeasuredModel,
    model_verified: bool,  # noqa: FBT001  a fact
    measured_tier: str | None,
    unknown_measured: str,
    escalates: bool,  # noqa: FBT001  a fact
) -> Findings:
    """Warn of a worker whose model is not known to be the declared one.

    What: compares the declared model with the measured one, letter case, white space around it and
    a declared context size such as `[1m]` aside.
    Why: a runtime that cannot tell its model must still be usable; but nobody may take a declaration for a fact.
    Warns: `MODEL_UNVERIFIED` when no model was declared or none was found, `MODEL_PROBE_FAILED` when the probe did not
    work, `MODEL_MISMATCH` for another model that is no dearer; with it `TIER_UNKNOWN_MODEL` for one in no tier, which
    is a denial where the tier table says `unknown_measured: deny`.
    """
    if model_verified:
        return
    if declared_model is None or is_blank(declared_model):
        yield warn(MODEL_UNVERIFIED, "no model is declared", hint="declare the model with --declared-model")
    elif model.probe_failed:
        message = f"the model could not be measured: {model.problem or 'the probe failed'}"
        yield warn(MODEL_PROBE_FAILED, message, hint="run the probe by hand and see what it says")
    elif model.found is None:
        yield warn(MODEL_UNVERIFIED, _nothing(model), hint="measure it with --model-probe-cmd")
    elif not escalates:
        seen = ", ".join(dict.fromkeys([model.found, *model.models]))
        message = f"declared={declared_model} measured={seen}"
        yield warn(MODEL_MISMATCH, message, hint="see which of them is meant")
        unknown = f"the measured model `{model.judged or model.found}` is in no tier"
        if measured_tier == "unknown" and unknown_measured == "deny":
            yield deny(TIER_UNKNOWN_MODEL, unknown, hint=_TO_A_TIER)
        elif measured_tier == "unknown":
            yield warn(TIER_UNKNOWN_MODEL, unknown, hint=_TO_A_TIER)


def _nothing(model: MeasuredModel) -> str:
    return "the probe found no model" if model.probe_given else "the model was not measured"
