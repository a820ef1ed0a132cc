"""Ledgers as lines: what goes out comes in again, byte for byte, whatever it is kept in."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.ledger.desks import START, FakeClock, json_lines, sqlite
from tests.ledger.evidence.tampering import BOOKS, FOREIGN, ROWS, audit, filled, found

from gatewright.ledger import sources, transfer
from gatewright.ledger.errors import LedgerError

KEEPERS = {"sqlite": sqlite, "jsonl": json_lines}


def quiet(_done, _total):
    pass


def exported(ledger):
    with sources.opened(ledger) as source:
        return list(transfer.lines_of(source, quiet)) if source is not None else []


def taken_in(ledger, lines, *, append=False):
    return transfer.take_in(ledger, lines, append=append, progress=quiet)


@pytest.mark.parametrize("second", KEEPERS)
@pytest.mark.parametrize("first", BOOKS)
def test_a_ledger_that_is_moved_there_and_back_has_the_same_lines(first, second, tmp_path, ready):
    post = ready(first)
    before = exported(post.ledger)
    assert len(before) == ROWS
    for number, kind in enumerate((second, first)):
        folder = tmp_path / str(number)
        folder.mkdir()
        ledger = KEEPERS[kind](folder, post.clock)
        taken_in(ledger, before)
        assert exported(ledger) == before
        with sources.opened(ledger) as source:
            assert source.connection.execute("SELECT count(*) FROM rows WHERE taken_up = 1").fetchone() == (ROWS,)


def test_decisions_are_the_same_lines_in_every_ledger(ready):
    lines = {kind: [line for line in exported(ready(kind).ledger) if b"tmp" not in line] for kind in BOOKS}
    assert lines["sqlite"] == lines["jsonl"]


words = st.sampled_from(["ALLOW", "DENY", "codex", "aa", "\ud800", "é", "\0", "x" * 300, ""])
values = words | st.integers(-5, 2**70) | st.floats() | st.none() | st.booleans() | st.lists(st.integers(), max_size=2)
keys = st.sampled_from(
    ["ts", "decision", "n_agents", "model", "tier", "contract_sha", "runtime", "job_id", "request_id", "kind"]
)
rows = st.dictionaries(keys, values).map(lambda data: json.dumps(data).encode())
checks = st.builds(
    lambda model, sha, agents, ts: json.dumps(
        {"decision": "ALLOW", "model": model, "contract_sha": sha, "n_agents": agents, "ts": ts}
    ).encode(),
    words,
    words,
    st.integers(1, 2**50),
    st.integers(-(10**12), 10**12),
)
hostile = st.lists(rows | checks | st.binary(max_size=40).map(lambda data: data.replace(b"\n", b"")), max_size=12)


@examples(60)
@given(hostile)
@pytest.mark.parametrize("kind", KEEPERS)
def test_hostile_lines_come_out_as_they_went_in_and_the_ledger_holds(kind, tmp_path_factory, lines):
    folder = tmp_path_factory.mktemp("ledger")
    ledger = KEEPERS[kind](folder, FakeClock())
    imported = taken_in(ledger, (line + b"\n" for line in lines))
    kept = [line for line in lines if line.strip(b" \t\r")]
    assert exported(ledger) == kept
    assert (imported.total, imported.empty) == (len(kept), len(lines) - len(kept))
    with sources.opened(ledger) as source:
        assert source is None or not transfer_faults(source)
        ats = source.connection.execute("SELECT max(at) FROM rows").fetchone()[0] if source is not None else None
        assert ats is None or ats <= START


def transfer_faults(source):
    from gatewright.ledger.verifying import verify

    return verify(source).faults


def test_lines_that_are_no_rows_are_counted_and_named(tmp_path):
    lines = [FOREIGN, b"{torn", b"", FOREIGN + FOREIGN, b"[]", b'{"kind":"note","text":"x"}', FOREIGN]
    imported = taken_in(sqlite(tmp_path, FakeClock()), lines)
    assert imported.skipped == [2, 4, 5]
    assert imported.rows == {"check": 2, "skipped": 3, "audit": 1}
    assert imported.empty == 1


@pytest.mark.parametrize("kind", KEEPERS)
def test_rows_are_put_behind_others_only_when_that_is_said(kind, tmp_path, ready):
    post = ready(kind)
    with pytest.raises(LedgerError) as caught:
        taken_in(post.ledger, [FOREIGN])
    assert "--append" in caught.value.hint
    assert len(exported(post.ledger)) == ROWS
    taken_in(post.ledger, [FOREIGN], append=True)
    assert exported(post.ledger)[ROWS:] == [FOREIGN]
    assert found(post) == []
    assert audit(post).tally.unattested == 3
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.endswith(".tmp")) == []


@pytest.mark.parametrize("kind", KEEPERS)
def test_what_was_imported_counts_by_its_own_time(kind, tmp_path, check_gate):
    from tests.ledger.desks import Post

    clock = FakeClock()
    post = Post(KEEPERS[kind](tmp_path, clock), clock, tmp_path, check_gate)
    row = {"decision": "ALLOW", "model": "gpt-5.5", "n_agents": 5, "runtime": "codex", "contract_sha": "aa"}
    times = [START - 86_401, START - 86_400, START + 100_000]
    taken_in(post.ledger, [json.dumps({**row, "ts": ts}).encode() for ts in times[::2]])
    assert post.reasons(4, 3) == ["TIER_FANOUT_CAP", "OK"]
    taken_in(post.ledger, [json.dumps({**row, "ts": times[1], "n_agents": 1}).encode()], append=True)
    assert not post.check(agents=1).allow


@pytest.mark.parametrize("kind", KEEPERS)
def test_an_import_that_is_killed_takes_no_row_with_it(kind, tmp_path, check_gate):
    place = tmp_path / "place"
    place.mkdir()
    post = filled(kind, place, check_gate)
    before = exported(post.ledger)
    lines = [FOREIGN[:-1] + b',"n":%d}' % number for number in range(20_000)]
    (tmp_path / "lines").write_bytes(b"".join(line + b"\n" for line in lines))
    name = post.ledger.path
    code = (
        "import sys; from gatewright.ledger import transfer; from gatewright.ledger.stores import open_ledger\n"
        "print(1, flush=True)\n"
        f"transfer.take_in(open_ledger({name!r}, {str(place / 'tickets')!r}), open({str(tmp_path / 'lines')!r}, 'rb'),"
        " append=True, progress=lambda done, total: None)"
    )
    paths = os.pathsep.join(["engine", "rules", "."])
    for wait in (0.0, 0.1, 0.3, 0.6):
        process = subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": paths}
        )
        process.stdout.readline()
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        post.check()
        after = exported(post.ledger)
        assert after[: len(before)] == before
        new = after[len(before) : -1]
        if kind == "sqlite":  # all or nothing; a file has what came to be written
            assert new in ([], lines)
        assert b"\n".join(lines).startswith(b"\n".join(new))
        assert found(post) == []
        before = after
