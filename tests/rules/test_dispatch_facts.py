"""The machine and the start, as facts."""

import pytest

from gatewright.model import Stage
from gatewright_rules.dispatch_facts import FACTS
from gatewright_rules.facts import FACTS as OTHERS


def test_a_dispatch_is_described_as_its_check_is_and_by_the_machine():
    assert {fact.name for fact in FACTS} == {"same_host_reason", "front_matter", "host", "launch"}
    shared = {fact.name for fact in OTHERS if {Stage.DISPATCH, Stage.CHECK} <= set(fact.stages)}
    assert {"runtime", "model", "agents", "tier", "vendor", "window", "top_approved"} < shared


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.name)
def test_only_a_dispatch_has_them(fact):
    assert fact.stages == (Stage.DISPATCH,)
