"""Runtime routing: a runtime that costs much is started one at a time."""

import pytest
from tests.rules.calls import DENY, WARN, codes_of, fires, levels_of

from gatewright.model import HIGH_COST_RUNTIME, ROUTING_VIOLATION
from gatewright_rules import runtime_routing


@pytest.mark.acceptance("C20")
@pytest.mark.parametrize("agents", [2, 3, 2**63 - 1])
def test_two_or_more_agents_on_a_high_cost_runtime_are_denied(agents):
    assert levels_of(runtime_routing, runtime="fable", agents=agents) == [(ROUTING_VIOLATION, DENY)]
    assert fires(runtime_routing, runtime="fable", agents=agents)


@pytest.mark.acceptance("C21")
@pytest.mark.parametrize("agents", [1, 0, -5])
def test_one_agent_on_a_high_cost_runtime_is_warned_of(agents):
    assert levels_of(runtime_routing, runtime="fable", agents=agents) == [(HIGH_COST_RUNTIME, WARN)]
    assert fires(runtime_routing, runtime="fable", agents=agents)


@pytest.mark.parametrize("runtime", ["codex", "fabl", "fables", "Fable", "fable ", "fable\u3000", "", "x" * 100_000])
@pytest.mark.parametrize("agents", [1, 2])
def test_any_other_runtime_passes(runtime, agents):
    assert codes_of(runtime_routing, runtime=runtime, agents=agents) == []
    assert not fires(runtime_routing, runtime=runtime, agents=agents)


def test_the_list_is_an_option():
    assert codes_of(runtime_routing, runtime="codex", agents=2, high_cost=("codex", "claude")) == [ROUTING_VIOLATION]
    assert codes_of(runtime_routing, runtime="fable", agents=2, high_cost=("codex", "claude")) == []


def test_an_empty_list_makes_no_runtime_a_high_cost_one():
    assert codes_of(runtime_routing, runtime="fable", agents=2, high_cost=()) == []
    assert not fires(runtime_routing, runtime="fable", agents=2, high_cost=())
