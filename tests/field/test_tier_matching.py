"""Field cases on tiers: which listed id a model's id leads to, and which it never does."""

import json

import pytest
from tests.field.cases import expected, values

from gatewright.errors import PolicyError
from gatewright.policy import tier_tables


def _table(tiers, **more):
    data = json.dumps({"version": 2, "tiers": tiers, "fanout_caps": {}, **more}).encode()
    return tier_tables.load(data, "tiers.json").table


def _models(name):
    """Each model of a case with the tiers that are right for it."""
    models = values(name)["models"]
    if isinstance(models, list):
        return [(model, [expected(name)["tier_for_each"]]) for model in models]
    return list(models.items())


@pytest.mark.acceptance("TM-01", "TM-03", "TM-05", "TM-07", "TM-11", "P27")
@pytest.mark.parametrize(
    ("name", "model", "tiers"),
    [(name, model, tiers) for name in ("TM-01", "TM-03", "TM-05", "TM-07", "TM-11") for model, tiers in _models(name)],
)
def test_a_model_is_in_a_tier_that_is_right_for_it(name, model, tiers):
    assert _table(values(name)["tiers"]).match(model).tier in tiers


@pytest.mark.acceptance("TM-01", "TM-03", "TM-05", "TM-07", "TM-11")
@pytest.mark.parametrize("name", ["TM-01", "TM-03", "TM-05", "TM-07", "TM-11"])
def test_a_model_in_no_tier_is_warned_of(place, name):
    table = _table(values(name)["tiers"])
    file = place.write("t.json", json.dumps({"version": 2, "tiers": values(name)["tiers"], "fanout_caps": {}}))
    model = next((model for model, _ in _models(name) if table.match(model).tier == "unknown"), "stranger-1")
    assert place.check(tier_policy=file, model=model).codes == ([], ["TIER_UNKNOWN_MODEL"])


@pytest.mark.acceptance("TM-09")
def test_one_model_in_two_tiers_is_a_mistake_and_no_guess(place):
    tiers = values("TM-09")["tiers"]
    with pytest.raises(PolicyError) as error:
        _table(tiers)
    assert "claude-opus-4-8" in str(error.value).lower()
    file = place.write("t.json", json.dumps({"version": 2, "tiers": tiers, "fanout_caps": {}}))
    result = place.check(tier_policy=file, model=values("TM-09")["model"])
    assert (result.code, result.json["reason"]) == (expected("TM-09")["exit"], expected("TM-09")["reason"])


TIERS = {
    "top": ["claude-opus-4-8", "claude-fable-5", "gpt-5.5-pro", "gpt-6-sol", "composer-2.5-fast"],
    "mid": ["gpt-5.4", "gpt-5.5", "claude-sonnet-4-6", "grok-4.5", "gpt-5.6-sol", "gemini-3.7-flash", "composer-2.5"],
    "low": ["gpt-5.4-mini", "claude-haiku-4-5", "grok-4.5-fast", "gpt-5.4-nano", "claude-3-5-haiku"],
}
IDS = [
    ("gpt-5.5", "mid", []),
    ("GPT-5.5", "mid", []),
    ("Claude-Opus-4-8", "top", []),
    ("gpt-5.5-pro", "top", []),
    ("gpt-5.4-mini", "low", []),
    ("openai/gpt-5.5", "mid", ["provider"]),
    ("openai.gpt-5.5", "mid", ["provider"]),
    ("anthropic/claude-opus-4-8", "top", ["provider"]),
    ("anthropic.claude-opus-4-8", "top", ["provider"]),
    ("us.anthropic.claude-haiku-4-5", "low", ["region", "provider"]),
    ("eu.anthropic.claude-haiku-4-5-v1:0", "low", ["region", "provider", "revision"]),
    ("global.anthropic.claude-opus-4-8-v1", "top", ["region", "provider", "revision"]),
    ("apac.anthropic.claude-opus-4-8-20260801-v1:0", "top", ["region", "provider", "revision", "date"]),
    ("claude-opus-4-8-20260801", "top", ["date"]),
    ("claude-opus-4-8@20260801", "top", ["date"]),
    ("claude-opus-4-8[1m]", "top", ["context"]),
    ("claude-opus-4-8[1M]", "top", ["context"]),
    ("claude-opus-4-8-20260801[1m]", "top", ["context", "date"]),
    ("claude-sonnet-4-6-latest", "mid", ["latest"]),
    ("claude-3-5-haiku-latest", "low", ["latest"]),
    ("claude-opus-4.8", "top", ["spelling"]),
    ("gpt-5.5-high", "mid", ["effort"]),
    ("gpt-5.5-xhigh", "mid", ["effort"]),
    ("gpt-5.5-minimal", "mid", ["effort"]),
    ("gpt-5.5 (high)", "mid", ["effort"]),
    ("gpt-5.5 xhigh", "mid", ["effort"]),
    ("openai/gpt-5.5-low", "mid", ["provider", "effort"]),
    ("gemini-3.7-flash-high", "mid", ["effort"]),
    ("grok-4.5-fast", "low", []),
    ("composer-2.5-fast", "top", []),
]
STRANGERS = [
    "gpt-5",
    "gpt-5.45",
    "gpt-5.4-turbo",
    "gpt-5.5-fast",
    "gpt-5.5-mini",
    "gpt-5.6-luna",
    "gpt-6",
    "xgpt-5.5",
    "gpt-5.5x",
    "claude-opus",
    "claude-opus-4",
    "claude-opus-48",
    "claude-opus-4-8-thinking",
    "claude-opus-4-8-12345678",
    "claude-opus-4-8-2026",
    "claude-sonnet-4-6-fast",
    "opus",
    "best",
    "default",
    "auto",
    "sonnet",
    "high",
    "openai/",
    "/gpt-5.5",
    "evil/gpt-5.5",
    "gpt-5.5:14b",
    "gpt 5.5",
    "Gemini 3.7 Flash (Medium)",
    "gpt-5.5-high-fast",
    "",
    "[1m]",
    "unknown",
    "top",
]


@pytest.mark.acceptance("P27", "P05")
@pytest.mark.parametrize(("model", "tier", "steps"), IDS)
def test_an_id_leads_to_a_listed_one_by_named_steps(model, tier, steps):
    found = _table(TIERS).match(model)
    assert found.tier == tier
    assert sorted(found.steps) == sorted(steps)
    assert found.matched in {each.casefold() for listed in TIERS.values() for each in listed}


@pytest.mark.acceptance("P27", "P06")
@pytest.mark.parametrize("model", STRANGERS)
def test_an_id_that_only_resembles_a_listed_one_is_in_no_tier(model):
    found = _table(TIERS).match(model)
    assert (found.tier, found.matched) == ("unknown", None)


@pytest.mark.acceptance("P27")
def test_an_exact_listing_counts_before_any_step_however_cheap_it_is():
    table = _table({"top": ["gpt-5.5"], "low": ["gpt-5.5-high"]})
    assert table.match("gpt-5.5-high").tier == "low"
    assert table.match("gpt-5.5-low").tier == "top"


@pytest.mark.acceptance("P27", "P26")
@pytest.mark.parametrize(("order", "tier"), [(["a", "b"], "a"), (["b", "a"], "b")])
def test_of_several_tiers_that_steps_lead_to_the_most_expensive_counts(order, tier):
    table = _table({"a": ["gpt-5.5-high"], "b": ["openai/gpt-5.5"]}, tier_order=order)
    found = table.match("openai/gpt-5.5-high")
    assert (found.tier, found.ambiguous) == (tier, True)


@pytest.mark.acceptance("P26")
@pytest.mark.parametrize("order", [None, ["low", "top", "mid"]])
def test_ranks_follow_the_order_or_else_the_keys(order):
    table = _table(TIERS, **({} if order is None else {"tier_order": order}))
    names = order or list(TIERS)
    assert sorted(names, key=table.rank) == names
    assert table.rank("unknown") > max(table.rank(name) for name in names)
