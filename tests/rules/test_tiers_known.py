"""Tiers known: without the table nobody can tell what has to be approved."""

import pytest
from tests.rules.calls import DENY, codes_of, findings_of, fires, levels_of

from gatewright.model import TIER_POLICY_UNAVAILABLE, TierPolicy
from gatewright_rules import tiers_known


@pytest.mark.parametrize("error", [None, "", "there is no such file"])
def test_a_table_that_was_not_loaded_is_denied(error):
    unloaded = TierPolicy(path="t.json", loaded=False, error=error)
    assert levels_of(tiers_known, tier_policy=unloaded) == [(TIER_POLICY_UNAVAILABLE, DENY)]
    assert fires(tiers_known, tier_policy=unloaded)


def test_a_table_that_was_loaded_passes():
    loaded = TierPolicy(path="t.json", loaded=True, version=2)
    assert codes_of(tiers_known, tier_policy=loaded) == []
    assert not fires(tiers_known, tier_policy=loaded)


def test_the_denial_names_the_path_and_the_fault():
    unloaded = TierPolicy(path="conf/t.json", loaded=False, error="line 3: there is no tier `hgih`")
    (finding,) = findings_of(tiers_known, tier_policy=unloaded)
    assert finding.message == "tier_policy=conf/t.json: line 3: there is no tier `hgih`"
