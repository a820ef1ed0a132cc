import pytest
from tests.rules.calls import DENY, WARN, findings_of, levels_of

from gatewright.model import (
    MODEL_MISMATCH,
    MODEL_PROBE_FAILED,
    MODEL_UNVERIFIED,
    TIER_UNKNOWN_MODEL,
    MeasuredModel,
)
from gatewright_rules import model_match

OTHER = MeasuredModel(measured="gpt-5.4", probe_given=True)


def given(**more):
    found = {"declared_model": "gpt-5.5", "model": OTHER, "model_verified": False, "measured_tier": "low"}
    return {**found, "unknown_measured": "warn", "escalates": False, **more}


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"model_verified": True}, []),
        ({}, [(MODEL_MISMATCH, WARN)]),
        ({"escalates": True}, []),
        ({"declared_model": None}, [(MODEL_UNVERIFIED, WARN)]),
        ({"declared_model": "  "}, [(MODEL_UNVERIFIED, WARN)]),
        ({"model": MeasuredModel()}, [(MODEL_UNVERIFIED, WARN)]),
        ({"model": MeasuredModel(measured="<synthetic>", probe_given=True)}, [(MODEL_UNVERIFIED, WARN)]),
        ({"model": MeasuredModel(probe_given=True, probe_failed=True)}, [(MODEL_PROBE_FAILED, WARN)]),
        ({"declared_model": None, "model": MeasuredModel(probe_failed=True)}, [(MODEL_UNVERIFIED, WARN)]),
        ({"measured_tier": "unknown"}, [(MODEL_MISMATCH, WARN), (TIER_UNKNOWN_MODEL, WARN)]),
        (
            {"measured_tier": "unknown", "unknown_measured": "deny"},
            [(MODEL_MISMATCH, WARN), (TIER_UNKNOWN_MODEL, DENY)],
        ),
        ({"measured_tier": "unknown", "unknown_measured": "deny", "model_verified": True}, []),
        ({"measured_tier": None, "unknown_measured": "deny"}, [(MODEL_MISMATCH, WARN)]),
    ],
)
def test_a_model_that_is_not_known_to_be_the_declared_one_is_told(more, found):
    assert levels_of(model_match, **given(**more)) == found


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (MeasuredModel(), "the model was not measured"),
        (MeasuredModel(probe_given=True), "the probe found no model"),
        (
            MeasuredModel(probe_failed=True, problem="it exited with 3"),
            "the model could not be measured: it exited with 3",
        ),
        (MeasuredModel(measured="a", models=("a", "b")), "declared=gpt-5.5 measured=a, b"),
    ],
)
def test_what_is_known_of_the_model_is_said(model, said):
    (finding,) = findings_of(model_match, **given(model=model))
    assert finding.message == said
