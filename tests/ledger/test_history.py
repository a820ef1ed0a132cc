"""Rows read back: those of a span, in the order in which they were written, and nobody waits meanwhile."""

import json
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.ledger.desks import START, FakeClock, json_lines, sqlite
from tests.ledger.test_unavailable import bytes_of, crash_after_commit

from gatewright.ledger import history, jsonl
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.rows import RowKind
from gatewright.ledger.stores import NoLedger


def write(ledger, *times, **more):
    """Write rows with these times of their own, one a step."""
    for ts in times:
        with ledger.writing() as session:
            session.append({"decision": "ALLOW", "model": "m", "n_agents": 1, "ts": ts}, more)


def slice_by(monkeypatch, size):
    """Read so many rows under one lock."""
    for module in (history, jsonl):
        monkeypatch.setattr(module, "SLICE", size)


def times(ledger, *span):
    return [entry.row.data["ts"] for entry in ledger.rows(*span)]


@pytest.mark.parametrize(
    ("span", "found"),
    [
        ((), [10, 20, 30, "?", 15]),
        ((20, None), [20, 30, "?"]),
        ((20.5, None), [30, "?"]),
        ((None, 20), [10, "?", 15]),
        ((10, 30), [10, 20, "?", 15]),
        ((40, 50), ["?"]),
        ((30, 10), ["?"]),
    ],
)
def test_a_span_holds_its_first_moment_and_not_its_last(post, span, found):
    write(post.ledger, 10, 20, 30, "?", 15)
    assert times(post.ledger, *span) == found


def test_times_are_compared_however_they_are_written(post):
    write(post.ledger, "2026-11-29T12:00:00Z", "2026-11-29T13:59:59+02:00", START)
    assert times(post.ledger, START, None) == ["2026-11-29T12:00:00Z", START]


def test_a_row_comes_back_with_all_that_was_recorded(post):
    decision = post.check(actor="ann", agents=2)
    write(post.ledger, START, note="kept beside")
    first, second = post.ledger.rows()
    assert (first.id, first.row.kind, first.taken_up) == (1, RowKind.CHECK, False)
    assert (first.row.agents, first.row.decision, first.row.data["actor"]) == (2, "ALLOW", "ann")
    assert first.row.data["policy_digest"] == decision.policy.digest
    assert (second.id, second.row.data["note"]) == (2, "kept beside")


def test_there_is_nothing_to_read_where_there_is_no_ledger(post):
    assert list(post.ledger.rows()) == []
    assert list(NoLedger().rows()) == []
    assert not [path for path in post.folder.iterdir() if "ledger" in path.name]


def test_reading_changes_no_byte(post):
    post.check()
    before = bytes_of(post.folder)
    assert len(list(post.ledger.rows())) == len(list(post.ledger.rows(START, START + 1))) == 1
    assert bytes_of(post.folder) == before


def test_rows_that_come_while_others_are_read_are_left_out_and_do_not_wait(post, monkeypatch):
    slice_by(monkeypatch, 2)
    write(post.ledger, 1, 2, 3, 4, 5)
    found = []
    for entry in post.ledger.rows():
        found.append(entry.row.ts)
        write(post.ledger, 100)
    assert found == [1, 2, 3, 4, 5]
    assert times(post.ledger) == [1, 2, 3, 4, 5, 100, 100, 100, 100, 100]


def test_what_a_crash_has_left_in_a_log_is_read_too(file_post):
    file_post.check()
    crash_after_commit(file_post)
    before = bytes_of(file_post.folder)
    assert [entry.row.agents for entry in file_post.ledger.rows()] == [1, 2]
    assert bytes_of(file_post.folder) == before


def test_a_ledger_that_is_replaced_meanwhile_is_told(tmp_path, monkeypatch):
    slice_by(monkeypatch, 1)
    other, ledger = sqlite(tmp_path / "other", FakeClock()), sqlite(tmp_path, FakeClock())
    write(other, 1, 2)
    write(ledger, 1, 2)
    reading = ledger.rows()
    next(reading)
    shutil.copy(other.path, ledger.path)
    with pytest.raises(LedgerError, match="replaced"):
        next(reading)


def test_lines_that_are_no_rows_stand_where_they_stand(tmp_path):
    text = '{"decision":"ALLOW","ts":1}\n\n[]\n  \n{"decision":"DENY","ts":9}\n{"deci'
    (tmp_path / "ledger.jsonl").write_text(text)
    ledger = json_lines(tmp_path, FakeClock())
    for span, wanted in [((), [1, 2, 3, 4]), ((9, 10), [2, 3, 4])]:
        found = list(ledger.rows(*span))
        assert [entry.id for entry in found] == wanted
        assert all(entry.taken_up for entry in found)
    assert [(entry.start, entry.row.kind.value) for entry in ledger.rows()] == [
        (0, "check"),
        (29, "skipped"),
        (35, "check"),
        (62, "skipped"),
    ]


def test_who_has_written_a_line_is_known_of_each(tmp_path):
    ledger = json_lines(tmp_path, FakeClock())
    path = tmp_path / "ledger.jsonl"
    path.write_text('{"decision":"ALLOW","ts":1}\n')
    write(ledger, 2, note="kept beside")
    with path.open("a") as file:
        file.write('{"decision":"ALLOW","ts":3}\n')
    found = list(ledger.rows())
    assert [(entry.row.ts, entry.taken_up) for entry in found] == [(1, True), (2, False), (3, True)]
    assert found[1].row.data["note"] == "kept beside"


moments = st.none() | st.integers(0, 30)


@examples(60)
@given(st.lists(moments, max_size=14), moments, moments, st.integers(1, 5))
def test_a_span_is_what_looking_at_each_row_gives(tmp_path_factory, rows, since, until, size):
    folder = tmp_path_factory.mktemp("history")
    (folder / "ledger.jsonl").write_text("".join(json.dumps({"ts": ts, "n": n}) + "\n" for n, ts in enumerate(rows)))
    ledger = sqlite(folder, FakeClock())
    with ledger.writing() as session:
        for number, ts in enumerate(rows):
            session.append({"ts": ts, "n": number}, {})
    low, high = -1 if since is None else since, 99 if until is None else until
    plain = [number for number, ts in enumerate(rows) if ts is None or low <= ts < high]
    with pytest.MonkeyPatch.context() as patch:
        slice_by(patch, size)
        for each in (ledger, json_lines(folder, FakeClock())):
            assert [entry.row.data["n"] for entry in each.rows(since, until)] == plain
