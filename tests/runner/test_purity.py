"""Deciding is a pure function of the facts: it changes nothing that it was given and touches nothing outside."""

from copy import deepcopy

import pytest
from hypothesis import given
from tests.audited import audited
from tests.expressions.fuzzing import examples
from tests.runner.gates import FACTS, gate_of, request, shipped_gate
from tests.runner.strategies import INLINE, requests

#: Kinds of audit events by which code reaches outside, or makes new code.
OUTSIDE = ("exec", "compile", "import", "open", "socket", "subprocess", "os")
GATES = {"shipped": shipped_gate(), **{name: gate_of(text) for name, text in INLINE.items()}}


@pytest.mark.parametrize("gate", GATES.values(), ids=GATES)
@given(facts=requests(wrong=False))
@examples(100)
def test_the_facts_that_were_given_are_left_as_they_were(gate, facts):
    before = deepcopy(facts)
    gate.decide(facts)
    assert facts == before


WARM = """
from tests.runner.gates import request, shipped_gate

batch = [request(), request(agents=9), request(model=None), request(runtime="fable"), request(est_chars=None), {}]
gate = shipped_gate()
for facts in batch:
    gate.decide(facts)
with heard():
    told = [gate.decide(facts).reason for facts in batch]
tell(told)
"""


def test_nothing_outside_is_touched_while_a_warm_gate_decides():
    told, seen = audited(WARM)
    assert {"OK", "NO_MODEL"} <= set(told)
    assert [event for event, _ in seen if event.split(".", maxsplit=1)[0] in OUTSIDE] == []


def test_a_decision_remembers_the_facts_that_it_rests_on():
    decision = shipped_gate().decide(FACTS)
    assert decision.facts["agents"] == 2
    assert decision.cost_proxy == 6000
    assert decision.contract_sha == "ab" * 32


@pytest.mark.parametrize(("contract", "sha"), [(None, None), ({"path": "x", "readable": False}, None)])
def test_a_contract_that_was_never_hashed_has_no_hash(contract, sha):
    plain = shipped_gate().decide(request(contract=contract)).to_dict()
    assert plain["contract_sha"] is sha


def test_contract_and_cost_are_reported_by_policies_that_do_not_read_them():
    plain = gate_of("- {id: a, deny: runtime == 'fable'}").decide(request()).to_dict()
    assert (plain["contract_sha"], plain["cost_proxy"]) == ("ab" * 32, 6000)


def test_a_decision_names_its_policy():
    gate = shipped_gate()
    decision = gate.decide(request())
    assert (decision.policy.id, decision.policy.path) == ("check", "check.yaml")
    assert decision.policy.sha256 == gate.policy.sha256
    assert decision.policy.digest == gate.policy.digest
