"""Going through a ledger with a second process finds what one process finds, whatever becomes of the second one."""

import sys

import pytest
from tests.ledger.evidence.tampering import BOOKS, audit, checkpoint_of, sql

from gatewright.ledger import hashing, verifying
from gatewright.ledger.faults import Harm

TAMPERING = [
    "SELECT 1",
    "UPDATE rows SET leaf = zeroblob(32) WHERE id = {}",
    "UPDATE rows SET leaf = x'00' WHERE id = {}",
    "UPDATE rows SET head = zeroblob(32) WHERE id = {}",
    "UPDATE rows SET head = x'' WHERE id = {}",
    "UPDATE rows SET at = at + 1 WHERE id = {}",
    "UPDATE rows SET at = 'now' WHERE id = {}",
    "UPDATE rows SET taken_up = 1 - taken_up WHERE id = {}",
    "UPDATE rows SET taken_up = 700 WHERE id = {}",
    "UPDATE rows SET line = 'text', start = 'text' WHERE id = {}",
    "UPDATE rows SET line = line || ' ', length = length + 1 WHERE id = {}",
    "UPDATE rows SET more = '{{}}' WHERE id = {}",
    "DELETE FROM rows WHERE id = {}",
    "UPDATE state SET frontier = x'', size = size + {}",
    "UPDATE state SET head = zeroblob({})",
]


@pytest.fixture
def parts(monkeypatch):
    """Rows go over three at a time, however few there are."""
    monkeypatch.setattr(verifying, "BATCH", 3)
    monkeypatch.setattr(hashing, "WORTH", 0)
    monkeypatch.setattr("os.cpu_count", lambda: 2)


@pytest.mark.parametrize("kind", BOOKS)
@pytest.mark.parametrize("statement", TAMPERING)
def test_two_find_what_one_finds(kind, statement, parts, monkeypatch, ready):
    post = ready(kind)
    monday = checkpoint_of(post)
    sql(statement.format(6))(post)
    together = audit(post, monday)
    monkeypatch.setattr(hashing, "WORTH", 10**9)
    assert together == audit(post, monday)
    assert together.holds is (statement == "SELECT 1")


@pytest.mark.parametrize("kind", BOOKS)
@pytest.mark.parametrize("change", ["size = 'many'", "covered = 'all'", "time = 'now'", "size = 1.5", "size = x'00'"])
def test_a_figure_of_another_kind_is_told_and_compared_with_nothing(kind, change, ready):
    post = ready(kind)
    sql(f"UPDATE state SET {change}")(post)
    (fault,) = audit(post).faults
    assert fault.harm is Harm.DAMAGED
    assert fault.message.startswith(f"what the ledger says of its {change.split()[0]} is ")


def test_a_second_process_does_its_part(parts, ready, monkeypatch):
    asked = []
    state = hashing.Apart.state
    monkeypatch.setattr(hashing.Apart, "state", lambda self: asked.append(state(self)) or asked[-1])
    found = audit(ready("sqlite"))
    assert found.holds
    assert asked[-1][0].root() == found.tally.root


@pytest.mark.parametrize("program", ["", "/no/such/program", "false"])
def test_without_a_second_process_one_does_it_all(program, parts, ready, monkeypatch):
    monkeypatch.setattr(sys, "executable", program)
    assert audit(ready("sqlite")).holds


def test_a_second_process_that_is_lost_makes_no_difference(parts, ready, monkeypatch):
    give = hashing.Apart._give

    def lost(self, *given):
        self._given.close()
        with pytest.raises(ValueError, match="closed"):
            give(self, *given)
        self.holds = False

    monkeypatch.setattr(hashing.Apart, "_give", lost)
    assert audit(ready("jsonl")).holds
