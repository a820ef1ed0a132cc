"""The hooks by which the built-in rules come in: the door that every plugin uses, with no privileges."""

from gatewright.catalog import BUILT_IN
from gatewright.plugins import built_in, gathered
from gatewright_rules import FACTS, RULES, plugin


def test_the_built_in_rules_and_facts_come_through_the_door_of_all_plugins():
    found = gathered(plugin, "mine", "elsewhere")
    assert (found.rules, found.facts) == (RULES, FACTS)
    assert (found.name, found.origin) == ("mine", "elsewhere")


def test_they_are_marked_as_built_in():
    assert built_in().origin == BUILT_IN
    assert built_in().name == "gatewright_rules"
    assert built_in().rules == RULES
