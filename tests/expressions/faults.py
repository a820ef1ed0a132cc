"""The one fault of a text, for tables."""

import pytest

from gatewright.errors import ExpressionError, Fault
from gatewright.expressions import checker, parser
from gatewright.expressions.schema import Schema


def of_parser(text: str) -> Fault:
    """The fault at which reading of a text ends; fails where there is none."""
    with pytest.raises(ExpressionError) as caught:
        parser.parse(text)
    (fault,) = caught.value.faults
    assert caught.value.text == text
    return fault


def of_checker(text: str, schema: Schema) -> tuple[Fault, ...]:
    """Every fault of severity error that the checker finds; none where the expression may run."""
    try:
        checker.checked(text, schema)
    except ExpressionError as error:
        return error.faults
    return ()


def marked(text: str, fault: Fault) -> str:
    """The characters of a text that a fault points at."""
    return text[fault.start : fault.end]
