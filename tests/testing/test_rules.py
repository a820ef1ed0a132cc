"""A rule by itself: what it finds, and everything that is wrong with one that is none."""

import pytest

from gatewright import deny, derived, rule
from gatewright.testing import check_rule_contract, codes_of, findings_of
from gatewright_rules import RULES

SEEN: list[int] = []


@rule(codes=["FEW", "ODD"], fires="agents > limit or agents < 0")
def few(agents: int, *, limit: int = 4):
    """Deny more agents than `limit` with `FEW`, and less than none with `ODD`."""
    if agents > limit:
        yield deny("FEW", f"{agents} agents, {limit} allowed")
    if agents < 0:
        yield deny("ODD", f"{agents} agents")


@rule(codes=["NEED"])
def needy(agents: int, *, limit: int):
    """Deny with `NEED` more than `limit`."""
    if agents > limit:
        yield deny("NEED", "too many")


@pytest.mark.parametrize(
    ("given", "codes"),
    [({"agents": 4}, []), ({"agents": 5}, ["FEW"]), ({"agents": 5, "limit": 5}, []), ({"agents": -1}, ["ODD"])],
)
def test_a_rule_gives_its_codes_on_facts_and_options(given, codes):
    assert codes_of(few, **given) == codes
    assert [finding.code for finding in findings_of(few, **given)] == codes


@pytest.mark.parametrize(
    ("asked", "given", "told"),
    [
        (few, {"agnets": 1, "agents": 1}, "it asks for no `agnets` (did you mean `agents`?)"),
        (few, {}, "fact `agents` is not given"),
        (needy, {"agents": 1}, "option `limit` is not given"),
    ],
)
def test_facts_and_options_are_those_that_the_rule_asks_for(asked, given, told):
    with pytest.raises(AssertionError) as raised:
        findings_of(asked, **given)
    assert str(raised.value).splitlines() == [f"rule `{asked.id}`:", f"- {told}"]


def test_a_code_that_is_not_declared_raises():
    @rule(codes=["A"])
    def other(agents: int):
        """Deny with `A`."""
        yield deny("B", "no")

    with pytest.raises(AssertionError, match="it gives `B`, which it does not declare"):
        codes_of(other, agents=1)


def undecorated(agents: int):
    """A function that nobody has made a rule."""


@pytest.mark.parametrize("ask", [findings_of, codes_of, check_rule_contract])
@pytest.mark.parametrize(("none", "named"), [(undecorated, "undecorated"), ("few", "'few'"), (None, "None")])
def test_what_is_no_rule_is_said_to_be_none(ask, none, named):
    with pytest.raises(TypeError) as raised:
        ask(none)
    assert str(raised.value) == f"`{named}` is no rule: give the function that `@rule` stands above"


@pytest.mark.parametrize("each", RULES, ids=lambda each: each.id)
def test_every_built_in_rule_keeps_the_contract(each):
    check_rule_contract(each)


def test_a_rule_that_keeps_the_contract_on_its_examples_passes():
    check_rule_contract(few, {"agents": 4}, {"agents": 5}, {"agents": 5, "limit": 9}, {"agents": -1})


def test_a_fact_of_its_own_plugin_is_given_with_the_rule():
    @derived(stages=["check"])
    def is_small(agents: int) -> bool:
        """Whether one agent is asked for."""
        return agents == 1

    @rule(codes=["LARGE"])
    def small_only(is_small: bool):  # noqa: FBT001  the fact is one
        """Deny with `LARGE` what is not small."""
        if not is_small:
            yield deny("LARGE", "not small")

    check_rule_contract(small_only, {"is_small": False}, facts=[is_small])
    with pytest.raises(AssertionError, match="there is no fact `is_small` at stage `check`"):
        check_rule_contract(small_only)


def told_of(function, *examples, codes=("A",), **more):
    """What is said of a rule made of a function."""
    with pytest.raises(AssertionError) as raised:
        check_rule_contract(rule(codes=codes, **more)(function), *examples)
    return [line.removeprefix("- ") for line in str(raised.value).splitlines()[1:]]


def undocumented(agents: int):
    yield deny("A", "no")


def wrong_fact(agnets: int):
    """Deny with `A`."""
    yield deny("A", "no")


def wrong_type(agents: str):
    """Deny with `A`."""
    yield deny("A", "no")


def wrong_default(agents: int, *, limit: int = "4"):
    """Deny with `A` by `limit`."""
    yield deny("A", "no")


def untold(agents: int, *, limit: int = 4):
    """Deny things."""
    yield deny("A", "no")


def raising(agents: int):
    """Deny with `A`."""
    yield deny("A", str(1 // (agents - 1)))


def another(agents: int):
    """Deny with `A`."""
    yield deny("B", "no")


def no_finding(agents: int):
    """Deny with `A`."""
    yield "A"


def nothing(agents: int):
    """Deny with `A`."""


def unsteady(agents: int):
    """Deny with `A`."""
    SEEN.append(agents)
    if len(SEEN) % 2:
        yield deny("A", "no")


def changing(labels: dict[str, str]):
    """Deny with `A`."""
    labels["seen"] = "yes"
    yield deny("A", "no")


@pytest.mark.parametrize(
    ("function", "examples", "more", "told"),
    [
        (undocumented, [], {}, ["it has no docstring (say in a sentence what it denies)"]),
        (wrong_fact, [], {}, ["there is no fact `agnets` at stage `check` (did you mean `agents`?)"]),
        (
            wrong_type,
            [],
            {},
            ["fact `agents` is integer, and the parameter says text (give the parameter the fact's type)"],
        ),
        (wrong_default, [], {}, ["the default of option `limit` is no integer (give a default of the option's type)"]),
        (untold, [], {}, ["its docstring does not name `A`", "its docstring does not name option `limit`"]),
        (raising, [{"agents": 2}, {"agents": 1}], {}, ["example 2: it raises ZeroDivisionError: "]),
        (another, [{"agents": 1}], {}, ["example 1: it gives `B`, which it does not declare"]),
        (no_finding, [{"agents": 1}], {}, ["example 1: it yields str, which is no finding"]),
        (nothing, [{"agents": 1}], {}, ["example 1: it raises TypeError: "]),
        (unsteady, [{"agents": 1}], {}, ["example 1: asked twice, it finds something else"]),
        (changing, [{"labels": {}}], {}, ["example 1: it changes what it was given"]),
        (changing, [{}], {}, ["example 1: fact `labels` is not given"]),
        (
            raising,
            [{"agents": 2}],
            {"fires": "agents > 2"},
            ["example 1: it finds `A` where its plain form `agents > 2` is not true"],
        ),
        (raising, [], {"codes": ["a b"]}, ["*"]),
        (raising, [], {"fires": "agents ="}, ["*"]),
    ],
)
def test_everything_that_is_wrong_with_a_rule_is_told(function, examples, more, told):
    found = told_of(function, *examples, **more)
    for line, expected in zip(found, told, strict=False):
        assert expected == "*" or line.startswith(expected)
    assert len(found) >= len(told)
    if "*" not in told:
        assert len(found) == len(told)


def test_a_rule_with_the_id_of_a_built_in_one_is_refused():
    def request_shape(agents: int):
        """Deny with `A`."""
        yield deny("A", "no")

    assert "has a rule of that name already" in told_of(request_shape)[0]
