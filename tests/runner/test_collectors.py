"""Facts that are looked up or derived: when they are asked, at most once, and that their failure denies."""

import functools

import pytest
from tests.runner.gates import gate_of, own_rule, request, shipped_gate, without

from gatewright.model import Window
from gatewright.spec import FactUnavailableError, derived, given, rule

RULE = "- {id: a, deny: window.used == 99}"


class StrangeError(BaseException):
    """An error that is no `Exception`."""


def test_a_fact_that_was_given_is_not_looked_up():
    def window():
        raise AssertionError("looked up")

    assert gate_of(RULE).decide({"window": {"used": 1, "cap": None}}, {"window": window}).allow


def test_a_fact_that_no_rule_needs_is_not_looked_up():
    def window():
        raise AssertionError("looked up")

    assert gate_of("- {id: a, deny: agents > 9}").decide({"agents": 1}, {"window": window}).allow


def test_a_fact_is_looked_up_once_a_decision_however_many_rules_need_it():
    asked = []

    def window(agents: int) -> Window:
        asked.append(agents)
        return Window(used=1, cap=8)

    gate = gate_of(f"{RULE}\n- {{id: b, warn: window.cap == 7}}\n- use: fan-out-cap")
    assert gate.decide({"agents": 1, "tier": "x"}, {"window": window}).allow
    assert asked == [1]
    gate.decide({"agents": 2, "tier": "x"}, {"window": window})
    assert asked == [1, 2]


@pytest.mark.parametrize("error", [ValueError, OSError, SystemExit, StrangeError, RecursionError, StopIteration])
def test_a_collector_that_fails_is_a_fact_that_cannot_be_had(error):
    def window():
        raise error(0)

    decision = gate_of(RULE).decide({}, {"window": window})
    assert decision.reasons == ("FACT_UNAVAILABLE",)


def test_a_collector_may_say_why_and_with_which_code():
    def window():
        raise FactUnavailableError("the ledger is locked", "LEDGER_UNAVAILABLE")

    decision = gate_of(RULE).decide({}, {"window": window})
    assert decision.reasons == ("LEDGER_UNAVAILABLE",)
    assert "the ledger is locked" in decision.findings[0].message


@pytest.mark.parametrize("code", ["BUDGET_EXCEEDED", "TIER_UNKNOWN_MODEL", "OK", "", "nonsense"])
def test_a_code_that_is_not_the_engine_s_does_not_weaken_the_denial(code):
    def window():
        raise FactUnavailableError("no", code)

    text = f"{RULE.replace('window.used == 99', 'window.used == 99, level: warn')}"
    assert gate_of(text).decide({}, {"window": window}).reasons == ("FACT_UNAVAILABLE",)


@pytest.mark.parametrize("answer", [None, 5, {"used": "1"}, "x", Window, {"used": 1, "extra": 1}], ids=repr)
def test_a_collector_that_answers_something_else_is_a_fact_that_cannot_be_had(answer):
    def window():
        return answer

    assert not gate_of(RULE).decide({}, {"window": window}).allow


class Callable_:  # noqa: N801  a name for a callable that is no function
    """A collector that is an object."""

    def __call__(self, agents: int) -> Window:
        return Window(used=agents, cap=8)


def _window(cap: int, agents: int) -> Window:
    return Window(used=agents, cap=cap)


class Bound:
    """A collector that is a method."""

    def window(self, agents: int) -> Window:
        return Window(used=agents, cap=8)


@pytest.mark.parametrize(
    "collector", [Callable_(), functools.partial(_window, 8), Bound().window], ids=["object", "partial", "method"]
)
def test_a_collector_may_be_any_callable(collector):
    gate = gate_of(RULE)
    assert gate.decide({"agents": 1}, {"window": collector}).allow
    assert gate.decide({"agents": 99}, {"window": collector}).reasons == ("A",)


def _asks_for_nothing_known(no_such_fact: int) -> Window:
    return Window(used=no_such_fact, cap=1)


def _asks_for_itself(window: Window) -> Window:
    return window


@pytest.mark.parametrize("collector", [_asks_for_nothing_known, _asks_for_itself])
def test_a_collector_that_asks_for_what_cannot_be_had_makes_no_fact(collector):
    decision = gate_of(RULE).decide({}, {"window": collector})
    assert decision.reasons == ("FACT_UNAVAILABLE",)


@derived(stages=("check",))
def doubled(agents: int) -> int:
    """Agents, twice."""
    return agents * 2


@derived(stages=("check",))
def fourfold(doubled: int) -> int:
    """Agents, four times."""
    return doubled * 2


@derived(stages=("check",))
def broken(agents: int) -> int:
    """Never known."""
    return 1 // (agents - agents)


@derived(stages=("check",))
def leaving(agents: int) -> int:
    """Leaves the process, if it may."""
    raise SystemExit(0)


@derived(stages=("check",))
def text_for_number(agents: int) -> int:
    """Says it is a number and is none."""
    return str(agents)  # type: ignore[return-value]  # a fact that does what it must not


@derived(stages=("check",))
def first_of_circle(second_of_circle: int) -> int:
    """Needs the other."""
    return second_of_circle


@derived(stages=("check",))
def second_of_circle(first_of_circle: int) -> int:
    """Needs the other."""
    return first_of_circle


def test_facts_are_derived_from_facts_that_are_derived():
    gate = gate_of("- {id: a, deny: fourfold > 8}", doubled, fourfold)
    assert gate.decide({"agents": 2}).allow
    assert gate.decide({"agents": 3}).reasons == ("A",)
    assert gate.decide({}).reasons == ("FACT_UNAVAILABLE",)


@pytest.mark.parametrize(
    ("fact", "more"),
    [(broken, []), (leaving, []), (text_for_number, []), (first_of_circle, [second_of_circle])],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_derived_fact_that_fails_cannot_be_had(fact, more):
    decision = gate_of(f"- {{id: a, deny: {fact.name} > 8}}", fact, *more).decide({"agents": 1})
    assert decision.reasons == ("FACT_UNAVAILABLE",)


def test_a_noun_that_is_null_is_read_by_nobody():
    maybe = given("maybe", Window | None, "Perhaps a window.", stages=("check",), default=None)

    @rule(codes=["MINE"], fires="maybe.used == 1")
    def certain(maybe: Window):
        """Deny a window that is used."""
        yield from ()

    gate = gate_of("- use: certain", certain, maybe)
    assert gate.decide({"maybe": None}).reasons == ("FACT_UNAVAILABLE",)
    guarded = gate_of("- {id: a, deny: maybe is not None and maybe.used == 1}", maybe)
    assert guarded.decide({"maybe": None}).allow
    assert guarded.decide({"maybe": {"used": 1, "cap": None}}).reasons == ("A",)


def test_without_collectors_the_shipped_policy_denies():
    bare = without(request(), "window", "ticket_path", "known_roots")
    decision = shipped_gate().decide(bare)
    assert decision.reasons == ("FACT_UNAVAILABLE",)


def test_an_own_rule_hears_of_a_derived_fact():
    gate = gate_of("- use: mine\n- {id: a, deny: doubled > 8}", own_rule(lambda _: []), doubled)
    assert gate.decide({"agents": 4}).allow
