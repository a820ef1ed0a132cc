"""What an author may change about registrations in a policy."""

import pytest
from tests.runner.gates import BUILT_IN

from gatewright.flows.ranking import RANKING
from gatewright.model import MeasuredModel, Moment, TierPolicy, TierTable
from gatewright.policy.loader import load
from gatewright.runner import Gate
from gatewright.trials.runs import PROVEN

HEAD = "gatewright: 1\npolicy: own\nstage: register\nrules:\n"
TABLE = TierTable(version=2, index={"claude-opus-5": "top", "gpt-5.5": "low", "gpt-5.4": "low"}, order=("top", "low"))


def decided(rules, **given):
    gate = Gate(load((HEAD + rules).encode(), "own.yaml", BUILT_IN), BUILT_IN)
    facts = {**PROVEN, "job_id": "j1", "declared_model": "gpt-5.5", "now": Moment.at(0), **given}
    facts["tier_policy"] = TierPolicy(path="t", loaded=True, version=2, table=TABLE)
    return gate.decide(facts, RANKING)


OTHER, UNKNOWN = MeasuredModel(measured="gpt-5.4", grade="configured"), MeasuredModel()
DEARER = MeasuredModel(measured="claude-opus-5", grade="served")


@pytest.mark.parametrize(
    ("rules", "model", "reason", "warnings"),
    [
        ("- use: model-match", OTHER, "OK", ("MODEL_MISMATCH",)),
        ("- {use: model-match, levels: {MODEL_MISMATCH: note}}", OTHER, "OK", ()),
        ("- {use: model-match, levels: {MODEL_MISMATCH: deny}}", OTHER, "MODEL_MISMATCH", ()),
        ("- use: model-match", UNKNOWN, "OK", ("MODEL_UNVERIFIED",)),
        ("- {use: model-match, levels: {MODEL_UNVERIFIED: deny}}", UNKNOWN, "MODEL_UNVERIFIED", ()),
        ("- use: model-escalation", DEARER, "MODEL_TIER_ESCALATION", ()),
        ("- {use: model-escalation, level: warn}", DEARER, "OK", ("MODEL_TIER_ESCALATION",)),
        ('- {id: served, require: model.grade == "served", code: NOT_SERVED}', OTHER, "NOT_SERVED", ()),
        ('- {id: served, require: model.grade == "served", code: NOT_SERVED}', DEARER, "OK", ()),
        ("- {id: proven, require: model_verified, code: NOT_PROVEN}", OTHER, "NOT_PROVEN", ()),
        ('- {id: top, deny: measured_tier == "top", code: TOP_SEEN}', DEARER, "TOP_SEEN", ()),
    ],
)
def test_a_policy_says_what_becomes_of_a_model(rules, model, reason, warnings):
    decision = decided(rules + "\n", model=model)
    assert (decision.reason, decision.warnings) == (reason, warnings)


@pytest.mark.parametrize("name", ["job", "orchestration", "ticket", "model", "pending", "job_id"])
def test_a_fact_that_cannot_be_had_denies(name, register_gate):
    facts = {**PROVEN, "job_id": "j1", "now": Moment.at(0), "tier_policy": TierPolicy(path="t", loaded=False)}
    assert register_gate.decide(facts, RANKING).allow
    del facts[name]
    assert not register_gate.decide(facts, RANKING).allow


def test_an_empty_registration_is_denied(register_gate):
    assert not register_gate.decide({}).allow
