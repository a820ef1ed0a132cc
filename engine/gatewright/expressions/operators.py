"""What each operator means, strictly: no guess across kinds, no silent null, no number out of range.

The tracing evaluator computes with nothing else. The compiler calls these where kinds are not known before the run, and
emits plain Python where they are; a differential test holds the two equal.
"""

from collections.abc import Iterable, Sequence
from math import isfinite

from msgspec import Struct

from gatewright.expressions.kinds import INT_MAX, INT_MIN, NUMERIC, Kind, kind_of

EVAL_UNDEFINED, EVAL_TYPE, EVAL_RANGE = "EVAL_UNDEFINED", "EVAL_TYPE", "EVAL_RANGE"


class OperationError(Exception):
    """An operation that has no answer. Names kinds and field names, never values."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


def _wrong(message: str, hint: str = "") -> OperationError:
    return OperationError(EVAL_TYPE, message, hint)


def a(kind: Kind) -> str:
    """A kind with its article, as messages say it."""
    words = {
        Kind.TEXT: "text",
        Kind.INTEGER: "a number",
        Kind.NUMBER: "a number",
        Kind.BOOLEAN: "a boolean",
        Kind.NULL: "null",
        Kind.LIST: "a list",
        Kind.MAP: "a map",
        Kind.RECORD: "a record",
        Kind.ANY: "of an unknown kind",
    }
    return words[kind]


def equal(left: object, right: object) -> bool:
    """`==`: an error across kinds, but null equals null and nothing else."""
    kinds = kind_of(left), kind_of(right)
    if Kind.NULL in kinds:
        return left is right
    if kinds[0] is kinds[1]:
        if kinds[0] is Kind.LIST:
            return _equal_lists(left, right)  # type: ignore[arg-type]  # both are lists by their kind
        if kinds[0] is Kind.MAP:
            return _equal_maps(left, right)  # type: ignore[arg-type]  # both are maps by their kind
        if kinds[0] in (Kind.RECORD, Kind.ANY):
            raise _wrong("a record does not compare as a whole", "compare its fields")
        return left == right
    if NUMERIC.issuperset(kinds):
        return left == right
    raise _wrong(f"{a(kinds[0])} and {a(kinds[1])} do not compare")


def _equal_lists(left: Sequence[object], right: Sequence[object]) -> bool:
    if len(left) != len(right):
        return False
    if _of_one_kind(left, right):
        return [*left] == [*right]
    return all(map(equal, left, right))


def _equal_maps(left: dict[str, object], right: dict[str, object]) -> bool:
    if left.keys() != right.keys():
        return False
    if _of_one_kind(left.values(), right.values()):
        return left == right
    return all(equal(value, right[key]) for key, value in left.items())


def _of_one_kind(*held: Iterable[object]) -> bool:
    """Whether the values are texts, or numbers, or booleans, or null: then Python's `==` is ours, and far faster."""
    types = {kind for values in held for kind in set(map(type, values))} - {type(None)}
    return types <= {str} or types <= {bool} or types <= {int, float}


def ordered(op: str, left: object, right: object) -> bool:
    """`<`, `<=`, `>`, `>=` between two numbers or two texts; texts by code point."""
    kinds = kind_of(left), kind_of(right)
    if not (NUMERIC.issuperset(kinds) or kinds == (Kind.TEXT, Kind.TEXT)):
        raise _wrong(f"`{op}` cannot order {a(kinds[0])} and {a(kinds[1])}")
    if op == "<":
        return left < right  # type: ignore[operator, no-any-return]  # both numbers or both text, just checked
    if op == "<=":
        return left <= right  # type: ignore[operator, no-any-return]
    if op == ">":
        return left > right  # type: ignore[operator, no-any-return]
    return left >= right  # type: ignore[operator, no-any-return]


def arithmetic(op: str, left: object, right: object) -> int | float:
    """`+`, `-`, `*` on numbers; integers stay within 64 bits, numbers stay finite."""
    kinds = kind_of(left), kind_of(right)
    if not NUMERIC.issuperset(kinds):
        odd = kinds[0] if kinds[0] not in NUMERIC else kinds[1]
        raise _wrong(f"`{op}` needs two numbers, and one side is {a(odd)}")
    try:
        result = _computed(op, left, right)  # type: ignore[arg-type]  # both are numbers by their kind
    except OverflowError:
        raise OperationError(EVAL_RANGE, f"`{op}` leaves the range of numbers") from None
    return in_range(result)


def _computed(op: str, left: float, right: float) -> int | float:
    if op == "+":
        return left + right
    return left - right if op == "-" else left * right


def in_range(number: float) -> int | float:
    """The number itself, if it is an integer of 64 bits or a finite number."""
    fits = INT_MIN <= number <= INT_MAX if isinstance(number, int) else isfinite(number)
    if not fits:
        raise OperationError(EVAL_RANGE, "the result does not fit in 64 bits or is not finite")
    return number


def negative(value: object) -> int | float:
    """`-x` on a number."""
    if kind_of(value) not in NUMERIC:
        raise _wrong(f"`-` needs a number, not {a(kind_of(value))}")
    return in_range(-value)  # type: ignore[operator]  # a number by its kind


def truth(value: object) -> bool:
    """A condition: exactly a boolean."""
    if value is True or value is False:
        return value
    raise _wrong(f"a condition is a boolean, not {a(kind_of(value))}")


def member(item: object, container: object) -> bool:
    """`in`: an element of a list, compared as `==` does, or a key of a map."""
    kind = kind_of(container)
    if kind is Kind.LIST:
        if _of_one_kind((item,), container):  # type: ignore[arg-type]  # a list by its kind
            return item in container  # type: ignore[operator]
        found = False
        for element in container:  # type: ignore[attr-defined]
            # Every element is compared, so that a list of mixed kinds is an error wherever the match stands.
            found = equal(item, element) or found
        return found
    if kind is Kind.MAP:
        if kind_of(item) is not Kind.TEXT:
            raise _wrong(f"the keys of a map are text, not {a(kind_of(item))}")
        return item in container  # type: ignore[operator]  # a map by its kind
    if kind is Kind.TEXT:
        raise _wrong("`in` looks into lists and maps, not into text", "write `contains(text, part)`")
    raise _wrong(f"`in` needs a list or a map, not {a(kind)}")


def field(base: object, name: str) -> object:
    """`a.b` and `a["b"]`: a field of a record or a key of a map."""
    if isinstance(base, Struct):
        if name in base.__struct_fields__:
            return getattr(base, name)
        raise OperationError(EVAL_UNDEFINED, f"there is no field `{name}`")
    kind = kind_of(base)
    if kind is Kind.MAP:
        if name in base:  # type: ignore[operator]  # a map by its kind
            return base[name]  # type: ignore[index]
        raise OperationError(EVAL_UNDEFINED, f"there is no field `{name}`")
    if kind is Kind.NULL:
        raise OperationError(EVAL_UNDEFINED, f"null has no field `{name}`")
    raise OperationError(EVAL_UNDEFINED, f"{a(kind)} has no field `{name}`")


def element(base: object, key: object) -> object:
    """`a[b]`: an element of a list by number, from the end if negative, or of a map by text."""
    kind, key_kind = kind_of(base), kind_of(key)
    if kind is Kind.LIST:
        if key_kind is not Kind.INTEGER:
            raise _wrong(f"a list is indexed by whole numbers, not by {a(key_kind)}")
        size = len(base)  # type: ignore[arg-type]  # a list by its kind
        if not -size <= key < size:  # type: ignore[operator]  # a number by its kind
            raise OperationError(EVAL_UNDEFINED, "there is no such element")
        return base[key]  # type: ignore[index]
    if kind in (Kind.MAP, Kind.RECORD):
        if key_kind is not Kind.TEXT:
            raise _wrong(f"fields are named by text, not by {a(key_kind)}")
        try:
            return field(base, key)  # type: ignore[arg-type]  # text by its kind
        except OperationError:
            # The key is a value of the request, which no message may hold.
            missing = OperationError(EVAL_UNDEFINED, "there is no field of that name")
        raise missing
    raise OperationError(EVAL_UNDEFINED, f"{a(kind)} has no elements")


def length(value: object) -> int:
    """`len`: characters of a text, elements of a list, keys of a map."""
    if kind_of(value) not in (Kind.TEXT, Kind.LIST, Kind.MAP):
        raise _wrong(f"`len` needs text, a list or a map, not {a(kind_of(value))}")
    return len(value)  # type: ignore[arg-type]  # sized by its kind


def text_of(function: str, value: object) -> str:
    """The argument of a text function, which must be text."""
    if isinstance(value, str):
        return value
    hint = "write `value in list`" if kind_of(value) is Kind.LIST and function == "contains" else ""
    raise _wrong(f"`{function}` needs text, not {a(kind_of(value))}", hint)


def lower(value: object) -> str:
    """`lower`: a text in lower case."""
    return text_of("lower", value).lower()


def starts_with(value: object, part: object) -> bool:
    """`starts_with`: whether a text begins with another."""
    return text_of("starts_with", value).startswith(text_of("starts_with", part))


def ends_with(value: object, part: object) -> bool:
    """`ends_with`: whether a text ends with another."""
    return text_of("ends_with", value).endswith(text_of("ends_with", part))


def contains(value: object, part: object) -> bool:
    """`contains`: whether a text holds another."""
    return text_of("contains", part) in text_of("contains", value)


def reached(base: object, steps: Sequence[object]) -> object:
    """The value at the end of a path, or None where the path does not exist; what `has` and `default` look at."""
    for step in steps:
        if base is None:
            return None
        try:
            base = element(base, step) if not isinstance(step, str) else field(base, step)
        except OperationError:
            return None
    return base
