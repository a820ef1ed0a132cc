"""Sixteen processes at one ledger, round after round: `python -m tests.torture.racing [--rounds N]`.

Each round has a cap of its own and a ledger that is not there yet; the processes ask at one moment, for one to three
agents, some with an override, some with a request id that others use too. `--work` is one of the processes.
"""

import argparse
import contextlib
import fcntl
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.torture.stations import NAMES, ROOT, STRANGER, Station, environment

from gatewright.ledger.errors import LedgerError

WORKERS = 16


def work() -> None:
    """Do what is asked line by line, and answer each with one line."""
    for line in sys.stdin:
        asked = json.loads(line)
        station = Station(Path(asked["folder"]), asked["kind"], asked["cap"])
        while time.time() < asked["at"]:
            pass
        if asked["stranger"]:
            answer = append_as_stranger(station)
        else:
            start = time.perf_counter()
            try:
                allow: bool | None = station.check(**asked["given"]).allow
            except LedgerError:
                allow = None  # the lock was not to be had in time
            answer = {"allow": allow, "seconds": time.perf_counter() - start}
        print(json.dumps(answer), flush=True)


def append_as_stranger(station: Station) -> dict[str, object]:
    """Append rows as the older tool does: what is allowed under the lock, what is denied without."""
    path, lock = Path(station.ledger.path), station.tickets / ".dispatch-gate.lock"
    for folder in (path.parent, lock.parent):
        folder.mkdir(parents=True, exist_ok=True)
    row = {"runtime": STRANGER, "n_agents": 1, "model": "gpt-5.5", "est_chars": 0}
    for number in range(6):
        verdict = {"decision": "DENY", "reason": "x" * 6000} if number % 2 else {"decision": "ALLOW", "reason": "OK"}
        text = json.dumps({**row, "ts": time.time(), **verdict}) + "\n"
        with lock.open("a") as held, path.open("a") as file:
            if verdict["decision"] == "ALLOW":
                fcntl.flock(held, fcntl.LOCK_EX)
            file.write(text)
            file.flush()
    return {"appended": 6}


@contextlib.contextmanager
def workers(count: int) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that wait for work."""
    command = [sys.executable, "-m", "tests.torture.racing", "--work"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    started = [subprocess.Popen(command, env=environment(), cwd=ROOT, **pipes) for _ in range(count)]
    try:
        yield started
    finally:
        for process in started:
            process.communicate(timeout=60)


def asked_of_each(chance: random.Random) -> list[dict[str, object]]:
    """What the processes ask for in one round. One request id always stands for the same request."""
    given = [{"agents": chance.randint(1, 3)} for _ in range(WORKERS)]
    for each in given:
        if chance.random() < 0.1:
            each["tier_override"] = "the owner agreed"
        if chance.random() < 0.3:
            name = chance.randrange(4)
            each |= {"request_id": f"r-{name}", "agents": name % 3 + 1}
            each.pop("tier_override", None)
    return given


def race(
    team: list[subprocess.Popen[str]], station: Station, given: list[dict[str, object]], strangers: int
) -> list[dict[str, object]]:
    """The answers of one round."""
    asked = {"folder": str(station.folder), "kind": station.kind, "cap": station.cap, "at": time.time() + 0.02}
    for number, (process, each) in enumerate(zip(team, given, strict=True)):
        process.stdin.write(json.dumps({**asked, "given": each, "stranger": number < strangers}) + "\n")
        process.stdin.flush()
    return [json.loads(process.stdout.readline()) for process in team]


def faults_of(
    station: Station, given: list[dict[str, object]], answers: list[dict[str, object]], strangers: int
) -> list[str]:
    """What does not hold of the ledger after a round, or of the answers that were given."""
    found = station.faults()
    rows = [row for row in station.rows() if row.runtime != STRANGER]
    of_request = Counter(row.request_id for row in rows)
    ours = list(zip(given, answers, strict=True))[strangers:]
    if len(station.rows()) - len(rows) != 6 * strangers:
        found.append("rows of another program are lost")
    if of_request.pop(None, 0) != sum("request_id" not in each for each, answer in ours if answer["allow"] is not None):
        found.append("not every answer has its row")
    if set(of_request.values()) - {1}:
        found.append("a request id has two rows")
    verdicts = {row.request_id: row.decision == "ALLOW" for row in rows if row.request_id}
    alone = Counter(answer["allow"] for each, answer in ours if "request_id" not in each)
    if alone[True] != sum(row.decision == "ALLOW" for row in rows if not row.request_id):
        found.append("the answers are not those of the rows")
    repeated = [(each["request_id"], answer["allow"]) for each, answer in ours if "request_id" in each]
    repeated = [each for each in repeated if each[1] is not None]
    found += [f"{name} was answered in two ways" for name, allow in repeated if verdicts.get(name) is not allow]
    return found


def rounds(kind: str, count: int, seed: int, *, strangers: int = 0) -> dict[str, object]:
    """Figures of so many rounds, with whatever did not hold in one of them."""
    chance, waited, faults, refused = random.Random(seed), [], [], 0
    with workers(WORKERS) as team, tempfile.TemporaryDirectory() as place:
        for number in range(count):
            station = Station(Path(place) / str(number), kind, chance.randint(1, 12))
            given = asked_of_each(chance)
            answers = race(team, station, given, strangers)
            waited += [answer["seconds"] for answer in answers if "seconds" in answer]
            refused += sum(answer.get("allow", False) is None for answer in answers)
            faults += [f"round {number}: {fault}" for fault in faults_of(station, given, answers, strangers)]
            shutil.rmtree(station.folder)
    cuts = statistics.quantiles(waited, n=100)
    figures = {
        "rounds": count,
        "checks": len(waited),
        "refused": refused,
        "p50_ms": cuts[49] * 1000,
        "p99_ms": cuts[98] * 1000,
    }
    return {**figures, "faults": faults}


def main() -> None:
    """Print the figures of every kind; exit 1 if something did not hold."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", action="store_true")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.work:
        return work()
    told = {kind: rounds(kind, options.rounds, options.seed) for kind in NAMES}
    told["jsonl, with strangers"] = rounds("jsonl", options.rounds, options.seed, strangers=4)
    for name, figures in told.items():
        print(name, json.dumps(figures))
    return sys.exit(any(figures["faults"] for figures in told.values()))


if __name__ == "__main__":
    main()
