"""The ledger with a thousand rows beside one with a million: `python -m tests.benchmarks.bench_ledger [--rows N]`.

What a check reads and what it costs as a whole must not grow with the ledger; what evidence adds to a row is beside the
row's own line. A write that is synced is timed too, since nothing that is recorded can be quicker.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.timing import side_by_side, table
from tests.torture.stations import NAMES, Station, environment

from gatewright.ledger.book import Book, Kept
from gatewright.ledger.chain import START, Frontier, head_of, leaf_of
from gatewright.ledger.clock import SystemClock
from gatewright.ledger.rows import line_of, row_of
from gatewright.ledger.session import BookDesk, BookSession
from gatewright.ledger.sqlite import connected
from gatewright.probes.tiers import read_tier_policy

FEW, MANY = 1_000, 1_000_000
SPAN = 2 * 86_400  #: the rows are spread over two days, so that half of them are in the window


def filled(folder: Path, kind: str, count: int) -> Station:
    """A station whose ledger has so many rows."""
    station = Station(folder, kind, cap=10**12)
    now = time.time()
    rows = (row(now - SPAN + SPAN * number / count, number) for number in range(count - 1))
    if kind == "jsonl":
        os.makedirs(os.path.dirname(station.ledger.path))
        with open(station.ledger.path, "w", encoding="ascii") as file:
            file.writelines(line_of(each) + "\n" for each in rows)
    else:
        with station.ledger.writing() as session:
            for each in rows:
                session.book.append(row_of(each), Kept(taken_up=True))
    station.check()
    return station


def row(ts: float, number: int) -> dict[str, object]:
    """A row as a check leaves it."""
    sha = f"{number % 5000:064x}"
    found = {"ts": ts, "contract_sha": sha, "runtime": "codex", "n_agents": 1, "est_chars": 3000, "decision": "ALLOW"}
    more = {"reason": "OK", "cost_proxy": 3000, "completion_channel": "orchestration", "model": "gpt-5.5"}
    where = {"tier": "low", "attempt": 1, "tier_policy_path": "tiers.json", "tier_policy_sha256": sha}
    return {**found, **more, **where}


def reading_part(station: Station) -> Callable[[], object]:
    """What a check asks its ledger: what the window holds, and how often the contract was allowed."""
    connection, clock = connected(station.ledger.path), SystemClock()
    tiers = read_tier_policy(str(station.table)).table
    book = Book(connection, clock)
    look = BookSession(book, BookDesk(book))

    def ask() -> object:
        book._accounts.clear()
        return look.usage("low", tiers, 1), look.attempts("0" * 64)

    return ask


def process(station: Station) -> Callable[[], object]:
    """A recorded check as a whole process."""
    words = ["check", "--runtime", "codex", "--contract", str(station.contract), "--agents", "1", "--model", "gpt-5.5"]
    words += ["--completion-channel", "orchestration", "--tier-policy", str(station.table)]
    command = [sys.executable, "-m", "gatewright", *words, "--ledger", station.ledger.path]
    own = environment(HOME=str(station.folder))
    if station.kind == "jsonl":
        (station.folder / ".mogui").mkdir(exist_ok=True)
        (station.folder / ".mogui" / "dispatch-tickets").symlink_to(station.tickets)
    return lambda: subprocess.run(command, env=own, cwd=station.folder, stdout=subprocess.DEVNULL, check=True)


def synced_write(place: Path) -> Callable[[], object]:
    """One line appended and synced."""
    descriptor = os.open(place / "line", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write() -> None:
        os.write(descriptor, b"x" * 400 + b"\n")
        os.fsync(descriptor)

    return write


def evidence() -> dict[str, Callable[[], object]]:
    """What a row costs to spell and to chain."""
    data, frontier, line = row(time.time(), 7), Frontier(), line_of(row(time.time(), 7)).encode()

    def chained() -> None:
        leaf = leaf_of(line)
        head_of(START, leaf)
        frontier.add(leaf)
        frontier.stored()

    return {"a row's line": lambda: line_of(data), "its chain and tree": chained}


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=MANY)
    parser.add_argument("--kind", choices=NAMES, action="append")
    asked = parser.parse_args()
    print(table(side_by_side(evidence(), calls=500), "a row's line", {"its chain and tree": "under 30 us"}))
    with tempfile.TemporaryDirectory() as place:
        for kind in asked.kind or NAMES:
            stations = {count: filled(Path(place) / f"{kind}-{count}", kind, count) for count in (FEW, asked.rows)}
            compare(kind, stations, Path(place))


def compare(kind: str, stations: dict[int, Station], place: Path) -> None:
    """Print what checks cost on ledgers of a kind, few rows beside many."""
    few, many = [f"{count:,} rows" for count in stations]
    if kind == "sqlite":
        parts = {f"reading, {count:,} rows": reading_part(each) for count, each in stations.items()}
        print(table(side_by_side(parts, calls=300), f"reading, {few}", {f"reading, {many}": "under 50 us"}))
    checks = {"one synced write": synced_write(place)}
    checks |= {f"{kind} check, {count:,} rows": each.check for count, each in stations.items()}
    print(table(side_by_side(checks, rounds=25, calls=1), f"{kind} check, {few}", {f"{kind} check, {many}": "1x"}))
    whole = {f"{kind} process, {count:,} rows": process(each) for count, each in stations.items()}
    print(table(side_by_side(whole, rounds=15, calls=1), f"{kind} process, {few}", {f"{kind} process, {many}": "1x"}))


if __name__ == "__main__":
    main()
