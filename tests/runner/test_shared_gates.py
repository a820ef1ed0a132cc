"""A gate in use for long, and by many: threads share nothing that changes an answer, and nothing piles up."""

import gc
import sys
import tracemalloc
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.expressions.fuzzing import PROFILE
from tests.runner.gates import BUILT_IN, CHECK, gate_of, request, shipped_gate

from gatewright.policy.loader import load
from gatewright.runner import Gate

#: A hundred times as much with GATEWRIGHT_FUZZ=long: a million decisions each.
MANY = 100 * PROFILE.max_examples
REQUESTS = [
    request(),
    request(agents=9),
    request(model=None),
    request(runtime="fable"),
    request(est_chars=500_001),
    request(window={"used": 8, "cap": 8}),
    {},
]


@pytest.fixture
def eager_switching():
    """Threads take turns as often as Python lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def told(decision):
    """What a decision says."""
    return decision.to_dict()


@pytest.mark.usefixtures("eager_switching")
def test_threads_that_share_a_gate_get_the_answers_that_one_alone_gets():
    gate, alone = shipped_gate(), shipped_gate()
    wanted = [told(alone.decide(facts)) for facts in REQUESTS]

    def decide(start: int) -> list[int]:
        order = [(start + at) % len(REQUESTS) for at in range(MANY // 50)]
        return [at for at in order if told(gate.decide(REQUESTS[at])) != wanted[at]]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(decide, range(4))) == [[]] * 4


@pytest.mark.usefixtures("eager_switching")
def test_a_gate_decides_while_others_are_loaded_beside_it():
    with open(CHECK, "rb") as file:
        text = file.read()
    gate, wanted = shipped_gate(), told(shipped_gate().decide(REQUESTS[1]))
    changed = text.replace(b"policy: check", b"policy: other")

    def reload(_: int) -> str:
        return Gate(load(changed, "other.yaml", BUILT_IN), BUILT_IN).decide(REQUESTS[1]).policy.id

    def decide(_: int) -> bool:
        return all(told(gate.decide(REQUESTS[1])) == wanted for _ in range(50))

    with ThreadPoolExecutor(4) as pool:
        loaded, decided = pool.map(reload, range(6)), pool.map(decide, range(12))
        assert set(loaded) == {"other"}
        assert set(decided) == {True}


def grown(work, times):
    """By how many bytes Python's own memory has grown after doing something so many times more."""
    for at in range(200):
        work(at)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for at in range(times):
            work(at)
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


LEAK = 65_536  #: in 3,000 decisions, even a decision that left one empty list behind would take more


def test_decisions_leave_nothing_behind():
    gate = shipped_gate()
    assert grown(lambda at: gate.decide(REQUESTS[at % len(REQUESTS)]), MANY // 3) < LEAK


def test_requests_that_are_all_different_leave_nothing_behind():
    gate = gate_of("- {id: a, deny: labels.team == 'x', message: '{labels.team}'}\n- {id: b, deny: agents > 8}")
    work = lambda at: gate.decide({"labels": {"team": f"t{at}", f"k{at}": "v"}, "agents": at})  # noqa: E731
    assert grown(work, MANY // 3) < LEAK


def test_a_gate_that_is_dropped_is_gone_with_its_policy():
    gate = gate_of("- {id: a, deny: agents > 8}")
    gate.decide({"agents": 9})
    seen = [weakref.ref(gate), weakref.ref(gate._fused)]
    del gate
    gc.collect()
    assert [each() for each in seen] == [None, None]
