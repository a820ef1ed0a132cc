"""A check whose dispatch was not started is closed by a row, and nothing registers it afterwards."""

import pytest
from tests.ledger.desks import FakeClock, Post, json_lines, sqlite
from tests.ledger.evidence.tampering import sql

from gatewright.ledger import sources
from gatewright.ledger.rows import RowKind, row_of
from gatewright.ledger.verifying import verify

SHA = "a1" * 32


def closed(post, sha, runtime="codex"):
    with post.ledger.writing() as session:
        session.append({"ts": session.wall, "kind": "not_started", "contract_sha": sha, "runtime": runtime}, {})


def pending(post, sha):
    with post.ledger.reading() as look:
        return [each.attempt for each in look.pending(sha, None)]


def test_a_closing_row_settles_the_newest_check_of_its_contract_and_no_other(post):
    sha = post.check().contract_sha
    post.check()
    other = post.folder / "other.md"
    other.write_text("# Other\n")
    elsewhere = post.check(contract=str(other)).contract_sha
    closed(post, sha)
    assert (pending(post, sha), pending(post, elsewhere)) == ([1], [1])
    closed(post, sha)
    assert pending(post, sha) == []


def test_a_closing_row_gives_nothing_back(post):
    sha = post.check(agents=8).contract_sha
    closed(post, sha)
    assert post.reasons(1) == ["TIER_FANOUT_CAP"]


@pytest.mark.parametrize("kind", [sqlite, json_lines])
def test_a_closing_row_is_verified_as_what_settles_the_check(kind, tmp_path, check_gate):
    clock = FakeClock()
    post = Post(kind(tmp_path, clock), clock, tmp_path, check_gate)
    closed(post, post.check().contract_sha)
    with sources.opened(post.ledger) as source:
        assert verify(source, ()).holds


def test_a_settlement_that_was_taken_away_from_a_closing_row_is_found(tmp_path, check_gate):
    clock = FakeClock()
    post = Post(sqlite(tmp_path, clock), clock, tmp_path, check_gate)
    closed(post, post.check().contract_sha)
    sql("UPDATE rows SET settled_by = NULL")(post)
    with sources.opened(post.ledger) as source:
        (fault,) = verify(source, ()).faults
    assert (fault.row, "`settled_by` is None" in fault.message) == (1, True)


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ({"kind": "not_started", "contract_sha": SHA}, RowKind.CLOSING),
        ({"kind": "not_started"}, RowKind.AUDIT),
        ({"kind": "not_started", "contract_sha": 7}, RowKind.AUDIT),
        ({"kind": "not_started", "contract_sha": SHA, "job_id": "j"}, RowKind.REGISTRATION),
        ({"kind": "closing", "contract_sha": SHA}, RowKind.AUDIT),
    ],
)
def test_only_a_row_with_a_contract_and_without_a_job_closes(row, kind):
    found = row_of(row)
    assert (found.kind, found.settles) == (kind, kind is RowKind.CLOSING)


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ({"kind": None}, RowKind.CHECK),
        ({"job_id": None}, RowKind.CHECK),
        ({"kind": None, "job_id": None}, RowKind.CHECK),
        ({"kind": None, "job_id": "j"}, RowKind.REGISTRATION),
        ({"kind": "registration", "job_id": None, "decision": "DENY"}, RowKind.REGISTRATION),
        ({"kind": "not_started", "job_id": None}, RowKind.CLOSING),
        ({"kind": "", "job_id": None}, RowKind.AUDIT),
    ],
)
def test_a_kind_or_job_that_is_null_is_as_one_that_is_not_there(more, kind):
    assert row_of({"decision": "ALLOW", "contract_sha": SHA, **more}).kind is kind
