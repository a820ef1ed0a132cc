"""How a model's id is found in a table: whole ids, a fixed list of steps, and never a guess."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples

from gatewright.model.tiers import TierMatch, TierTable

#: Ids as the tools of the field write them, most expensive tier first.
TIERS = {
    "top": ["claude-fable-5", "gpt-5.5-pro", "claude-opus-4-8", "grok-4-heavy", "gpt-6-pro"],
    "high": ["gpt-5.6-sol", "claude-opus-5", "gpt-5.4"],
    "middle": ["claude-sonnet-4-6", "gpt-5.6-terra", "gpt-5.4-low", "gemini-3.6-flash", "composer-2.5"],
    "low": ["claude-haiku-4-5", "gpt-5.6-luna", "grok-4.5", "deepseek-r1:14b", "gpt-5-mini", "o4-mini"],
}


def table(tiers: Mapping[str, list[str]], order: tuple[str, ...] = ()) -> TierTable:
    index = {model.casefold(): tier for tier, models in tiers.items() for model in models}
    return TierTable(version=2, index=index, order=order or tuple(tiers))


TABLE = table(TIERS)


@pytest.mark.acceptance("P05", "P27")
@pytest.mark.parametrize(
    ("model", "tier", "matched"),
    [
        ("claude-fable-5", "top", "claude-fable-5"),
        ("Claude-Fable-5", "top", "claude-fable-5"),
        ("GPT-5.5-PRO", "top", "gpt-5.5-pro"),
        ("gpt-5.6-sol", "high", "gpt-5.6-sol"),
        ("grok-4.5", "low", "grok-4.5"),
        ("deepseek-r1:14b", "low", "deepseek-r1:14b"),
        ("COMPOSER-2.5", "middle", "composer-2.5"),
    ],
)
def test_a_listed_id_matches_whatever_its_letter_case_and_nothing_is_taken_off(model, tier, matched):
    assert TABLE.match(model) == TierMatch(tier=tier, matched=matched)


@pytest.mark.acceptance("P27", "TM-03", "TM-05", "TM-11")
@pytest.mark.parametrize(
    ("model", "matched", "steps"),
    [
        ("anthropic/claude-opus-5", "claude-opus-5", ("provider",)),
        ("openai/gpt-5.6-sol", "gpt-5.6-sol", ("provider",)),
        ("google/gemini-3.6-flash", "gemini-3.6-flash", ("provider",)),
        ("x-ai/grok-4.5", "grok-4.5", ("provider",)),
        ("openai.gpt-5.6-luna", "gpt-5.6-luna", ("provider",)),
        ("anthropic.claude-haiku-4-5", "claude-haiku-4-5", ("provider",)),
        ("openrouter/anthropic/claude-opus-5", "claude-opus-5", ("provider", "provider")),
        ("us.anthropic.claude-haiku-4-5", "claude-haiku-4-5", ("region", "provider")),
        ("eu.anthropic.claude-haiku-4-5", "claude-haiku-4-5", ("region", "provider")),
        ("global.anthropic.claude-opus-4-8-v1", "claude-opus-4-8", ("region", "provider", "revision")),
        ("apac.anthropic.claude-opus-4-8-v1", "claude-opus-4-8", ("region", "provider", "revision")),
        ("claude-opus-4-8[1m]", "claude-opus-4-8", ("context",)),
        ("claude-opus-4-8[1M][1m]", "claude-opus-4-8", ("context", "context")),
        ("claude-opus-5-latest", "claude-opus-5", ("latest",)),
        ("claude-haiku-4-5-20251001", "claude-haiku-4-5", ("date",)),
        ("claude-opus-4-8@20260801", "claude-opus-4-8", ("date",)),
        ("claude-opus-4-8-v1:0", "claude-opus-4-8", ("revision",)),
        ("gpt-5.6-sol-xhigh", "gpt-5.6-sol", ("effort",)),
        ("gpt-5.6-sol xhigh", "gpt-5.6-sol", ("effort",)),
        ("gpt-5.6-sol (high)", "gpt-5.6-sol", ("effort",)),
        ("gpt-5.6-terra-minimal", "gpt-5.6-terra", ("effort",)),
        ("gpt-5.6-terra-none", "gpt-5.6-terra", ("effort",)),
        ("claude-opus-4.8", "claude-opus-4-8", ("spelling",)),
        ("claude-sonnet-4.6", "claude-sonnet-4-6", ("spelling",)),
    ],
)
def test_a_step_that_names_the_same_model_elsewhere_is_taken_off(model, matched, steps):
    found = TABLE.match(model)
    assert (found.matched, sorted(found.steps)) == (matched, sorted(steps))
    assert found.tier == next(tier for tier, models in TIERS.items() if matched in models)
    assert not found.ambiguous


@pytest.mark.acceptance("P27", "TM-03", "TM-11")
@pytest.mark.parametrize(
    ("model", "matched"),
    [
        ("us.anthropic.claude-haiku-4-5-20251001-v1:0", "claude-haiku-4-5"),
        ("US.Anthropic.Claude-Haiku-4-5-20251001-V1:0", "claude-haiku-4-5"),
        ("us.anthropic.claude-opus-4-8-v1[1m]", "claude-opus-4-8"),
        ("anthropic/claude-opus-4.8-latest", "claude-opus-4-8"),
        ("openrouter/openai/gpt-5.6-sol-xhigh", "gpt-5.6-sol"),
        ("claude-opus-4-8-20260101[1m]", "claude-opus-4-8"),
    ],
)
def test_steps_combine(model, matched):
    assert TABLE.match(model).matched == matched


@pytest.mark.acceptance("P05", "P06", "P27", "TM-01", "TM-05", "TM-07")
@pytest.mark.parametrize(
    "model",
    [
        "",
        " ",
        "gpt",
        "gpt-5",
        "gpt-5.45",
        "gpt-5.4.1",
        "gpt-5.4-mini",
        "gpt-5.4-mini-2026-03-01",
        "gpt-5.6-sola",
        "claude-opus",
        "claude-opus-48",
        "claude-opus-4-80",
        "claude-fable",
        "xclaude-fable-5",
        "deepseek-r1",
        "deepseek-r1:70b",
        "mistral/claude-opus-5",
        "claude-opus-5 ",
        " claude-opus-5",
        "claude-opus-5\n",
        "claude-opus-5-2026",
        "claude-opus-5-20269999",
        "claude-opus-5[1t]",
        "claude-haiku-4-5-fast",
        "gpt-5.6-sol-fast",
        "gpt-5.6-sol-pro",
        "gpt-5.6-sol-mini",
        "gpt-5.6-sol-nano",
        "gpt-5.6-sol-xhigh-fast",
        "claude-opus-5-thinking",
        "claude-opus-5-thinking-high",
        "claude-5-opus",
        "sonnet",
        "opus",
        "haiku",
        "fable",
        "best",
        "default",
        "auto",
        "opusplan",
        "latest",
        "20251001",
        "anthropic/",
        "us.anthropic.",
        "[1m]",
        "high",
        "unknown",
    ],
)
def test_a_part_a_sibling_an_alias_and_a_dearer_variant_are_in_no_tier(model):
    assert TABLE.match(model) == TierMatch(tier="unknown")


@pytest.mark.acceptance("P27")
def test_an_id_that_leads_to_several_tiers_is_in_the_most_expensive_and_says_so():
    found = TABLE.match("gpt-5.4-low-latest")
    assert (found.tier, found.matched, found.ambiguous) == ("high", "gpt-5.4", True)


@pytest.mark.acceptance("P27")
def test_an_exact_listing_wins_and_is_never_ambiguous():
    assert TABLE.match("gpt-5.4-low") == TierMatch(tier="middle", matched="gpt-5.4-low")


def test_an_id_that_leads_to_two_ids_of_one_tier_is_not_ambiguous():
    found = table({"one": ["gpt-5.4", "gpt-5.4-low"]}).match("gpt-5.4-low-latest")
    assert (found.tier, found.matched, found.steps, found.ambiguous) == ("one", "gpt-5.4-low", ("latest",), False)


@pytest.mark.acceptance("P26")
@pytest.mark.parametrize(("order", "tier"), [(("b", "a"), "b"), (("a", "b"), "a")])
def test_which_tier_is_the_most_expensive_is_a_matter_of_the_order(order, tier):
    tiers = {"a": ["gpt-5.4"], "b": ["gpt-5.4-low"]}
    assert table(tiers, order).match("gpt-5.4-low-latest").tier == tier


def test_of_a_version_1_table_the_denied_listing_counts():
    index = {"gpt-5.4": "denied", "gpt-5.4-low": "allowed"}
    found = TierTable(version=1, index=index).match("gpt-5.4-low-latest")
    assert (found.tier, found.ambiguous) == ("denied", True)


def test_a_tier_without_a_place_in_the_order_comes_last():
    found = TierTable(version=2, index={}, order=("top", "low"))
    assert [found.rank(tier) for tier in ("top", "low", "other", "unknown")] == [0, 1, 2, 2]


PARTS = st.sampled_from(
    [
        "us.",
        "global.",
        "anthropic.",
        "anthropic/",
        "openai/",
        "openrouter/",
        "claude-opus-4-8",
        "gpt-5.4",
        "gpt-5.4-low",
        "-latest",
        "-20251001",
        "@20260801",
        "-v1:0",
        "[1m]",
        "-high",
        " xhigh",
        " (low)",
        "-fast",
        "-pro",
        "-mini",
        "x",
    ]
)
IDS = st.lists(PARTS, max_size=6).map("".join)


@given(IDS)
@examples(100)
def test_a_match_is_always_a_listed_id_and_its_steps_lead_there(model):
    found = TABLE.match(model)
    if found.matched is None:
        assert found == TierMatch(tier="unknown")
    else:
        assert TABLE.index[found.matched] == found.tier
        assert bool(found.steps) is (found.matched != model.casefold())


@given(IDS)
@examples(100)
def test_letter_case_makes_no_difference(model):
    assert TABLE.match(model.upper()) == TABLE.match(model) == TABLE.match(model.lower())


@given(IDS)
@examples(100)
def test_taking_off_never_makes_a_model_cheaper_than_any_listed_id_it_leads_to(model):
    found = TABLE.match(model)
    if found.steps:
        less = table({tier: [each for each in models if each != found.matched] for tier, models in TIERS.items()})
        other = less.match(model)
        assert other.tier == "unknown" or TABLE.rank(found.tier) <= TABLE.rank(other.tier)


class CountedIndex(dict):
    """An index that counts how often it was asked."""

    asked = 0

    def __contains__(self, key):
        self.asked += 1
        return super().__contains__(key)


@pytest.mark.parametrize(
    "model",
    ["openai/" * 60 + "x" + "-latest" * 60, "x" + "[1m]" * 3000, "anthropic/" * 3000 + "x", "gpt" + "-high" * 3000],
    ids=["both-ends", "contexts", "providers", "efforts"],
)
def test_an_id_made_to_be_taken_apart_for_ever_is_given_up_soon(model):
    index = CountedIndex({"claude-opus-5": "top"})
    found = TierTable(version=2, index=index, order=("top",)).match(model)
    assert found.tier == "unknown"
    assert index.asked <= 1000
