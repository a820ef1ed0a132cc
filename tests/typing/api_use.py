"""How the Python API is used, as a type checker sees it. Nothing here runs; `tests/house/test_typing.py` checks it."""

from collections.abc import Iterable, Mapping

from gatewright import (
    FileError,
    Finding,
    Findings,
    Gate,
    GateDecision,
    GatewrightError,
    Level,
    PluginError,
    PolicyError,
    Stage,
    deny,
    derived,
    hookimpl,
    note,
    rule,
    warn,
)
from gatewright.model import Contract, Moment
from gatewright.spec import Fact, Rule


@rule(codes=["LATE", "SOON"], fires='now.time >= "20:00"')
def late(now: Moment, contract: Contract, *, end: str = "22:00") -> Findings:
    """Deny what comes late."""
    if now.time >= end:
        yield deny("LATE", f"it is {now.time}", hint="wait", end=end, chars=contract.chars)
    elif now.time >= "20:00":
        yield warn("SOON", f"it is {now.time}")
        yield note("SOON", "told only")


@derived(stages=["check"])
def is_small(agents: int, est_chars: int | None) -> bool:
    """Whether little is asked for."""
    return agents == 1 and est_chars is not None and est_chars < 1000


@hookimpl
def gatewright_rules() -> Iterable[Rule]:
    return [late]


@hookimpl
def gatewright_facts() -> Iterable[Fact]:
    return (is_small,)


@hookimpl
def gatewright_reasons() -> Mapping[str, str]:
    return {"LATE": "it is late", "SOON": "it is nearly late"}


def decided(request: Mapping[str, object]) -> GateDecision:
    gate: Gate = Gate.from_policy("policies/check.yaml", max_chars=1000)
    facts = gate.admit(request, {"window": lambda tier: {"used": 0}})
    first: GateDecision = gate.decide(facts)
    again: GateDecision = gate.decide(request)
    return first if first.allow else again


def told(decision: GateDecision) -> list[str]:
    allow: bool = decision.allow
    reason: str = decision.reason
    reasons: tuple[str, ...] = decision.reasons
    denial: Finding | None = decision.denial
    plain = decision.to_dict()
    stage: Stage = decision.stage
    levels: set[Level] = {finding.level for finding in decision.findings}
    place = denial.where if denial is not None else None
    return [str(allow), reason, *reasons, str(sorted(plain)), stage.value, str(levels), str(place)]


def why(gate: Gate, request: Mapping[str, object]) -> Iterable[str]:
    for trace in gate.explain(request).telling:
        yield from (f"{clause.text}: {clause.result}" for clause in trace.clauses)


def loaded(path: str) -> Gate | str:
    try:
        return Gate.from_policy(path)
    except PolicyError as error:
        return "; ".join(f"{problem.place}: {problem.message} ({problem.hint})" for problem in error.problems)
    except FileError as error:
        return f"{error.path}: {error.problem}"
    except PluginError as error:
        return f"{error.plugin}: {error.subject}"
    except GatewrightError as error:
        return str(error)
