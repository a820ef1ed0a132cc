"""The book's sums and chains against the plainest way to compute them."""

import hashlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.ledger.desks import START, FakeClock

from gatewright.ledger.book import Book, Kept
from gatewright.ledger.chain import Frontier, leaf_of
from gatewright.ledger.rows import row_of
from gatewright.ledger.sqlite import empty_book

NAMES = ["model:a", "model:b", "tier:t"]


written = st.tuples(
    st.sampled_from(["a", "B", "t"]),
    st.integers(1, 9),
    st.none() | st.integers(-50, 50),  # None: written now; else taken up, with a time of its own
    st.integers(0, 20),  # seconds that go by before
)


@examples(300)
@given(st.lists(written, max_size=30), st.lists(st.integers(-60, 200), min_size=1, max_size=6))
def test_a_sum_over_a_window_is_what_adding_up_gives(rows, edges):
    clock = FakeClock()
    with empty_book(clock) as first:
        book, counted = first, []
        for name, agents, offset, seconds in rows:
            clock.pass_(seconds)
            book.save()
            again = Book(book.connection, clock)
            ts = clock.now if offset is None else START + offset
            where = {"tier": "T"} if name == "t" else {"model": name}
            row = row_of({"decision": "ALLOW", "n_agents": agents, "ts": ts, **where})
            again.append(row, Kept(taken_up=offset is not None, start=None))
            counted.append((row.account, min(ts, clock.now), agents))
            again.save()
            book = again
        for edge in edges:
            for names in (NAMES[:1], NAMES[1:], NAMES):
                plain = sum(agents for name, at, agents in counted if name in names and at >= START + edge)
                assert book.used(names, START + edge) == plain


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 7, 8, 9, 64, 100])
def test_the_frontier_has_the_root_of_the_whole_tree(size):
    leaves = [leaf_of(b"%d" % number) for number in range(size)]
    frontier = Frontier()
    for leaf in leaves:
        frontier.add(leaf)
        frontier = Frontier(frontier.size, frontier.stored())
    assert frontier.root() == tree_root(leaves)
    assert len(frontier.hashes) == size.bit_count()


@examples(100)
@given(st.lists(st.integers(0, 40), max_size=8))
def test_many_leaves_at_once_make_the_same_tree(counts):
    one_by_one, at_once = Frontier(), Frontier()
    for count in counts:
        leaves = [leaf_of(b"%d" % (one_by_one.size + number)) for number in range(count)]
        at_once.add_all(leaves)
        for leaf in leaves:
            one_by_one.add(leaf)
        assert (at_once.size, at_once.hashes) == (one_by_one.size, one_by_one.hashes)


def tree_root(leaves):
    """The root as RFC 6962 defines it, by splitting at the largest power of two below the size."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b"\x01" + tree_root(leaves[:split]) + tree_root(leaves[split:])).digest()


def test_the_chain_runs_over_every_line():
    clock = FakeClock()
    with empty_book(clock) as book:
        head = b""
        for number in range(5):
            row = row_of({"decision": "DENY", "n": number, "ts": START - number})
            more = f'{{"n":{number}}}' if number % 2 else None
            book.append(row, Kept(start=0, taken_up=number > 2, more=more))
            leaf = hashlib.sha256(b"\x00" + row.line + (b"\n" + more.encode() if more else b"")).digest()
            at = START - number if number > 2 else START
            head = hashlib.sha256(b"\x01" + head + leaf + struct.pack(">d", at) + bytes([number > 2])).digest()
            assert book.head == head


registered = st.tuples(st.sampled_from("xy"), st.sampled_from(["codex", "claude"]), st.booleans())


@examples(200)
@given(st.lists(registered, max_size=25))
def test_a_registration_settles_the_newest_check_of_its_contract_and_of_its_runtime_first(steps):
    with empty_book(FakeClock()) as book:
        waiting: list[tuple[str, str, int]] = []
        for number, (contract, runtime, registers) in enumerate(steps, 1):
            data = {"decision": "ALLOW", "contract_sha": contract, "runtime": runtime, "n_agents": 1}
            book.append(row_of({**data, "job_id": f"j{number}"} if registers else data))
            if not registers:
                waiting.append((contract, runtime, number))
                continue
            fitting = [each for each in waiting if each[0] == contract]
            fitting.sort(key=lambda each: (each[1] == runtime, each[2]))
            if fitting:
                waiting.remove(fitting[-1])
        found = [(row[1], row[2], row[0]) for name in "xy" for row in book.pending(name, None)]
        assert sorted(found) == sorted(waiting)
