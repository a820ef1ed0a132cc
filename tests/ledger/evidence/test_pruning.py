"""Old rows go into an archive that is verified first, and what is left goes on from them."""

import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime

import pytest
from tests.ledger.desks import START, FakeClock, Post, json_lines, sqlite
from tests.ledger.evidence.tampering import audit, checkpoint_of, flipped, found, sql, step

from gatewright.ledger import archives, pruning, sources
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.faults import Harm
from gatewright.ledger.verifying import verify

DAY = 86_400
LATER = datetime.fromtimestamp(START + 3650 * DAY, UTC)
OLD = 12  #: rows of November


@pytest.fixture(params=[".parquet", ".jsonl.gz"])
def ending(request, monkeypatch):
    if request.param == ".parquet":
        pytest.importorskip("pyarrow")
    monkeypatch.setattr(archives, "kind_of_archive", lambda: request.param)
    return request.param


@pytest.fixture
def post(tmp_path, check_gate):
    """Six registered checks of November, and two of February."""
    clock = FakeClock()
    post = Post(sqlite(tmp_path, clock), clock, tmp_path, check_gate)
    for number in range(6):
        step(post, 2 * number)
    clock.pass_(90 * DAY)
    for number in range(2):
        step(post, 20 + 2 * number)
    return post


def pruned(post, before=LATER, window=DAY):
    return pruning.prune(post.ledger, before, str(post.folder), window)


def verified(post, *checkpoints):
    with sources.opened(post.ledger) as source:
        return verify(source, checkpoints, archive=str(post.folder))


def numbers(post):
    with sources.opened(post.ledger) as source:
        return [row[0] for row in source.connection.execute("SELECT id FROM rows ORDER BY id")]


def test_rows_of_old_months_go_and_the_rest_is_one_ledger_with_them(post, ending):
    monday = checkpoint_of(post)
    done = pruned(post)
    assert (done.rows, done.held_by) == (OLD, None)
    assert done.archive.endswith(f"-1-{OLD}{ending}")
    assert os.stat(done.archive).st_mode & 0o777 == 0o600
    assert numbers(post) == [13, 14, 15, 16]
    for number in (3, 4):
        assert (audit(post).holds, verified(post).holds) == (True, True)
        assert audit(post).tally.sealed == OLD
        step(post, 20 + 2 * number)
    assert verified(post, monday).checkpoints == ("monday",)
    assert pruned(post).rows == 0


def test_attempts_jobs_and_totals_go_on_from_what_was_taken_out(post, ending):
    pruned(post)
    with post.ledger.reading() as look:
        assert look.of_job("job-2") is not None
        assert look.of_job("job-99") is None
    post.contract.write_text("# Job 0\n")
    assert [row["attempt"] for row in rows_of(post)] == [3, 3]
    post.check()  # of a contract whose two checks were both taken out
    assert rows_of(post)[-1]["attempt"] == 3
    assert audit(post).holds


def rows_of(post):
    return [entry.row.data for entry in post.ledger.rows() if "job_id" not in entry.row.data]


def test_what_is_pruned_again_makes_a_second_archive(post, ending):
    pruned(post)
    post.clock.pass_(90 * DAY)
    step(post, 40)
    assert pruned(post).rows == 4
    assert verified(post).holds
    assert audit(post).tally.sealed == OLD + 4
    assert numbers(post) == [17, 18]


def test_what_is_young_stays(post, ending):
    assert pruned(post, before=datetime.fromtimestamp(START - 40 * DAY, UTC)).rows == 0
    assert pruned(post, window=91 * DAY).rows == 0
    post.clock.pass_(-80 * DAY)
    assert numbers(post) == list(range(1, 17))


def test_a_check_that_waits_stays_with_all_behind_it(tmp_path, check_gate):
    clock = FakeClock()
    post = Post(sqlite(tmp_path, clock), clock, tmp_path, check_gate)
    step(post, 0)
    step(post, 1)  # is not registered
    step(post, 2)
    clock.pass_(90 * DAY)
    post.check()
    done = pruned(post)
    assert (done.rows, done.held_by) == (2, 3)
    assert numbers(post) == [3, 4, 5, 6]
    assert verified(post).holds


def test_the_newest_row_stays_however_old_it_is(post, ending):
    post.clock.pass_(300 * DAY)
    pruned(post)
    assert numbers(post)[-1] == 16
    step(post, 50)
    assert numbers(post)[-2:] == [17, 18]
    assert verified(post).holds


def test_an_archive_that_was_changed_is_found(post, ending):
    done = pruned(post)
    with open(done.archive, "rb") as file:
        data = file.read()
    with open(done.archive, "wb") as file:
        file.write(flipped(data))
    assert [(fault.harm, fault.row) for fault in verified(post).faults] == [(Harm.EDITED, 1)]
    os.unlink(done.archive)
    with pytest.raises(LedgerError, match="--archive"):
        verified(post)
    assert audit(post).holds


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sealed SET head = flipped(head)",
        "UPDATE sealed SET frontier = flipped(frontier)",
        "UPDATE sealed SET last = last - 1",
        "UPDATE sealed SET sums = '{}'",
        "UPDATE sealed_contracts SET nth = nth + 1",
        "DELETE FROM sealed",
        "DELETE FROM rows WHERE id = 13",
    ],
)
def test_what_is_remembered_of_an_archive_cannot_be_changed_unseen(statement, post, ending):
    pruned(post)
    sql(statement)(post)
    assert found(post) != []


def test_a_checkpoint_of_rows_that_were_taken_out_needs_the_archive(post, ending):
    post_size = checkpoint_of(post)
    pruned(post)
    early = type(post_size)(name="early", origin=post_size.origin, size=3, root=b"\0" * 32)
    with pytest.raises(LedgerError, match="--archive"):
        audit(post, early)
    assert [fault.harm for fault in verified(post, early).faults] == [Harm.REWRITTEN]


def test_a_ledger_that_does_not_hold_is_not_pruned(post, ending):
    sql("UPDATE rows SET line = flipped(line) WHERE id = 2")(post)
    with pytest.raises(LedgerError):
        pruned(post)
    assert numbers(post) == list(range(1, 17))


def test_json_lines_are_never_shortened(tmp_path):
    with pytest.raises(LedgerError, match="never shortened"):
        pruning.prune(json_lines(tmp_path, FakeClock()), LATER, str(tmp_path), DAY)


def test_a_pruning_that_is_killed_loses_no_row(post, tmp_path):
    code = (
        "from datetime import datetime, UTC\n"
        "from gatewright.ledger import pruning, sources\n"
        "from gatewright.ledger.sqlite import SqliteLedger\n"
        "from tests.ledger.desks import FakeClock\n"
        f"clock = FakeClock({post.clock.now}, 'boot-1', {post.clock.since_boot})\n"
        "print(1, flush=True)\n"
        f"ledger = SqliteLedger({post.ledger.path!r}, clock)\n"
        f"pruning.prune(ledger, datetime.max.replace(tzinfo=UTC), {str(tmp_path)!r}, 1)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(["engine", "rules", "."])}
    for wait in (0.0, 0.005, 0.02, 0.05, 0.1, 0.2):
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment)
        process.stdout.readline()
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        assert numbers(post) in (list(range(1, 17)), [13, 14, 15, 16])
        assert verified(post).holds
    pruned(post)
    assert numbers(post) == [13, 14, 15, 16]
    assert (verified(post).holds, verified(post).tally.sealed) == (True, OLD)
