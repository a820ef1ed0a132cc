"""What going through a ledger in PostgreSQL finds, whoever has been at its tables."""

import pytest
from tests.ledger.desks import FakeClock, Post
from tests.ledger.postgres import Timed, fresh_database, server

from gatewright.ledger import postgres_verify
from gatewright.ledger.faults import Harm


@pytest.fixture
def post(tmp_path, check_gate, monkeypatch):
    monkeypatch.setattr(postgres_verify, "BATCH", 2)
    clock = FakeClock()
    found = Post(Timed(server().url(fresh_database()), clock), clock, tmp_path, check_gate)
    for _ in range(3):
        clock.pass_(60)
        found.check()
        found.check(model="claude-opus-5")
    found.check(agents=9)
    with found.ledger.writing() as session:
        session.append({"decision": "ALLOW", "n_agents": 2, "model": "m"}, {})
        session.append({"job_id": "j", "decision": "DENY"}, {})
    return found


def audit(post):
    return postgres_verify.verify(post.ledger, lambda _done, _total: None)


def test_what_nobody_has_touched_holds(post):
    found = audit(post)
    assert (found.holds, found.tally.size, found.tally.rows) == (True, 9, 9)
    assert (len(found.tally.root), len(found.tally.head)) == (32, 32)
    assert found.tally.origin.startswith("gatewright/")


def test_two_ledgers_with_other_rows_have_other_roots(post):
    before = audit(post).tally
    post.check()
    after = audit(post).tally
    assert before.root != after.root
    assert before.head != after.head


@pytest.mark.parametrize(
    ("statement", "harm", "row"),
    [
        (
            "UPDATE gatewright.rows SET line = replace(encode(line, 'escape'), 'OK', 'ok')::bytea WHERE id = 3",
            "EDITED",
            3,
        ),
        ("UPDATE gatewright.rows SET at = at - 86400 WHERE id = 3", "EDITED", 3),
        ("UPDATE gatewright.rows SET taken_up = true WHERE id = 1", "EDITED", 1),
        ("UPDATE gatewright.rows SET agents = 0, total = total - 1 WHERE id = 5", "EDITED", 5),
        ("UPDATE gatewright.rows SET account = NULL WHERE id = 5", "EDITED", 5),
        ("UPDATE gatewright.accounts SET total = 0 WHERE name = 'tier:low'", "EDITED", None),
        ("DELETE FROM gatewright.rows WHERE id = 3", "DELETED", 5),
        ("DELETE FROM gatewright.rows WHERE id = 7", "CUT_OFF", None),
        ("UPDATE gatewright.accounts SET size = size + 1 WHERE name = 'rest'", "CUT_OFF", None),
        ("UPDATE gatewright.accounts SET head = 'x' WHERE name = 'rest'", "REWRITTEN", None),
        ("UPDATE gatewright.accounts SET frontier = 'x' WHERE name = 'rest'", "REWRITTEN", None),
    ],
)
def test_what_was_done_to_it_is_found(post, statement, harm, row):
    server().run(statement, database_of(post))
    (fault, *_) = audit(post).faults
    assert (fault.harm, fault.row) == (Harm[harm], row)


def database_of(post):
    """The database that a post's ledger is in."""
    return post.ledger.url.partition("@/")[2].partition("?")[0]
