"""Whatever is done to a file of JSON lines or its proof is found, and the first row that it was done to is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.ledger.evidence.tampering import FOREIGN, ROWS, audit, filled, flipped, found, lines, sql

from gatewright.ledger.faults import Harm

DELETED, EDITED, INSERTED, MOVED, CUT_OFF = Harm.DELETED, Harm.EDITED, Harm.INSERTED, Harm.MOVED, Harm.CUT_OFF

#: Line 6 is the seventh, since two empty ones stand in between.
LINE_OF = {row: row if row <= 7 else row + 2 for row in range(1, ROWS + 1)}


def at(row):
    return LINE_OF[row] - 1


FILE = {
    "a byte": (lambda all_, i: [*all_[:i], flipped(all_[i]), *all_[i + 1 :]], EDITED),
    "a field of the same length": (lambda all_, i: [*all_[:i], all_[i].replace(b"1", b"2"), *all_[i + 1 :]], EDITED),
    "its last byte": (lambda all_, i: [*all_[:i], all_[i][:-1], *all_[i + 1 :]], EDITED),
    "a blank behind it": (lambda all_, i: [*all_[:i], all_[i] + b" ", *all_[i + 1 :]], EDITED),
    "a return behind it": (lambda all_, i: [*all_[:i], all_[i] + b"\r", *all_[i + 1 :]], EDITED),
    "an empty line before it": (lambda all_, i: [*all_[:i], b"", *all_[i:]], EDITED),
    "a foreign line before it": (lambda all_, i: [*all_[:i], FOREIGN + b" ", *all_[i:]], INSERTED),
    "split in two": (lambda all_, i: [*all_[:i], all_[i][:4], all_[i][4:], *all_[i + 1 :]], EDITED),
    "its file cut off": (lambda all_, i: all_[:i], CUT_OFF),
}


@pytest.mark.parametrize("name", FILE)
def test_a_change_of_a_line_of_the_file_is_found(name, row, tmp_path, ready):
    change, harm = FILE[name]
    post = ready("jsonl")
    lines(lambda all_: change(all_, at(row)))(post)
    assert found(post) == [(harm, row)]
    assert audit(post).faults[0].line == LINE_OF[row] + (name == "an empty line before it")


def test_a_deleted_line_is_found(row, tmp_path, ready):
    post = ready("jsonl")
    lines(lambda all_: [*all_[: at(row)], *all_[at(row) + 1 :]])(post)
    assert found(post) == [(DELETED if row < ROWS else CUT_OFF, row)]


def test_a_doubled_line_is_found(row, tmp_path, ready):
    post = ready("jsonl")
    lines(lambda all_: [*all_[: at(row)], all_[at(row)], *all_[at(row) :]])(post)
    # Behind the last row it is a line that waits to be taken up, as whoever writes to the file may leave one.
    assert found(post) == ([(INSERTED, row + 1)] if row < ROWS else [])
    assert audit(post).tally.waiting == (row == ROWS)


def test_two_lines_that_changed_places_are_found(row, tmp_path, ready):
    post = ready("jsonl")
    other = 9 if row < 9 else 2

    def change(all_):
        all_[at(row)], all_[at(other)] = all_[at(other)], all_[at(row)]
        return all_

    lines(change)(post)
    assert found(post) == [(MOVED, min(row, other))]


def test_a_line_that_came_behind_is_counted_and_no_fault(tmp_path, ready):
    post = ready("jsonl")
    lines(lambda all_: [*all_, FOREIGN, b"", b"{torn"])(post)
    assert audit(post).holds
    assert audit(post).tally.waiting == 2


@examples(120)
@given(st.data())
def test_any_changed_byte_of_the_file_is_found(changed_file, data):
    post, original = changed_file
    place = data.draw(st.integers(0, len(original) - 1))
    new = data.draw(st.sampled_from([b for b in range(256) if b != original[place]]))
    blank = {9, 10, 13, 32}
    if original[place] in blank and new in blank:
        return  # within empty lines, which are no rows
    (post.folder / "ledger.jsonl").write_bytes(original[:place] + bytes([new]) + original[place + 1 :])
    before = original[:place].count(b"\n") + 1
    [fault] = audit(post).faults
    # A line end that is gone makes one line of two, of which the first is the row that is named.
    assert fault.line in (before, before + 1)


@pytest.fixture(scope="module")
def changed_file(tmp_path_factory, check_gate):
    post = filled("jsonl", tmp_path_factory.mktemp("file"), check_gate)
    return post, (post.folder / "ledger.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("statement", "harm"),
    [
        ("UPDATE rows SET more = turned(more, 'somebody', 'everybody') WHERE id = 3", EDITED),
        ("UPDATE rows SET line = x'7b7d' WHERE id = 3", EDITED),
        ("UPDATE rows SET start = start + 1 WHERE id = 3", EDITED),
        ("UPDATE rows SET length = -1 WHERE id = 3", EDITED),
        ("UPDATE rows SET start = NULL WHERE id = 3", EDITED),
        ("DELETE FROM rows WHERE id = 3", DELETED),
    ],
)
def test_a_change_of_the_proof_beside_a_file_is_found(statement, harm, tmp_path, ready):
    post = ready("jsonl")
    sql(statement)(post)
    assert found(post) == [(harm, 3)]


@pytest.mark.parametrize("covered", [0, 10_000_000])
def test_a_proof_that_covers_another_length_is_found(covered, tmp_path, ready):
    post = ready("jsonl")
    sql(f"UPDATE state SET covered = {covered}")(post)
    assert found(post) == [(CUT_OFF, ROWS)]
