"""How fast lines are taken up into a ledger, and gone through again.

Processor seconds, so that what else the machine does counts less. `python -m tests.benchmarks.bench_import 1000000`.
"""

import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from gatewright.ledger import sources, transfer
from gatewright.ledger.stores import open_ledger
from gatewright.ledger.verifying import verify

ROWS = 100_000


def lines(count: int) -> Iterator[bytes]:
    """Rows as the older gate writes them: two of three are checks of a new contract, the third registers one."""
    chance, ts, sha = random.Random(1), 1.79e9, ""
    for number in range(count):
        ts += chance.random() * 30
        row = {"ts": ts, "runtime": "codex", "n_agents": chance.randint(1, 4), "est_chars": 1200, "decision": "ALLOW"}
        row |= {"reason": "OK", "cost_proxy": 1200, "completion_channel": "orchestration", "attempt": 1}
        if number % 3 == 1:
            row |= {"contract_sha": sha, "job_id": f"job-{number}"}
        else:
            sha = f"{chance.getrandbits(256):064x}"
            row |= {"contract_sha": sha, "model": "gpt-5.5", "tier": "low", "tier_policy_sha256": "ab" * 32}
        yield json.dumps(row, sort_keys=True, separators=(",", ":")).encode()


def quiet(_done: int, _total: int) -> None:
    """Tell nobody."""


def told(what: str, start: tuple[float, float], count: int, goal: str) -> None:
    """Print how long it took."""
    worked, passed = time.process_time() - start[0], time.perf_counter() - start[1]
    print(f"{what:34}{worked:8.1f} s worked {passed:8.1f} s passed {count / worked:12,.0f} rows/s   {goal}")


def now() -> tuple[float, float]:
    """Processor time and time."""
    return time.process_time(), time.perf_counter()


def main(count: int) -> None:
    """Import into each kind of ledger, verify, and export."""
    given = list(lines(count))
    print(f"{count:,} rows of {sum(map(len, given)) / count:.0f} bytes")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("ledger.db", "ledger.jsonl"):
            ledger = open_ledger(str(Path(folder) / name), str(Path(folder) / "tickets"))
            start = now()
            transfer.take_in(ledger, given, append=False, progress=quiet)
            told(f"import {name}", start, count, "33,000 rows/s")
            for chain_only in (True, False):
                start = now()
                with sources.opened(ledger) as source:
                    assert source is not None
                    assert verify(source, chain_only=chain_only).holds
                what = "verify, chain and tree alone" if chain_only else "verify, all"
                told(f"{what}", start, count, "500,000 rows/s" if chain_only else "")
            start = now()
            with sources.opened(ledger) as source:
                assert source is not None
                assert sum(1 for _ in transfer.lines_of(source, quiet)) == count
            told("export", start, count, "")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
