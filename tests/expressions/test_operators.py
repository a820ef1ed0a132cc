"""What each operator means: no guess across kinds, no silent null, no number out of range."""

import pytest
from msgspec import Struct

from gatewright.expressions import operators
from gatewright.expressions.kinds import INT_MAX, INT_MIN, Kind
from gatewright.expressions.operators import EVAL_RANGE, EVAL_TYPE, EVAL_UNDEFINED, OperationError


class Noun(Struct, frozen=True):
    name: str


NOUN = Noun("a")


def code_of(function, *args):
    with pytest.raises(OperationError) as caught:
        function(*args)
    return caught.value.code


@pytest.mark.parametrize(
    ("left", "right", "answer"),
    [
        (1, 1, True),
        (1, 1.0, True),
        (2**53 + 1, float(2**53), False),
        (0, -0.0, True),
        ("a", "a", True),
        ("a", "A", False),
        ("é", "e\u0301", False),
        (True, True, True),
        (True, False, False),
        (None, None, True),
        (None, 0, False),
        ("", None, False),
        (None, [], False),
        (NOUN, None, False),
        ([1, "a"], [1, "a"], True),
        ([1], [1, 2], False),
        ([1, None], [1, 1], False),
        ((1, 2), [1, 2], True),
        ([[1]], [[1.0]], True),
        ({"a": 1}, {"a": 1.0}, True),
        ({"a": 1}, {"b": 1}, False),
        ({"a": {"b": None}}, {"a": {"b": None}}, True),
        ({}, {}, True),
    ],
)
def test_equality_holds_within_a_kind_and_between_numbers(left, right, answer):
    assert operators.equal(left, right) is answer
    assert operators.equal(right, left) is answer


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, "1"),
        (1, True),
        (0, False),
        (1.0, True),
        ("true", True),
        ([], ""),
        ({}, []),
        ([1], ["1"]),
        ([True], [1]),
        ({"a": 1}, {"a": "1"}),
        (NOUN, NOUN),
        (NOUN, {"name": "a"}),
        (object(), object()),
    ],
)
def test_equality_across_kinds_is_an_error(left, right):
    assert code_of(operators.equal, left, right) == EVAL_TYPE
    assert code_of(operators.equal, right, left) == EVAL_TYPE


@pytest.mark.parametrize(
    ("left", "op", "right", "answer"),
    [
        (1, "<", 2, True),
        (2, "<", 2, False),
        (2, "<=", 2, True),
        (2.5, ">", 2, True),
        (2, ">", 2, False),
        (2, ">=", 2.0, True),
        (1, ">=", 2, False),
        (INT_MAX, "<", 9.3e18, True),
        ("a", "<", "b", True),
        ("Z", "<", "a", True),
        ("a", "<=", "é", True),
        ("", ">=", "", True),
    ],
)
def test_order_is_that_of_numbers_or_of_code_points(left, op, right, answer):
    assert operators.ordered(op, left, right) is answer


@pytest.mark.parametrize("op", ["<", "<=", ">", ">="])
@pytest.mark.parametrize(
    ("left", "right"),
    [(1, "1"), ("1", 1), (None, 1), (1, None), (True, False), (True, 1), ([1], [2]), ({}, {}), (NOUN, NOUN)],
)
def test_order_across_kinds_is_an_error(op, left, right):
    assert code_of(operators.ordered, op, left, right) == EVAL_TYPE


@pytest.mark.parametrize(
    ("left", "op", "right", "answer"),
    [
        (2, "+", 3, 5),
        (2, "-", 3, -1),
        (2, "*", 3, 6),
        (2, "*", 1.5, 3.0),
        (INT_MAX - 1, "+", 1, INT_MAX),
        (INT_MIN + 1, "-", 1, INT_MIN),
        (2**62, "*", -2, INT_MIN),
        (0.5, "+", 1, 1.5),
    ],
)
def test_arithmetic_within_range_has_its_result_and_kind(left, op, right, answer):
    found = operators.arithmetic(op, left, right)
    assert (type(found), found) == (type(answer), answer)


@pytest.mark.parametrize(
    ("left", "op", "right"),
    [
        (INT_MAX, "+", 1),
        (INT_MIN, "-", 1),
        (2**62, "*", 2),
        (INT_MIN, "*", -1),
        (1e308, "*", 10),
        (1e308, "+", 1e308),
        (-1e308, "-", 1e308),
    ],
)
def test_arithmetic_out_of_range_is_an_error(left, op, right):
    assert code_of(operators.arithmetic, op, left, right) == EVAL_RANGE


def test_a_whole_number_too_large_for_a_fraction_is_out_of_range():
    assert code_of(operators.arithmetic, "+", 10**400, 0.5) == EVAL_RANGE


@pytest.mark.parametrize("odd", ["1", None, True, [1], {}, NOUN])
def test_arithmetic_on_what_is_no_number_is_an_error(odd):
    for op in ("+", "-", "*"):
        assert code_of(operators.arithmetic, op, odd, 1) == EVAL_TYPE
        assert code_of(operators.arithmetic, op, 1, odd) == EVAL_TYPE
    assert code_of(operators.negative, odd) == EVAL_TYPE


def test_a_negative_stays_within_range():
    assert operators.negative(INT_MAX) == -INT_MAX
    assert operators.negative(-0.5) == 0.5
    assert code_of(operators.negative, INT_MIN) == EVAL_RANGE


@pytest.mark.parametrize("value", [True, False])
def test_a_condition_is_exactly_a_boolean(value):
    assert operators.truth(value) is value


@pytest.mark.parametrize("value", [1, 0, "true", "", None, [], [True], {}, 1.0, NOUN])
def test_nothing_else_is_true_or_false(value):
    assert code_of(operators.truth, value) == EVAL_TYPE


@pytest.mark.parametrize(
    ("item", "container", "answer"),
    [
        ("a", ["a", "b"], True),
        ("c", ["a", "b"], False),
        (1, [2, 1.0], True),
        (None, ["a", None], True),
        (None, ["a"], False),
        ("a", [None], False),
        ([1], [[1], [2]], True),
        ("a", [], False),
        ("a", {"a": None}, True),
        ("b", {"a": 1}, False),
    ],
)
def test_membership_is_equality_with_an_element_or_a_key(item, container, answer):
    assert operators.member(item, container) is answer


@pytest.mark.parametrize(
    ("item", "container"),
    [
        ("a", "abc"),
        ("a", None),
        ("a", 1),
        (1, {"a": 1}),
        (None, {"a": 1}),
        (1, ["a", 1]),
        (1, [1, "a"]),
        (True, [1]),
        ("a", NOUN),
    ],
)
def test_membership_in_what_holds_nothing_of_the_kind_is_an_error(item, container):
    assert code_of(operators.member, item, container) == EVAL_TYPE


def test_membership_in_text_comes_with_the_function_that_was_meant():
    with pytest.raises(OperationError) as caught:
        operators.member("a", "abc")
    assert "contains(" in caught.value.hint


@pytest.mark.parametrize(("base", "name", "value"), [({"a": 1}, "a", 1), ({"a": None}, "a", None), (NOUN, "name", "a")])
def test_a_field_is_a_key_or_a_field_of_a_noun(base, name, value):
    assert operators.field(base, name) == value


@pytest.mark.parametrize("base", [{"b": 1}, {}, NOUN, None, "text", 1, True, [1]])
@pytest.mark.parametrize("name", ["a", "__class__", "__struct_fields__", "items", "upper"])
def test_a_field_that_is_none_of_the_data_is_undefined(base, name):
    assert code_of(operators.field, base, name) == EVAL_UNDEFINED


@pytest.mark.parametrize(
    ("base", "key", "value"),
    [([1, 2], 0, 1), ([1, 2], -1, 2), ((1, 2), -2, 1), ({"a": 1}, "a", 1), (NOUN, "name", "a")],
)
def test_an_element_is_counted_from_either_end_or_named(base, key, value):
    assert operators.element(base, key) == value


@pytest.mark.parametrize(
    ("base", "key", "code"),
    [
        ([1, 2], 2, EVAL_UNDEFINED),
        ([1, 2], -3, EVAL_UNDEFINED),
        ([], 0, EVAL_UNDEFINED),
        ([1, 2], "a", EVAL_TYPE),
        ([1, 2], True, EVAL_TYPE),
        ([1, 2], 1.0, EVAL_TYPE),
        ([1, 2], None, EVAL_TYPE),
        ({"a": 1}, "b", EVAL_UNDEFINED),
        ({"a": 1}, 1, EVAL_TYPE),
        ({"a": 1}, None, EVAL_TYPE),
        (NOUN, "__class__", EVAL_UNDEFINED),
        (NOUN, 0, EVAL_TYPE),
        ("text", 0, EVAL_UNDEFINED),
        (None, "a", EVAL_UNDEFINED),
        (1, 0, EVAL_UNDEFINED),
    ],
)
def test_an_element_that_is_not_there_is_undefined(base, key, code):
    assert code_of(operators.element, base, key) == code


@pytest.mark.parametrize(("value", "size"), [("", 0), ("é😀", 2), ([1, 2], 2), ((1,), 1), ({"a": 1}, 1)])
def test_length_counts_characters_elements_or_keys(value, size):
    assert operators.length(value) == size


@pytest.mark.parametrize("value", [None, 1, 1.5, True, NOUN])
def test_nothing_else_has_a_length(value):
    assert code_of(operators.length, value) == EVAL_TYPE


@pytest.mark.parametrize(
    ("function", "args", "answer"),
    [
        (operators.lower, ("ABÉ",), "abé"),
        (operators.starts_with, ("gpt-5", "gpt"), True),
        (operators.starts_with, ("gpt-5", "5"), False),
        (operators.starts_with, ("gpt-5", ""), True),
        (operators.ends_with, ("gpt-5", "5"), True),
        (operators.ends_with, ("gpt-5", "gpt"), False),
        (operators.contains, ("gpt-5", "t-"), True),
        (operators.contains, ("gpt-5", "x"), False),
        (operators.contains, ("t-", "gpt-5"), False),
    ],
)
def test_a_text_function_has_its_answer(function, args, answer):
    assert function(*args) == answer


@pytest.mark.parametrize("odd", [None, 1, True, ["a"], {"a": 1}, NOUN])
def test_a_text_function_on_what_is_no_text_is_an_error(odd):
    assert code_of(operators.lower, odd) == EVAL_TYPE
    for function in (operators.starts_with, operators.ends_with, operators.contains):
        assert code_of(function, odd, "a") == EVAL_TYPE
        assert code_of(function, "a", odd) == EVAL_TYPE


def test_contains_on_a_list_comes_with_the_operator_that_was_meant():
    with pytest.raises(OperationError) as caught:
        operators.contains(["a"], "a")
    assert "`value in list`" in caught.value.hint


@pytest.mark.parametrize(
    ("base", "steps", "value"),
    [
        ({"a": {"b": 1}}, ("a", "b"), 1),
        ({"a": [0, 7]}, ("a", 1), 7),
        ({"a": None}, ("a", "b"), None),
        ({"a": 1}, ("b",), None),
        ({"a": 1}, ("a", "b"), None),
        ({"a": [0]}, ("a", 5), None),
        ({"a": [0]}, ("a", "b"), None),
        (None, ("a",), None),
        (None, (), None),
        ("x", (), "x"),
        (NOUN, ("name",), "a"),
        (NOUN, ("nothing",), None),
        ([1], (None,), None),
    ],
)
def test_a_path_is_followed_as_far_as_it_exists(base, steps, value):
    assert operators.reached(base, steps) == value


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_can_be_said(kind):
    assert operators.a(kind)
