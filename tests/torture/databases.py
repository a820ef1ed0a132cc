"""A PostgreSQL server killed in the middle of races: `python -m tests.torture.databases [--rounds N]`.

Eight processes check, at once or statement by statement, some with hardly any time for a statement, while
one process of the server, or all of them, are killed and started anew. Whoever has a request id asks with it again
until it is answered. The server is set as badly as it can be: transactions that nobody asked to be so are serializable,
and commits do not wait until they are written. What is written outlives the end of processes without being synced.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.ledger.postgres import IN_HASTE, SETTINGS, Server, another
from tests.torture.stations import ROOT, Station, environment

from gatewright.ledger import postgres_setup, postgres_verify
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.postgres import PostgresLedger
from gatewright.ledger.rows import Row

WORKERS = 8
ASKED = 12  #: checks of each process in a round
BADLY = "default_transaction_isolation = serializable\nsynchronous_commit = off\n"
_WAITS = (0.004, 0.05, 30.0)  #: seconds that a statement may take


class Stepwise(PostgresLedger):
    """A ledger that takes every check statement by statement."""

    def check_at_once(self, _question: object) -> None:
        """Never."""


class DatabaseStation(Station):
    """A ledger in a database, behind a cap."""

    def __init__(self, folder: Path, url: str, cap: int) -> None:
        super().__init__(folder, "postgres", cap)
        self.url, self.wait, self.stepwise = url, 30.0, False

    @property
    def ledger(self) -> PostgresLedger:
        """The ledger, as it is meant to be used next."""
        return (Stepwise if self.stepwise else PostgresLedger)(self.url, self.wait)

    def rows(self) -> list[Row]:
        """All rows."""
        return [entry.row for entry in self.ledger.rows()]

    def faults(self) -> list[str]:
        """What does not hold of the ledger: its chains and sums, its cap, its attempts, its request ids."""
        audit = postgres_verify.verify(self.ledger, (), lambda _done, _total: None)
        found = [fault.message for fault in audit.faults]
        allowed = [row for row in self.rows() if row.decision == "ALLOW"]
        used = sum(row.agents or 0 for row in allowed)
        if used > self.cap:
            found.append(f"{used} agents were let through a cap of {self.cap}")
        attempts = sorted(row.data["attempt"] for row in allowed)
        if attempts != list(range(1, len(allowed) + 1)):
            found.append(f"the attempts are {attempts}")
        ids = Counter(row.request_id for row in self.rows() if row.request_id)
        return [*found, *(f"{name} has {number} rows" for name, number in ids.items() if number > 1)]


# -- those who ask -----------------------------------------------------------------------------------------------------


def work() -> None:
    """Do what is asked line by line, and answer each with one line."""
    for line in sys.stdin:
        asked = json.loads(line)
        station = DatabaseStation(Path(asked["folder"]), asked["url"], asked["cap"])
        chance, answers, open_, refused = random.Random(asked["seed"]), [], [], 0
        for number in range(asked["first"], asked["first"] + ASKED):
            given = {"est_chars": number, "agents": chance.randint(1, 3)}
            if chance.random() < 0.7:
                given["request_id"] = f"r-{number}"
            station.wait, station.stepwise = chance.choice(_WAITS), chance.random() < 0.4
            try:
                answers.append({**given, "allow": station.check(**given).allow})
            except LedgerError:
                refused += 1
                open_ += [given] if "request_id" in given else []
        answers += [{**given, "allow": asked_until_answered(station, given)} for given in open_]
        print(json.dumps({"answers": answers, "refused": refused}), flush=True)


def asked_until_answered(station: DatabaseStation, given: dict[str, object]) -> bool:
    """What a request is answered at last; the server comes back in between."""
    station.wait = 30.0
    for _ in range(1200):
        try:
            return station.check(**given).allow
        except LedgerError:
            time.sleep(0.1)
    raise AssertionError(given)


# -- those who kill ----------------------------------------------------------------------------------------------------


def processes_of(server: Server) -> list[int]:
    """The server's processes, the one that the others come from first."""
    first = int((server.folder / "data" / "postmaster.pid").read_text().split()[0])
    found = subprocess.run(["pgrep", "-P", str(first)], capture_output=True, text=True, check=False)
    return [first, *map(int, found.stdout.split())]


def kill_one(server: Server, chance: random.Random) -> None:
    """Kill one of the server's processes; it starts all others anew by itself."""
    _, *others = processes_of(server)
    if others:
        _kill([chance.choice(others)])


def kill_all(server: Server) -> None:
    """Kill the server with all that it has started, and start it anew."""
    first, *_ = processes_of(server)
    os.kill(first, signal.SIGSTOP)  # or it starts one more that nobody knows of
    _kill([*processes_of(server)[1:], first])
    assert server.process is not None
    server.process.wait(timeout=30)
    until = time.monotonic() + 60
    while True:  # what it has left in memory is in the way until the last of them is gone
        try:
            return server.start()
        except AssertionError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def come_back(server: Server) -> None:
    """Wait until a server that starts its processes anew lets people in."""
    until = time.monotonic() + 60
    while True:
        try:
            return server.run("SELECT 1")
        except Exception:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def _kill(processes: Sequence[int]) -> None:
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue


# -- rounds ------------------------------------------------------------------------------------------------------------


def a_round(server: Server, team: list[subprocess.Popen[str]], number: int, seed: int, place: str) -> dict[str, object]:
    """Figures of one round on a new ledger, with whatever did not hold in it."""
    chance, name = random.Random(seed), f"round{number}"
    server.run(f"CREATE DATABASE {name}")
    postgres_setup.init(server.url(name))
    station = DatabaseStation(Path(place) / name, server.url(name), chance.randint(1, 60))
    asked = {"folder": str(station.folder), "url": station.url, "cap": station.cap}
    for which, process in enumerate(team):
        each = {**asked, "seed": seed * WORKERS + which, "first": which * 100_000}
        process.stdin.write(json.dumps(each) + "\n")
        process.stdin.flush()
    kills = chance.randint(2, 5)
    for _ in range(kills):
        time.sleep(chance.uniform(0.05, 0.6))
        kill_all(server) if chance.random() < 0.5 else kill_one(server, chance)
    told = [json.loads(process.stdout.readline()) for process in team]
    come_back(server)
    answers = [answer for each in told for answer in each["answers"]]
    faults = [*station.faults(), *lost(station, answers)]
    server.run(f"DROP DATABASE {name} WITH (FORCE)")
    refused = sum(each["refused"] for each in told)
    return {"kills": kills, "answers": len(answers), "refused": refused, "faults": faults}


def lost(station: DatabaseStation, answers: Sequence[dict[str, object]]) -> list[str]:
    """Answers without their row, and those that say something else than it."""
    rows = {row.data["est_chars"]: row.decision == "ALLOW" for row in station.rows()}
    return [f"{answer} was answered, and the row is {rows.get(answer['est_chars'])}" for answer in answers
            if rows.get(answer["est_chars"]) is not answer["allow"]]  # fmt: skip


def rounds(count: int, seed: int) -> dict[str, object]:
    """Figures of so many rounds."""
    server = another(SETTINGS + IN_HASTE + BADLY)
    command = [sys.executable, "-m", "tests.torture.databases", "--work"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    team = [subprocess.Popen(command, env=environment(), cwd=ROOT, **pipes) for _ in range(WORKERS)]
    try:
        with tempfile.TemporaryDirectory() as place:
            found = [a_round(server, team, number, seed + number, place) for number in range(count)]
    finally:
        for process in team:
            process.communicate(timeout=60)
        server.stop("QUIT")
    sums = {name: sum(each[name] for each in found) for name in ("kills", "answers", "refused")}
    return {"rounds": count, **sums, "faults": [fault for each in found for fault in each["faults"]]}


def main() -> None:
    """Print the figures; exit 1 if something did not hold."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", action="store_true")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.work:
        return work()
    try:
        told = rounds(options.rounds, options.seed)
    except pytest.skip.Exception as reason:
        return print(f"skipped: {reason}")
    print(json.dumps(told))
    return sys.exit(bool(told["faults"]))


if __name__ == "__main__":
    main()
