"""What going through a ledger in PostgreSQL finds, whoever has been at its tables."""

import pytest
from tests.ledger.desks import FakeClock, Post
from tests.ledger.postgres import Timed, fresh_database, server

from gatewright.ledger import postgres_verify
from gatewright.ledger.chain import Frontier, head_of, leaf_of, stamp_of
from gatewright.ledger.checkpoints import checkpoint_of, read_checkpoint
from gatewright.ledger.errors import LedgerError
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


def audit(post, *checkpoints, **given):
    return postgres_verify.verify(post.ledger, checkpoints, lambda _done, _total: None, **given)


def checkpoint(post, name="monday"):
    """A checkpoint of what the ledger is now, as it is read back."""
    return read_checkpoint(checkpoint_of(audit(post, chain_only=True).tally).text(), name)


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


# -- checkpoints -------------------------------------------------------------------------------------------------------


def test_a_ledger_that_went_on_agrees_with_all_its_checkpoints(post):
    made = []
    for number, model in enumerate(("gpt-5.5", "gpt-5.5", "claude-opus-5", "brand-new")):
        made.append(checkpoint(post, f"day {number}"))
        post.check(model=model, tier_override="agreed")
    found = audit(post, *made, checkpoint(post))
    assert (found.holds, found.checkpoints) == (True, ("day 0", "day 1", "day 2", "day 3", "monday"))


def test_a_checkpoint_of_no_row_is_agreed_with(post):
    empty = Post(Timed(server().url(fresh_database()), post.clock), post.clock, post.folder, post.gate)
    before = checkpoint(empty)
    assert (before.size, before.ends) == (0, ())
    empty.check()
    assert audit(empty, before).holds


def rechained(post, *statements):
    """Change rows and compute all evidence anew, as the owner of the database can."""
    import psycopg  # of an extra

    with psycopg.connect(post.ledger.url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)
        rows = connection.execute("SELECT id, chain, at, taken_up, line FROM gatewright.rows ORDER BY chain, place")
        ends = {}
        for number, chain, at, taken_up, line in rows.fetchall():
            tree, head = ends.setdefault(chain, (Frontier(), [b""]))
            tree.add(leaf_of(line))
            head[0] = head_of(head[0], leaf_of(line), stamp_of(at, taken_up))
            values = (leaf_of(line), head[0], tree.size, number)
            connection.execute("UPDATE gatewright.rows SET leaf = %s, head = %s, place = %s WHERE id = %s", values)
        connection.execute("UPDATE gatewright.accounts SET head = '', frontier = '', size = 0")
        for chain, (tree, head) in ends.items():
            values = (head[0], tree.stored(), tree.size, chain)
            connection.execute("UPDATE gatewright.accounts SET head=%s, frontier=%s, size=%s WHERE id=%s", values)


@pytest.mark.parametrize(
    ("statement", "harm", "words"),
    [
        ("UPDATE gatewright.rows SET at = at - 1 WHERE id = 3", "REWRITTEN", "the first 4 of the chain of `tier:low`"),
        ("DELETE FROM gatewright.rows WHERE id = 7", "ROLLED_BACK", "monday is of 4 rows in the chain of `tier:low`"),
        ("DELETE FROM gatewright.rows WHERE id = 9", "ROLLED_BACK", "2 rows in the chain of `rest`, which has 1"),
    ],
)
def test_only_a_checkpoint_tells_what_the_owner_has_done(post, statement, harm, words):
    monday = checkpoint(post)
    rechained(post, statement)
    assert audit(post, chain_only=True).holds
    (fault, *_) = audit(post, monday, chain_only=True).faults
    assert fault.harm is Harm[harm]
    assert words in fault.message


def test_a_chain_that_is_gone_with_its_rows_is_told_by_a_checkpoint(post):
    monday = checkpoint(post)
    server().run(
        "DELETE FROM gatewright.rows r USING gatewright.accounts a WHERE r.chain = a.id AND name = 'tier:top'; "
        "DELETE FROM gatewright.accounts WHERE name = 'tier:top'",
        database_of(post),
    )
    assert audit(post).holds
    (fault,) = audit(post, monday).faults
    assert (fault.harm, "3 rows in the chain of `tier:top`, which has 0" in fault.message) == (Harm.ROLLED_BACK, True)


def test_a_checkpoint_of_another_ledger_is_not_agreed_with(post):
    other = Post(Timed(server().url(fresh_database()), post.clock), post.clock, post.folder, post.gate)
    server().run("UPDATE gatewright.ledger SET origin = 'gatewright/other'", database_of(other))
    (fault,) = audit(other, checkpoint(post)).faults
    assert fault.harm is Harm.REWRITTEN
    assert "and this ledger is `gatewright/other`" in fault.message


def test_a_checkpoint_that_does_not_say_where_each_chain_ended_is_refused(post):
    monday = checkpoint(post)
    plain = read_checkpoint("\n".join(monday.text().split("\n")[:3]) + "\n", "plain")
    with pytest.raises(LedgerError, match="where each chain"):
        audit(post, plain)


NAMES = ["low", "a b", "a\nb", "%41", "Ünï", "x" * 300, "\ud800"]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_tier_of_any_name_has_its_line_in_a_checkpoint(post, name):
    with post.ledger.writing() as session:
        session.append({"decision": "DENY", "tier": name}, {})
    monday = checkpoint(post)
    assert len(monday.text().splitlines()) == 4 + len(monday.ends)
    assert f"tier:{name.casefold()}".encode("utf-8", "surrogatepass") in [end.name for end in monday.ends]
    assert audit(post, monday).holds


@pytest.mark.parametrize(
    ("old", "new"),
    [("end 3 ", "end 2 "), ("end 3 ", "end 03 "), ("tier:top", "tier:low"), ("end 3", "end"), ("\n9\n", "\n8\n")],
)
def test_a_checkpoint_whose_lines_do_not_fit_each_other_is_none(post, old, new):
    text = checkpoint_of(audit(post).tally).text()
    assert old in text
    with pytest.raises(LedgerError) as caught:
        read_checkpoint(text.replace(old, new, 1), "monday")
    assert "ledger checkpoint" in caught.value.hint
