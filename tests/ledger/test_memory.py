"""A ledger in memory, which trials run on, keeps and counts as one in a file does."""

import random
from contextlib import closing

import pytest
from tests.runner.gates import CHECK, shipped_gate

from gatewright.flows import recording
from gatewright.flows.check import CheckRequest, Outside
from gatewright.ledger.memory import MemoryLedger
from gatewright.ledger.sqlite import SqliteLedger
from gatewright.probes.contract import contract_of
from gatewright.probes.tiers import read_tier_policy
from gatewright.trials.timelines import SetClock


@pytest.mark.parametrize("seed", range(3))
def test_a_ledger_in_memory_counts_as_one_in_a_file_does(tmp_path, seed):
    chance = random.Random(seed)
    gate, table = shipped_gate(), read_tier_policy(CHECK.replace("check.yaml", "tiers.yaml"))
    outside = Outside(contract=contract_of("c.md", b"Work.\n"), tier_policy=table, known_roots=[])
    clock = SetClock(1_795_953_600.0)
    memory, file = MemoryLedger(clock), SqliteLedger(str(tmp_path / "l.db"), clock)
    with closing(memory):
        for _ in range(25):
            clock.epoch += chance.choice([0.0, 1.0, 3600.0, 43_200.0, -7200.0])
            asked = CheckRequest(
                runtime="codex",
                contract="c.md",
                agents=chance.choice([1, 2, 5]),
                model=chance.choice(["new", "NEW ", "other", "gpt-5.5"]),
                completion_channel="orchestration",
            )
            one, other = (recording.check_with(gate, asked, outside, each) for each in (memory, file))
            assert one.decision.reasons == other.decision.reasons
            assert one.decision.facts["window"] == other.decision.facts["window"]
        assert [entry.row.line for entry in memory.rows()] == [entry.row.line for entry in file.rows()]
