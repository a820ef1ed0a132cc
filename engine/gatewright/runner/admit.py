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


class Unavailable(Struct, frozen=True):
    """A fact that cannot be had: the code that a denial gives for it, and why."""

    code: str
    why: str
    cause: str = ""  #: the fact for the lack of which it cannot be had


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
    except AdmissionError as error:
        return Unavailable(fact.code, str(error))
    except msgspec.ValidationError as error:
        return Unavailable(fact.code, f"`{fact.name}` cannot be read: {error}")
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
        raise AdmissionError(fact.name, f"it is {a(kind_of(copied))}, and {fact.type.worded()} is due")
    return copied


def _admit_noun(fact: Fact, noun: type[Struct], value: object) -> object:
    if noun is Moment:
        return _moment(value)
    if type(value) is noun:
        _admit_fields(value, fact.type, fact.name)
        return value
    if not isinstance(value, Mapping):
        raise AdmissionError(fact.name, f"it is {a(kind_of(value))}, and a map of its fields is due")
    return msgspec.convert(admitted(dict(value), fact.name), noun, strict=True)


def _admit_fields(value: object, wanted: Type, path: str) -> None:
    """Hold a noun made by hand to its own types: its class does not, and rules rely on them."""
    for name, field in (wanted.fields or {}).items():
        held = getattr(value, name)
        if field.noun is not None and held is not None:
            if type(held) is not field.noun:
                raise AdmissionError(
                    f"{path}.{name}", f"it is {a(kind_of(held))}, and a `{field.noun.__name__}` is due"
                )
            _admit_fields(held, field, f"{path}.{name}")
        elif not fits(admitted(held, f"{path}.{name}"), field):
            raise AdmissionError(f"{path}.{name}", f"it is {a(kind_of(held))}, and {field.worded()} is due")


def _moment(value: object) -> Moment:
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
