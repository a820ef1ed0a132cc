"""A request with an id is one request, however often it is sent."""

import pytest
from tests.ledger.test_rows import rows, tickets


def test_a_repeated_request_gets_its_answer_again_and_uses_nothing_up(post):
    first = post.check(agents=5, request_id="r-1", model="never-heard-of")
    post.clock.pass_(60)
    again = post.check(agents=5, request_id="r-1", model="never-heard-of")
    assert (again.allow, again.warnings) == (True, first.warnings)
    assert (again.contract_sha, again.cost_proxy) == (first.contract_sha, first.cost_proxy)
    assert [finding.code for finding in again.findings] == ["REQUEST_REPLAYED", "TIER_UNKNOWN_MODEL"]
    assert len(rows(post)) == 1
    assert [ticket.count for ticket in tickets(post)] == [5]
    assert post.check(agents=3, model="never-heard-of").allow


def test_a_denial_is_given_again_too(post):
    assert post.check(agents=9, request_id="r-1").reason == "TIER_FANOUT_CAP"
    again = post.check(agents=9, request_id="r-1")
    assert (again.allow, again.reasons) == (False, ("TIER_FANOUT_CAP",))
    assert len(rows(post)) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"agents": 2},
        {"model": "claude-opus-5"},
        {"runtime": "claude"},
        {"completion_channel": "sentinel-log"},
        {"est_chars": 7},
        {"tier_override": "hotfix"},
        {"labels": {"project": "pilot"}},
        {"top_approved": "the owner"},
        {"actor": "someone else"},
    ],
    ids=lambda other: next(iter(other)),
)
def test_an_id_that_was_used_for_another_request_is_denied(post, other):
    assert post.check(request_id="r-1").allow
    denied = post.check(request_id="r-1", **other)
    assert denied.reason == "INVALID_REQUEST"
    assert "`r-1`" in denied.denial.message
    assert [row["decision"] for row in rows(post)] == ["ALLOW", "DENY"]
    assert post.check(request_id="r-1").allow


def test_an_id_that_was_used_for_another_contract_is_denied(post):
    assert post.check(request_id="r-1").allow
    post.contract.write_text("# Another job\n")
    assert post.check(request_id="r-1").reason == "INVALID_REQUEST"


def test_a_ticket_that_was_taken_is_not_issued_again(post):
    post.check(request_id="r-1")
    with post.ledger.writing() as session:
        (ticket,) = session.tickets()
        assert session.consume(ticket)
        session.append(
            {"job_id": "j", "decision": "ALLOW", "contract_sha": ticket.contract_sha, "runtime": "codex"}, {}
        )
    assert post.check(request_id="r-1").allow
    assert tickets(post) == []


def test_a_ticket_that_got_lost_before_the_answer_is_issued_as_it_was(post):
    post.check(request_id="r-1", agents=2)
    before = tickets(post)
    with post.ledger.writing() as session:
        session.consume(before[0])
        session.append({"kind": "note"}, {})
    post.clock.pass_(60)
    post.check(request_id="r-1", agents=2)
    assert tickets(post) == before
