"""Kinds: what a value can be in an expression, and the kinds of facts read from Python annotations."""

import types
import typing
from collections.abc import Mapping, Sequence
from enum import Enum

from msgspec import Meta, Struct
from msgspec.structs import replace

INT_MIN, INT_MAX = -(2**63), 2**63 - 1


class Kind(Enum):
    """The kinds of the language. Integer and number compare with each other; no other two kinds do."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    NULL = "null"
    LIST = "list"
    MAP = "map"
    RECORD = "record"
    ANY = "any"  #: not known before the expression runs


NUMERIC = frozenset({Kind.INTEGER, Kind.NUMBER})
SCALAR = frozenset({Kind.TEXT, Kind.INTEGER, Kind.NUMBER, Kind.BOOLEAN})


class Type(Struct, frozen=True):
    """A kind, whether null may stand for it, and what it holds."""

    kind: Kind
    optional: bool = False
    of: "Type | None" = None  #: the elements of a list, the values of a map
    fields: "Mapping[str, Type] | None" = None  #: the fields of a record, by name
    noun: type[Struct] | None = None  #: the class of a record that is a noun; plain maps have none
    among: tuple[str, ...] = ()  #: the texts that there are; empty where there is no end of them
    like: str = ""  #: how its texts are written, digit for digit: `18:02`; empty where they have no form

    def __str__(self) -> str:
        inner = f" of {self.of}" if self.of is not None and self.of.kind is not Kind.ANY else ""
        return f"{self.kind.value}{inner}{'?' if self.optional else ''}"

    def worded(self) -> str:
        """The type as messages say it: `an integer`, `a list of text`, `text or null`."""
        kind = self.kind.value
        bare = str(self.required())
        article = "" if self.kind is Kind.TEXT else "an " if kind.startswith(("a", "i")) else "a "
        return f"{article}{bare}{' or null' if self.optional and self.kind is not Kind.NULL else ''}"

    def required(self) -> "Type":
        """The same type without null."""
        return replace(self, optional=False) if self.optional else self

    def bare(self) -> "Type":
        """The same type without null, and without what is said of its texts."""
        return replace(self, optional=False, among=(), like="")


ANY = Type(Kind.ANY, optional=True)
TEXT = Type(Kind.TEXT)
INTEGER = Type(Kind.INTEGER)
NUMBER = Type(Kind.NUMBER)
BOOLEAN = Type(Kind.BOOLEAN)
NULL = Type(Kind.NULL, optional=True)

_PLAIN: dict[object, Type] = {str: TEXT, int: INTEGER, float: NUMBER, bool: BOOLEAN, object: ANY, type(None): NULL}


def comparable(left: Type, right: Type) -> bool:
    """Whether `==` between the two can ever be anything but an error."""
    kinds = {left.kind, right.kind}
    if Kind.ANY in kinds or Kind.NULL in kinds or len(kinds) == 1:
        return True
    return kinds <= NUMERIC


def of_annotation(annotation: object) -> Type:
    """The type that a Python annotation stands for.

    Known are str, int, float, bool, `| None`, lists, tuples and mappings of those, enums of text, and nouns
    (`msgspec.Struct`). Raises TypeError with a sentence for anything else.
    """
    if annotation in _PLAIN_KEYS:
        return _PLAIN[annotation]
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        inner, *extras = typing.get_args(annotation)
        return _said(of_annotation(inner), extras)
    if origin in (typing.Union, types.UnionType):
        return _of_union(typing.get_args(annotation))
    if origin in (list, tuple, Sequence):
        element = typing.get_args(annotation)[0] if typing.get_args(annotation) else object
        return Type(Kind.LIST, of=of_annotation(element))
    if origin in (dict, Mapping):
        return Type(Kind.MAP, of=of_annotation(typing.get_args(annotation)[1]))
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return of_noun(annotation)
    if isinstance(annotation, type) and issubclass(annotation, str):
        return TEXT
    msg = f"`{getattr(annotation, '__name__', annotation)}` is no kind of the expression language"
    raise TypeError(msg)


_PLAIN_KEYS = frozenset(_PLAIN)


def _of_union(members: tuple[object, ...]) -> Type:
    kinds = [of_annotation(member) for member in members if member is not type(None)]
    if len(kinds) != 1:
        return ANY
    only = kinds[0]
    return replace(only, optional=True)


def _said(kind: Type, extras: Sequence[object]) -> Type:
    """A type with what `said` beside an annotation tells of its texts."""
    for extra in extras:
        if isinstance(extra, Meta) and extra.extra:
            return replace(kind, among=extra.extra.get("among", ()), like=extra.extra.get("like", ""))
    return kind


def of_noun(noun: type[Struct]) -> Type:
    """The record type of a noun: its fields but those it lists in `HIDDEN`."""
    hidden: frozenset[str] = getattr(noun, "HIDDEN", frozenset())
    hints = typing.get_type_hints(noun, include_extras=True)
    fields = {name: of_annotation(hints[name]) for name in noun.__struct_fields__ if name not in hidden}
    return Type(Kind.RECORD, fields=fields, noun=noun)


def descriptions(noun: type[Struct]) -> dict[str, str]:
    """The words beside each field of a noun, from its `Annotated[..., Meta(description=...)]`."""
    found: dict[str, str] = {}
    for name, hint in typing.get_type_hints(noun, include_extras=True).items():
        for extra in getattr(hint, "__metadata__", ()):
            if isinstance(extra, Meta) and extra.description:
                found[name] = extra.description
    return found


def fits(value: object, wanted: Type) -> bool:
    """Whether a plain value, or a noun, is of a type all the way down; an integer is a number too."""
    if value is None:
        return wanted.optional
    if wanted.kind is Kind.ANY:
        return True
    kind = kind_of(value)
    if kind is not wanted.kind:
        return kind is Kind.INTEGER and wanted.kind is Kind.NUMBER
    if kind is Kind.RECORD:
        fields = wanted.fields or {}
        return type(value) is wanted.noun and all(fits(getattr(value, name), held) for name, held in fields.items())
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return wanted.of is None or all(fits(each, wanted.of) for each in held)


def kind_of(value: object) -> Kind:
    """The kind of an admitted value."""
    kind = _KIND_OF.get(type(value))
    if kind is not None:
        return kind
    return Kind.RECORD if isinstance(value, Struct) else Kind.ANY


_KIND_OF: dict[type, Kind] = {
    str: Kind.TEXT,
    int: Kind.INTEGER,
    float: Kind.NUMBER,
    bool: Kind.BOOLEAN,
    type(None): Kind.NULL,
    list: Kind.LIST,
    tuple: Kind.LIST,
    dict: Kind.MAP,
}
