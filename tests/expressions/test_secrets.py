"""No error carries a value of the request: not in its words, not in its arguments, not in what it grew out of."""

import json
import traceback

import pytest
from hypothesis import given
from tests.expressions import strategies
from tests.expressions.fuzzing import examples

from gatewright.errors import AdmissionError, EvaluationError
from gatewright.expressions import checker, plain_json, tracer
from gatewright.expressions.admission import admitted, admitted_map
from gatewright.expressions.evaluating import evaluate
from gatewright.expressions.schema import of_context

SECRET = "sk-MARKED-123"
NUMBER = 8675309123


def spoken(error):
    """Everything that an error and the errors behind it hold: words, arguments, attributes, formatted traceback."""
    found = ["".join(traceback.format_exception(error))]
    waiting, seen = [error], set()
    while waiting:
        current = waiting.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        found += [str(current), repr(current.args), repr(vars(current))]
        found += [repr(getattr(current, name, None)) for name in ("doc", "object", "obj", "name", "key")]
        waiting += [current.__cause__, current.__context__]
    return "\n".join(found)


def assert_tells_nothing(error):
    assert SECRET not in spoken(error)
    assert str(NUMBER) not in spoken(error)


@pytest.mark.parametrize(
    "text",
    [
        "secret.x == 1",
        "secret[0] == 1",
        'secret["x"] == 1',
        "secret > 1",
        "secret + 1 > 1",
        "-secret > 1",
        "secret and true",
        "not secret",
        "secret == 1",
        '"a" in secret',
        "secret in numbers",
        "secret in [1]",
        "len(number) > 1",
        "lower(number) == number",
        "contains(number, secret)",
        "starts_with(secret, number)",
        'matches(number, "^a")',
        "number * 9223372036854775807 > 1",
        "number + fraction * 1e308 * 1e308 > 1",
        "labels.absent == secret",
        "labels[secret] == 1",
        "nested.inner[secret] == 1",
        "numbers[number] == 1",
        "numbers[secret] == 1",
        "labels[number] == 1",
        "default(labels[secret], 1) == secret",
        "nested == numbers",
        "has(labels[secret]) or secret",
    ],
)
def test_an_evaluation_fault_names_places_and_kinds_alone(text):
    facts = {
        "secret": SECRET,
        "number": NUMBER,
        "fraction": float(NUMBER),
        "numbers": [NUMBER, 1],
        "labels": {"a": SECRET},
        "nested": {"inner": {"a": SECRET}},
    }
    tree, _ = checker.checked(text, of_context(dict.fromkeys(facts), {}))
    with pytest.raises(EvaluationError) as caught:
        tracer.evaluate(tree, text, facts)
    assert_tells_nothing(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        {"a": object(), "b": SECRET},
        {"a": [SECRET, NUMBER, float("nan")]},
        {"a": NUMBER**9},
        {"a": {SECRET, NUMBER}},
        {"a": [SECRET] * 80_000},
        {"a": {1: SECRET}},
        {"a": SECRET.encode()},
    ],
)
def test_an_admission_error_names_paths_and_kinds_alone(value):
    for admit in (admitted, admitted_map):
        with pytest.raises(AdmissionError) as caught:
            admit(value)
        assert_tells_nothing(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        f'{{"a": "{SECRET}", "a": {NUMBER}}}',
        f'{{"a": "{SECRET}", "b": NaN}}',
        f'{{"a": "{SECRET}", }}',
        f'{{"a": "{SECRET}"}} x',
        f'["{SECRET}", {NUMBER}{"0" * 5000}]',
        f'["{SECRET}'.encode() + b'\xff"]',
        json.dumps([SECRET]).encode("utf-16"),
    ],
)
def test_an_error_of_the_json_reader_keeps_nothing_of_the_text(text):
    with pytest.raises(AdmissionError) as caught:
        plain_json.read(text)
    assert_tells_nothing(caught.value)


def test_an_error_of_ours_raised_while_evaluating_grew_out_of_nothing():
    tree, _ = checker.checked("labels.absent == 1", of_context({"labels": {}}, {}))
    with pytest.raises(EvaluationError) as caught:
        tracer.evaluate(tree, "labels.absent == 1", {"labels": {}})
    assert caught.value.__context__ is None
    with pytest.raises(AdmissionError) as refused:
        admitted({"a": object()})
    assert refused.value.__context__ is None


@pytest.mark.parametrize(
    "text", ["secret > 1", "labels.absent == 1", "secret", "labels.a + 1 > 1", "labels[secret] == 1"]
)
def test_an_evaluation_that_failed_tells_nothing(text):
    found = evaluate(text, {"secret": SECRET, "labels": {"a": SECRET}}, {})
    assert found.faults
    assert SECRET not in repr(found.faults)


def with_secrets(value):
    """The same data with one text of it, wherever it is a value, made one that stands nowhere else."""
    if isinstance(value, dict):
        return {key: with_secrets(held) for key, held in value.items()}
    if isinstance(value, list):
        return [with_secrets(held) for held in value]
    return SECRET if value == "dev" else value


@examples(300)
@given(strategies.conditions(), strategies.contexts)
def test_no_fault_of_a_typed_expression_holds_a_text_of_the_context(text, facts):
    tree, _ = checker.checked(text, strategies.SCHEMA)
    fault = tracer.trace(tree, text, with_secrets(facts), condition=True).fault
    assert SECRET not in repr(fault)
