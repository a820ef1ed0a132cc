"""The cases of `expressions.jsonl`, and what becomes of one on both evaluators."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from gatewright.app import catalog_of
from gatewright.errors import AdmissionError, EvaluationError, ExpressionError
from gatewright.expressions import emit, operators, tracer
from gatewright.expressions.admission import admitted_map
from gatewright.expressions.checker import checked, condition_fault
from gatewright.expressions.kinds import Kind
from gatewright.expressions.nodes import Node, roots
from gatewright.expressions.schema import of_context

Case = Mapping[str, object]

CASES = Path(__file__).parent.parent / "cases"
KNOWN = {name: fact.type for name, fact in catalog_of().facts.items()}


class Outcome(NamedTuple):
    """Where a case ended: `answer` with a value, else `load`, `admission` or `evaluation` with what was said."""

    where: str
    value: object = None
    said: str = ""


def cases() -> list[Case]:
    """Every case, in the order of the file."""
    lines = (CASES / "expressions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def text_of(case: Case) -> str | None:
    """The expression of a case; None where YAML has to refuse before there is one."""
    if "expr_repeat" in case:
        return "".join(part * times for part, times in case["expr_repeat"])
    return case["expr"]


def context_of(case: Case) -> dict[str, object]:
    """The names of a case with their values, host objects included."""
    context = dict(case["context"])
    if "context_py" in case:
        context.update(eval(case["context_py"]))
    for name, (part, times) in case.get("context_repeat", {}).items():
        context[name] = part * times
    return context


def compiled_answer(tree: Node, facts: Mapping[str, object], *, condition: bool = True) -> object:
    """The answer of the compiled form. Raises whatever the compiled form raises."""
    answer = emit.compiled(tree)(*(facts[name] for name in roots(tree)))
    return operators.truth(answer) if condition else answer


def outcome(text: str, context: Mapping[str, object]) -> Outcome:
    """What a condition comes to; fails if the two evaluators are of different minds."""
    try:
        facts = admitted_map(context)
        tree, _ = checked(text, of_context(facts, KNOWN))
    except AdmissionError as error:
        return Outcome("admission", said=str(error))
    except ExpressionError as error:
        return Outcome("load", said=str(error))
    wrong = condition_fault(text, tree)
    if wrong is not None:
        return Outcome("load", said=f"{wrong.message} ({wrong.hint})")
    return _evaluated(tree, text, facts)


def _evaluated(tree: Node, text: str, facts: Mapping[str, object]) -> Outcome:
    try:
        fast: object = compiled_answer(tree, facts)
    except Exception:  # noqa: BLE001  the compiled form may raise anything where there is no answer
        fast = Kind.ANY
    found = tracer.trace(tree, text, facts, condition=True)
    if found.fault is not None:
        assert fast is Kind.ANY, "the compiled form answers where the tracer finds a fault"
        return Outcome("evaluation", said=str(EvaluationError(found.fault)))
    assert fast is found.answer
    return Outcome("answer", found.answer)
