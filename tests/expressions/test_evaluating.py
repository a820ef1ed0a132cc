"""One expression on one plain context: an answer with its trace, or the faults that keep it from having one."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.audited import audited

from gatewright.expressions import checker, tracer
from gatewright.expressions.evaluating import evaluate
from gatewright.expressions.kinds import INTEGER, TEXT, Kind, Type
from gatewright.expressions.schema import of_context
from gatewright.expressions.tracer import NOT_EVALUATED

KNOWN = {"agents": INTEGER, "model": TEXT}


def test_an_answer_comes_with_its_tree_and_the_value_of_each_part():
    found = evaluate("agents + 1 > 2 and model == 'x'", {"agents": 1, "model": "x"}, KNOWN)
    first, second = found.tree.parts
    assert (found.answer, found.faults) == (False, ())
    assert found.trace.value(first.first) == 2
    assert found.trace.value(first) is False
    assert found.trace.value(second) is NOT_EVALUATED


@pytest.mark.parametrize(
    ("text", "context", "code"),
    [
        ("agents >", {"agents": 1}, "EXPR_SYNTAX"),
        ("agnets > 1", {"agents": 1}, "EXPR_NAME"),
        ("agents", {"agents": 1}, "EXPR_KIND"),
        ("agents > 1", {"agents": object()}, "REQUEST_REFUSED"),
        ("agents > 1", {"agents": float("nan")}, "REQUEST_REFUSED"),
        ("labels.a == 1", {"labels": {}}, "EVAL_UNDEFINED"),
        ("body == 1", {"body": "x"}, "EVAL_TYPE"),
        ("body", {"body": "true"}, "EVAL_TYPE"),
        ("agents + 9223372036854775807 > 0", {"agents": 1}, "EVAL_RANGE"),
        ('matches(model, "x$")', {"model": "a" * 10_001}, "EVAL_RANGE"),
    ],
)
def test_what_keeps_an_expression_from_an_answer_has_a_code(text, context, code):
    found = evaluate(text, context, KNOWN)
    assert [fault.code for fault in found.faults] == [code]
    assert found.answer is None


def test_a_fault_of_the_run_comes_with_what_was_found_before_it():
    found = evaluate("agents > 1 and labels.a == 1", {"agents": 2, "labels": {}}, KNOWN)
    assert found.trace.value(found.tree.parts[0]) is True
    assert (found.faults[0].start, found.faults[0].end) == (15, 23)


def test_a_value_is_an_answer_where_no_condition_is_asked_for():
    assert evaluate("agents + 1", {"agents": 1}, KNOWN, condition=False).answer == 2


def test_warnings_come_with_the_answer():
    known = {"note": Type(Kind.TEXT, optional=True)}
    found = evaluate("len(note) > 1", {"note": "abc"}, known)
    assert found.answer is True
    assert [warning.code for warning in found.warnings] == ["EXPR_NULL"]


@pytest.mark.parametrize(
    ("context", "answer"),
    [({"a": True, "b": 1}, True), ({"a": False, "b": "no boolean"}, False)],
)
def test_a_short_circuit_from_the_left_leaves_the_rest_alone(context, answer):
    assert evaluate("a and b == 1", context, {}).answer is answer


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("labels.a == 1", 0, 8),
        ("1 + labels.a > 2", 4, 12),
        ("true and body", 9, 13),
        ("not body", 4, 8),
        ("body and true", 0, 4),
        ("has(labels) and len(agents2) > 1", 16, 28),
    ],
)
def test_a_fault_of_the_run_stands_at_the_part_that_met_it(text, start, end):
    found = evaluate(text, {"labels": {}, "body": "x", "agents2": None}, {})
    assert (found.faults[0].start, found.faults[0].end) == (start, end)


def test_a_fact_that_was_not_given_is_undefined():
    tree, _ = checker.checked("agents > 1", of_context({"agents": 1}, KNOWN))
    fault = tracer.trace(tree, "agents > 1", {}).fault
    assert (fault.code, fault.start, fault.end) == ("EVAL_UNDEFINED", 0, 6)


def test_an_answer_depends_on_nothing_around_it():
    text = "a == 1 and " * 20 + "b.c == 'x'"
    facts = {"a": 1, "b": {"c": "x"}}
    tree, _ = checker.checked(text, of_context(facts, {}))

    def deep(levels):
        return tracer.evaluate(tree, text, facts) if levels == 0 else deep(levels - 1)

    assert deep(0) is deep(sys.getrecursionlimit() // 2) is True


def test_threads_do_not_meet_in_one_evaluation():
    tree, _ = checker.checked("a == b", of_context({"a": 1, "b": 1}, {}))

    def answer(number):
        return tracer.evaluate(tree, "a == b", {"a": number, "b": 0})

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(answer, [0, 1] * 500)) == [True, False] * 500


EVALUATING = """
from gatewright.expressions import checker, tracer
from gatewright.expressions.kinds import INTEGER, TEXT
from gatewright.expressions.schema import of_context

text = 'agents > 1 and labels.a == "x" and matches(labels.a, "^x")'
facts = {"agents": 2, "labels": {"a": "x"}}
tree, _ = checker.checked(text, of_context(facts, {"agents": INTEGER, "model": TEXT}))
tracer.evaluate(tree, text, facts)  # patterns are compiled, and modules imported, on first use
with heard():
    answer = tracer.evaluate(tree, text, facts)
tell(answer)
"""


def test_evaluating_opens_no_file_and_compiles_nothing():
    answer, seen = audited(EVALUATING)
    assert answer is True
    outside = {"exec", "compile", "import", "open", "socket.connect", "subprocess.Popen", "os.system"}
    assert not outside & {event for event, _ in seen}
