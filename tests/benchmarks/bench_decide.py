"""A warm decision of the shipped check policy, beside a hand-written function of the same checks and beside simpleeval.

The hand-written function is the floor: what one would write who needs no policy, no reasons and no safety. simpleeval
is the common choice for expressions in Python; it gets the same checks, parsed beforehand, and one kept evaluator.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from simpleeval import EvalWithCompoundTypes
from tests.benchmarks.timing import side_by_side, table

from gatewright import Gate
from gatewright.model import Contract, TicketPath, TierPolicy, Window

POLICY = Path(__file__).parents[2] / "policies" / "check.yaml"
REQUEST = {
    "runtime": "codex",
    "model": "gpt-5.3-codex",
    "agents": 1,
    "est_chars": 3000,
    "completion_channel": "orchestration",
    "tier_override": None,
    "contract": Contract(path="contract.md", readable=True, sha256="ab" * 32, chars=3000),
    "tier_policy": TierPolicy(path="tiers.yaml", loaded=True, version=2, sha256="cd" * 32),
    "window": Window(used=3, cap=8, seconds=86_400),
    "ticket_path": TicketPath(inside=True),
    "known_roots": [],
    "cost_proxy": 3000,
    "tier": "efficient",
    "tier_ambiguous": False,
    "model_listing": None,
    "now": 1_800_000_000,
}

RUNTIME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}").fullmatch
CHANNELS = frozenset(["orchestration", "sentinel-log"])
HIGH_COST = frozenset(["fable"])
HOMES = ("/Users/", "/home/")


def floor(facts: Mapping[str, object]) -> tuple[bool, str, list[str], list[str]]:  # noqa: C901, PLR0912, PLR0915  as it would be written
    """The same checks by hand: allowed, first reason, all denials, all warnings."""
    denials: list[str] = []
    warnings: list[str] = []
    est_chars, model, agents, override = facts["est_chars"], facts["model"], facts["agents"], facts["tier_override"]
    tier_policy, window, contract, runtime = facts["tier_policy"], facts["window"], facts["contract"], facts["runtime"]
    if est_chars is None:
        denials.append("CONTRACT_UNREADABLE")
    if facts["completion_channel"] not in CHANNELS:
        denials.append("NO_COMPLETION_CHANNEL")
    if model is None or not model.strip():
        denials.append("NO_MODEL")
    elif model != model.strip():
        denials.append("INVALID_REQUEST")
    if (
        (override is not None and not override.strip())
        or not RUNTIME(runtime)
        or (est_chars is not None and est_chars < 0)
        or agents < 1
    ):
        denials.append("INVALID_REQUEST")
    if not tier_policy.loaded:
        denials.append("TIER_POLICY_UNAVAILABLE")
    if window.cap is not None and window.used + agents > window.cap and not override:
        denials.append("TIER_FANOUT_CAP")
    listing = facts["model_listing"]
    if listing is not None and listing != "allowed" and not override:
        denials.append("TIER_POLICY")
    if facts["tier"] == "unknown":
        warnings.append("TIER_UNKNOWN_MODEL")
    if not contract.readable:
        denials.append("CONTRACT_UNREADABLE")
    else:
        mentions = contract.mentions
        if mentions.mcp and not mentions.trust:
            warnings.append("MCP_TRUST_UNHANDLED")
        if facts["known_roots"] and any(path.startswith(HOMES) for path in mentions.paths):
            warnings.append("PATH_OUTSIDE_KNOWN_ROOTS")
        if mentions.worktree_as_root:
            warnings.append("WORKTREE_AS_REPO_ROOT")
    if not facts["ticket_path"].inside:
        denials.append("INVALID_REQUEST")
    if est_chars > 500_000 or facts["cost_proxy"] > 1_000_000:
        denials.append("BUDGET_EXCEEDED")
    if runtime in HIGH_COST:
        if agents > 1:
            denials.append("ROUTING_VIOLATION")
        else:
            warnings.append("HIGH_COST_RUNTIME")
    return not denials, denials[0] if denials else "OK", denials, warnings


EXPRESSIONS = (
    "est_chars is None",
    "completion_channel not in ('orchestration', 'sentinel-log')",
    "model is None or not strip(model)",
    (
        "(model is not None and model != strip(model)) or (tier_override is not None and not strip(tier_override))"
        " or not is_runtime(runtime) or est_chars < 0 or agents < 1"
    ),
    "not tier_policy.loaded",
    "window.cap is not None and window.used + agents > window.cap",
    "model_listing is not None and model_listing != 'allowed'",
    "tier == 'unknown'",
    "not contract.readable",
    "contract.mentions.mcp and not contract.mentions.trust",
    "len(known_roots) > 0 and len(contract.mentions.paths) > 0",
    "contract.mentions.worktree_as_root",
    "not ticket_path.inside",
    "est_chars > 500000 or cost_proxy > 1000000",
    "runtime in ('fable',)",
)
CODES = (
    "CONTRACT_UNREADABLE",
    "NO_COMPLETION_CHANNEL",
    "NO_MODEL",
    "INVALID_REQUEST",
    "TIER_POLICY_UNAVAILABLE",
    "TIER_FANOUT_CAP",
    "TIER_POLICY",
    "TIER_UNKNOWN_MODEL",
    "CONTRACT_UNREADABLE",
    "MCP_TRUST_UNHANDLED",
    "PATH_OUTSIDE_KNOWN_ROOTS",
    "WORKTREE_AS_REPO_ROOT",
    "INVALID_REQUEST",
    "BUDGET_EXCEEDED",
    "ROUTING_VIOLATION",
)


class Preparsed:
    """simpleeval with its expressions parsed once."""

    def __init__(self, facts: Mapping[str, object]) -> None:
        self.evaluator = EvalWithCompoundTypes(
            functions={"strip": str.strip, "is_runtime": RUNTIME, "len": len}, names=dict(facts)
        )
        self.trees = [self.evaluator.parse(text) for text in EXPRESSIONS]

    def __call__(self) -> list[str]:
        """The codes whose expression is true."""
        evaluate = self.evaluator.eval
        pairs = zip(EXPRESSIONS, self.trees, CODES, strict=True)
        return [code for text, tree, code in pairs if evaluate(text, previously_parsed=tree)]


def main() -> None:
    """Print the ratios."""
    gate = Gate.from_policy(POLICY)
    admitted = gate.admit(REQUEST)
    denied = gate.admit({**REQUEST, "window": Window(used=8, cap=8, seconds=86_400)})
    plain = dict(admitted.known)
    preparsed = Preparsed(plain)
    assert gate.decide(admitted).allow
    assert floor(plain)[0]
    assert not preparsed()
    assert gate.decide(denied).reason == floor(dict(denied.known))[1] == "TIER_FANOUT_CAP"
    times = side_by_side(
        {
            "hand-written (floor)": lambda: floor(plain),
            "gatewright, admitted facts": lambda: gate.decide(admitted),
            "simpleeval, pre-parsed": preparsed,
        }
    )
    times |= side_by_side(
        {
            "gatewright, a denial with evidence": lambda: gate.decide(denied),
            "gatewright, admission of a mapping": lambda: gate.admit(REQUEST),
        },
        calls=300,
    )
    goals = {"gatewright, admitted facts": "at most 2x, aim 1.3x", "simpleeval, pre-parsed": "at least 15x ours"}
    print(table(times, "hand-written (floor)", goals))
    ratio = times["simpleeval, pre-parsed"] / times["gatewright, admitted facts"]
    print(f"simpleeval takes {ratio:.1f} times as long as gatewright (goal: at least 15)")


if __name__ == "__main__":
    main()
