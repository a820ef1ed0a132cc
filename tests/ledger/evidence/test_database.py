"""Whatever is done to a ledger behind its back is found, and the first row that it was done to is named."""

import shutil
import sqlite3

import pytest
from tests.ledger.evidence.tampering import (
    BOOKS,
    ROWS,
    audit,
    checkpoint_of,
    found,
    inserted,
    renumbered,
    rewritten,
    sql,
    step,
)

from gatewright.ledger.checkpoints import Checkpoint
from gatewright.ledger.faults import Harm

DELETED, EDITED, INSERTED, MOVED, CUT_OFF = Harm.DELETED, Harm.EDITED, Harm.INSERTED, Harm.MOVED, Harm.CUT_OFF
REWRITTEN, ROLLED_BACK = Harm.REWRITTEN, Harm.ROLLED_BACK


@pytest.mark.parametrize("kind", BOOKS)
def test_a_ledger_that_nobody_touched_holds(kind, tmp_path, ready):
    post = ready(kind)
    audited = audit(post, checkpoint_of(post))
    assert audited.holds
    assert audited.checkpoints == ("monday",)
    assert (audited.tally.size, audited.tally.rows) == (ROWS, ROWS)
    assert (audited.tally.unattested, audited.tally.skipped, audited.tally.waiting) == (2, 1, 0)


@pytest.mark.parametrize("kind", BOOKS)
def test_verifying_leaves_every_byte_as_it_was(kind, tmp_path, ready):
    post = ready(kind)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert audit(post).holds
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


# -- the database ------------------------------------------------------------------------------------------------------

SQLITE = {
    "a byte of a line": (["UPDATE rows SET line = flipped(line) WHERE id = {0}"], EDITED, 0),
    "a line and its leaf": (
        ["UPDATE rows SET line = flipped(line), leaf = leaf(flipped(line)) WHERE id = {0}"],
        EDITED,
        0,
    ),
    "the kind of a value": (["UPDATE rows SET line = CAST(line AS TEXT) WHERE id = {0}"], EDITED, 0),
    "ledger time": (["UPDATE rows SET at = at - 100000 WHERE id = {0}"], EDITED, 0),
    "who wrote it": (["UPDATE rows SET taken_up = 1 - taken_up WHERE id = {0}"], EDITED, 0),
    "who wrote it, in another way": (["UPDATE rows SET taken_up = taken_up + 2 WHERE id = {0}"], EDITED, 0),
    "its leaf": (["UPDATE rows SET leaf = flipped(leaf) WHERE id = {0}"], EDITED, 0),
    "its head": (["UPDATE rows SET head = flipped(head) WHERE id = {0}"], EDITED, 0),
    "something beside it": (["UPDATE rows SET more = '{{}}' WHERE id = {0}"], EDITED, 0),
    "put before": (
        [renumbered("({0} - 1)", 1), inserted("'new', 'j'", "flipped(line)", "leaf(flipped(line)), flipped(head)")],
        INSERTED,
        0,
    ),
    "a copy put before": (
        [renumbered("({0} - 1)", 1), inserted("request_id, job_id", "line", "leaf, head")],
        INSERTED,
        1,
    ),
}


@pytest.mark.parametrize("name", SQLITE)
def test_a_change_of_a_row_of_the_database_is_found(name, row, tmp_path, ready):
    statements, harm, further = SQLITE[name]
    post = ready("sqlite")
    sql(*(part.format(row) for statement in statements for part in statement.split(";")))(post)
    assert found(post) == [(harm, row + further)]


@pytest.mark.parametrize("renumber", [False, True])
@pytest.mark.parametrize("sized", [False, True])
def test_a_deleted_row_of_the_database_is_found(row, renumber, sized, tmp_path, ready):
    post = ready("sqlite")
    statements = [f"DELETE FROM rows WHERE id = {row}"]
    statements += renumbered(row, -1).split(";") if renumber else []
    statements += [f"UPDATE state SET size = {ROWS - 1}"] if sized else []
    sql(*statements)(post)
    if row == ROWS:
        assert found(post) == [(REWRITTEN, None) if sized else (CUT_OFF, ROWS)]
    else:
        # Where the size was set too, a row that does not follow the one before it might as well have been edited.
        assert found(post) == [(EDITED if renumber and sized else DELETED, row)]


@pytest.mark.parametrize("what", ["rows", "lines", "lines and leaves"])
def test_two_rows_of_the_database_that_changed_places_are_found(what, row, tmp_path, ready):
    post = ready("sqlite")
    other = row + 1 if row < ROWS else 3
    if what == "rows":
        statements = [f"UPDATE rows SET id = -id WHERE id IN ({row}, {other})"]
        statements.append(f"UPDATE rows SET id = {row} + {other} + id WHERE id < 0")
    else:
        both = "line" if what == "lines" else "line, leaf"
        statements = [f"CREATE TABLE held AS SELECT * FROM rows WHERE id IN ({row}, {other})"]
        for one, two in ((row, other), (other, row)):
            statements.append(f"UPDATE rows SET ({both}) = (SELECT {both} FROM held WHERE id = {two}) WHERE id = {one}")
        statements.append("DROP TABLE held")
    sql(*statements)(post)
    assert found(post) == [(MOVED, min(row, other))]


def test_a_row_behind_the_last_is_found(tmp_path, ready):
    post = ready("sqlite")
    sql("INSERT INTO rows (at, kind, line, leaf, head) VALUES (1, 'check', x'7b7d', leaf(x'7b7d'), x'00')")(post)
    assert found(post) == [(INSERTED, ROWS + 1)]


@pytest.mark.parametrize(
    ("statement", "harm", "row"),
    [
        ("UPDATE state SET head = flipped(head)", REWRITTEN, None),
        ("UPDATE state SET frontier = flipped(frontier)", REWRITTEN, None),
        ("UPDATE state SET time = time - 100000", EDITED, ROWS),
        ("UPDATE state SET time = NULL", EDITED, ROWS),
        ("UPDATE state SET size = size + 1", CUT_OFF, ROWS + 1),
    ],
)
@pytest.mark.parametrize("kind", BOOKS)
def test_a_change_of_the_whole_is_found(kind, statement, harm, row, tmp_path, ready):
    post = ready(kind)
    sql(statement)(post)
    assert found(post) == [(harm, row)]


BOOKED = {
    "total": "UPDATE rows SET total = total - 1 WHERE id = {}",
    "agents": "UPDATE rows SET agents = agents + 1 WHERE id = {}",
    "account": "UPDATE rows SET account = NULL, total = NULL WHERE id = {}",
    "decision": "UPDATE rows SET decision = 'DENY' WHERE id = {}",
    "reason": "UPDATE rows SET reason = 'x' WHERE id = {}",
    "kind": "UPDATE rows SET kind = 'audit' WHERE id = {}",
    "ts": "UPDATE rows SET ts = ts - 1 WHERE id = {}",
    "contract": "UPDATE rows SET contract = 'ff' WHERE id = {}",
    "runtime": "UPDATE rows SET runtime = 'claude' WHERE id = {}",
    "request_id": "UPDATE rows SET request_id = 'r' WHERE id = {}",
    "job_id": "UPDATE rows SET job_id = 'j' WHERE id = {}",
    "nth": "UPDATE rows SET nth = nth + 1 WHERE id = {}",
    "nth, taken away": "UPDATE rows SET nth = NULL WHERE id = {}",
    "settled_by": "UPDATE rows SET settled_by = CASE WHEN settled_by IS NULL THEN 2 END WHERE id = {}",
}


@pytest.mark.parametrize("kind", BOOKS)
@pytest.mark.parametrize("name", BOOKED)
@pytest.mark.parametrize("row", [1, 3, 9, 11])  # allowed checks
def test_what_was_booked_of_a_row_is_compared_with_its_line(kind, name, row, tmp_path, ready):
    post = ready(kind)
    sql(BOOKED[name].format(row))(post)
    assert found(post) == [(EDITED, row)]
    assert f"`{name.split(',')[0]}`" in audit(post).faults[0].message
    assert audit(post, chain_only=True).holds


@pytest.mark.parametrize("kind", BOOKS)
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE accounts SET total = total - 1",
        "UPDATE accounts SET newest = newest - 1",
        "UPDATE accounts SET muddled = 1",
        "INSERT INTO accounts (name, total, newest) VALUES ('tier:new', 1, 1)",
        "UPDATE rows SET settled_by = 1 WHERE kind = 'registration'",
    ],
)
def test_accounts_are_compared_with_their_rows(kind, statement, tmp_path, ready):
    post = ready(kind)
    sql(statement)(post)
    assert [harm for harm, _ in found(post)] == [EDITED]


def test_a_broken_database_is_told_by_sqlite(tmp_path, ready):
    post = ready("sqlite")
    connection = sqlite3.connect(post.ledger.path)
    (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'rows_of_job'").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    with open(post.ledger.path, "r+b") as file:
        file.seek((page - 1) * size + size // 2)
        file.write(b"\xff" * (size // 2))
    assert [harm for harm, _ in found(post)] == [Harm.DAMAGED]


# -- what only a checkpoint tells --------------------------------------------------------------------------------------


def test_a_ledger_that_was_rewritten_with_its_evidence_is_told_by_a_checkpoint_alone(tmp_path, ready):
    post = ready("sqlite")
    monday = checkpoint_of(post)
    step(post, 8)
    tuesday = checkpoint_of(post, "tuesday")
    assert found(post, monday, tuesday) == []
    rewritten(ROWS + 1)(post)
    assert found(post) == []
    assert found(post, monday) == []
    assert found(post, tuesday, monday) == [(REWRITTEN, ROWS + 2)]
    rewritten(2)(post)
    assert found(post, tuesday, monday) == [(REWRITTEN, ROWS)]


@pytest.mark.parametrize("kind", BOOKS)
def test_an_old_backup_put_back_is_told_by_a_checkpoint_alone(kind, tmp_path, ready):
    post = ready(kind)
    kept = tmp_path / "kept"
    kept.mkdir()
    files = list(tmp_path.glob("ledger.*"))
    for path in files:
        shutil.copy(path, kept)
    step(post, 8)
    monday = checkpoint_of(post)
    for path in files:
        shutil.copy(kept / path.name, path)
    assert found(post) == []
    assert found(post, monday) == [(ROLLED_BACK, ROWS + 1)]


def test_an_old_backup_of_the_file_alone_is_told_by_its_proof(tmp_path, ready):
    post = ready("jsonl")
    old = (tmp_path / "ledger.jsonl").read_bytes()
    step(post, 9)
    (tmp_path / "ledger.jsonl").write_bytes(old)
    assert found(post) == [(CUT_OFF, ROWS + 1)]


def test_a_fork_that_grew_past_a_checkpoint_is_told_by_it(tmp_path, ready):
    post = ready("sqlite")
    shutil.copy(tmp_path / "ledger.db", tmp_path / "fork.db")
    step(post, 8)
    monday = checkpoint_of(post)
    shutil.copy(tmp_path / "fork.db", tmp_path / "ledger.db")
    post.clock.pass_(1)
    step(post, 8)
    step(post, 9)
    assert found(post) == []
    assert found(post, monday) == [(REWRITTEN, monday.size)]


def test_a_checkpoint_of_another_ledger_does_not_agree(tmp_path, ready):
    post = ready("sqlite")
    other = Checkpoint(name="x", origin="gatewright/other", size=1, root=b"\0" * 32)
    assert found(post, other) == [(REWRITTEN, None)]
    assert "gatewright/other" in audit(post, other).faults[0].message


def test_going_on_does_not_wait_for_who_verifies(tmp_path, ready):
    from gatewright.ledger import sources
    from gatewright.ledger.verifying import verify

    for kind in BOOKS:
        post = ready(kind)
        with sources.opened(post.ledger) as source:
            step(post, 9)
            audited = verify(source)
        assert audited.holds
        assert audited.tally.size == ROWS
        assert audit(post).tally.size == ROWS + 1
        assert audited.tally.origin == audit(post).tally.origin
