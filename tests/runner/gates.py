"""Gates of small policies that a test writes down, catalogs with rules and facts of its own, and whole requests."""

import os
from collections.abc import Callable, Mapping
from copy import deepcopy
from textwrap import dedent

from gatewright.app import catalog_of
from gatewright.catalog import Catalog, Plugin
from gatewright.model import Finding, GateDecision
from gatewright.policy.loader import load
from gatewright.policy.policies import Policy
from gatewright.runner import Gate
from gatewright.spec import Fact, Rule, rule

HEAD = "gatewright: 1\npolicy: small\nstage: check\n"
CHECK = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", "..", "policies", "check.yaml"))
BUILT_IN = catalog_of()

#: Everything that the shipped policy may read, as plain data: a request that it allows.
FACTS: dict[str, object] = {
    "runtime": "codex",
    "model": "gpt-5.5",
    "agents": 2,
    "est_chars": 3000,
    "completion_channel": "orchestration",
    "tier_override": None,
    "top_approved": None,
    "request_id": None,
    "actor": None,
    "labels": {"team": "core"},
    "now": "2026-11-29T12:00:00Z",
    "contract": {
        "path": "job.md",
        "readable": True,
        "sha256": "ab" * 32,
        "chars": 3000,
        "mentions": {"mcp": False, "trust": False, "worktree_as_root": False, "paths": []},
    },
    "tier_policy": {
        "path": "tiers.yaml",
        "loaded": True,
        "version": 2,
        "sha256": "cd" * 32,
        "table": {
            "version": 2,
            "index": {"claude-opus-5": "top", "gpt-5.5": "low", "gpt-5.4": "top", "gpt-5.4-low": "low"},
            "order": ["top", "low"],
            "caps": {"top": 4, "unknown": 8},
        },
    },
    "window": {"used": 0, "cap": 8, "seconds": 86_400, "frees_at": None},
    "ticket_path": {"inside": True, "path": None},
    "known_roots": [],
}


def request(**changed: object) -> dict[str, object]:
    """All facts of a request that the shipped policy allows, with these in the place of its own."""
    return {**deepcopy(FACTS), **changed}


def without(facts: Mapping[str, object], *names: str) -> dict[str, object]:
    """The same facts but these."""
    return {name: value for name, value in facts.items() if name not in names}


def catalog_with(*offered: Rule | Fact) -> Catalog:
    """The built-in rules and facts, and these."""
    rules = tuple(each for each in offered if isinstance(each, Rule))
    facts = tuple(each for each in offered if isinstance(each, Fact))
    return catalog_of([Plugin(name="own", origin="a test", rules=rules, facts=facts)]) if offered else BUILT_IN


def policy_of(text: str, *offered: Rule | Fact, params: Mapping[str, object] | None = None) -> Policy:
    """The policy in a text that leaves out the head; without a key at its start it is the list of rules."""
    body = dedent(text).strip("\n")
    if body.startswith(("-", " ")):
        body = "rules:\n" + "\n".join(f"  {line}" for line in body.split("\n"))
    return load((HEAD + body + "\n").encode(), "small.yaml", catalog_with(*offered), params)


def gate_of(text: str, *offered: Rule | Fact, params: Mapping[str, object] | None = None) -> Gate:
    """The gate of a policy in a text, see `policy_of`."""
    return Gate(policy_of(text, *offered, params=params), catalog_with(*offered))


def shipped_gate(**params: object) -> Gate:
    """A new gate of the shipped policy."""
    with open(CHECK, "rb") as file:
        return Gate(load(file.read(), "check.yaml", BUILT_IN, params), BUILT_IN)


def own_rule(body: Callable[[int], object], *, codes: tuple[str, ...] = ("MINE",), **said: object) -> Rule:
    """A rule `mine` that asks for `agents` and does what the body does."""

    def mine(agents: int):
        return body(agents)

    mine.__doc__ = "Deny what the test wants denied."
    return rule(codes=codes, **said)(mine)  # type: ignore[arg-type]  # strange rules are the point


def outcomes(decision: GateDecision) -> dict[str, str]:
    """The outcome of each rule, by its id."""
    return {row.rule: row.outcome.value for row in decision.rows}


def finding_of(decision: GateDecision, code: str) -> Finding:
    """The only finding with a code."""
    (found,) = [finding for finding in decision.findings if finding.code == code]
    return found
