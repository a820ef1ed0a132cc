"""Rows that are taken up by the thousand stand in the tables as if each had been appended by itself."""

import json
import random

import pytest
from tests.ledger.desks import START, FakeClock, sqlite

from gatewright.ledger import bulk
from gatewright.ledger.book import IN_BOOK, Kept
from gatewright.ledger.rows import read_line

TABLES = ("rows", "accounts", "state")


def lines(seed):
    """Rows of a few contracts and runtimes, settled soon, late, by another runtime or not at all, and odd lines."""
    chance = random.Random(seed)
    for number in range(120):
        row = {"ts": START - chance.randrange(100_000), "decision": "ALLOW", "n_agents": chance.randint(1, 3)}
        row |= {
            "contract_sha": chance.choice(["a", "b", "A", "\ud800", ""]),
            "runtime": chance.choice(["x", "y", "\ud800"]),
        }
        row |= chance.choice([{"tier": "low"}, {"model": "m"}, {"model": "\ud800"}, {"ts": None}, {"ts": START * 2}])
        if chance.random() < 0.4:
            row |= chance.choice([{"job_id": f"job-{number % 40}"}, {"kind": "not_started"}])
        elif chance.random() < 0.2:
            row |= {"decision": "DENY", "request_id": f"r-{number}"}
        yield chance.choice([b"{torn", b"[]", b"\xff"]) if chance.random() < 0.1 else json.dumps(row).encode()


def kept(ledger):
    """Everything in the tables."""
    with ledger.reading() as look:
        run = look.book.connection.execute
        origin = run("SELECT origin FROM state").fetchone()[0]
        return [repr(run(f"SELECT * FROM {name}").fetchall()).replace(origin, "origin") for name in TABLES]


@pytest.mark.parametrize(("part", "known"), [(1, 10**6), (3, 2), (7, 10**6), (2048, 10**6)])
@pytest.mark.parametrize("seed", range(6))
def test_many_at_once_are_booked_chained_and_settled_as_one_by_one(seed, part, known, tmp_path, monkeypatch):
    monkeypatch.setattr(bulk, "PART", part)
    monkeypatch.setattr(bulk, "KNOWN", known)
    monkeypatch.setattr("gatewright.ledger.book.KNOWN", known)
    clock, given = FakeClock(), [read_line(line) for line in lines(seed)]
    (tmp_path / "one").mkdir()
    (tmp_path / "many").mkdir()
    one, many = sqlite(tmp_path / "one", clock), sqlite(tmp_path / "many", clock)
    for ledger in (one, many):  # some rows are there before
        with ledger.writing() as session:
            for row in given[:20]:
                session.book.append(row, Kept(taken_up=True))
    with one.writing() as session:
        for row in given[20:]:
            session.book.append(row, Kept(taken_up=True))
    with many.writing() as session:
        bulk.take_up(session.book, ((row, IN_BOOK) for row in given[20:]))
    assert kept(many) == kept(one)
