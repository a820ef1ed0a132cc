"""Policies, tables and rows that the tests of back-tests replay."""

import json
from pathlib import Path

from tests.ledger.desks import START, TABLE

from gatewright.app import App, Options
from gatewright.ledger.protocol import Entry
from gatewright.ledger.rows import read_line
from gatewright.model import Stage
from gatewright.policy.tier_tables import load
from gatewright.probes.tiers import TierPolicy
from gatewright.runner import Gate
from gatewright.trials.replaying import Side

HEAD = "gatewright: 1\npolicy: p\nstage: check\nrules:\n"
CAPPED = "  - use: fan-out-cap\n    override: tier_override\n"


def gate_of(rules: str, folder: Path) -> Gate:
    """The gate of a policy with these rules."""
    path = folder / "policy.yaml"
    path.write_text(HEAD + rules)
    return App(Options(policy=str(path)), environ={}).gate(Stage.CHECK)


def tiers_of(**caps: int) -> TierPolicy:
    """A tier table with other caps."""
    data = json.dumps({**TABLE, "fanout_caps": {**TABLE["fanout_caps"], **caps}}).encode()
    loaded = load(data, "tiers.json")
    return TierPolicy(path="tiers.json", loaded=True, version=2, sha256=loaded.sha256, table=loaded.table)


def side(rules: str, folder: Path, **caps: int) -> Side:
    """A side of a back-test."""
    return Side(gate_of(rules, folder), tiers_of(**caps))


def older(hours: float, **more: object) -> dict[str, object]:
    """A row as the older gate writes it, so many hours after the start."""
    row: dict[str, object] = {
        "ts": START + hours * 3600,
        "contract_sha": "a1" * 32,
        "runtime": "codex",
        "n_agents": 1,
        "est_chars": 100,
        "decision": "ALLOW",
        "reason": "OK",
        "cost_proxy": 100,
        "completion_channel": "orchestration",
        "model": "gpt-5.5",
        "tier": "low",
        "tier_policy_path": "tiers.json",
    }
    return {**row, **more}


def denied(hours: float, reason: str, **more: object) -> dict[str, object]:
    """The row of a denial."""
    return older(hours, decision="DENY", reason=reason, **more)


def entries(*rows: object) -> list[Entry]:
    """Rows as they are read back; a text is a line as it stands."""
    lines = [row.encode() if isinstance(row, str) else json.dumps(row).encode() for row in rows]
    return [Entry(id=number, row=read_line(line)) for number, line in enumerate(lines, 1)]
