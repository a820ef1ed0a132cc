"""The catalog: all rules and facts by name, the facts of a stage, and what a fact is made of."""

import pytest
from tests.plugins.offers import catalog_of_offers, offering
from tests.runner.gates import BUILT_IN

from gatewright import catalog
from gatewright.app import catalog_of
from gatewright.errors import PluginError
from gatewright.expressions.kinds import Kind
from gatewright.model import Stage
from gatewright.model.reasons import REASONS
from gatewright.plugins import built_in
from gatewright.spec import derived, given, rule


@pytest.mark.parametrize(
    ("fact", "made_of"),
    [
        ("model", ["model"]),
        ("window", ["window"]),
        ("tier", ["tier", "model", "tier_policy"]),
        ("cost_proxy", ["cost_proxy", "agents", "est_chars"]),
        ("no_such_fact", ["no_such_fact"]),
    ],
)
def test_a_derived_fact_is_made_of_what_is_given_or_collected(fact, made_of):
    assert list(catalog.sources(BUILT_IN.facts, fact)) == made_of


def test_what_a_fact_is_made_of_goes_through_other_derived_facts_and_round_no_circle():
    @derived(stages=("check",))
    def first(second: int, agents: int) -> int:
        """The first of a circle."""
        return second + agents

    @derived(stages=("check",))
    def second(first: int) -> int:
        """The second of a circle."""
        return first

    assert list(catalog.sources(catalog_of_offers(first, second).facts, "second")) == ["second", "first", "agents"]


def test_a_stage_has_its_own_facts():
    everywhere = given("place", str, "A place.", stages=("check", "deliver"))
    only_later = given("job", str, "A job.", stages=("deliver",))
    found = catalog_of_offers(everywhere, only_later)
    assert {"place"} <= set(found.facts_of(Stage.CHECK)) - {"job"}
    own = {"place", "job"} | set(BUILT_IN.facts_of(Stage.DELIVER))
    assert set(found.facts_of(Stage.DELIVER)) == own
    assert set(found.schema(Stage.DELIVER).names) == own


def test_a_name_may_be_another_fact_at_another_stage_and_not_at_the_same():
    found = catalog_of_offers(given("runtime", int, "A number.", stages=("deliver",)))
    assert found.facts_of(Stage.DELIVER)["runtime"].annotation is int
    assert found.facts_of(Stage.CHECK)["runtime"].annotation is str
    assert found.facts["runtime"].annotation is str
    for stages in (("check",), ("deliver", "check")):
        with pytest.raises(
            PluginError, match="fact `runtime`: plugin `gatewright_rules` has a fact of that name already"
        ):
            catalog_of_offers(given("runtime", int, "A number.", stages=stages))


def test_every_built_in_fact_is_a_name_of_its_stages():
    for stage in Stage:
        assert set(BUILT_IN.schema(stage).names) == set(BUILT_IN.facts_of(stage))
    names = BUILT_IN.schema(Stage.CHECK).names
    assert (names["contract"].kind, names["model"].kind) == (Kind.RECORD, Kind.TEXT)
    assert BUILT_IN.schema(Stage.REGISTER).names["model"].kind is Kind.RECORD


@rule(codes=["MINE"])
def of_nothing_known(no_such_fact: int):
    """Ask for a fact that nobody offers."""
    yield from ()


def test_built_in_rules_are_checked_where_that_is_asked_for_and_others_always():
    broken = offering(of_nothing_known)
    as_built_in = catalog.Plugin(name="b", origin=catalog.BUILT_IN, rules=broken.rules)
    reasons = {reason.code: reason.meaning for reason in REASONS}
    assert "of-nothing-known" in catalog.build([built_in(), as_built_in], reasons).rules
    with pytest.raises(PluginError):
        catalog.build([built_in(), as_built_in], reasons, verify_built_in=True)
    with pytest.raises(PluginError):
        catalog_of([broken])


def test_two_plugins_do_not_offer_a_rule_of_one_name():
    @rule(codes=["MINE"])
    def few(agents: int):
        """Deny."""
        yield from ()

    with pytest.raises(PluginError) as caught:
        catalog_of([offering(few, name="one"), offering(few, name="two")])
    assert "plugin `two`: rule `few`" in str(caught.value)
    assert "`one`" in str(caught.value)
