"""An audit to be reported, hostile text in it."""

from tests.ledger.desks import START

from gatewright.model.audits import (
    Audit,
    Denials,
    ModelUse,
    OverrideUse,
    Period,
    RuntimeUse,
    TableUse,
    TierUse,
)

HOSTILE = "a|b\nc\x1b[31mred`x` <img src=x> [l](u) \u202e\x9b *b* _i_ $m$ \\"
FOUND = Audit(
    ledger="ledger.db",
    since=START,
    first=START,
    last=START + 60,
    rows=13,
    checks=12,
    dispatches=7,
    agents=19,
    cost=12345,
    computed=2,
    other_rows=1,
    models=(
        ModelUse(model="gpt-5.5", dispatches=5, agents=17, cost=12000, computed=0),
        ModelUse(model=None, dispatches=2, agents=2, cost=345, computed=2),
    ),
    tiers=(
        TierUse(tier="low", dispatches=5, agents=17, denied=4),
        TierUse(tier="unknown", dispatches=2, agents=2, denied=1),
    ),
    runtimes=(RuntimeUse(runtime="codex", dispatches=7, agents=19, denied=5),),
    denials=(
        Denials(stage="check", code="NO_MODEL", rule="model-named", count=5, last_seen=START, example="contract 0123"),
    ),
    overrides=(OverrideUse(model="gpt-5.5", reason=HOSTILE, dispatches=1),),
    periods=(
        Period(start=START, dispatches=7, denials=1, codes={"NO_MODEL": 1}),
        Period(start=START + 7200, dispatches=0, denials=4, codes={"NO_MODEL": 4}),
    ),
    period=3600,
    tables=(
        TableUse(path="tiers.yaml", sha256="ab" * 32, decisions=11),
        TableUse(path="tiers.yaml", sha256=None, decisions=1),
    ),
)
