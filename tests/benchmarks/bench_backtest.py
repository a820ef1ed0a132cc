"""A back-test of many checks under twelve rules and a cap, beside plain Python and a query written by hand.

And one under the shipped policy, of as many checks that each have a contract of their own, which names paths, with the
known roots that it was checked by.

`python -m tests.benchmarks.bench_backtest [ROWS]`, by default 200,000. Row by row at most 50,000 of them are gone
through, and the time is extrapolated. Each part runs in a process of its own, whose memory is told.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

from gatewright.app import App, Options
from gatewright.model import Stage
from gatewright.probes.tiers import read_tier_policy
from gatewright.trials import columns
from gatewright.trials.backtest import backtest
from gatewright.trials.grouped import grouped
from gatewright.trials.histories import entries
from gatewright.trials.replaying import Side

SAMPLE = 50_000
POLICY = """\
gatewright: 1
policy: bench
stage: check
rules:
  - {id: r1, deny: agents < 1, code: R_1}
  - {id: r2, deny: agents > 60, code: R_2}
  - {id: r3, require: 'runtime in ["codex", "claude", "cursor"]', code: R_3}
  - {id: r4, deny: model is None, code: R_4}
  - {id: r5, when: est_chars is not None, deny: est_chars > 590000, code: R_5}
  - {id: r6, when: cost_proxy is not None, deny: cost_proxy > 2000000, code: R_6}
  - {id: r7, require: 'completion_channel in ["orchestration", "sentinel-log"]', code: R_7}
  - {id: r8, deny: 'tier == "top" and agents > 3', code: R_8}
  - {id: r9, deny: 'runtime == "cursor" and tier == "top"', code: R_9}
  - {id: r10, warn: 'tier == "unknown"', code: R_10}
  - {id: r11, deny: not contract.readable, code: R_11}
  - {id: r12, deny: 'starts_with(runtime, "x-") or ends_with(runtime, "-old")', code: R_12}
  - {id: cap, when: window.cap is not None, deny: window.used + agents > window.cap, code: CAP}
"""
TIERS = """\
version: 2
tiers: {top: [claude-opus-5], low: [gpt-5.5, gpt-5.3-codex]}
fanout_caps: {unknown: 4000}
window_seconds: 86400
"""
#: One check every 3.7 s; a tenth of them for a model in no tier, which alone have a cap.
ROWS = """
SELECT (1795953600.0 + i * 3.7)::DOUBLE AS ts, CASE WHEN hash(i) % 10 < 2 THEN 'DENY' ELSE 'ALLOW' END AS decision,
  CASE WHEN hash(i) % 10 < 2 THEN 'CAP' ELSE 'OK' END AS reason,
  ['codex', 'claude', 'cursor'][1 + (hash(i + 1) % 3)::INT] AS runtime,
  CASE WHEN hash(i + 2) % 10 = 0 THEN 'new-one' WHEN hash(i + 2) % 10 < 4 THEN 'claude-opus-5'
    ELSE 'gpt-5.5' END AS model,
  1 + (hash(i + 3) % 4)::BIGINT AS n_agents, (hash(i + 4) % 600000)::BIGINT AS est_chars,
  'orchestration' AS completion_channel, md5((i % 5000)::VARCHAR) || md5((i % 7)::VARCHAR) AS contract_sha,
  'bench' AS policy, 'bench.yaml' AS policy_path, repeat('d', 64) AS policy_digest,
  '{"contract":{"chars":900,"path":"jobs/one.md"}}'::JSON AS facts
FROM range(ROWS) rows(i)
"""
#: The same checks with what the ledger keeps of their contracts: one in five uses MCP, one in three names a path.
OWN = """
SELECT * REPLACE (sha256(i::VARCHAR) AS contract_sha,
  ('{"contract":{"chars":' || 300 + hash(i + 5) % 9000 || CASE
     WHEN hash(i + 6) % 5 = 0 THEN ',"mentions":{"mcp":true,"paths":["/home/me/' || i || '/x"],"trust":true}'
     WHEN hash(i + 6) % 5 = 1 THEN ',"mentions":{"paths":["/home/me/' || i || '/x","/srv/y"]}' ELSE '' END
   || ',"path":"jobs/' || i || '.md"},"known_roots":["/home/me"]}')::JSON AS facts), 'r' || i AS request_id
FROM (SELECT *, (ts * 10)::BIGINT AS i FROM FILE)
"""
#: The same rules, but for the cap: what a query that is written for them alone takes, and no reasons are told.
BY_HAND = """
SELECT decision, count(*), count(*) FILTER (
  n_agents < 1 OR n_agents > 60 OR runtime NOT IN ('codex', 'claude', 'cursor') OR model IS NULL OR est_chars > 590000
  OR n_agents * est_chars > 2000000 OR completion_channel NOT IN ('orchestration', 'sentinel-log')
  OR (model = 'claude-opus-5' AND (n_agents > 3 OR runtime = 'cursor')) OR contract_sha IS NULL
  OR starts_with(runtime, 'x-') OR ends_with(runtime, '-old')) FROM FILE GROUP BY decision
"""


def side(folder: Path, name: str) -> Side:
    """The policy for a file, and the table."""
    own = str(folder / "bench.yaml") if not name.startswith("shipped") else None
    gate = App(Options(policy=own), environ={}).gate(Stage.CHECK)
    return Side(gate, read_tier_policy(str(folder / "tiers.yaml")))


def quick(folder: Path, name: str) -> int:
    """A back-test as the command does it; how many checks it replayed."""
    with columns.opened(str(folder / name)) as file:
        found = grouped(file, side(folder, name), None) if file is not None else None
    assert found is not None, "the command would go through it row by row"
    return found.replayed


def measured(folder: Path, what: str) -> None:
    """Do one part, and print its seconds, those of its processors, and its memory in MB."""
    start, before = time.perf_counter(), time.process_time()
    if what.isdecimal():
        made(folder, int(what))
    elif what == "row by row":
        backtest("sample", entries(str(folder / "sample.parquet")), side(folder, what))
    elif what == "by hand":
        duckdb.sql(BY_HAND.replace("FILE", f"'{folder / 'h.parquet'}'")).fetchall()
    else:
        assert quick(folder, what) > 0
    import resource

    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(time.perf_counter() - start, time.process_time() - before, memory)


def made(folder: Path, number: int) -> None:
    """Make the files of so many checks, and of the sample."""
    duckdb.sql(f"COPY ({ROWS.replace('ROWS', str(number))}) TO '{folder / 'h.parquet'}'")
    duckdb.sql(f"COPY (FROM '{folder / 'h.parquet'}') TO '{folder / 'h.jsonl'}' (FORMAT json)")
    own = OWN.replace("FILE", f"'{folder / 'h.parquet'}'")
    duckdb.sql(f"COPY ({own}) TO '{folder / 'shipped.parquet'}'")
    duckdb.sql(f"COPY (FROM '{folder / 'shipped.parquet'}') TO '{folder / 'shipped.jsonl'}' (FORMAT json)")
    sample = min(number, SAMPLE)
    duckdb.sql(f"COPY (FROM '{folder / 'h.parquet'}' LIMIT {sample}) TO '{folder / 'sample.parquet'}'")


def part(folder: Path, what: str) -> list[float]:
    """One part in a process of its own."""
    words = [sys.executable, "-m", "tests.benchmarks.bench_backtest", str(folder), what]
    # The memory of a process starts with that of who started it, so nothing large is done before.
    return [float(word) for word in subprocess.run(words, capture_output=True, check=True, text=True).stdout.split()]


PARTS = ("by hand", "h.parquet", "h.jsonl", "shipped.parquet", "shipped.jsonl", "row by row")


def main() -> None:
    """Print times, memory and ratios."""
    if len(sys.argv) > 2:
        measured(Path(sys.argv[1]), sys.argv[2])
        return
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bench.yaml").write_text(POLICY)
        (folder / "tiers.yaml").write_text(TIERS)
        part(folder, str(number))
        sample = min(number, SAMPLE)
        found = {what: part(folder, what) for what in PARTS}
        size = os.path.getsize(folder / "h.jsonl") / 1e6
    found["row by row"] = [each * number / sample for each in found["row by row"][:2]] + found["row by row"][2:]
    print(f"{number:,} checks, {size:,.0f} MB as JSON lines; row by row: {sample:,} of them, extrapolated")
    base = found["by hand"][1]
    for what, (seconds, processors, memory) in found.items():
        told = f"{what:16} {seconds:8.2f} s {processors:8.2f} s of processors {memory:6.0f} MB"
        print(f"{told}  {processors / base:8.1f} x by hand  {number / seconds / 1e6:6.2f} M checks/s")


if __name__ == "__main__":
    main()
