import pytest
from tests.rules.calls import DENY, findings_of, levels_of

from gatewright.model import MODEL_TIER_ESCALATION, MeasuredModel
from gatewright_rules import model_escalation


def given(**more):
    found = {"declared_model": "gpt-5.5", "declared_tier": "low", "measured_tier": "top", "escalates": True}
    return {**found, "model": MeasuredModel(measured="claude-opus-5"), **more}


def test_a_model_above_its_tier_is_denied():
    assert levels_of(model_escalation, **given()) == [(MODEL_TIER_ESCALATION, DENY)]
    assert levels_of(model_escalation, **given(escalates=False)) == []


@pytest.mark.parametrize(
    ("model", "seen"),
    [
        (MeasuredModel(measured="claude-opus-5"), "claude-opus-5"),
        (MeasuredModel(measured="gpt-5.5", judged="claude-opus-5"), "claude-opus-5"),
    ],
)
def test_both_models_and_tiers_are_told(model, seen):
    (finding,) = findings_of(model_escalation, **given(model=model))
    assert finding.message == f"declared=gpt-5.5 tier=low measured={seen} tier=top"
