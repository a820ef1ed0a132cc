"""Registrations as rows of the ledger: what is asked, what was proven, and what is written of it."""

from collections.abc import Mapping

from msgspec import Struct

from gatewright.flows.choosing import Choice
from gatewright.flows.rows import provenance
from gatewright.ledger.protocol import Look, Session
from gatewright.model import (
    MODEL_TIER_ESCALATION,
    ORCHESTRATION_UNVERIFIED,
    GateDecision,
    Job,
    MeasuredModel,
    Orchestration,
    TierPolicy,
)

Row = Mapping[str, object]
SENTINEL_LOG = "sentinel-log"  #: the channel of work that no orchestrator knows of
NON_ORCHESTRATED = "non-orchestrated"


class RegisterRequest(Struct, frozen=True, kw_only=True):
    """A job that is to be registered, and how to prove it."""

    job_id: str
    probe_cmd: str  #: a line for the shell, which prints an artifact that names the job
    contract_sha: str | None = None  #: its beginning will do
    runtime: str | None = None
    orchestration_task: str | None = None
    declared_model: str | None = None
    model_probe_cmd: str | None = None  #: a line for the shell, which prints the model that the worker runs
    request_id: str | None = None
    actor: str | None = None


class Proofs(Struct, frozen=True, kw_only=True):
    """What the probes have found, and the tier table that models are ranked by."""

    job: Job
    orchestration: Orchestration
    model: MeasuredModel
    tier_policy: TierPolicy


def record(
    session: Session,
    request: RegisterRequest,
    decision: GateDecision,
    *,
    proofs: Proofs | None = None,
    choice: Choice | None = None,
    as_request: bool = True,
) -> None:
    """Write a decision down.

    proofs, choice: what it rests on, as far as it came to that.
    as_request: whether the row is the one that the request's id leads to from now on.
    """
    if decision.allow and choice is not None and proofs is not None:
        row = _registered(session, request, decision, proofs, choice)
    else:
        row = _denied(session, request, decision, proofs)
    if as_request and request.request_id is not None:
        row["request_id"] = request.request_id
    session.append(row, _more(request, decision, proofs, choice))


def _registered(
    look: Look, request: RegisterRequest, decision: GateDecision, proofs: Proofs, choice: Choice
) -> dict[str, object]:
    """The row of a registration, with the keys of the older gate: what was checked, and the job that it became."""
    check = choice.check
    assert check is not None
    row = {
        "ts": look.wall,
        "contract_sha": check.contract_sha,
        "runtime": check.runtime,
        "n_agents": check.data.get("n_agents"),
        "est_chars": check.data.get("est_chars"),
        "decision": "ALLOW",
        "reason": decision.reason,
        "job_id": request.job_id,
        "completion_channel": choice.channel,
        **_models(request, decision, proofs),
        "attempt": check.attempt,
    }
    # Nobody was asked for a task where a sentinel log tells the end, so that the work has none, whatever was given.
    task = request.orchestration_task if choice.channel != SENTINEL_LOG else None
    optional = {"orchestration_task": task, "warnings": list(decision.warnings)}
    return row | {name: value for name, value in optional.items() if value}


def _models(request: RegisterRequest, decision: GateDecision, proofs: Proofs) -> dict[str, object]:
    return {
        "model_declared": request.declared_model,
        "model_measured": proofs.model.found,
        "model_verified": decision.facts.get("model_verified") is True,
    }


def _denied(look: Look, request: RegisterRequest, decision: GateDecision, proofs: Proofs | None) -> dict[str, object]:
    """The row of a denial.

    The older gate takes any row with a job's id and a contract's hash for a registration, so none of these has both;
    and where it wrote no row at all, the job's id stands under another key.
    """
    row: dict[str, object] = {"ts": look.wall, "decision": "DENY", "reason": decision.reason}
    if decision.warnings:
        row["warnings"] = list(decision.warnings)
    if proofs is not None and decision.reason == MODEL_TIER_ESCALATION:
        return row | {"job_id": request.job_id, **_models(request, decision, proofs)}
    if proofs is not None and decision.reason == ORCHESTRATION_UNVERIFIED:
        row |= {"job_id": request.job_id, "probe_failure": proofs.orchestration.failure}
        task = request.orchestration_task
        return row | {"orchestration_task": task} if task else row
    return row | {"kind": "registration", "job": request.job_id}


def asked(request: RegisterRequest) -> dict[str, object]:
    """What a registration asks for, by which a repeated request is known; commands may hold secrets, and stay out."""
    names = ("job_id", "contract_sha", "runtime", "orchestration_task", "declared_model")
    return {name: value for name in names if (value := getattr(request, name)) is not None}


def is_same(request: RegisterRequest, row: Row) -> bool:
    """Whether a row records this very request."""
    before = row.get("asked")
    if before is None:  # the proof beside a file of JSON lines got lost, and with it all but the older keys
        return row.get("job_id", row.get("job")) == request.job_id
    return before == asked(request)


def _more(
    request: RegisterRequest, decision: GateDecision, proofs: Proofs | None, choice: Choice | None
) -> dict[str, object]:
    """What a row of the older gate has no key for: what was asked, how good the proofs are, under which tables."""
    more: dict[str, object] = {"asked": asked(request), "actor": request.actor, **provenance(decision)}
    if proofs is not None:
        more |= {
            "model_grade": proofs.model.grade,
            "model_judged": proofs.model.judged,
            "measured_tier": decision.facts.get("measured_tier"),
            "probe_failure": proofs.orchestration.failure if proofs.orchestration.required else None,
            "tier_policy_path": proofs.tier_policy.path,
            "tier_policy_sha256": proofs.tier_policy.sha256,
        }
    if choice is not None:
        more |= {"ticket": choice.told.state, "cost_proxy": decision.cost_proxy}
        if decision.allow and choice.channel == SENTINEL_LOG:
            more["orchestration"] = NON_ORCHESTRATED
    return {name: value for name, value in more.items() if value is not None and value != []}
