"""Unknown model: a model that the tier table does not know is seen, not punished."""

import pytest
from tests.rules.calls import WARN, findings_of, fires, levels_of

from gatewright.model import TIER_AMBIGUOUS_MODEL, TIER_UNKNOWN_MODEL
from gatewright_rules import unknown_model


@pytest.mark.acceptance("P06", "P07")
@pytest.mark.parametrize("model", ["brand-new-1", "", None, "x" * 100_000])
def test_a_model_in_no_tier_is_warned_of(model):
    given = {"model": model, "tier": "unknown", "tier_ambiguous": False}
    assert levels_of(unknown_model, **given) == [(TIER_UNKNOWN_MODEL, WARN)]
    assert fires(unknown_model, **given)


@pytest.mark.parametrize("tier", ["top", "efficient", "Unknown", "unknown ", "", None])
def test_a_model_in_a_tier_is_not_warned_of(tier):
    given = {"model": "gpt-5.5", "tier": tier, "tier_ambiguous": False}
    assert levels_of(unknown_model, **given) == []
    assert not fires(unknown_model, **given)


@pytest.mark.acceptance("P27")
def test_a_model_that_leads_to_several_tiers_is_warned_of():
    given = {"model": "gpt-5.4-low-latest", "tier": "high", "tier_ambiguous": True}
    assert levels_of(unknown_model, **given) == [(TIER_AMBIGUOUS_MODEL, WARN)]
    assert fires(unknown_model, **given)


def test_the_warning_of_an_ambiguous_model_names_the_tier_that_counts():
    (finding,) = findings_of(unknown_model, model="gpt-5.4-low-latest", tier="high", tier_ambiguous=True)
    assert "`high`" in finding.message


def test_a_message_says_nothing_in_the_words_of_python_where_there_is_no_tier():
    (finding,) = findings_of(unknown_model, model="gpt-5.4-low-latest", tier=None, tier_ambiguous=True)
    assert "None" not in finding.message
