"""Looking a ledger over, and starting a new proof of a file."""

import os
import re
import sqlite3
import stat
from pathlib import Path

import pytest
from tests.ledger.evidence.tampering import BOOKS, ROWS, audit, checkpoint_of, found, lines, sql, step

from gatewright.ledger import adopting, doctor
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.faults import Harm
from gatewright.ledger.rows import RowKind
from gatewright.ledger.symptoms import Mark


def told(post):
    """What was found by what it is about."""
    return {each.about.removeprefix(f"{post.folder}/"): each for each in doctor.examine(post.ledger, post.clock)}


@pytest.mark.parametrize("kind", BOOKS)
def test_a_ledger_in_order_has_no_warning_but_of_the_machine(kind, ready):
    symptoms = told(ready(kind))
    marked = {about for about, each in symptoms.items() if each.mark is not Mark.OK}
    assert marked <= {"SQLite", "free space"}
    assert symptoms["rows"].told == f"{ROWS}, of which 1 could not be read, 2 taken up, 3 not registered"
    assert symptoms["clock"].told == "ledger time is the wall clock's, within 5 s"


@pytest.mark.parametrize("kind", BOOKS)
def test_what_others_may_reach_is_told_with_what_to_do(kind, ready):
    post = ready(kind)
    path = post.folder / post.ledger.path.rsplit("/", 1)[1]
    path.chmod(0o644)
    found = told(post)[path.name]
    assert (found.mark, "mode 644" in found.told, "chmod 600" in found.to_do) == (Mark.WARNING, True, True)


@pytest.mark.parametrize(
    ("name", "mode", "more", "mark", "told", "to_do"),
    [
        ("there", 0o600, 0, Mark.OK, "mode 600, 3 bytes", ""),
        ("there", 0o640, 0, Mark.WARNING, "mode 640, 3 bytes: others may reach it", "chmod 600"),
        ("there", 0o600, 1, Mark.WARNING, "mode 600, 3 bytes, of another user (UID)", "check who writes here"),
        ("none", 0o400, 0, Mark.PROBLEM, "mode 400, 3 bytes: it cannot be read and written", "check its permissions"),
        (
            *("none", 0o600, 1, Mark.PROBLEM),
            "mode 600, 3 bytes, of another user (UID): it cannot be read and written",
            "run this as that user",
        ),
    ],
)
def test_whose_a_file_is_and_who_may_reach_it_is_told(name, mode, more, mark, told, to_do, tmp_path):
    (tmp_path / "there").write_text("abc")
    status = list(os.stat(tmp_path / "there"))
    status[0], status[4] = stat.S_IFREG | mode, os.geteuid() + more
    said = doctor.owned(str(tmp_path / name), os.stat_result(status), "600")
    assert (said.mark, said.told) == (mark, told.replace("UID", str(os.geteuid() + 1)))
    assert said.to_do.startswith(to_do)
    assert said.to_do.endswith("every check is denied") is (mark is Mark.PROBLEM)


@pytest.mark.parametrize("kind", BOOKS)
def test_a_clock_that_was_set_is_told(kind, ready):
    post = ready(kind)
    post.clock.set_wall(-3600)
    assert told(post)["clock"].told == "ledger time is 3,600 s ahead of the wall clock"
    assert told(post)["clock"].mark is Mark.WARNING


def test_leftovers_of_a_crash_are_told(ready):
    post = ready("jsonl")
    for name in ("ledger.jsonl.77.tmp", "tickets/.codex-aa.json.9.tmp"):
        (post.folder / name).write_text("")
    assert [about for about, each in told(post).items() if "left over" in each.told] == [
        "ledger.jsonl.77.tmp",
        "tickets/.codex-aa.json.9.tmp",
    ]
    (post.folder / "ledger.db-wal").write_text("x")
    assert told(ready("sqlite"))["ledger.db-wal"].mark is Mark.WARNING


@pytest.mark.parametrize("kind", BOOKS)
def test_a_ledger_that_cannot_be_used_is_a_problem(kind, ready):
    post = ready(kind)
    sql("PRAGMA user_version = 99")(post)
    assert told(post)["ledger"].mark is Mark.PROBLEM
    assert "99" in told(post)["ledger"].told


def test_a_version_of_sqlite_with_the_fault_is_told(monkeypatch, ready):
    post = ready("sqlite")
    for version, mark in (((3, 51, 2), Mark.WARNING), ((3, 51, 3), Mark.OK), ((3, 7, 0), Mark.WARNING)):
        monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
        assert told(post)["SQLite"].mark is mark


def test_a_new_proof_takes_the_file_as_it_is_and_keeps_the_old_one(ready):
    post = ready("jsonl")
    monday = checkpoint_of(post)
    old = (post.folder / "ledger.jsonl.proof").read_bytes()
    lines(lambda all_: all_[:-2])(post)
    with pytest.raises(LedgerError, match="adopt"):
        post.check()
    kept = adopting.adopt(post.ledger, post.clock.now)
    assert kept == f"{post.folder}/ledger.jsonl.proof.20261129T120056Z"
    assert (post.folder / kept).read_bytes() == old
    assert found(post) == []
    assert (audit(post).tally.size, audit(post).tally.unattested) == (ROWS - 2, ROWS - 2)
    assert found(post, monday) == [(Harm.REWRITTEN, None)]
    step(post, 9)
    assert found(post) == []


def beside(post):
    """Who asked for each row and under which policy, which stands beside a line; rows by the line's own time."""
    return {
        entry.row.ts: {name: entry.row.data.get(name) for name in ("actor", "policy", "policy_digest")}
        for entry in post.ledger.rows()
        if entry.row.kind is RowKind.CHECK
    }


@pytest.mark.parametrize("times", [1, 2])
def test_a_new_proof_has_what_the_old_one_had_beside_each_line_that_is_as_it_was(times, ready):
    post = ready("jsonl")
    before = beside(post)
    lines(lambda all_: [all_[2], *all_[4:]])(post)  # three checks and a registration less, and each line elsewhere
    for _ in range(times):
        adopting.adopt(post.ledger, post.clock.now)
        post.clock.pass_(1)
    after = beside(post)
    assert {each["actor"] for each in after.values()} >= {"somebody 3", "somebody 5", "somebody 7"}
    assert after == {ts: each for ts, each in before.items() if ts in after}
    assert found(post) == []
    assert audit(post).tally.unattested == ROWS - 3


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lines(lambda all_: [each.replace(b"1", b"2") for each in all_]), id="lines"),
        pytest.param(sql('UPDATE rows SET more = \'{"actor":"eve"}\' WHERE more IS NOT NULL'), id="what is beside"),
        pytest.param(sql("UPDATE rows SET more = 7 WHERE more IS NOT NULL"), id="no text"),
        pytest.param(sql("DROP TABLE rows"), id="no rows"),
        pytest.param(sql("PRAGMA user_version = 0"), id="another version"),
    ],
)
def test_what_no_longer_fits_its_line_is_not_taken_over(change, ready):
    post = ready("jsonl")
    change(post)
    adopting.adopt(post.ledger, post.clock.now)
    assert {name for each in beside(post).values() for name in each.values()} == {None}
    assert found(post) == []


def test_a_request_that_has_its_row_gets_no_second_one_under_a_new_proof(ready):
    post = ready("jsonl")
    post.check(agents=1, request_id="r1", actor="ann")
    lines(lambda all_: all_[1:])(post)
    adopting.adopt(post.ledger, post.clock.now)
    post.check(agents=1, request_id="r1", actor="ann")
    assert [entry.row.data.get("actor") for entry in post.ledger.rows() if entry.row.request_id == "r1"] == ["ann"]


def test_a_first_proof_of_the_file_of_something_else(ready):
    post = ready("jsonl")
    (post.folder / "ledger.jsonl.proof").unlink()
    assert adopting.adopt(post.ledger, post.clock.now) is None
    assert audit(post).tally.unattested == ROWS


def test_a_proof_that_a_newer_program_keeps_is_not_put_aside(ready):
    post = ready("jsonl")
    sql("PRAGMA user_version = 99")(post)
    old = (post.folder / "ledger.jsonl.proof").read_bytes()
    with pytest.raises(LedgerError, match="schema version 99"):
        adopting.adopt(post.ledger, post.clock.now)
    assert (post.folder / "ledger.jsonl.proof").read_bytes() == old
    assert not list(post.folder.glob("*.proof.2*"))


def test_a_link_to_a_proof_stays_and_leads_to_the_new_one(ready, tmp_path):
    post = ready("jsonl")
    proof, elsewhere = post.folder / "ledger.jsonl.proof", tmp_path / "elsewhere"
    elsewhere.mkdir()
    old = proof.read_bytes()
    proof.rename(elsewhere / "p")
    proof.symlink_to(elsewhere / "p")
    kept = adopting.adopt(post.ledger, post.clock.now)
    assert (kept, Path(kept).read_bytes()) == (f"{proof}.20261129T120056Z", old)
    assert (proof.is_symlink(), [path.name for path in elsewhere.iterdir()]) == (True, ["p"])
    assert audit(post).tally.unattested == ROWS


@pytest.mark.parametrize("ends", [".adopting", ".adopting-journal", ".adopting.copy"])
def test_what_an_adopting_that_was_stopped_has_left_goes_and_files_of_others_stay(ends, ready):
    post = ready("jsonl")
    for end in (ends, ".old", ".new", ".copy", ".2026Z"):
        (post.folder / f"ledger.jsonl.proof{end}").write_bytes(b"x")
    kept = adopting.adopt(post.ledger, post.clock.now)
    names = {path.name for path in post.folder.glob("ledger.jsonl.proof*")}
    assert names == {
        *("ledger.jsonl.proof", Path(kept).name),
        *(f"ledger.jsonl.proof{end}" for end in (".old", ".new", ".copy", ".2026Z")),
    }


def test_the_second_name_that_somebody_who_was_stopped_gave_the_proof_is_its_name(ready):
    post = ready("jsonl")
    proof = post.folder / "ledger.jsonl.proof"
    (post.folder / "ledger.jsonl.proof.nowhereZ").symlink_to("nowhere")
    os.link(proof, f"{proof}.20261129T100000Z")
    old = proof.read_bytes()
    assert adopting.adopt(post.ledger, post.clock.now) == f"{proof}.20261129T100000Z"
    assert Path(f"{proof}.20261129T100000Z").read_bytes() == old
    assert audit(post).tally.unattested == ROWS


def test_where_files_have_no_second_names_the_old_proof_is_copied(monkeypatch, ready):
    post = ready("jsonl")
    old = (post.folder / "ledger.jsonl.proof").read_bytes()
    monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(PermissionError(1, "no links")))
    kept = adopting.adopt(post.ledger, post.clock.now)
    assert Path(kept).read_bytes() == old
    assert not list(post.folder.glob("*.adopting*"))


@pytest.mark.parametrize("end", [".adopting", ".adopting-wal", ".adopting.copy"])
def test_what_cannot_be_removed_is_named_and_nothing_is_changed(end, ready):
    post = ready("jsonl")
    (post.folder / f"ledger.jsonl.proof{end}").mkdir()
    old = (post.folder / "ledger.jsonl.proof").read_bytes()
    with pytest.raises(LedgerError, match=re.escape(f"proof{end}: it cannot be removed")):
        adopting.adopt(post.ledger, post.clock.now)
    assert (post.folder / "ledger.jsonl.proof").read_bytes() == old


def test_a_kept_proof_of_the_same_second_is_not_written_over(ready):
    post = ready("jsonl")
    adopting.adopt(post.ledger, post.clock.now)
    before = {path.name: path.read_bytes() for path in post.folder.glob("ledger*")}
    with pytest.raises(LedgerError, match="it is there already"):
        adopting.adopt(post.ledger, post.clock.now)
    assert {path.name: path.read_bytes() for path in post.folder.glob("ledger*")} == before


def test_what_has_no_proof_beside_it_is_not_adopted(ready, tmp_path):
    post = ready("sqlite")
    with pytest.raises(LedgerError):
        adopting.adopt(post.ledger, post.clock.now)
    post = ready("jsonl")
    (tmp_path / "ledger.jsonl").unlink()
    with pytest.raises(LedgerError):
        adopting.adopt(post.ledger, post.clock.now)
