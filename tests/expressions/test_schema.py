"""Kinds read from annotations, and the names of a context typed by what is known of them."""

from collections.abc import Mapping, Sequence
from enum import IntEnum, StrEnum
from typing import Annotated

import pytest
from msgspec import Meta, Struct

from gatewright.expressions import kinds
from gatewright.expressions.kinds import (
    ANY,
    BOOLEAN,
    INTEGER,
    NULL,
    NUMBER,
    TEXT,
    Kind,
    Type,
    comparable,
    descriptions,
    of_annotation,
)
from gatewright.expressions.schema import of_context


class Tone(StrEnum):
    CALM = "calm"


class Size(IntEnum):
    ONE = 1


class Inner(Struct, frozen=True):
    name: str


class Outer(Struct, frozen=True):
    HIDDEN = frozenset({"secret"})
    inner: Inner | None
    count: Annotated[int, Meta(description="how many")]
    secret: str = ""
    parts: list[str] = []


@pytest.mark.parametrize(
    ("annotation", "found"),
    [
        (str, TEXT),
        (int, INTEGER),
        (float, NUMBER),
        (bool, BOOLEAN),
        (object, ANY),
        (type(None), NULL),
        (str | None, Type(Kind.TEXT, optional=True)),
        (None | int, Type(Kind.INTEGER, optional=True)),
        (int | str, ANY),
        (int | str | None, ANY),
        (Annotated[str, "a note"], TEXT),
        (list[str], Type(Kind.LIST, of=TEXT)),
        (tuple[int, ...], Type(Kind.LIST, of=INTEGER)),
        (Sequence[bool], Type(Kind.LIST, of=BOOLEAN)),
        (list[str] | None, Type(Kind.LIST, optional=True, of=TEXT)),
        (list[str | None], Type(Kind.LIST, of=Type(Kind.TEXT, optional=True))),
        (dict[str, int], Type(Kind.MAP, of=INTEGER)),
        (Mapping[str, object], Type(Kind.MAP, of=ANY)),
        (dict[str, list[str]], Type(Kind.MAP, of=Type(Kind.LIST, of=TEXT))),
        (Tone, TEXT),
        (Inner, Type(Kind.RECORD, fields={"name": TEXT}, noun=Inner)),
    ],
)
def test_an_annotation_has_a_kind(annotation, found):
    assert of_annotation(annotation) == found


@pytest.mark.parametrize("annotation", [bytes, complex, set[str], Size, list, dict, "str", type, object()])
def test_an_annotation_of_no_kind_is_refused(annotation):
    with pytest.raises(TypeError):
        of_annotation(annotation)


def test_a_noun_shows_its_fields_but_the_hidden_ones():
    found = of_annotation(Outer)
    inner = Type(Kind.RECORD, optional=True, fields={"name": TEXT}, noun=Inner)
    assert found.fields == {"inner": inner, "count": INTEGER, "parts": Type(Kind.LIST, of=TEXT)}


def test_a_noun_tells_the_words_beside_its_fields():
    assert kinds.descriptions(Outer) == {"count": "how many"}


@pytest.mark.parametrize(
    ("left", "right", "answer"),
    [
        (TEXT, TEXT, True),
        (TEXT, Type(Kind.TEXT, optional=True), True),
        (INTEGER, NUMBER, True),
        (TEXT, NULL, True),
        (Type(Kind.LIST), NULL, True),
        (ANY, BOOLEAN, True),
        (TEXT, INTEGER, False),
        (BOOLEAN, INTEGER, False),
        (BOOLEAN, TEXT, False),
        (Type(Kind.LIST), Type(Kind.MAP), False),
        (Type(Kind.RECORD), Type(Kind.MAP), False),
    ],
)
def test_kinds_compare_with_themselves_and_numbers_with_numbers(left, right, answer):
    assert comparable(left, right) is answer
    assert comparable(right, left) is answer


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (TEXT, "text"),
        (Type(Kind.INTEGER, optional=True), "integer?"),
        (Type(Kind.LIST, of=TEXT), "list of text"),
        (Type(Kind.LIST, of=ANY), "list"),
        (Type(Kind.MAP), "map"),
        (Type(Kind.LIST, optional=True, of=Type(Kind.TEXT, optional=True)), "list of text??"),
    ],
)
def test_a_type_is_said_in_a_few_words(found, said):
    assert str(found) == said


def test_a_required_type_is_without_null():
    assert Type(Kind.TEXT, optional=True).required() == TEXT
    assert TEXT.required() is TEXT


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("", Kind.TEXT),
        (1, Kind.INTEGER),
        (1.0, Kind.NUMBER),
        (True, Kind.BOOLEAN),
        (None, Kind.NULL),
        ([], Kind.LIST),
        ((), Kind.LIST),
        ({}, Kind.MAP),
        (Inner("a"), Kind.RECORD),
        (object(), Kind.ANY),
        (Tone.CALM, Kind.ANY),
    ],
)
def test_a_value_has_a_kind(value, kind):
    assert kinds.kind_of(value) is kind


PAIR = Type(Kind.RECORD, fields={"name": TEXT}, noun=Inner)


@pytest.mark.parametrize(
    ("value", "wanted", "answer"),
    [
        ("a", TEXT, True),
        (1, TEXT, False),
        (1, INTEGER, True),
        (1, NUMBER, True),
        (1.5, INTEGER, False),
        (True, INTEGER, False),
        (True, BOOLEAN, True),
        (None, TEXT, False),
        (None, Type(Kind.TEXT, optional=True), True),
        (None, ANY, True),
        ({"a": object}, ANY, True),
        (["a", "b"], Type(Kind.LIST, of=TEXT), True),
        (["a", 1], Type(Kind.LIST, of=TEXT), False),
        (["a", None], Type(Kind.LIST, of=TEXT), False),
        (("a",), Type(Kind.LIST, of=TEXT), True),
        ([1, [2]], Type(Kind.LIST), True),
        ({"a": 1}, Type(Kind.MAP, of=INTEGER), True),
        ({"a": "x"}, Type(Kind.MAP, of=INTEGER), False),
        ({"a": {"b": 1}}, Type(Kind.MAP, of=Type(Kind.MAP, of=INTEGER)), True),
        ({"a": 1}, Type(Kind.LIST), False),
        (Inner("a"), PAIR, True),
        (Inner(1), PAIR, False),
        ({"name": "a"}, PAIR, False),
        (Outer(inner=None, count=1), PAIR, False),
    ],
)
def test_a_value_fits_a_type_all_the_way_down_or_not(value, wanted, answer):
    assert kinds.fits(value, wanted) is answer


# -- contexts ------------------------------------------------------------------------------------------------------

RECORD = Type(Kind.RECORD, fields={"readable": BOOLEAN, "parts": Type(Kind.LIST, of=TEXT)})
KNOWN = {
    "agents": INTEGER,
    "note": Type(Kind.TEXT, optional=True),
    "contract": RECORD,
    "labels": Type(Kind.MAP, of=TEXT),
}


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("agents", 2, INTEGER),
        ("agents", "2", ANY),
        ("agents", None, ANY),
        ("agents", True, ANY),
        ("note", "x", Type(Kind.TEXT, optional=True)),
        ("note", None, ANY),
        ("other", "x", ANY),
        ("other", 1, ANY),
        ("roles", ["a", "b"], Type(Kind.LIST, of=TEXT)),
        ("roles", ["a", 1], Type(Kind.LIST, of=ANY)),
        ("roles", [], Type(Kind.LIST, of=ANY)),
        ("roles", ("a",), Type(Kind.LIST, of=TEXT)),
        ("body", {"a": 1}, Type(Kind.MAP, of=ANY)),
        ("labels", {"a": "x"}, Type(Kind.MAP, of=TEXT)),
        (
            "contract",
            {"readable": True, "sha": "x", "parts": ["a"]},
            Type(Kind.RECORD, fields={"readable": BOOLEAN, "sha": ANY, "parts": Type(Kind.LIST, of=TEXT)}),
        ),
        ("contract", {"readable": "yes"}, Type(Kind.RECORD, fields={"readable": ANY})),
        ("contract", None, ANY),
    ],
)
def test_a_name_of_a_context_has_the_kind_of_its_fact_or_of_its_shape(name, value, found):
    assert of_context({name: value}, KNOWN).names == {name: found}


def test_the_names_of_a_context_are_open():
    assert of_context({}, KNOWN).closed is False


class Crate(Struct):
    """A noun of one field with a limit and words, of one with a limit alone, and of one with neither."""

    size: Annotated[int, Meta(ge=0), Meta(description="in litres")]
    limited: Annotated[int, "a note of no meaning here", Meta(ge=0)] = 0
    plain: int = 0


def test_only_what_a_noun_says_of_a_field_describes_it():
    assert descriptions(Crate) == {"size": "in litres"}
