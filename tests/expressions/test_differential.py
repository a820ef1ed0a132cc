"""The compiled form and the tracing evaluator are of one mind, whatever the expression and the context."""

import warnings

import msgspec
import pytest
from hypothesis import given
from tests.expressions import strategies
from tests.expressions.fuzzing import examples

from gatewright.errors import EvaluationError, ExpressionError
from gatewright.expressions import checker, emit, nodes, parser, tracer
from gatewright.expressions.kinds import INT_MAX, INT_MIN

NONE = object()


def plain(value):
    """A value in which equal means equal of the same kind: a list however it is held, a boolean never a number."""
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return type(value).__name__, value


def compiled(tree, facts):
    try:
        return plain(emit.compiled(tree)(*(facts[name] for name in nodes.roots(tree))))
    except Exception:  # noqa: BLE001  it may raise anything where there is no answer
        return NONE


def compiled_knowing(tree, facts, names):
    """The compiled form with the values of some names built into it."""
    try:
        emitter = emit.Emitter({name: facts[name] for name in names})
        given = [name for name in nodes.roots(tree) if name not in names]
        parameters = ", ".join(f"v_{name}" for name in given)
        source = f"def known({parameters}):\n    return {emitter.emit(tree)}\n"
        return plain(emit.function(source, "known", emitter.constants)(*(facts[name] for name in given)))
    except Exception:  # noqa: BLE001  as above
        return NONE


def traced(tree, text, facts):
    try:
        return plain(tracer.evaluate(tree, text, facts))
    except EvaluationError:
        return NONE


@examples(450)
@given(strategies.expressions, strategies.contexts)
def test_compiled_and_traced_agree(text, facts):
    tree, _ = checker.checked(text, strategies.SCHEMA)
    assert compiled(tree, facts) == traced(tree, text, facts)


@pytest.mark.parametrize(
    "text",
    [
        "runtime in roles",
        "model not in roles",
        "runtime in pool",
        "model in labels",
        "runtime not in labels",
        "agents in sizes",
        "agents in mixed",
        "other in body",
        "labels[runtime] == model",
        "roles[agents] == model",
        "sizes[est_chars] > 1",
        "site.owner.name == site.note",
        "pair.left < agents <= est_chars",
        "model >= runtime > site.note",
        "agents + est_chars * 2 - 1 > 0",
        "-agents < -est_chars",
        "len(pool) + len(model) + len(labels) > 1",
        "starts_with(lower(model), runtime) or contains(runtime, model) or ends_with(model, runtime)",
        'default(body[model], "dev") == default(site.owner.name, null)',
        "has(mixed[agents]) and has(loose[runtime]) and has(site.owner.name)",
        "approved and ready or not approved",
        "roles == pool and labels != loose",
        "agents in [1, 2.0, null] or est_chars in (0, null) or ratio not in [0.5]",
        'matches(model, "^[a-z]+$") and matches(other, "x$")',
    ],
)
@examples(20)
@given(facts=strategies.contexts)
def test_they_agree_on_every_way_to_write_an_operation(text, facts):
    tree, _ = checker.checked(text, strategies.SCHEMA)
    assert compiled(tree, facts) == traced(tree, text, facts)


@examples(200)
@given(strategies.sums, strategies.contexts)
def test_they_agree_on_arithmetic_up_to_its_edges(text, facts):
    tree, _ = checker.checked(text, strategies.SCHEMA)
    answer = compiled(tree, facts)
    assert answer == traced(tree, text, facts)
    assert answer is NONE or answer[0] != "int" or INT_MIN <= answer[1] <= INT_MAX


@examples(150)
@given(strategies.expressions, strategies.contexts)
def test_values_known_beforehand_change_no_answer(text, facts):
    tree, _ = checker.checked(text, strategies.SCHEMA)
    assert compiled_knowing(tree, facts, ("params",)) == traced(tree, text, facts)


@examples(120)
@given(strategies.conditions(), strategies.contexts)
def test_a_condition_that_fits_is_true_or_false_or_errs(text, facts):
    tree, _ = checker.checked(text, strategies.SCHEMA)
    assert checker.condition_fault(text, tree) is None
    found = tracer.trace(tree, text, facts, condition=True)
    assert found.answer in (True, False, tracer.NOT_EVALUATED)
    assert (found.fault is None) is isinstance(found.answer, bool)


@examples(120)
@given(strategies.conditions(), strategies.contexts)
def test_a_fault_stands_at_characters_of_the_expression(text, facts):
    tree, _ = checker.checked(text, strategies.SCHEMA)
    fault = tracer.trace(tree, text, facts, condition=True).fault
    if fault is not None:
        assert 0 <= fault.start < fault.end <= len(text)
        assert fault.code in ("EVAL_UNDEFINED", "EVAL_TYPE", "EVAL_RANGE")


TYPED = {
    name: kind for name, kind in strategies.NAMES.items() if name not in ("body", "other", "mixed", "loose", "caps")
}


@examples(150)
@given(strategies.conditions(), strategies.contexts)
def test_an_expression_without_a_null_warning_never_errs_on_null(text, facts):
    try:
        tree, warnings = checker.checked(text, checker.Schema(names=TYPED))
    except ExpressionError:
        return  # it reads a name of no known kind, of which nothing is claimed
    if not warnings:
        fault = tracer.trace(tree, text, facts, condition=True).fault
        assert fault is None or "null" not in fault.message


@examples(100)
@given(strategies.grammar, strategies.contexts)
def test_an_emitter_that_meets_an_unchecked_tree_still_agrees(text, facts):
    # Without types everything is of any kind, so that only the strict helpers are emitted.
    tree = parser.parse(text)
    names = dict.fromkeys(nodes.roots(tree), 1)
    if any(call.function in ("has", "default", "matches") for call in nodes.walk(tree) if isinstance(call, nodes.Call)):
        return  # their arguments are made sure of by the checker
    assert compiled(tree, names) == traced(tree, text, names)


def test_a_node_of_no_class_has_neither_source_nor_tree():
    part = nodes.Node(start=0, end=1)
    with pytest.raises(AssertionError):
        emit.Emitter().emit(part)
    with pytest.raises(AssertionError):
        tracer.to_ast(part)


@pytest.mark.parametrize(
    "text", ["5 is null", "5 == null", "(-5) != null", "1.5 is not null", '"x" is null', "true is null"]
)
def test_a_literal_compared_with_null_compiles_without_a_warning(text):
    tree, _ = checker.checked(text, strategies.SCHEMA)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert plain(emit.compiled(tree)()) == traced(tree, text, {})


def test_the_emitted_world_holds_no_builtins():
    tree, _ = checker.checked("agents > 1", strategies.SCHEMA)
    assert emit.compiled(tree).__globals__["__builtins__"] == {}


def test_fields_of_a_noun_are_read_once_where_locals_are_kept():
    tree, _ = checker.checked("site.size > 1 and site.size < 9", strategies.SCHEMA)
    emitter = emit.Emitter()
    emitter.reads = {}
    source = emitter.emit(tree)
    assert emitter.reads == {"v_site.size": "r0"}
    assert "v_site" not in source


def test_an_optional_noun_is_never_read_beforehand():
    kind = msgspec.structs.replace(strategies.NAMES["site"], optional=True)
    tree, _ = checker.checked("site is not None and site.size > 1", checker.Schema(names={"site": kind}))
    emitter = emit.Emitter()
    emitter.reads = {}
    emitter.emit(tree)
    assert emitter.reads == {}
    assert emit.compiled(tree)(None) is False


def test_a_known_value_that_has_no_such_field_is_met_when_it_runs():
    text = "site.name == runtime"
    tree, _ = checker.checked(text, strategies.SCHEMA)
    facts = {"site": strategies.Shed(name="a", size=1), "runtime": "a"}
    assert compiled_knowing(tree, facts, ("site",)) == plain(value=True)
    tree, _ = checker.checked("params.cap > 1", strategies.SCHEMA)
    assert compiled_knowing(tree, {"params": {}}, ("params",)) is NONE


def test_emitters_that_know_different_values_share_their_constants():
    tree, _ = checker.checked('runtime in params.names or runtime == "dev"', strategies.SCHEMA)
    first = emit.Emitter({"params": {"names": ["a"]}})
    second = first.knowing({"params": {"names": ["b"]}})
    sources = first.emit(tree), second.emit(tree)
    answers = [
        emit.function(f"def one(v_runtime):\n    return {source}\n", "one", first.constants)("b") for source in sources
    ]
    assert answers == [False, True]
