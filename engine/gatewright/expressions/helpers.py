"""What compiled expressions may call: the strict operators, by the names that emitted source uses; nothing else."""

from gatewright.expressions import operators


def _out_of_range(number: int) -> int:
    raise OverflowError(number)


def _default(base: object, steps: tuple[object, ...], fallback: object) -> object:
    found = operators.reached(base, steps)
    return fallback if found is None else found


def _different(left: object, right: object) -> bool:
    return not operators.equal(left, right)


def _no_member(item: object, container: object) -> bool:
    return not operators.member(item, container)


HELPERS: dict[str, object] = {
    "__builtins__": {},
    "Exception": Exception,
    "len": len,
    "_range": _out_of_range,
    "_eq": operators.equal,
    "_ne": _different,
    "_order": operators.ordered,
    "_arith": operators.arithmetic,
    "_neg": operators.negative,
    "_truth": operators.truth,
    "_in": operators.member,
    "_not_in": _no_member,
    "_field": operators.field,
    "_element": operators.element,
    "_reached": operators.reached,
    "_default": _default,
    "_len": operators.length,
    "_lower": operators.lower,
    "_starts_with": operators.starts_with,
    "_ends_with": operators.ends_with,
    "_contains": operators.contains,
}
