"""What may enter: plain data of bounded size, copied, so that no host code can run while a policy decides."""

from collections.abc import Mapping
from math import isfinite
from typing import NoReturn

from gatewright.errors import AdmissionError
from gatewright.expressions.kinds import INT_MAX, INT_MIN
from gatewright.text import counted

MAX_DEPTH, MAX_VALUES, MAX_CHARACTERS = 32, 20_000, 1_000_000


def admitted(value: object, path: str = "request") -> object:
    """A deep copy of plain data: null, booleans, integers of 64 bits, finite numbers, text, lists and maps of text.

    Tuples become lists. Subclasses of the plain types are refused, since their methods could run. Shared and cyclic
    structure counts as often as it is met. Raises AdmissionError with the path of what is refused.
    """
    try:
        return _Admission().copied(value, 0)
    except _RefusedError as error:
        refused = AdmissionError(path + "".join(reversed(error.steps)), error.problem, error.hint)
    raise refused


def admitted_map(value: Mapping[str, object], path: str = "request") -> dict[str, object]:
    """The same for a map at the top."""
    copied = admitted(value if type(value) is dict else dict(value), path)
    assert isinstance(copied, dict)
    return copied


class _RefusedError(Exception):
    """What is refused; the steps to it are noted on the way out, so that the usual request pays nothing for them."""

    def __init__(self, problem: str, hint: str = "") -> None:
        super().__init__(problem)
        self.problem, self.hint = problem, hint
        self.steps: list[str] = []


class _Admission:
    """Counts one request while it is copied."""

    def __init__(self) -> None:
        self.values = 1
        self.characters = 0

    def copied(self, value: object, depth: int) -> object:
        kind = type(value)
        if kind is str:
            self._count_text(len(value))  # type: ignore[arg-type]  # exactly a str
        elif kind is dict or kind is list or kind is tuple:
            if depth >= MAX_DEPTH:
                raise _RefusedError(f"it is nested more than {MAX_DEPTH} deep")
            return self._map(value, depth + 1) if kind is dict else self._list(value, depth + 1)  # type: ignore[arg-type]  # by its exact type
        elif kind is int:
            if not INT_MIN <= value <= INT_MAX:  # type: ignore[operator]  # exactly an int
                raise _RefusedError("it is an integer that does not fit in 64 bits")
        elif kind is float:
            if not isfinite(value):  # type: ignore[arg-type]  # exactly a float
                raise _RefusedError("it is NaN or infinity, and numbers are finite")
        elif value is not None and kind is not bool:
            _refuse_kind(kind)
        return value

    def _count_text(self, length: int) -> None:
        self.characters += length
        if self.characters > MAX_CHARACTERS:
            raise _RefusedError(f"it has more than {counted(MAX_CHARACTERS, 'character')} of text")

    def _count_values(self, number: int) -> None:
        self.values += number
        if self.values > MAX_VALUES:
            raise _RefusedError(f"it has more than {counted(MAX_VALUES, 'value')}", "give only what rules read")

    def _map(self, value: dict[object, object], depth: int) -> dict[str, object]:
        self._count_values(len(value))
        found: dict[str, object] = {}
        for key, held in value.items():
            if type(key) is not str:
                raise _RefusedError(f"it has a key of the kind `{type(key).__name__}`", "keys are text")
            try:
                self._count_text(len(key))
                found[key] = self.copied(held, depth)
            except _RefusedError as error:
                error.steps.append(f".{key}")
                raise
        return found

    def _list(self, value: list[object] | tuple[object, ...], depth: int) -> list[object]:
        self._count_values(len(value))
        found: list[object] = []
        for held in value:
            try:
                found.append(self.copied(held, depth))
            except _RefusedError as error:
                error.steps.append(f"[{len(found)}]")
                raise
        return found


def _refuse_kind(kind: type) -> NoReturn:
    raise _RefusedError(
        f"it is a `{kind.__name__}`, which is not plain data", "give text, numbers, booleans, lists or maps"
    )
