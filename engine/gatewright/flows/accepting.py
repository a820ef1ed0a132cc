"""The flow `accept`, which holds the work of a job to its contract."""

import os
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from gatewright.digests import sha256_hex
from gatewright.errors import FileError, PolicyError
from gatewright.flows.rows import provenance
from gatewright.ledger.protocol import Ledger
from gatewright.model import (
    MODEL_TIER_ESCALATION,
    CommitRules,
    ContractTerms,
    GateDecision,
    Moment,
    Placement,
    Registration,
    Surface,
)
from gatewright.model.terms import Demand, Terms
from gatewright.policy import contracts
from gatewright.policy.surface import covers
from gatewright.probes.commands import run
from gatewright.probes.files import read_file
from gatewright.probes.placement import read_placement
from gatewright.probes.worktree import Changes, leads_out, look_over
from gatewright.runner import Facts, Gate
from gatewright.text import counted

PASSED, FAILED, MISSING, NOT_RUN = "passed", "failed", "missing", "not run"
ACCEPTED, REFUSED = "ACCEPTED", "REFUSED"


class AcceptRequest(Struct, frozen=True, kw_only=True):
    """The work that is to be accepted, and where it is."""

    job_id: str
    contract: str
    worktree: str
    base: str | None = None  #: the revision that it started from; None for where it left the default branch
    placement: str | None = None  #: path of the worker's placement report
    report: str | None = None  #: path of what the worker has written
    actor: str | None = None


class Judged(Struct, frozen=True, kw_only=True):
    """A verdict with what it rests on; without facts it rests on nothing."""

    decision: GateDecision
    facts: Facts | None = None
    registration: Registration = Registration(found=False)
    terms: ContractTerms | None = None
    wanted: Terms | None = None
    changes: Changes | None = None

    @property
    def verdict(self) -> str:
        """`ACCEPTED` or `REFUSED`."""
        return ACCEPTED if self.decision.allow else REFUSED


def accept(gate: Gate, request: AcceptRequest, ledger: Ledger, environ: Mapping[str, str]) -> Judged:
    """Look, run the evidence again, decide, and record the verdict.

    Evidence is run only where nothing else refuses the work: commands are the contract's, but what they run is the
    worker's. Raises LedgerError when the verdict cannot be recorded; then nothing is accepted.
    """
    terms, wanted = read_terms(request.contract)
    registration = registration_of(ledger, request.job_id)
    given: dict[str, object] = {
        "job_id": request.job_id,
        "actor": request.actor,
        "terms": terms,
        "registration": registration,
        "placement": read_placement(request.placement),
    }
    changes = None
    if wanted is not None:
        changes = look_over(request.worktree, request.base, environ)
        given |= {"surface": surface_of(wanted, changes), "commits": kept(wanted, changes)}
        given["evidence"] = dict.fromkeys((each.name for each in wanted.evidence), NOT_RUN)
        if _is_sound(given):
            given["evidence"] = {each.name: shown(each, request.worktree, environ) for each in wanted.evidence}
    else:
        given |= {"surface": Surface(known=False), "commits": CommitRules(), "evidence": {}}
    judged = judge(gate, request, given, ledger, registration=registration, changes=changes)
    return replace(judged, terms=terms, wanted=wanted)


def judge(
    gate: Gate,
    request: AcceptRequest,
    given: Mapping[str, object],
    ledger: Ledger,
    *,
    registration: Registration,
    changes: Changes | None = None,
) -> Judged:
    """Decide on what was looked up, and record the verdict. Raises LedgerError."""
    with ledger.writing() as session:
        facts = gate.admit({"now": Moment.at(session.wall), **given}, {})
        judged = Judged(decision=gate.decide(facts), facts=facts, registration=registration, changes=changes)
        session.append(_row(session.wall, request, judged), _more(request, judged))
    return judged


def note(decision: GateDecision, request: AcceptRequest, ledger: Ledger) -> None:
    """Record a refusal that rests on nothing. Raises LedgerError."""
    judged = Judged(decision=decision)
    with ledger.writing() as session:
        session.append(_row(session.wall, request, judged), _more(request, judged))


def read_terms(path: str) -> tuple[ContractTerms, Terms | None]:
    """What a contract file says, and whether that can be gone by."""
    try:
        data = read_file(path)
    except FileError as error:
        return ContractTerms(path=path, readable=False, error=error.problem), None
    sha = sha256_hex(data)
    try:
        wanted = contracts.load(data, path)
    except PolicyError as error:
        first = error.problems[0]
        told = f"{first.message}, line {first.place.line}"
        return ContractTerms(path=path, readable=False, sha256=sha, error=told), None
    required = wanted.model == "verified"
    return ContractTerms(path=path, readable=True, sha256=sha, model_required=required), wanted


def registration_of(ledger: Ledger, job_id: str) -> Registration:
    """What the ledger knows of a job: its registration, and whether one was denied for a dearer model."""
    with ledger.reading() as look:
        row = look.of_job(job_id)
    escalated = any(entry.row.job_id == job_id and entry.row.reason == MODEL_TIER_ESCALATION for entry in ledger.rows())
    if row is None:
        return Registration(found=False, escalated=escalated)
    attempt = row.get("attempt")
    return Registration(
        found=True,
        contract_sha=_text(row.get("contract_sha")),
        task=_text(row.get("orchestration_task")),
        attempt=attempt if type(attempt) is int else None,
        model=_text(row.get("model_declared")),
        verified=row.get("model_verified") is True,
        escalated=escalated,
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def surface_of(wanted: Terms, changes: Changes) -> Surface:
    """What was changed, and what of it the contract does not allow. `forbid` wins, letter case aside."""
    if changes.problem is not None:
        return Surface(known=False, problem=changes.problem)
    return Surface(
        known=True,
        changed=changes.changed,
        outside=tuple(f"`{path}` {why}" for path in changes.changed if (why := _objection(wanted, changes, path))),
    )


def _objection(wanted: Terms, changes: Changes, path: str) -> str:
    forbidden = covers(wanted.forbid, path, letter_case=False)
    if forbidden is not None:
        return f"is forbidden by `{forbidden}`"
    if path in changes.links_out:
        return "leads out of the worktree"
    if "\ufffd" in path:
        return "has a name that is no UTF-8"
    return "" if covers(wanted.allow, path) is not None else "is not allowed"


def kept(wanted: Terms, changes: Changes) -> CommitRules:
    """How the contract's rules on commits, pushes and the branch were kept."""
    if changes.problem is not None:
        return CommitRules(violations=(f"it cannot be told what was committed: {changes.problem}",))
    found = {
        f"{counted(changes.commits, 'commit')}, and the contract allows none": changes.commits > 0
        and not wanted.commit,
        f"{counted(changes.pushed, 'commit')} pushed, and the contract allows none": changes.pushed > 0
        and not wanted.push,
        "the work does not stand on its base": not changes.follows,
        f"branch `{changes.branch or 'none'}` is not `{wanted.branch}`": wanted.branch is not None
        and covers([wanted.branch], changes.branch) is None,
    }
    return CommitRules(violations=tuple(text for text, broken in found.items() if broken))


def _is_sound(given: Mapping[str, object]) -> bool:
    """Whether nothing that is known before the evidence refuses the work."""
    terms, registration, surface = given["terms"], given["registration"], given["surface"]
    commits, placement = given["commits"], given["placement"]
    assert isinstance(terms, ContractTerms)
    assert isinstance(registration, Registration)
    assert isinstance(surface, Surface)
    assert isinstance(commits, CommitRules)
    assert isinstance(placement, Placement)
    return (
        registration.found
        and registration.contract_sha == terms.sha256
        and not registration.escalated
        and surface.known
        and not surface.outside
        and not commits.violations
        and not placement.is_master_checkout
    )


def shown(demand: Demand, worktree: str, environ: Mapping[str, str]) -> str:
    """How a piece of evidence stands now. A file counts where it lies in the worktree, links followed."""
    if demand.run is not None:
        kept_environ = {name: value for name, value in environ.items() if not name.startswith("GIT_")}
        ran = run(demand.run, seconds=demand.seconds, environ=kept_environ, folder=worktree)
        return PASSED if ran.succeeded else FAILED
    path = os.path.join(worktree, demand.file or "")
    return PASSED if os.path.isfile(path) and not leads_out(worktree, demand.file or "") else MISSING


def _row(wall: float, request: AcceptRequest, judged: Judged) -> dict[str, object]:
    """The row of a verdict.

    Its kind is none that older gates count, and the job's id stands under another key than that of a registration.
    """
    row: dict[str, object] = {
        "ts": wall,
        "kind": "acceptance",
        "verdict": judged.verdict,
        "reason": judged.decision.reason,
        "job": request.job_id,
    }
    known = judged.registration
    optional = {"contract": known.contract_sha, "orchestration_task": known.task, "attempt": known.attempt}
    return row | {name: value for name, value in optional.items() if value is not None}


def _more(request: AcceptRequest, judged: Judged) -> dict[str, object]:
    more: dict[str, object] = {"actor": request.actor, **provenance(judged.decision)}
    if judged.changes is not None:
        more["base"] = judged.changes.base
    return {name: value for name, value in more.items() if value is not None and value not in ([], "")}
