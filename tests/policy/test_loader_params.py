"""Params: named constants of a policy, what stands for them, and the values that take their place."""

import pytest
from tests.runner.gates import HEAD, gate_of, policy_of
from tests.runner.mistakes import mistakes_of, only_mistake

RULE = "rules:\n  - {id: many, deny: agents > params.limit}\n"


def given(text, **params):
    return mistakes_of(HEAD + text, params=params)


@pytest.mark.parametrize(
    ("value", "kept"),
    [("5", 5), ("1.5", 1.5), ("true", True), ("text", "text"), ("[a, b]", ["a", "b"]), ("[1, 2]", [1, 2])],
)
def test_a_param_is_text_a_number_a_boolean_or_a_list_of_one_kind(value, kept):
    policy = policy_of(f"params: {{limit: {value}}}\nrules:\n  - {{id: a, deny: agents > 8}}\n")
    assert policy.params == {"limit": kept}


@pytest.mark.parametrize("value", ["", "null", "[]", "{}", "{a: 1}", "[1, a]", "[[1]]", "[null]", "[true]", "[{}]"])
def test_anything_else_is_no_param(value):
    found = given(f"params: {{limit: {value}}}\nrules:\n  - {{id: a, deny: agents > 8}}\n")
    assert [each.split()[1] for each in found] == ["params.limit"]


@pytest.mark.parametrize("name", ["max-chars", "_limit", "1st", "max chars", "é", "max.chars"])
def test_the_name_of_a_param_is_one_that_expressions_can_write(name):
    found = given(f"params:\n  {name}: 5\nrules:\n  - {{id: a, deny: agents > 8}}\n")
    assert found == [f"5:3 params.{name}"]


def test_an_expression_reads_a_param():
    gate = gate_of("params: {limit: 5}\n" + RULE)
    assert gate.decide({"agents": 5}).allow
    assert gate.decide({"agents": 6}).reasons == ("MANY",)


def test_a_message_reads_a_param():
    text = (
        'params: {limit: 5}\nrules:\n  - {id: many, deny: agents > params.limit, message: "{params.limit} allowed"}\n'
    )
    assert gate_of(text).decide({"agents": 6}).findings[0].message == "5 allowed"


def test_a_param_that_does_not_exist_is_named_with_the_nearest():
    found = only_mistake(HEAD + "params: {limits: 5}\n" + RULE)
    assert (str(found.place), found.path) == ("p.yaml:6:31", "rules[0].deny")
    assert "`limits`" in found.hint


def test_a_param_is_of_its_kind():
    assert given("params: {limit: five}\n" + RULE) == ["6:22 rules[0].deny"]


# -- values that take the place of the policy's own ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "value"), [("5", 6), ("5", 0), ("5", -1), ("5", 1.5), ("1.5", 2), ("[a]", ["b", "c"]), ("[a]", ("b",))]
)
def test_a_value_of_the_same_kind_takes_the_place_of_the_policy_s_own(own, value):
    policy = policy_of(f"params: {{limit: {own}}}\nrules:\n  - {{id: a, deny: agents > 8}}\n", params={"limit": value})
    assert policy.params == {"limit": list(value) if isinstance(value, tuple) else value}


def test_a_value_takes_effect():
    gate = gate_of("params: {limit: 5}\n" + RULE, params={"limit": 1})
    assert gate.decide({"agents": 2}).reasons == ("MANY",)


def test_an_empty_list_may_take_the_place_of_a_list():
    text = "params: {banned: [fable]}\nrules:\n  - {id: a, deny: runtime in params.banned}\n"
    assert gate_of(text).decide({"runtime": "fable"}).reasons == ("A",)
    assert gate_of(text, params={"banned": []}).decide({"runtime": "fable"}).allow


@pytest.mark.parametrize(
    ("own", "value"),
    [
        ("5", "6"),
        ("5", True),
        ("5", None),
        ("5", [6]),
        ("5", {"a": 6}),
        ("text", 5),
        ("true", 1),
        ("true", "false"),
        ("[a]", "b"),
        ("[a]", None),
    ],
)
def test_a_value_of_another_kind_is_refused(own, value):
    found = given(f"params: {{limit: {own}}}\nrules:\n  - {{id: a, deny: agents > 8}}\n", limit=value)
    assert [each.split()[1] for each in found] == ["params.limit"]


@pytest.mark.parametrize("own", ["5", "1.5"])
@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), float("-inf"), 2**63, -(2**63) - 1, 10**400],
    ids=["nan", "inf", "-inf", "65 bits", "-65 bits", "huge"],
)
def test_a_value_that_no_policy_could_hold_is_refused(own, value):
    found = given(f"params: {{limit: {own}}}\n" + RULE, limit=value)
    assert [each.split()[1] for each in found] == ["params.limit"]


@pytest.mark.parametrize("value", [[1], ["a", 1], [None], [["a"]], [True], [{}], [float("nan")]], ids=repr)
def test_a_list_of_another_kind_is_refused(value):
    text = "params: {limit: [a]}\nrules:\n  - {id: many, deny: runtime in params.limit}\n"
    assert [each.split()[1] for each in given(text, limit=value)] == ["params.limit"]


def test_a_param_that_the_policy_does_not_have_is_refused_and_the_nearest_is_named():
    found = only_mistake(HEAD + "params: {limit: 5}\n" + RULE, params={"limits": 5})
    assert "`limit`" in found.hint


def test_a_param_cannot_be_set_where_there_are_none():
    assert len(given("rules:\n  - {id: a, deny: agents > 8}\n", limit=5)) == 1


def test_a_value_that_makes_a_condition_constant_is_no_fault_of_the_policy():
    text = "params: {strict: true}\nrules:\n  - {id: a, deny: params.strict and agents > 8}\n"
    assert gate_of(text, params={"strict": False}).decide({"agents": 9}).allow


# -- options of registered rules -----------------------------------------------------------------------------------


def test_an_option_may_name_a_param():
    text = "params: {small: 10}\nrules:\n  - {use: dispatch-budget, with: {max_chars: params.small}}\n"
    assert gate_of(text).decide({"agents": 1, "est_chars": 11}).reasons == ("BUDGET_EXCEEDED",)
    assert gate_of(text, params={"small": 11}).decide({"agents": 1, "est_chars": 11}).allow


def test_an_option_that_names_no_param_is_refused_and_the_nearest_is_named():
    text = HEAD + "params: {small: 10}\nrules:\n  - {use: dispatch-budget, with: {max_chars: params.smal}}\n"
    found = only_mistake(text)
    assert (str(found.place), found.path) == ("p.yaml:6:46", "rules[0].with.max_chars")
    assert "`small`" in found.hint


@pytest.mark.parametrize("slip", ["param.small", "parmas.small", "params-small", "paramssmall", "Params.small"])
def test_an_option_that_is_one_slip_from_a_param_is_no_text(slip):
    text = HEAD + f"params: {{small: 10}}\nrules:\n  - {{use: dispatch-budget, with: {{max_chars: {slip}}}}}\n"
    found = only_mistake(text)
    assert (str(found.place), found.hint) == ("p.yaml:6:46", "did you mean `params.small`?")


@pytest.mark.parametrize("value", ["ten", "true", "[10]", "1.5"])
def test_an_option_that_names_a_param_of_another_kind_is_refused(value):
    text = f"params: {{small: {value}}}\nrules:\n  - {{use: dispatch-budget, with: {{max_chars: params.small}}}}\n"
    assert [each.split()[1] for each in given(text)] == ["rules[0].with.max_chars"]


def test_an_option_is_refused_where_a_value_from_outside_has_another_kind():
    text = "params: {small: 10}\nrules:\n  - {use: dispatch-budget, with: {max_chars: params.small}}\n"
    assert [each.split()[1] for each in given(text, small=1.5)] == ["rules[0].with.max_chars"]


def test_a_param_without_its_params_is_told_how_it_is_read():
    assert (
        only_mistake(HEAD + "params: {limit: 5}\nrules:\n  - {id: a, deny: agents > limit}\n").hint
        == "write `params.limit`"
    )
