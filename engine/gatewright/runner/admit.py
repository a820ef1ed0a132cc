"""One fact at a time: what was given is held to the fact's type and copied; what does not fit is not there."""

from collections.abc import Mapping
from datetime import datetime

import msgspec
from msgspec import Struct

from gatewright.errors import AdmissionError
from gatewright.expressions.admission import MAX_CHARACTERS, admitted
from gatewright.expressions.kinds import INT_MAX, INT_MIN, Kind, Type, fits, kind_of
from gatewright.expressions.operators import a
from gatewright.model import Moment
from gatewright.spec import Fact
from gatewright.text import did_you_mean


class Unavailable(Struct, frozen=True):
    """A fact that cannot be had: the code that a denial gives for it, and why."""

    code: str
    why: str
    cause: str = ""  #: the fact for the lack of which it cannot be had


class _UnfitError(Exception):
    """A value that is not of its fact's type; says so without the value."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.why = f"`{path}` {problem}"


def _unfit(path: str, value: object, due: str) -> _UnfitError:
    kind = "a decimal number" if type(value) is float else a(kind_of(value))
    inside = due.startswith(f"{kind} of ")
    return _UnfitError(path, f"holds something else than {due}" if inside else f"is {kind}, and {due} is due")


def admit(fact: Fact, value: object) -> object:
    """The value as the fact's type, copied; `Unavailable` where it does not fit. Never raises."""
    kind = fact.type.kind
    if value is None:
        return None if fact.type.optional else Unavailable(fact.code, f"`{fact.name}` is null")
    if kind is Kind.TEXT and type(value) is str and len(value) <= MAX_CHARACTERS:
        return value
    if kind is Kind.INTEGER and type(value) is int and INT_MIN <= value <= INT_MAX:
        return value
    if kind is Kind.BOOLEAN and (value is True or value is False):
        return value
    try:
        return _admit_other(fact, value)
    except _UnfitError as error:
        return Unavailable(fact.code, error.why)
    except AdmissionError as error:
        return Unavailable(fact.code, f"`{error.path}`: {error.problem}" + (f" ({error.hint})" if error.hint else ""))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  a mapping of the caller's may raise anything
        return Unavailable(fact.code, f"`{fact.name}` cannot be read: {type(error).__name__}")


def _admit_other(fact: Fact, value: object) -> object:
    noun = fact.type.noun
    if noun is not None:
        return _admit_noun(fact, noun, value)
    copied = admitted(dict(value) if isinstance(value, Mapping) else value, fact.name)
    if not fits(copied, fact.type):
        raise _unfit(fact.name, copied, fact.type.worded())
    return copied


def _admit_noun(fact: Fact, noun: type[Struct], value: object) -> object:
    if noun is Moment:
        return _moment(fact.name, value)
    if type(value) is noun:
        _admit_fields(value, fact.type, fact.name)
        return value
    if not isinstance(value, Mapping):
        raise _unfit(fact.name, value, "a record of its fields")
    copied = admitted(dict(value), fact.name)
    assert isinstance(copied, dict)
    _check_fields(copied, fact.type, fact.name)
    return msgspec.convert(copied, noun, strict=True)


def _required(noun: type[Struct]) -> list[str]:
    """The fields that a noun has no default for."""
    fields, defaults = noun.__struct_fields__, noun.__struct_defaults__
    behind = fields[len(fields) - len(defaults) :]
    given = {name for name, value in zip(behind, defaults, strict=True) if value is not msgspec.NODEFAULT}
    return [name for name in fields if name not in given]


def _check_fields(value: Mapping[str, object], wanted: Type, path: str) -> None:
    """Hold a map to the fields of a noun, in words of ours; what the noun does not tell rules is left to it."""
    assert wanted.noun is not None
    for name in value:
        if name not in wanted.noun.__struct_fields__:
            hint = did_you_mean(name, wanted.fields or {})
            raise _UnfitError(path, f"has no field `{name}`" + (f" ({hint})" if hint else ""))
    for name, kind in (wanted.fields or {}).items():
        if name not in value:
            if name in _required(wanted.noun):
                raise _UnfitError(f"{path}.{name}", "is missing")
            continue
        held = value[name]
        if kind.noun is not None and isinstance(held, Mapping):
            _check_fields(held, kind, f"{path}.{name}")
        elif kind.noun is not None or not fits(held, kind):
            raise _unfit(f"{path}.{name}", held, "a record of its fields" if kind.noun is not None else kind.worded())


def _admit_fields(value: object, wanted: Type, path: str) -> None:
    """Hold a noun made by hand to its own types: its class does not, and rules rely on them."""
    for name, field in (wanted.fields or {}).items():
        held = getattr(value, name)
        if field.noun is not None and held is not None:
            if type(held) is not field.noun:
                raise _unfit(f"{path}.{name}", held, f"a `{field.noun.__name__}`")
            _admit_fields(held, field, f"{path}.{name}")
        elif not fits(admitted(held, f"{path}.{name}"), field):
            raise _unfit(f"{path}.{name}", held, field.worded())


def _moment(name: str, value: object) -> Moment:
    try:
        return _time(value)
    except ValueError:
        problem = "is no time: give RFC 3339 text, seconds since the epoch, or a datetime, with a zone"
    raise _UnfitError(name, problem)


def _time(value: object) -> Moment:
    """A time given as a moment, as RFC 3339 text, as seconds since the epoch, or as an aware datetime."""
    if type(value) is str:
        return Moment.parsed(value)
    if type(value) is Moment:
        if value != Moment.at(value.epoch):
            raise ValueError("its parts do not tell one and the same time")
        return value
    if type(value) is int or type(value) is float:
        return Moment.at(value)
    if isinstance(value, datetime) and value.tzinfo is not None:
        return Moment.at(float(value.timestamp()))
    raise ValueError("a time is RFC 3339 text, a number of seconds, or a datetime with a zone")
