"""One entry under `rules:`: its id, its one effect, a registered rule with its options."""

import pytest
from tests.runner.gates import HEAD, gate_of, outcomes, policy_of
from tests.runner.mistakes import mistakes_of, only_mistake, problems_of

from gatewright.policy import keys
from gatewright.spec import rule


def written(*rules):
    """A policy of these rules, each in flow style on a line of its own, from line 5 on."""
    return HEAD + "rules:\n" + "".join(f"  - {{{each}}}\n" for each in rules)


def paths(*rules):
    return [each.split()[1] for each in mistakes_of(written(*rules))]


# -- ids -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["A", "a b", "-a", "a-", "1a", "a.b", "a--b", "é", "'a\\nb'"])
def test_an_id_is_a_name_in_lower_case(name):
    assert paths(f"id: {name}, deny: agents > 8") == ["rules[0].id"]


def test_a_rule_of_an_expression_has_an_id():
    found = only_mistake(written("deny: agents > 8"))
    assert (str(found.place), found.path) == ("p.yaml:5:5", "rules[0]")
    assert "`id`" in found.message


def test_a_registered_rule_has_its_own_name_for_an_id():
    policy = policy_of("- use: model-named\n- {use: dispatch-budget, id: wide}")
    assert [each.id for each in policy.rules] == ["model-named", "wide"]


@pytest.mark.parametrize(
    ("first", "second", "place"),
    [
        ("id: a, deny: agents > 8", "id: a, deny: agents > 9", "6:10"),
        ("use: model-named", "use: model-named", "6:11"),
        ("use: model-named", "id: model-named, deny: agents > 8", "6:10"),
        ("id: model-named, deny: agents > 8", "use: model-named", "6:11"),
        ("use: model-named, id: a", "use: dispatch-budget, id: a", "6:32"),
    ],
)
def test_two_rules_of_one_id_are_refused_and_both_lines_are_named(first, second, place):
    found = only_mistake(written(first, second))
    assert (str(found.place), found.path) == (f"p.yaml:{place}", "rules[1].id")
    assert "line 5" in found.message


@pytest.mark.parametrize("value", ["5", "''", "[a]", "null", "true"])
def test_an_id_is_a_text(value):
    assert paths(f"id: {value}, deny: agents > 8")[0] == "rules[0].id"
    assert paths(f"use: model-named, id: {value}")[0] == "rules[0].id"


# -- effects -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", [("deny", "warn"), ("deny", "require"), ("warn", "require")])
def test_a_rule_has_one_effect(pair):
    found = only_mistake(written(f"id: a, {pair[0]}: agents > 8, {pair[1]}: agents > 9"))
    assert (str(found.place), found.path) == ("p.yaml:5:31", "rules[0]")


@pytest.mark.parametrize("entry", ["id: a", "id: a, when: agents > 8", "id: a, code: NO_MODEL", "id: a, message: m"])
def test_a_rule_without_an_effect_is_refused(entry):
    assert mistakes_of(written(entry)) == ["5:5 rules[0]"]


def test_an_empty_rule_is_refused():
    assert mistakes_of(written("")) != []


@pytest.mark.parametrize("effect", keys.EFFECTS)
@pytest.mark.parametrize(
    "condition", ["", "null", "true", "5", "''", "'  '", "[agents > 8]", "{agents: 8}", "2026-12-31", "agents", "'8'"]
)
def test_a_condition_is_an_expression_that_is_true_or_false(effect, condition):
    assert [each.partition(".")[2] for each in paths(f"id: a, {effect}: {condition}")] == [effect]


@pytest.mark.parametrize("condition", ["1 == 1", "agents == agents", "'a' in ['a']", "1 < 2 and 2 < 3", "not 1 == 1"])
def test_a_condition_that_is_always_the_same_is_refused(condition):
    text = HEAD + f'rules:\n  - id: a\n    deny: "{condition}"\n'
    assert [each.split()[1] for each in mistakes_of(text)] == ["rules[0].deny"]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("dney", "deny"), ("denny", "deny"), ("Deny", "deny"), ("wran", "warn"), ("requires", "require"), ("us", "use")],
)
def test_an_effect_that_is_misspelt_is_refused_and_the_right_one_is_named(wrong, right):
    found = only_mistake(written(f"id: a, {wrong}: agents > 8"))
    assert f"`{wrong}`" in found.message
    assert f"`{right}`" in found.hint


@pytest.mark.parametrize("key", [name for name in keys.EXPRESSION if name not in (*keys.EFFECTS, "id")])
def test_every_other_key_that_is_misspelt_is_refused_and_the_right_one_is_named(key):
    wrong = key[:-1] + key[-1] * 2
    found = only_mistake(written(f"id: a, deny: agents > 8, {wrong}: x"))
    assert f"`{wrong}`" in found.message
    assert f"`{key}`" in found.hint


@pytest.mark.parametrize("key", ["if", "unless", "effect", "action", "severity", "description", "stage", "unwhen"])
def test_an_unknown_key_is_refused_on_both_kinds_of_rules(key):
    for entry in ("id: a, deny: agents > 8", "use: model-named"):
        found = only_mistake(written(f"{entry}, {key}: x"))
        assert f"`{key}`" in found.message


@pytest.mark.acceptance("EX-09")
def test_membership_in_a_text_is_refused():
    assert paths("id: a, deny: model in 'claude-opus-4-8'") == ["rules[0].deny"]


@pytest.mark.acceptance("EX-07")
def test_an_expression_that_would_eat_the_machine_is_refused():
    text = HEAD + "rules:\n  - id: a\n    deny: 9 ** 9 ** 9 > 1 or runtime * 10000000000 == ''\n"
    assert mistakes_of(text) != []


# -- registered rules ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("model-name", "model-named"), ("dispatch-buget", "dispatch-budget")],
)
def test_a_rule_that_is_not_registered_is_refused_and_the_nearest_is_named(wrong, right):
    found = only_mistake(written(f"use: {wrong}"))
    assert (str(found.place), found.path) == ("p.yaml:5:11", "rules[0].use")
    assert f"`{right}`" in found.hint


@pytest.mark.parametrize("value", ["5", "''", "[model-named]", "null", "{id: model-named}"])
def test_the_name_of_a_registered_rule_is_a_text(value):
    assert "rules[0].use" in paths(f"use: {value}")


def test_a_rule_of_another_stage_is_refused_and_both_stages_are_named():
    @rule(codes=["MINE"], stage="register")
    def settled():
        """Deny at another stage."""
        yield from ()

    found = only_mistake(written("use: settled"), settled)
    assert "`register`" in found.message
    assert "`check`" in found.message


@pytest.mark.parametrize("key", ["deny", "warn", "require", "code", "message", "hint"])
def test_a_registered_rule_has_no_expression_code_or_words_of_the_policy(key):
    assert paths(f"use: model-named, {key}: agents > 8") == ["rules[0]"]


def test_a_registered_rule_may_have_a_condition_for_when_it_applies():
    gate = gate_of("- {use: model-named, when: agents > 8}")
    assert outcomes(gate.decide({"agents": 8, "model": None})) == {"model-named": "not applicable"}
    assert outcomes(gate.decide({"agents": 9, "model": None})) == {"model-named": "denied"}


# -- options -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("use", "options", "path"),
    [
        ("dispatch-budget", "{max_char: 1}", "rules[0].with"),
        ("dispatch-budget", "{max_chars: '1'}", "rules[0].with.max_chars"),
        ("dispatch-budget", "{max_chars: 1.5}", "rules[0].with.max_chars"),
        ("dispatch-budget", "{max_chars: true}", "rules[0].with.max_chars"),
        ("dispatch-budget", "{max_chars: null}", "rules[0].with.max_chars"),
        ("dispatch-budget", "{max_chars: [1]}", "rules[0].with.max_chars"),
        ("dispatch-budget", "{max_chars: }", "rules[0].with.max_chars"),
        ("runtime-routing", "{high_cost: fable}", "rules[0].with.high_cost"),
        ("runtime-routing", "{high_cost: [1]}", "rules[0].with.high_cost"),
        ("runtime-routing", "{high_cost: [fable, null]}", "rules[0].with.high_cost"),
        ("runtime-routing", "{high_cost: {fable: yes}}", "rules[0].with.high_cost"),
        ("mcp-trust", "{x: 1}", "rules[0].with"),
        ("dispatch-budget", "[]", "rules[0].with"),
        ("dispatch-budget", "5", "rules[0].with"),
        ("dispatch-budget", "", "rules[0].with"),
    ],
)
def test_an_option_is_one_that_the_rule_has_and_of_its_kind(use, options, path):
    assert paths(f"use: {use}, with: {options}") == [path]


def test_an_option_that_is_misspelt_is_refused_and_the_right_one_is_named():
    found = only_mistake(written("use: dispatch-budget, with: {max_char: 1}"))
    assert str(found.place) == "p.yaml:5:35"
    assert "`max_chars`" in found.hint


def test_a_list_of_none_is_a_list():
    gate = gate_of("- {use: runtime-routing, with: {high_cost: []}}")
    assert gate.decide({"runtime": "fable", "agents": 9}).allow


def test_an_option_without_a_default_must_be_given():
    @rule(codes=["MINE"])
    def limited(agents: int, *, limit: int):
        """Deny more than the limit."""
        if agents > limit:
            yield from ()

    assert mistakes_of(written("use: limited"), limited) == ["5:5 rules[0].with"]
    assert mistakes_of(written("use: limited, with: {}"), limited) == ["5:26 rules[0].with"]
    assert mistakes_of(written("use: limited, with: {limit: 5}"), limited) == []


def test_options_reach_the_rule_and_its_plain_form():
    gate = gate_of("- {use: dispatch-budget, with: {max_chars: 10, max_batch_chars: 15}}")
    assert gate.decide({"agents": 1, "est_chars": 10}).allow
    assert gate.decide({"agents": 1, "est_chars": 11}).reasons == ("BUDGET_EXCEEDED",)
    assert gate.decide({"agents": 2, "est_chars": 8}).reasons == ("BUDGET_EXCEEDED",)


def test_one_rule_may_be_used_with_several_sets_of_options():
    gate = gate_of(
        """
        - {use: dispatch-budget, with: {max_chars: 10}}
        - {use: dispatch-budget, id: narrow, with: {max_chars: 5}, level: warn}
        """
    )
    decision = gate.decide({"agents": 1, "est_chars": 7})
    assert outcomes(decision) == {"dispatch-budget": "passed", "narrow": "warned"}


# -- what people bring along from elsewhere ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "hint"),
    [
        ("fan-out-cap", "write `use: fan-out-cap`"),
        ("use:fan-out-cap", "a space follows `:`, as in `use: fan-out-cap`"),
        ("id:many", "a space follows `:`, as in `id: many`"),
        ("many", "write it as a mapping, one `key: value` a line"),
    ],
)
def test_a_rule_that_is_a_text_is_told_how_it_is_written(entry, hint):
    assert only_mistake(f"{HEAD}rules:\n  - {entry}\n").hint == hint


@pytest.mark.parametrize("key", keys.HABITS)
def test_a_key_of_another_rule_language_has_ours_as_its_hint_and_no_fix(key):
    found = [
        *problems_of(written(f"id: many, deny: agents > 8, {key}: x")),
        *problems_of(written(f"use: fan-out-cap, {key}: x")),
    ]
    assert [(each.message, each.hint, each.fix) for each in found] == [
        (f"unknown key `{key}`", keys.HABITS[key], None)
    ] * 2


def test_an_option_beside_use_belongs_under_with():
    found = only_mistake(written("use: dispatch-budget, max_chars: 5"))
    assert found.hint == "an option stands under `with`: `with: {max_chars: …}`"


def test_a_param_of_another_kind_than_its_option_is_shown_with_its_value():
    found = only_mistake(
        f"{HEAD}params: {{big: [3]}}\nrules:\n  - {{use: dispatch-budget, with: {{max_chars: params.big}}}}\n"
    )
    assert found.message == "option `max_chars` is an integer, and `params.big` is [3]"
