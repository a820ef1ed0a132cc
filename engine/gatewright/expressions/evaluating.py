"""One expression on one plain context: the answer, or everything that keeps it from having one."""

from collections.abc import Mapping

from msgspec import Struct

from gatewright.errors import AdmissionError, ExpressionError, Fault
from gatewright.expressions.admission import admitted_map
from gatewright.expressions.checker import checked, condition_fault
from gatewright.expressions.kinds import Type
from gatewright.expressions.nodes import Node
from gatewright.expressions.schema import of_context
from gatewright.expressions.tracer import Trace, trace

REQUEST_REFUSED = "REQUEST_REFUSED"


class Evaluation(Struct, frozen=True, kw_only=True):
    """What became of an expression: an answer with its trace, or faults with their characters."""

    text: str
    answer: object = None
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()
    tree: Node | None = None
    trace: Trace | None = None


def evaluate(
    text: str, context: Mapping[str, object], known: Mapping[str, Type], *, condition: bool = True
) -> Evaluation:
    """Evaluate an expression on a context, with the reference evaluator.

    known: types of facts by name, for names of the context that are facts.
    condition: whether anything but a boolean is a fault.

    Never raises for what text and context hold.
    """
    try:
        facts = admitted_map(context)
        tree, warnings = checked(text, of_context(facts, known))
        wrong = condition_fault(text, tree) if condition else None
        if wrong is not None:
            return Evaluation(text=text, faults=(wrong,))
        found = trace(tree, text, facts, condition=condition)
    except AdmissionError as error:
        fault = Fault(REQUEST_REFUSED, 0, 1, f"{error.path}: {error.problem}", error.hint)
        return Evaluation(text=text, faults=(fault,))
    except ExpressionError as error:
        return Evaluation(text=text, faults=error.faults)
    if found.fault is not None:
        return Evaluation(text=text, faults=(found.fault,), tree=tree, trace=found)
    return Evaluation(text=text, answer=found.answer, warnings=warnings, tree=tree, trace=found)
