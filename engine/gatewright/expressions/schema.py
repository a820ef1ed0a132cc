"""The names that an expression may read, with their types."""

from collections.abc import Mapping

from msgspec import Struct

from gatewright.expressions.kinds import ANY, TEXT, Kind, Type, kind_of


class Schema(Struct, frozen=True, kw_only=True):
    """The facts of a stage, or the names of a context."""

    names: Mapping[str, Type]
    closed: bool = True  #: whether a field that a record lacks is a mistake even inside `has` and `default`


def of_context(context: Mapping[str, object], known: Mapping[str, Type]) -> Schema:
    """The names of a plain context, typed by what is known of them and else by their shape.

    A scalar is of the kind that its fact declares if it is of that kind here; else, and where no fact declares it, of
    any kind, since the next context may hold another. Lists and maps are what they are. A map that a fact declares as a
    record is a record of the fields it has here, unless it has none of the record's.
    """
    names = {name: _of_value(value, known.get(name)) for name, value in context.items()}
    return Schema(names=names, closed=False)


def _of_value(value: object, declared: Type | None) -> Type:
    if isinstance(value, dict):
        return _of_map(value, declared)
    if isinstance(value, list | tuple):
        return Type(Kind.LIST, of=_of_elements(value))
    if declared is not None and kind_of(value) is declared.kind:
        return declared
    return ANY


def _of_map(value: Mapping[str, object], declared: Type | None) -> Type:
    fields = declared.fields if declared is not None and declared.kind is Kind.RECORD else None
    if fields is not None and (not value or not fields.keys().isdisjoint(value)):
        return Type(Kind.RECORD, fields={name: _of_value(held, fields.get(name)) for name, held in value.items()})
    return Type(Kind.MAP, of=declared.of if declared is not None and declared.of is not None else ANY)


def _of_elements(value: list[object] | tuple[object, ...]) -> Type:
    if value and all(isinstance(element, str) for element in value):
        return TEXT
    return ANY
