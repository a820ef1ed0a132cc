"""A report of many rows: its time beside reading each line as JSON, and its memory beside that of a tenth of the rows.

`python -m tests.benchmarks.bench_report [ROWS]`, by default 50,000.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.timing import side_by_side, table

from gatewright.flows.reporting import audit
from gatewright.ledger.stores import open_ledger

ROW = {
    "completion_channel": "orchestration",
    "est_chars": 3000,
    "reason": "OK",
    "runtime": "codex",
    "tier": "efficient",
    "tier_policy_path": "policies/tiers.yaml",
    "tier_policy_sha256": "a" * 64,
}
#: Started in between, since a process counts what its parent held before it became itself.
MEASURE = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
print(os.wait4(process.pid, 0)[2].ru_maxrss)
"""


def rows(number: int) -> list[dict[str, object]]:
    """Rows of five thousand contracts and two models, one of three denied."""
    return [
        {
            **ROW,
            "ts": 1_795_953_600.0 + at,
            "contract_sha": f"{at % 5000:064x}",
            "decision": "DENY" if at % 3 == 0 else "ALLOW",
            "model": ("gpt-5.5", "claude-sonnet-5")[at % 2],
            "n_agents": 1 + at % 3,
            "cost_proxy": 3000 * (1 + at % 3),
        }
        for at in range(number)
    ]


def written(folder: Path, number: int) -> list[str]:
    """A file of JSON lines and a database of so many rows; their paths."""
    paths = [str(folder / f"{number}{ending}") for ending in (".jsonl", ".db")]
    lines = [json.dumps(row, sort_keys=True, separators=(",", ":")) for row in rows(number)]
    Path(paths[0]).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    with open_ledger(paths[1], str(folder)).writing() as session:
        for row in rows(number):
            session.append(row, {})
    return paths


def peak(path: str) -> int:
    """Kilobytes that the whole command takes at most."""
    words = ["-c", "from gatewright.__main__ import main; main()", "report", "--json", "--ledger", path]
    command = [sys.executable, "-c", MEASURE, sys.executable, *words]
    return int(subprocess.run(command, capture_output=True, check=True).stdout)


def main() -> None:
    """Print times, ratios and memory."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        few, many = written(folder, number // 10), written(folder, number)
        lines = Path(many[0]).read_bytes().splitlines()
        times = side_by_side(
            {
                f"json.loads of {number:,} lines": lambda: [json.loads(line) for line in lines],
                "report from SQLite": lambda: audit(open_ledger(many[1], name)),
                "report from JSON lines": lambda: audit(open_ledger(many[0], name)),
            },
            rounds=5,
            calls=1,
        )
        print(table(times, f"json.loads of {number:,} lines", dict.fromkeys(list(times)[1:], "at most 4x")))
        for what, less, more in zip(("JSON lines", "SQLite"), few, many, strict=True):
            before, after = peak(less), peak(more)
            print(
                f"memory, {what}: {before:,} KB for a tenth, {after:,} KB for all, {after / before:.2f}x (at most 1.5x)"
            )


if __name__ == "__main__":
    main()
