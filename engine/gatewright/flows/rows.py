"""The row that a check leaves in the ledger."""

from msgspec.structs import asdict

from gatewright.flows.check import CheckRequest, Outside, estimated_chars
from gatewright.ledger.protocol import Look
from gatewright.model import Contract, FindingStatus, GateDecision, Mentions, TicketPath

_MAX_TEXT = 4096  #: characters of one list of texts that a row holds


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
        "facts": facts_of(request, decision),
        **provenance(decision),
    }
    return {name: value for name, value in more.items() if value}


def facts_of(request: CheckRequest, decision: GateDecision) -> dict[str, object]:
    """The facts of a request that no other key holds, so that it can be judged again without its files.

    What is left out has the value that it usually has; a list that is too long for a row is null.
    """
    contract = decision.facts.get("contract")
    if not isinstance(contract, Contract):
        return {}  # nothing was looked at
    found: dict[str, object] = {"contract": _contract(contract)}
    blank = {"actor": request.actor, "top_approved": request.top_approved}
    found |= {name: text for name, text in blank.items() if text is not None and not text}
    if request.tier_override is not None:
        found["tier_override"] = request.tier_override
    place, roots = decision.facts.get("ticket_path"), decision.facts.get("known_roots")
    if isinstance(place, TicketPath) and not place.inside:
        found["ticket_inside"] = False
    if isinstance(roots, list):
        found["known_roots"] = roots if sum(map(len, roots)) <= _MAX_TEXT else None
    return found


def _contract(contract: Contract) -> dict[str, object]:
    usual, seen = asdict(Mentions()), asdict(contract.mentions)
    mentions = {name: value for name, value in seen.items() if value != usual[name]}
    if sum(map(len, contract.mentions.paths)) > _MAX_TEXT:
        mentions["paths"] = None
    found = {"path": contract.path, "chars": contract.chars, "mentions": mentions}
    return {name: value for name, value in found.items() if value}


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
