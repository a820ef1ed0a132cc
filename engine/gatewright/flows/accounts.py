"""What there is to say of work beside the decision: what passed, what was not run, what remains a risk."""

from collections.abc import Iterator, Mapping, Sequence

from gatewright.flows.accepting import NOT_RUN, PASSED, Judged
from gatewright.model import Outcome, Placement
from gatewright.model.acceptance import Account
from gatewright.text import counted

_SHOWN = 5


def account(judged: Judged, paths: Sequence[str] = ()) -> Account:
    """The account of a verdict. paths: the absolute paths that the worker's report names."""
    facts, known = judged.decision.facts, judged.registration
    evidence, job = facts.get("evidence"), facts.get("job_id")
    states = evidence if isinstance(evidence, Mapping) else {}
    rules = [f"rule {row.rule}" for row in judged.decision.rows if row.outcome is Outcome.PASSED]
    return Account(
        verdict=judged.verdict,
        job_id=job if isinstance(job, str) else None,
        contract_sha=known.contract_sha,
        task=known.task,
        attempt=known.attempt,
        passed=(*rules, *(f"evidence {name}" for name, state in states.items() if state == PASSED)),
        not_run=tuple(f"evidence {name}" for name, state in states.items() if state == NOT_RUN),
        remaining_risk=tuple(_risks(judged, paths)),
    )


def _risks(judged: Judged, paths: Sequence[str]) -> Iterator[str]:
    if not judged.registration.verified:
        declared = (
            f"`{judged.registration.model}` was declared only" if judged.registration.model else "none was declared"
        )
        yield f"the model is unverified: {declared}"
    placement = judged.decision.facts.get("placement")
    if isinstance(placement, Placement) and not placement.given:
        yield "where the worker stood was not said"
    if isinstance(placement, Placement) and judged.changes is not None:
        yield from _elsewhere(placement.branch, judged.changes.branch)
    if paths:
        yield f"the report names {_some('absolute path', paths)}"
    changes, wanted = judged.changes, judged.wanted
    if changes is not None and changes.base_name:
        yield f"the base was found by the name `{changes.base_name}`, which a worker can move: give its commit's id"
    if changes is not None and changes.ignored:
        yield f"{_some('ignored path', changes.ignored)} not looked at"
    if changes is not None and changes.submodules:
        yield f"the content of {_some('submodule', changes.submodules)} not looked at"
    if wanted is not None:
        yield from (f"left out on purpose: {each}" for each in wanted.exclusions)
        yield from (f"for a reader to judge: {each}" for each in wanted.acceptance)
    if wanted is not None and not wanted.push:
        yield "a push to a place that this repository does not know leaves no trace in it"


def _elsewhere(said: str | None, found: str) -> Iterator[str]:
    if said is not None and said != found:
        on = f"branch `{found}`" if found else "none"
        yield f"the worker said that it stood on branch `{said}`, and the work is on {on}"


def _some(what: str, names: Sequence[str]) -> str:
    more = ", …" if len(names) > _SHOWN else ""
    return f"{counted(len(names), what)} ({', '.join(names[:_SHOWN])}{more})"
