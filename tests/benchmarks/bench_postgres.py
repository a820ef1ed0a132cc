"""Sixteen clients at one PostgreSQL server: one function call, many statements under a lock, and SERIALIZABLE retries.

Run with a way, a URL and a folder, it is one of the clients.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

CLIENTS, ROUNDS, SECONDS = 16, 5, 3.0
SHA = "ab" * 32
WAYS = ("one function call", "separate statements", "SERIALIZABLE and retries")


def main() -> None:
    """Print checks a second, each as a ratio to the slowest way."""
    import pytest
    from tests.ledger.postgres import SETTINGS, another

    try:
        server = another(SETTINGS)
    except pytest.skip.Exception as missing:
        print(f"skipped: {missing}")
        return
    server.run("CREATE DATABASE lockless TEMPLATE fresh")
    server.run(LOCKLESS, "lockless")
    rates: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(ROUNDS):
        for way in WAYS:
            rates[way].append(measured(way, server.url("lockless" if way == WAYS[-1] else "fresh")))
    medians = {way: statistics.median(found) for way, found in rates.items()}
    print(f"{CLIENTS} clients, one tier, medians of {ROUNDS} rounds in turn; the goal is that each beats the next")
    for way, rate in medians.items():
        print(f"{way:28}{rate:>9.0f} checks/s{rate / medians[WAYS[-1]]:>8.2f}x")


def measured(way: str, url: str) -> float:
    """Checks a second of all clients together."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.benchmarks.bench_postgres", way, url, folder]
        clients = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(CLIENTS)]
        for client in clients:
            assert client.stdout is not None
            client.stdout.readline()
        Path(folder, "go").touch()
        return sum(int(client.communicate(timeout=120)[0]) for client in clients) / SECONDS


def client(way: str, url: str, folder: str) -> None:
    """Check for some seconds once the others are there too; tell how many checks were made."""
    from gatewright.ledger.postgres_link import linked

    link = linked(url)
    check = {WAYS[0]: at_once, WAYS[1]: in_steps, WAYS[2]: serializable}[way](link)
    print("ready", flush=True)
    while not Path(folder, "go").exists():
        time.sleep(0.001)
    end, made = time.monotonic() + SECONDS, 0
    while time.monotonic() < end:
        check()
        made += 1
    print(made)
    link.close()


def table():
    """A tier table whose cap is never reached."""
    from gatewright.model import TierTable

    return TierTable(version=2, index={"m": "low"}, order=("low",), caps={"low": 10**9})


def row() -> dict[str, object]:
    """A row as a check leaves it."""
    return {
        "contract_sha": SHA,
        "runtime": "codex",
        "n_agents": 1,
        "est_chars": 9000,
        "decision": "ALLOW",
        "reason": "OK",
        "cost_proxy": 9000,
        "completion_channel": "orchestration",
        "model": "m",
        "tier": "low",
    }


def at_once(link) -> Callable[[], object]:
    """All of it in one call."""
    from gatewright.flows.at_once import parts_of
    from gatewright.ledger.postgres_at_once import counted_at_once
    from gatewright.ledger.protocol import Draft, Question

    draft = Draft(allow=True, reason="OK", parts=tuple(parts_of({**row(), "attempt": 1, "ts": 1.0})))
    question = Question(
        tier="low", table=table(), agents=1, contract_sha=SHA, runtime="codex", request_id=None, room=draft, full=draft
    )
    return lambda: counted_at_once(link, question)


def in_steps(link) -> Callable[[], object]:
    """A transaction of several statements under one lock."""
    from gatewright.ledger.postgres import step

    def check() -> None:
        with step(link) as session:
            steps(session)

    return check


def steps(session) -> None:
    """What a check asks and writes."""
    from gatewright.ledger.tickets import Ticket

    session.usage("low", table(), 1)
    session.sweep()
    attempt = session.attempts(SHA) + 1
    session.issue(Ticket(runtime="codex", contract_sha=SHA, issued_ts=session.ticket_time, count=1))
    session.append({**row(), "ts": session.wall, "attempt": attempt}, {})


#: The same schema with no lock to begin with: the server itself has to find out that two steps do not go together.
LOCKLESS = """
CREATE OR REPLACE FUNCTION gatewright._begin(known integer, alone boolean) RETURNS void LANGUAGE sql AS ''
"""


def serializable(link) -> Callable[[], object]:
    """The same statements under SERIALIZABLE without a lock, again and again until they go through."""
    from gatewright.ledger.errors import LedgerError
    from gatewright.ledger.postgres_book import PostgresBook
    from gatewright.ledger.session import BookDesk, BookSession

    def attempt() -> bool:
        link.rows("BEGIN ISOLATION LEVEL SERIALIZABLE")
        try:
            book = PostgresBook(link, link.row("SELECT * FROM gatewright.enter(1)"))
            steps(BookSession(book, BookDesk(book)))
            link.rows("COMMIT")
        except LedgerError as error:
            if "(40001)" not in error.problem:  # that it cannot be serialised
                raise
            link.rows("ROLLBACK")
            return False
        return True

    def check() -> None:
        while not attempt():
            pass

    return check


if __name__ == "__main__":
    client(*sys.argv[1:]) if sys.argv[1:] else main()
