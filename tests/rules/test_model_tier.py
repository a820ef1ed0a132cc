"""Model tier: which models a table of version 1 lets workers run."""

import pytest
from tests.rules.calls import DENY, WARN, findings_of, fires, levels_of

from gatewright.model import TIER_POLICY, TierPolicy
from gatewright_rules import model_tier


def of(listing, unknown_model="deny"):
    table = TierPolicy(path="t.json", loaded=True, version=1, unknown_model=unknown_model)
    return {"model": "gpt-5.5", "model_listing": listing, "tier_policy": table}


@pytest.mark.parametrize("unknown_model", ["deny", "warn"])
def test_an_allowed_model_passes(unknown_model):
    assert levels_of(model_tier, **of("allowed", unknown_model)) == []
    assert not fires(model_tier, **of("allowed", unknown_model))


@pytest.mark.acceptance("P18")
@pytest.mark.parametrize("unknown_model", ["deny", "warn", None])
def test_a_denied_model_is_denied_whatever_unlisted_ones_get(unknown_model):
    assert levels_of(model_tier, **of("denied", unknown_model)) == [(TIER_POLICY, DENY)]
    assert fires(model_tier, **of("denied", unknown_model))


@pytest.mark.acceptance("P19")
@pytest.mark.parametrize(("unknown_model", "level"), [("deny", DENY), ("warn", WARN), (None, DENY), ("Warn", DENY)])
def test_an_unlisted_model_gets_what_the_table_says_and_a_denial_where_it_says_nothing_known(unknown_model, level):
    assert levels_of(model_tier, **of("unlisted", unknown_model)) == [(TIER_POLICY, level)]
    assert fires(model_tier, **of("unlisted", unknown_model))


def test_a_table_that_lists_no_models_by_name_is_not_asked():
    assert levels_of(model_tier, **of(None)) == []
    assert not fires(model_tier, **of(None))


@pytest.mark.parametrize("listing", ["denied", "unlisted"])
def test_the_message_names_the_model(listing):
    (finding,) = findings_of(model_tier, **of(listing))
    assert "model=gpt-5.5" in finding.message
