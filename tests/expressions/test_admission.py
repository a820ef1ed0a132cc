"""What may enter a decision: plain data of bounded size, copied."""

from collections import OrderedDict, UserDict
from datetime import date
from decimal import Decimal
from enum import Enum, IntEnum
from types import MappingProxyType

import pytest
from hypothesis import given
from msgspec import Struct
from tests.expressions import strategies
from tests.expressions.fuzzing import examples

from gatewright.errors import AdmissionError
from gatewright.expressions.admission import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    MAX_VALUES,
    admitted,
    admitted_map,
)
from gatewright.expressions.kinds import INT_MAX, INT_MIN


class Word(str):
    __slots__ = ()

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


class Whole(int):
    pass


class Pairs(dict):
    pass


class Row(list):
    pass


class Colour(Enum):
    RED = "red"


class Size(IntEnum):
    ONE = 1


class Noun(Struct):
    name: str


def refused(value, path="request"):
    with pytest.raises(AdmissionError) as caught:
        admitted(value, path)
    return caught.value


@pytest.mark.parametrize(
    ("value", "copy"),
    [
        (None, None),
        (True, True),
        (0, 0),
        (INT_MAX, INT_MAX),
        (INT_MIN, INT_MIN),
        (1.5, 1.5),
        (-0.0, -0.0),
        ("", ""),
        ("\ud800", "\ud800"),
        ((1, (2,)), [1, [2]]),
        ({"a": [{}, []]}, {"a": [{}, []]}),
    ],
)
def test_plain_data_is_copied_as_it_is(value, copy):
    found = admitted(value)
    assert (type(found), found) == (type(copy), copy)


@examples(200)
@given(strategies.anything)
def test_a_copy_equals_what_was_given(value):
    assert admitted(value) == value


def test_a_copy_shares_nothing_that_could_change():
    inner = [1]
    given_map = {"a": inner, "b": inner}
    found = admitted_map(given_map)
    inner.append(2)
    given_map["c"] = 3
    assert found == {"a": [1], "b": [1]}
    assert found["a"] is not found["b"]


@pytest.mark.parametrize(
    "value",
    [
        Word("a"),
        Whole(1),
        Size.ONE,
        Colour.RED,
        Pairs(a=1),
        OrderedDict(a=1),
        Row([1]),
        UserDict(a=1),
        MappingProxyType({"a": 1}),
        Noun("a"),
        {1, 2},
        frozenset(),
        b"a",
        bytearray(b"a"),
        1j,
        Decimal(1),
        date(2026, 1, 1),
        object(),
        object,
        len,
        lambda: None,
        range(3),
        iter([]),
        Ellipsis,
    ],
)
@pytest.mark.parametrize("place", ["alone", "list", "map"])
def test_whatever_could_run_code_of_its_own_is_refused(value, place):
    held = {"alone": value, "list": [1, value], "map": {"key": value}}[place]
    error = refused(held)
    assert error.path == {"alone": "request", "list": "request[1]", "map": "request.key"}[place]
    assert type(value).__name__ in error.problem


@pytest.mark.parametrize("key", [1, None, True, 1.5, ("a",), b"a", Word("a"), Colour.RED])
def test_a_key_is_exactly_text(key):
    assert refused({key: 1}).path == "request"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (INT_MAX + 1, "64 bits"),
        (INT_MIN - 1, "64 bits"),
        (10**4000, "64 bits"),
        (float("nan"), "NaN"),
        (float("inf"), "finite"),
        (float("-inf"), "finite"),
    ],
)
def test_a_number_out_of_range_is_refused_with_its_path(value, words):
    error = refused({"limits": [0, {"top": value}]})
    assert error.path == "request.limits[1].top"
    assert words in error.problem


def nested(depth, wrap):
    value = 1
    for _ in range(depth):
        value = wrap(value)
    return value


@pytest.mark.parametrize("wrap", [lambda inner: [inner], lambda inner: {"a": inner}, lambda inner: (inner,)])
def test_nesting_ends_at_its_limit(wrap):
    assert admitted(nested(MAX_DEPTH, wrap)) == admitted(nested(MAX_DEPTH, wrap))
    assert f"{MAX_DEPTH} deep" in refused(nested(MAX_DEPTH + 1, wrap)).problem


def test_a_structure_that_holds_itself_is_refused():
    circle = []
    circle.append(circle)
    ring = {}
    ring["me"] = {"again": ring}
    assert "deep" in refused(circle).problem
    assert "deep" in refused({"body": ring}, "context").problem


@pytest.mark.parametrize("count", [MAX_VALUES - 1, MAX_VALUES])
def test_values_are_counted_up_to_their_limit(count):
    # The list is a value itself.
    value = [0] * count
    if count < MAX_VALUES:
        assert admitted(value) == value
    else:
        assert "20,000 values" in refused(value).problem


def test_a_shared_value_counts_as_often_as_it_is_met():
    shared = [0] * 5000
    assert "values" in refused([shared] * 4).problem
    bomb = "x"
    for _ in range(20):
        bomb = [bomb] * 10
    assert "values" in refused(bomb).problem


def test_the_values_of_maps_count_too():
    assert "values" in refused({str(number): 0 for number in range(MAX_VALUES)}).problem
    assert "values" in refused([{"a": 0}] * (MAX_VALUES // 2)).problem


def test_characters_of_texts_and_keys_are_counted_up_to_their_limit():
    half = "x" * (MAX_CHARACTERS // 2)
    assert admitted({half: half}) == {half: half}
    assert "1,000,000 characters" in refused({half: half + "x"}).problem
    assert "characters" in refused({half + "x": half}).problem
    assert "characters" in refused([half, half, "x"]).problem


def test_a_map_of_another_class_at_the_top_is_read_as_a_plain_one():
    assert admitted_map(MappingProxyType({"a": [1]})) == {"a": [1]}
    assert admitted_map(UserDict({"a": 1}), "context") == {"a": 1}


def test_the_path_starts_with_what_was_given():
    with pytest.raises(AdmissionError) as caught:
        admitted_map({"a": [object()]}, "context")
    assert str(caught.value) == (
        "context.a[0]: it is a `object`, which is not plain data (give text, numbers, booleans, lists or maps)"
    )
