"""Requests of every shape, right and wrong, and policies that read them."""

from hypothesis import strategies as st
from tests.runner.gates import FACTS

from gatewright.model import Contract, Mentions, Moment, TicketPath, TierPolicy, Window
from gatewright.model.tiers import TierTable

V1 = TierTable(version=1, index={"gpt-5.5": "allowed", "claude-opus-5": "denied"})
WRONG = [None, True, 0, -1, 1.5, "", " ", "x", [], ["x"], {}, {"x": "y"}, {"x": 1}, object(), 2**63, float("nan")]
RIGHT: dict[str, list[object]] = {
    "runtime": ["codex", "fable", "Codex", "codex\n", ""],
    "model": ["gpt-5.5", "GPT-5.5", "claude-opus-5", "brand-new-1", "gpt-5.4-low-latest", " gpt-5.5", "\u3000"],
    "agents": [1, 2, 8, 9, 0, -1, 2**62],
    "est_chars": [0, 3000, 500_000, 500_001, -1, 2**62],
    "completion_channel": ["orchestration", "sentinel-log", "email", " orchestration"],
    "tier_override": ["pilot", "", " ", "\u00a0"],
    "top_approved": ["pilot", " "],
    "labels": [{}, {"team": "core"}, {"team": ""}, {"frozen": "yes"}, {"team": "pilot", "frozen": "no"}],
    "now": ["2026-11-29T12:00:00Z", "2027-06-01T00:00:00Z", 0, Moment.at(2e9)],
    "contract": [
        {"path": "job.md", "readable": True, "mentions": {"mcp": True, "paths": ["/home/eve/x"]}},
        {"path": "job.md", "readable": True, "mentions": {"worktree_as_root": True, "trust": True}},
        {"path": "job.md", "readable": False},
        Contract(path="job.md", readable=True, mentions=Mentions(mcp=True)),
        Contract(path="job.md", readable=False, mentions=Mentions(mcp=True, paths=["/home/eve/x"])),
    ],
    "tier_policy": [
        {"path": "t", "loaded": False},
        {"path": "t", "loaded": True},
        TierPolicy(path="t", loaded=True, version=1, unknown_model="deny", table=V1),
        TierPolicy(path="t", loaded=True, version=1, unknown_model="warn", table=V1),
    ],
    "window": [
        *({"used": 7, "cap": 8}, {"used": 8, "cap": 8}, {"used": 0, "cap": 0}, {"used": None, "cap": 8}),
        *({"used": 0, "cap": None}, Window(used=3, cap=4), Window(used=2**62, cap=2**62)),
    ],
    "ticket_path": [{"inside": False}, TicketPath(inside=False), TicketPath(inside=True)],
    "known_roots": [["/home/ann"], ["/"], ("/home/ann",)],
}
INLINE = {
    "expressions": """
        rules:
          - {id: many, when: runtime != 'fable', deny: agents > 8, override: tier_override}
          - {id: team, require: labels.team == 'core'}
          - {id: frozen, deny: has(labels.frozen) and labels.frozen == 'yes', code: FROZEN_TEAM}
          - {id: cost, warn: agents * est_chars > 9000, level: note}
          - {id: late, when: now.epoch > 1800000000, deny: contract.mentions.mcp}
          - {id: dear, deny: tier == 'top' and window.used + agents > 4}
        """,
    "mixed": """
        freeze: {until: "2026-01-01T00:00:00Z", reason: r}
        rules:
          - {use: contract-size, level: warn}
          - {use: request-shape, when: runtime == 'codex'}
          - {use: dispatch-budget, with: {max_chars: 1000}, overrides: {BUDGET_EXCEEDED: tier_override}}
          - {use: runtime-routing, levels: {HIGH_COST_RUNTIME: deny, ROUTING_VIOLATION: note}, locked: false}
          - {use: known-roots, level: deny}
          - {id: readable, require: contract.readable}
          - {id: first-root, warn: "known_roots[0] == '/home/ann'"}
        exceptions:
          - {id: pilot, code: BUDGET_EXCEEDED, until: 2026-12-31, when: labels.team == 'pilot', reason: r, owner: o}
          - {id: roots, code: PATH_OUTSIDE_KNOWN_ROOTS, until: 2026-12-31, reason: r, owner: o}
        """,
    "locked": """
        rules:
          - {id: a, deny: agents > 1, locked: true}
          - {use: fan-out-cap, override: tier_override}
          - {use: model-tier, override: tier_override}
          - {use: unknown-model, level: deny}
          - {id: b, when: has(labels.team), require: "matches(labels.team, '^[a-z]+$')"}
        """,
}


@st.composite
def requests(draw, *, wrong: bool = True) -> dict[str, object]:
    """A request that starts right; some facts have another value, another kind, or are left out."""
    facts = dict(FACTS)
    for name in draw(st.lists(st.sampled_from(sorted(RIGHT)), max_size=5, unique=True)):
        facts[name] = draw(st.sampled_from(RIGHT[name]))
    if wrong:
        for name in draw(st.lists(st.sampled_from(sorted(FACTS)), max_size=2, unique=True)):
            facts[name] = draw(st.sampled_from(WRONG))
        for name in draw(st.lists(st.sampled_from(sorted(FACTS)), max_size=2, unique=True)):
            facts.pop(name)
    return facts
