"""The fused function decides as rule by rule does, and a gate that decided before decides as a new one does."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.runner.gates import BUILT_IN, gate_of, shipped_gate
from tests.runner.strategies import INLINE, RIGHT, requests

from gatewright.runner import Gate

GATES = {"shipped": shipped_gate(), **{name: gate_of(text) for name, text in INLINE.items()}}
every_gate = pytest.mark.parametrize("gate", GATES.values(), ids=GATES)


def asking_every_rule(gate: Gate) -> Gate:
    """The same gate, but with nothing known beforehand: each rule is asked."""
    slow = Gate(gate.policy, BUILT_IN)
    slow._fused = lambda _: slow.bits.everything
    return slow


@every_gate
@given(facts=requests())
@examples(150)
def test_the_fused_function_decides_as_rule_by_rule_does(gate, facts):
    slow = asking_every_rule(gate).decide(facts).to_dict()
    fast = gate.decide(facts).to_dict()
    if "POLICY_FROZEN" not in fast["reasons"]:
        assert fast == slow
    else:
        assert fast["reasons"] == slow["reasons"]


@every_gate
@given(batch=st.lists(requests(), min_size=2, max_size=8))
@examples(100)
def test_what_a_gate_decided_before_changes_no_decision(gate, batch):
    for facts in batch:
        assert gate.decide(facts).to_dict() == Gate(gate.policy, BUILT_IN).decide(facts).to_dict()


@every_gate
def test_a_long_run_of_requests_is_decided_as_one_by_one(gate):
    chance = random.Random(20261129)
    used = Gate(gate.policy, BUILT_IN)
    base = RIGHT
    for _ in range(300):
        facts = {name: chance.choice(values) for name, values in base.items() if chance.random() < 0.98}
        assert used.decide(facts).to_dict() == Gate(gate.policy, BUILT_IN).decide(facts).to_dict()


@every_gate
@given(facts=requests())
@examples(100)
def test_equal_facts_give_equal_decisions(gate, facts):
    assert gate.decide(facts).to_dict() == gate.decide(dict(reversed(facts.items()))).to_dict()


@every_gate
@given(facts=requests())
@examples(100)
def test_facts_that_were_admitted_decide_as_they_did_before_they_were(gate, facts):
    admitted = gate.admit(facts)
    first = gate.decide(admitted).to_dict()
    assert first == gate.decide(facts).to_dict()
    assert gate.decide(admitted).to_dict() == first


@pytest.mark.parametrize("name", GATES)
@given(facts=requests())
@examples(100)
def test_facts_that_another_gate_admitted_open_no_gate_that_is_closed_to_them(name, facts):
    gate = GATES[name]
    if not gate.decide(facts).allow:
        for other in GATES.values():
            assert not gate.decide(other.admit(facts)).allow


def test_facts_that_another_gate_did_not_read_are_not_lost():
    reads_agents, reads_labels = gate_of("- {id: a, deny: agents > 8}"), gate_of("- {id: b, deny: has(labels.frozen)}")
    facts = {"agents": 1, "labels": {"frozen": "yes"}}
    assert reads_labels.decide(facts).reasons == ("B",)
    assert not reads_labels.decide(reads_agents.admit(facts)).allow


def test_facts_that_another_gate_refused_are_refused_again():
    first = gate_of("- use: request-shape")
    second = gate_of("- {use: request-shape}\n- {id: a, deny: agents > 8}")
    facts = {"runtime": "codex", "model": "x", "agents": 1, "est_chars": 1, "tier_override": 5}
    assert second.decide(facts).reasons == ("INVALID_REQUEST",)
    assert not second.decide(first.admit(facts)).allow


def test_what_a_gate_remembers_is_bounded_whatever_it_is_asked():
    names = [f"label_{number}" for number in range(12)]
    gate = gate_of("\n".join(f"- {{id: r-{name}, when: has(labels.{name}), deny: agents > 8}}" for name in names))
    for number in range(2**12):
        labels = {name: "x" for at, name in enumerate(names) if number >> at & 1}
        assert gate.decide({"agents": 1, "labels": labels}).allow
    assert len(gate._verdicts) <= 2**11


def test_four_threads_decide_as_one_does():
    gate = shipped_gate()
    chance = random.Random(7)
    batch = [{name: chance.choice(values) for name, values in RIGHT.items()} for _ in range(50)]
    expected = [Gate(gate.policy, BUILT_IN).decide(facts).to_dict() for facts in batch]

    def decide_all(_: int) -> bool:
        return all(gate.decide(batch[number % 50]).to_dict() == expected[number % 50] for number in range(2_000))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(decide_all, range(4)))
