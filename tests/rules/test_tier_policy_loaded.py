"""Tier policy loaded: without the table there is no tier, and without a tier no cap."""

import pytest
from tests.rules.calls import DENY, codes_of, findings_of, fires, levels_of

from gatewright.model import TIER_POLICY_UNAVAILABLE, TierPolicy
from gatewright_rules import tier_policy_loaded


@pytest.mark.parametrize("error", [None, "", "there is no such file"])
def test_a_table_that_was_not_loaded_is_denied(error):
    unloaded = TierPolicy(path="t.json", loaded=False, error=error)
    assert levels_of(tier_policy_loaded, tier_policy=unloaded) == [(TIER_POLICY_UNAVAILABLE, DENY)]
    assert fires(tier_policy_loaded, tier_policy=unloaded)


@pytest.mark.parametrize("version", [None, 1, 2])
def test_a_table_that_was_loaded_passes(version):
    loaded = TierPolicy(path="t.json", loaded=True, version=version)
    assert codes_of(tier_policy_loaded, tier_policy=loaded) == []
    assert not fires(tier_policy_loaded, tier_policy=loaded)


@pytest.mark.acceptance("P04")
def test_the_denial_names_the_path_and_the_fault():
    unloaded = TierPolicy(path="conf/t.json", loaded=False, error="line 3: there is no tier `hgih`")
    (finding,) = findings_of(tier_policy_loaded, tier_policy=unloaded)
    assert "tier_policy=conf/t.json" in finding.message
    assert "there is no tier `hgih`" in finding.message


def test_it_answers_for_a_table_that_cannot_be_had():
    assert tier_policy_loaded.owns == ("tier_policy",)
