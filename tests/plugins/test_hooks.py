"""What a plugin's hooks may offer, and what is refused in a sentence that names plugin, hook and fault."""

from types import SimpleNamespace

import pytest
from tests.plugins.offers import catalog_of_offers, offering
from tests.runner.gates import HEAD

from gatewright.app import catalog_of
from gatewright.errors import PluginError
from gatewright.model import deny
from gatewright.plugins import gathered
from gatewright.policy.loader import load
from gatewright.runner import Gate
from gatewright.spec import given, hookimpl, rule


@rule(codes=["TOO_MANY"])
def few(agents: int):
    """Deny more agents than eight."""
    if agents > 8:
        yield deny("TOO_MANY", f"{agents} agents, 8 allowed")


SIZE = given("size", int, "A size.", stages=("check",))


def refused(**hooks):
    """The sentence by which these hooks are refused."""
    marked = {name: hookimpl(function) for name, function in hooks.items()}
    with pytest.raises(PluginError) as caught:
        gathered(SimpleNamespace(**marked), "mine", "a test")
    return str(caught.value)


def test_a_plugin_offers_rules_facts_and_what_its_codes_mean():
    found = offering(few, SIZE, reasons={"TOO_MANY": "more than eight"})
    assert (found.rules, found.facts, found.reasons) == ((few,), (SIZE,), {"TOO_MANY": "more than eight"})
    assert (found.name, found.origin) == ("mine", "a test")


@pytest.mark.parametrize("offered", [(few,), (SIZE,)], ids=["rules", "facts"])
def test_a_plugin_may_offer_only_rules_or_only_facts(offered):
    assert offering(*offered)


def test_the_rule_of_a_plugin_decides_as_a_built_in_one_does():
    catalog = catalog_of_offers(few)
    gate = Gate(load(f"{HEAD}rules:\n  - use: few\n".encode(), "p.yaml", catalog), catalog)
    assert gate.decide({"agents": 8}).allow
    assert gate.decide({"agents": 9}).reasons == ("TOO_MANY",)


def test_what_a_plugin_says_of_its_codes_is_known_to_policies():
    catalog = catalog_of([offering(few, reasons={"TOO_MANY": "more than eight"})])
    text = f"{HEAD}rules:\n  - {{id: a, deny: agents > 8, code: TOO_MANY}}\n"
    assert catalog.reasons["TOO_MANY"] == "more than eight"
    assert load(text.encode(), "p.yaml", catalog).warnings == ()


def test_a_plugin_does_not_change_what_a_built_in_code_means():
    before = catalog_of().reasons["NO_MODEL"]
    assert catalog_of([offering(few, reasons={"NO_MODEL": "nothing at all"})]).reasons["NO_MODEL"] == before


def test_the_catalog_says_who_brought_a_rule():
    catalog = catalog_of_offers(few, name="theirs")
    assert catalog.owner("few").name == "theirs"
    assert catalog.owner("model-named").name == "gatewright_rules"


def test_an_object_without_hooks_offers_nothing():
    sentence = refused()
    assert "plugin `mine`" in sentence
    assert "no rule, no fact and no orchestrator" in sentence


@pytest.mark.parametrize("returned", [[], (), None])
def test_hooks_that_return_nothing_offer_nothing(returned):
    assert "no rule, no fact and no orchestrator" in refused(gatewright_rules=lambda: returned)


@pytest.mark.parametrize(
    ("returned", "named"),
    [([5], "int"), (["few"], "str"), ([few.function], "function"), ([SIZE], "Fact"), ([None], "NoneType")],
)
def test_what_is_no_rule_is_refused(returned, named):
    sentence = refused(gatewright_rules=lambda: returned)
    assert "plugin `mine`" in sentence
    assert "`gatewright_rules`" in sentence
    assert named in sentence


@pytest.mark.parametrize(("returned", "named"), [([few], "Rule"), ([{"name": "x"}], "dict")])
def test_what_is_no_fact_is_refused(returned, named):
    sentence = refused(gatewright_facts=lambda: returned)
    assert "`gatewright_facts`" in sentence
    assert named in sentence


@pytest.mark.parametrize("returned", [few, 5, True, few.function])
def test_what_is_no_list_of_rules_is_refused(returned):
    sentence = refused(gatewright_rules=lambda: returned)
    assert "plugin `mine`" in sentence
    assert "`gatewright_rules`" in sentence


@pytest.mark.parametrize("returned", [None, [], ["A"], {"A": 5}, {5: "a"}, "A", {"A": None}])
def test_reasons_that_are_no_map_of_code_to_meaning_are_refused(returned):
    sentence = refused(gatewright_rules=lambda: [few], gatewright_reasons=lambda: returned)
    assert "`gatewright_reasons`" in sentence


def _with_argument(catalog):
    return [few]


def _with_two(stage, policy):
    return [few]


@pytest.mark.parametrize("function", [_with_argument, _with_two])
def test_a_hook_with_arguments_that_its_specification_does_not_have_is_refused(function):
    sentence = refused(gatewright_rules=function)
    assert "plugin `mine`" in sentence
    assert "gatewright_rules" in sentence


@pytest.mark.parametrize("name", ["gatewright_rule", "gatewright_fact", "gatewright_reason", "gatewright_check"])
def test_a_hook_that_does_not_exist_is_refused(name):
    sentence = refused(**{name: lambda: [few], "gatewright_rules": lambda: [few]})
    assert "plugin `mine`" in sentence
    assert f"{name}" in sentence


def test_a_function_of_a_hook_s_name_that_is_not_marked_is_no_hook():
    with pytest.raises(PluginError, match="no rule, no fact and no orchestrator"):
        gathered(SimpleNamespace(gatewright_rules=lambda: [few]), "mine", "a test")


class StrangeError(BaseException):
    """An error that is no `Exception`."""


@pytest.mark.parametrize("error", [ValueError("x"), ImportError("y"), SystemExit(0), StrangeError()], ids=repr)
@pytest.mark.parametrize("hook", ["gatewright_rules", "gatewright_facts", "gatewright_reasons"])
def test_a_hook_that_fails_is_refused(hook, error):
    def failing():
        raise error

    hooks = {"gatewright_rules": lambda: [few], hook: failing}
    sentence = refused(**hooks)
    assert "plugin `mine`" in sentence
    assert type(error).__name__ in sentence
