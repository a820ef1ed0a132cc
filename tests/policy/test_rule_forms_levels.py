"""Levels, overrides and locks as a policy may write them, and as it may not."""

import pytest
from tests.runner.gates import HEAD, own_rule, policy_of
from tests.runner.mistakes import mistakes_of, only_mistake

from gatewright.model import Level

BOTH = own_rule(lambda _: [], codes=("AA_CODE", "BB_CODE"))


def paths(*rules):
    text = HEAD + "rules:\n" + "".join(f"  - {{{each}}}\n" for each in rules)
    return [each.split()[1] for each in mistakes_of(text, BOTH)]


def rule_of(entry):
    return policy_of(f"- {{{entry}}}", BOTH).rules[0]


@pytest.mark.parametrize("level", Level)
def test_a_level_is_deny_warn_note_or_off(level):
    assert rule_of(f"use: mine, level: {level.value}").levels == {"AA_CODE": level, "BB_CODE": level}
    assert rule_of(f"id: a, deny: agents > 8, level: {level.value}").levels == {"A": level}


@pytest.mark.parametrize("level", ["error", "Deny", "DENY", "block", "false", "''", "5", "[deny]", "null", "", "none"])
def test_another_level_is_refused(level):
    assert paths(f"use: mine, level: {level}") == ["rules[0].level"]
    assert paths(f"id: a, deny: agents > 8, level: {level}") == ["rules[0].level"]
    assert paths(f"use: mine, levels: {{AA_CODE: {level}}}") == ["rules[0].levels.AA_CODE"]


def test_levels_by_code_go_on_top_of_the_level_of_the_rule():
    found = rule_of("use: mine, levels: {BB_CODE: deny}, level: warn")
    assert found.levels == {"AA_CODE": Level.WARN, "BB_CODE": Level.DENY}


@pytest.mark.parametrize("key", ["levels", "overrides"])
@pytest.mark.parametrize(("code", "right"), [("AA_COD", "AA_CODE"), ("aa_code", "AA_CODE"), ("NO_MODEL", "")])
def test_a_code_that_the_rule_does_not_give_is_refused_and_the_nearest_is_named(key, code, right):
    value = "warn" if key == "levels" else "tier_override"
    found = only_mistake(f"{HEAD}rules:\n  - {{use: mine, {key}: {{{code}: {value}}}}}\n", BOTH)
    assert found.path == f"rules[0].{key}"
    assert not right or f"`{right}`" in found.hint


@pytest.mark.parametrize("key", ["levels", "overrides"])
@pytest.mark.parametrize("value", ["", "warn", "[warn]", "5", "null"])
def test_levels_and_overrides_by_code_are_maps(key, value):
    assert paths(f"use: mine, {key}: {value}") == [f"rules[0].{key}"]


@pytest.mark.parametrize("value", ["true", "false"])
def test_an_override_that_is_switched_on_is_told_to_name_a_fact(value):
    found = only_mistake(f"{HEAD}rules:\n  - {{use: mine, override: {value}}}\n", BOTH)
    assert found.path == "rules[0].override"
    assert found.hint == "name a fact that holds the reason, such as `tier_override`"
    assert rule_of("use: mine, override: tier_override").overrides["AA_CODE"] == "tier_override"


@pytest.mark.parametrize("fact", ["tier_override", "top_approved", "actor", "runtime"])
def test_an_override_is_a_text_fact(fact):
    assert rule_of(f"use: mine, override: {fact}").overrides == {"AA_CODE": fact, "BB_CODE": fact}


@pytest.mark.parametrize(
    "fact",
    [
        "agents",
        "labels",
        "contract",
        "now",
        "params",
        "known_roots",
        "tier_ambiguous",
        "tier_overide",
        "true",
        "''",
        "5",
    ],
)
def test_an_override_that_is_no_text_fact_is_refused(fact):
    assert paths(f"use: mine, override: {fact}") == ["rules[0].override"]
    assert paths(f"use: mine, overrides: {{AA_CODE: {fact}}}") == ["rules[0].overrides.AA_CODE"]


def test_an_override_that_is_misspelt_is_told_with_the_nearest_text_fact():
    found = only_mistake(f"{HEAD}rules:\n  - {{use: mine, override: tier_overide}}\n", BOTH)
    assert "`tier_override`" in found.hint


def test_overrides_by_code_go_on_top_of_the_override_of_the_rule():
    found = rule_of("use: mine, overrides: {BB_CODE: top_approved}, override: tier_override")
    assert found.overrides == {"AA_CODE": "tier_override", "BB_CODE": "top_approved"}


@pytest.mark.parametrize("value", ["yes", "'true'", "1", "null", "", "[true]"])
def test_a_lock_is_true_or_false(value):
    assert paths(f"use: mine, locked: {value}") == ["rules[0].locked"]


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ("override: tier_override", "rules[0].override"),
        ("overrides: {AA_CODE: tier_override}", "rules[0].overrides"),
        ("level: warn", "rules[0].level"),
        ("level: note", "rules[0].level"),
        ("level: off", "rules[0].level"),
        ("levels: {AA_CODE: off}", "rules[0].levels"),
        ("levels: {AA_CODE: deny, BB_CODE: warn}", "rules[0].levels"),
    ],
)
def test_a_locked_rule_is_neither_lowered_nor_overridden(more, path):
    assert path in paths(f"use: mine, locked: true, {more}")
    assert paths(f"use: mine, locked: false, {more}") == []


def test_a_locked_rule_may_be_raised():
    found = rule_of("use: mine, locked: true, level: deny")
    assert found.locked
    assert found.levels == {"AA_CODE": Level.DENY, "BB_CODE": Level.DENY}


def test_a_rule_that_locks_itself_is_not_unlocked_lowered_or_overridden_by_a_policy():
    strict = own_rule(lambda _: [], locked=True)

    def found(more):
        return mistakes_of(f"{HEAD}rules:\n  - {{use: mine, {more}}}\n", strict)

    assert policy_of("- use: mine", strict).rules[0].locked
    assert found("locked: false") == ["5:25 rules[0].locked"]
    assert found("level: off") == ["5:17 rules[0].level"]
    assert found("override: tier_override") == ["5:17 rules[0].override"]
    assert mistakes_of(
        f"{HEAD}rules:\n  - use: mine\nexceptions:\n"
        "  - {id: e, code: MINE, until: 2026-12-31, reason: r, owner: o}\n",
        strict,
    ) == ["7:19 exceptions[0].code"]


@pytest.mark.parametrize(
    ("level", "meant"), [("error", "deny"), ("WARNING", "warn"), ("info", "note"), ("no", "off"), ("Deny", "deny")]
)
def test_a_level_of_another_tool_is_told_as_ours(level, meant):
    found = only_mistake(f"{HEAD}rules:\n  - {{id: a, deny: agents > 8, level: {level}}}\n")
    assert found.hint == f"did you mean `{meant}`?"
