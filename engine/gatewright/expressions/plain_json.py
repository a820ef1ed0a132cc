"""JSON into plain data, without what Python's reader lets through: NaN, a key that stands twice, deep nesting."""

import json
from math import isfinite
from typing import NoReturn

from gatewright.errors import AdmissionError


def read(text: str | bytes, what: str = "request") -> object:
    """The plain data in a JSON text. Raises AdmissionError with what is wrong and where."""
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        return json.loads(text, object_pairs_hook=_without_twins, parse_constant=_constant, parse_float=_number)
    except AdmissionError as error:
        problem, hint = error.problem, error.hint
    except json.JSONDecodeError as error:
        said = f"{error.msg[:1].lower()}{error.msg[1:]}"
        problem, hint = f"the text is not JSON: line {error.lineno}, column {error.colno}: {said}", ""
    except UnicodeDecodeError:
        problem, hint = "the text is not UTF-8", ""
    except RecursionError:
        problem, hint = "nested too deep to be read", ""
    except ValueError:
        problem, hint = "an integer that does not fit in 64 bits", ""
    # Raised out here, since the errors of the JSON reader hold the whole text, which may be a secret.
    raise AdmissionError(what, problem, hint)


def read_or_text(text: str) -> object:
    """The plain data in a JSON text; one that is no JSON is a text."""
    try:
        return read(text)
    except AdmissionError:
        return text


def _number(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        _constant(text)
    return number


def _constant(name: str) -> NoReturn:
    raise AdmissionError("request", f"`{name}` is NaN or infinity, which is not a finite number")


def _without_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twin = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]  # None
        raise AdmissionError("request", f"the key `{twin}` stands twice", "keep one of the two")
    return found
