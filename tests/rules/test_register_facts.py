"""The facts of the stage `register`: what follows from what was declared and measured, and how each is described."""

import pytest

from gatewright.expressions.kinds import Kind
from gatewright.model import MeasuredModel, Stage
from gatewright.spec import REQUIRED, FactSource
from gatewright_rules.register_facts import FACTS

FACT = {fact.name: fact for fact in FACTS}


def called(name, *arguments):
    function = FACT[name].function
    assert function is not None
    return function(*arguments)


@pytest.mark.acceptance("R26", "T10", "R39")
@pytest.mark.parametrize(
    ("declared", "model", "verified"),
    [
        ("gpt-5.5", MeasuredModel(measured="gpt-5.5"), True),
        ("GPT-5.5 ", MeasuredModel(measured="\tgpt-5.5"), True),
        ("gpt-5.5", MeasuredModel(measured="gpt-5.5", models=("GPT-5.5",)), True),
        ("gpt-5.5", MeasuredModel(measured="gpt-5.5", models=("gpt-5.4", "gpt-5.5")), False),
        ("gpt-5.5", MeasuredModel(measured="gpt-5.5", judged="claude-opus-5"), True),
        ("gpt-5.5", MeasuredModel(measured="gpt-5.5-high"), False),
        ("claude-opus-4", MeasuredModel(measured="claude-opus-4-5"), False),
        ("gpt-5.5", MeasuredModel(), False),
        ("<synthetic>", MeasuredModel(measured="<synthetic>"), False),
        ("", MeasuredModel(measured=""), False),
        (None, MeasuredModel(measured="gpt-5.5"), False),
    ],
)
def test_a_model_is_verified_where_every_measured_one_is_the_declared_one(declared, model, verified):
    assert called("model_verified", declared, model) is verified


@pytest.mark.acceptance("P26", "R27", "R28")
@pytest.mark.parametrize(
    ("declared", "measured", "escalates"),
    [
        ("low", "top", True),
        ("low", "middle", True),
        ("middle", "top", True),
        ("top", "low", False),
        ("low", "low", False),
        ("unknown", "top", False),
        ("low", "unknown", False),
        (None, "top", False),
        ("low", None, False),
        (None, None, False),
    ],
)
def test_a_tier_escalates_where_it_stands_before_the_declared_one(declared, measured, escalates):
    assert called("escalates", declared, measured, ["top", "middle", "low"]) is escalates
    assert called("escalates", declared, measured, []) is False


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.name)
def test_every_fact_is_described_in_a_sentence_and_has_a_known_kind(fact):
    assert fact.doc.endswith(".")
    assert fact.type.kind is not Kind.ANY
    assert fact.stages == (Stage.REGISTER,)


def test_a_registration_must_give_its_job():
    given = [fact for fact in FACTS if fact.source is FactSource.REQUEST]
    assert [fact.name for fact in given if fact.default is REQUIRED] == ["job_id"]
