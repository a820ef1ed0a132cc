"""What a recorded check leaves behind: one row, and where it was allowed one ticket."""

import hashlib
import json

import pytest
from tests.ledger.desks import CONTRACT, START

from gatewright.ledger.tickets import Ticket

SHA = hashlib.sha256(CONTRACT.encode()).hexdigest()
#: What the row of an allowed check has, and what it may have.
ALWAYS = {
    *("attempt", "completion_channel", "contract_sha", "cost_proxy", "decision", "est_chars", "model", "n_agents"),
    *("reason", "runtime", "tier", "tier_policy_path", "tier_policy_sha256", "ts"),
}


def rows(post):
    """The rows as they are kept, without what the older tool has no key for."""
    return [dict(entry.row.data) for entry in post.ledger.rows()]


def tickets(post):
    with post.ledger.reading() as look:
        return look.tickets()


@pytest.mark.acceptance("C23", "T14", "T03", "T23", "P20", "C13", "T25")
def test_an_allowed_check_leaves_its_row_and_its_ticket(post):
    decision = post.check(agents=3)
    (row,) = rows(post)
    table = hashlib.sha256((post.folder / "tiers.json").read_bytes()).hexdigest()
    assert decision.allow
    assert set(row) - {"policy", "policy_path", "policy_digest", "facts"} == ALWAYS
    assert row["facts"] == {"contract": {"path": str(post.contract), "chars": len(CONTRACT)}, "known_roots": []}
    assert {name: row[name] for name in ALWAYS} == {
        "attempt": 1,
        "completion_channel": "orchestration",
        "contract_sha": SHA,
        "cost_proxy": 3 * len(CONTRACT),
        "decision": "ALLOW",
        "est_chars": len(CONTRACT),
        "model": "gpt-5.5",
        "n_agents": 3,
        "reason": "OK",
        "runtime": "codex",
        "tier": "low",
        "tier_policy_path": str(post.folder / "tiers.json"),
        "tier_policy_sha256": table,
        "ts": START,
    }
    assert tickets(post) == [Ticket(runtime="codex", contract_sha=SHA, issued_ts=START, count=3)]


@pytest.mark.acceptance("C24", "LE-05")
@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"completion_channel": None}, "NO_COMPLETION_CHANNEL"),
        ({"model": None}, "NO_MODEL"),
        ({"agents": 0}, "INVALID_REQUEST"),
        ({"agents": 9}, "TIER_FANOUT_CAP"),
        ({"est_chars": 500_001}, "BUDGET_EXCEEDED"),
        ({"runtime": "fable", "agents": 2}, "ROUTING_VIOLATION"),
        ({"contract": "/nowhere/job.md"}, "CONTRACT_UNREADABLE"),
        ({"runtime": "../x"}, "INVALID_REQUEST"),
    ],
)
def test_a_denial_leaves_its_row_and_no_ticket(post, given, reason):
    decision = post.check(**given)
    (row,) = rows(post)
    assert (decision.reason, row["reason"], row["decision"]) == (reason, reason, "DENY")
    assert "attempt" not in row
    assert tickets(post) == []


@pytest.mark.acceptance("C09")
def test_a_size_that_is_left_out_without_a_channel_is_nothing(post):
    post.check(completion_channel=None)
    assert (rows(post)[0]["est_chars"], rows(post)[0]["cost_proxy"]) == (0, 0)


@pytest.mark.acceptance("C04")
def test_the_cost_is_agents_times_size(post):
    post.check(agents=3, est_chars=3000)
    assert rows(post)[0]["cost_proxy"] == 9000


@pytest.mark.acceptance("P07", "C14", "T14")
def test_warnings_and_an_override_that_was_used_stand_in_the_row(post):
    post.check(model="never-heard-of", agents=9, tier_override="the owner agreed")
    post.check(model="gpt-5.5", tier_override="not needed")
    first, second = rows(post)
    assert (first["warnings"], first["tier_override"]) == (["TIER_UNKNOWN_MODEL"], "the owner agreed")
    assert "warnings" not in second
    assert "tier_override" not in second


@pytest.mark.acceptance("T12", "T13")
def test_attempts_count_the_allowed_checks_of_a_contract(post):
    post.check()
    post.check(agents=9)
    post.check(model="never-heard-of")
    post.contract.write_text("# Another job\n")
    post.check()
    assert [row.get("attempt") for row in rows(post)] == [1, None, 2, 1]


def test_a_newer_check_of_a_contract_replaces_its_ticket(post):
    post.check(agents=2)
    post.clock.pass_(30)
    post.check(agents=3)
    post.check(runtime="claude")
    assert [(each.runtime, each.issued_ts, each.count) for each in tickets(post)] == [
        ("claude", START + 30, 1),
        ("codex", START + 30, 3),
    ]


@pytest.mark.acceptance("T05")
@pytest.mark.parametrize(("seconds", "left"), [(600 + 86_400, 2), (600 + 86_400 + 1, 1)])
def test_a_ticket_is_forgotten_after_its_time_and_the_grace(post, seconds, left):
    post.check()
    post.clock.pass_(seconds)
    post.contract.write_text("# Another job\n")
    post.check()
    assert len(tickets(post)) == left


@pytest.mark.acceptance("T26")
def test_a_row_carries_no_text_of_the_contract_and_nothing_of_the_environment(post, monkeypatch):
    monkeypatch.setenv("SERVICE_TOKEN", "sk-marked-4711")
    post.contract.write_text("# Job\n\nThe password is hunter2.\n")
    post.check(agents=9)
    post.check(labels={"team": "core"}, actor="ann")
    kept = post.kept()
    assert b"core" in kept
    for hidden in (b"hunter2", b"sk-marked-4711"):
        assert hidden not in kept


def test_who_asked_and_under_which_policy_is_kept_too(post):
    post.check(actor="ann", labels={"team": "core"}, tier_override="ok", agents=9)
    (row,) = rows(post)
    assert (row["actor"], row["labels"], row["policy"]) == ("ann", {"team": "core"}, "check")
    assert row["policy_digest"] == post.gate.ref.digest
    assert row["waived"] == [{"by": "ok", "code": "TIER_FANOUT_CAP", "status": "overridden"}]


@pytest.mark.acceptance("LE-09")
def test_a_line_break_in_a_text_makes_no_second_row(post):
    text = 'urgent\nsecond\u2028third | cell\r\n{"decision":"ALLOW"}'
    assert post.check(agents=9, tier_override=text).allow
    assert [row["tier_override"] for row in rows(post)] == [text]
    assert post.reasons(1) == ["TIER_FANOUT_CAP"]


def test_a_row_is_one_line_of_compact_json_with_sorted_keys(post):
    post.check(labels={"ü": "\U0001f600"})
    with post.ledger.reading() as look:
        line, start, length, _ = look.book.kept(1)
        line = look.desk.line(start, length) if line is None else line
    assert line == json.dumps(json.loads(line), sort_keys=True, separators=(",", ":")).encode()
