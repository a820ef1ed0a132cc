"""Requests made to break a gate: one decision each, never an allowance by accident, and no code of theirs is run."""

import sys
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.runner.gates import FACTS, gate_of, request, shipped_gate
from tests.runner.strategies import INLINE

from gatewright.expressions.admission import MAX_CHARACTERS

RAN: list[str] = []


class Escaped(BaseException):
    """What a hostile object raises, so that no handler of ordinary errors hides it."""


def trap(name):
    def ran(*args, **kwargs):
        RAN.append(name)
        raise Escaped(name)

    return ran


TRAPS = {
    name: trap(name)
    for name in (
        *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__bool__", "__len__", "__iter__"),
        *("__getitem__", "__contains__", "__call__", "__str__", "__repr__", "__format__", "__int__", "__float__"),
        *("__index__", "__add__", "__radd__", "__mul__", "__neg__", "__reduce_ex__", "__copy__", "__deepcopy__"),
    )
}
KINDS = (object, str, int, float, list, tuple, set, bytes)
TRAPPED = [type(f"Hostile{kind.__name__}", (kind,), TRAPS)() for kind in KINDS]
TRAPPED += [TRAPPED[0].__class__, [TRAPPED[0]], {"a": TRAPPED[1]}, {"a": [TRAPPED[2], TRAPPED[4]]}]


def circle():
    inner: dict[str, object] = {}
    inner["again"] = [inner]
    return inner


def deep(levels):
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


PLAIN = [
    *(float("nan"), float("inf"), 10**5000, -(10**5000), 2**63, "x" * (MAX_CHARACTERS + 1), "x" * 10_000_000),
    *(circle(), deep(33), deep(100_000), {1: 2}, {"a": object()}, {None: None}, [float("nan")], [10**400]),
    *(object(), object, len, sys, ..., NotImplemented, 1j, b"x", memoryview(b"x"), iter([]), (each for each in [])),
    *({"a": {"b": {"c": float("-inf")}}}, [[]] * 20_001, {str(number): "" for number in range(20_001)}),
]
#: Facts that the shipped policy cannot do without.
NEEDED = ("runtime", "model", "agents", "est_chars", "completion_channel", "contract", "tier_policy", "window")
GATES = {"shipped": shipped_gate(), **{name: gate_of(text) for name, text in INLINE.items()}}


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize("value", [*PLAIN, *TRAPPED], ids=lambda value: type(value).__name__)
def test_a_fact_that_is_no_plain_data_of_bounded_size_closes_the_gate(name, value):
    assert not GATES["shipped"].decide(request(**{name: value})).allow


@pytest.mark.parametrize("name", sorted(FACTS))
def test_no_code_of_a_request_runs_while_it_is_decided(name):
    RAN.clear()
    for gate in GATES.values():
        for value in TRAPPED:
            gate.decide(request(**{name: value})).to_dict()
    assert RAN == []


ODD = [float("nan"), float("inf"), 10**400, 2**63, -(2**63) - 1, {1: 2}, {"a": object()}, object, len, ..., 1j, b"x"]
values = st.recursive(
    st.sampled_from(ODD) | st.text(st.characters(), max_size=4) | st.integers() | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("gate", GATES.values(), ids=GATES)
@given(changed=st.dictionaries(st.sampled_from(sorted(FACTS)), values, max_size=4))
@examples(150)
def test_whatever_a_request_holds_it_is_one_decision(gate, changed):
    decision = gate.decide(request(**changed))
    assert decision.allow is (decision.reason == "OK")
    assert decision.to_dict()["allow"] is decision.allow


class Unreadable(Mapping):
    """Facts that cannot be looked at."""

    def __getitem__(self, key):
        raise Escaped

    def __iter__(self):
        raise Escaped

    def __len__(self):
        return 1


@pytest.mark.parametrize(
    "facts", [Unreadable(), None, 5, "agents", object(), [1]], ids=lambda each: type(each).__name__
)
def test_facts_that_cannot_be_read_at_all_are_refused_even_where_each_has_a_default(facts):
    for gate in (GATES["shipped"], gate_of("- {id: a, deny: has(labels.frozen)}")):
        assert gate.decide({} if gate is not GATES["shipped"] else request()).allow
        assert gate.decide(facts).reasons == ("REQUEST_REFUSED",)


def test_a_user_who_interrupts_the_reading_of_facts_is_obeyed():
    class Interrupted(Unreadable):
        def __iter__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        GATES["shipped"].decide(Interrupted())
