"""The row that a check leaves in the ledger."""

from gatewright.flows.check import CheckRequest, Outside, estimated_chars
from gatewright.ledger.protocol import Look
from gatewright.model import FindingStatus, GateDecision


def row_of(look: Look, request: CheckRequest, outside: Outside, decision: GateDecision) -> dict[str, object]:
    """The row of a decision, with the keys of the older gate."""
    sha = decision.contract_sha if decision.contract_sha is not None else outside.contract.sha256
    row: dict[str, object] = {
        "ts": look.wall,
        "contract_sha": sha,
        "runtime": request.runtime,
        "n_agents": request.agents,
        "est_chars": estimated_chars(request, outside.contract),
        "decision": "ALLOW" if decision.allow else "DENY",
        "reason": decision.reason,
        "cost_proxy": decision.cost_proxy or 0,
        "completion_channel": request.completion_channel,
        "model": request.model,
        "tier_policy_path": outside.tier_policy.path,
    }
    tier = decision.facts.get("tier")
    optional = {
        "warnings": list(decision.warnings),
        "tier_override": decision.override,
        "tier": tier if isinstance(tier, str) else None,
        "tier_policy_sha256": outside.tier_policy.sha256,
        "attempt": look.attempts(sha) + 1 if decision.allow and sha is not None else None,
    }
    return row | {name: value for name, value in optional.items() if value}


def more_of(request: CheckRequest, decision: GateDecision) -> dict[str, object]:
    """What a row of the older gate has no key for, and a later reader wants: who, why else, under which policy."""
    more: dict[str, object] = {
        "actor": request.actor,
        "labels": dict(request.labels),
        "top_approved": request.top_approved,
        **provenance(decision),
    }
    return {name: value for name, value in more.items() if value}


def provenance(decision: GateDecision) -> dict[str, object]:
    """Under which policy a decision was made, why else it denies, and what was let through on purpose."""
    waived = [finding for finding in decision.findings if finding.status is not FindingStatus.ACTIVE]
    return {
        "rule": next((each.rule for each in decision.findings if each.denies and each.code == decision.reason), None),
        "policy": decision.policy.id,
        "policy_path": decision.policy.path,
        "policy_digest": decision.policy.digest,
        "reasons": list(decision.reasons) if len(decision.reasons) > 1 else None,
        "waived": [{"code": each.code, "status": each.status.value, "by": each.by} for each in waived],
    }
