"""The ledger in PostgreSQL, as far as it differs from the others: its server, its schema, its chains and its texts."""

import hashlib
import struct
import time

import pytest
from tests.ledger.desks import FakeClock, Post
from tests.ledger.postgres import Timed, dump, fresh_database, server
from tests.ledger.test_rows import rows, tickets

from gatewright.ledger import looking, postgres_setup
from gatewright.ledger.chain import Frontier
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.postgres import PostgresLedger
from gatewright.ledger.postgres_link import VERSION


@pytest.fixture
def database():
    """The name of a database with an empty ledger in it."""
    return server() and fresh_database()


@pytest.fixture
def post(database, tmp_path, check_gate):
    clock = FakeClock()
    return Post(Timed(server().url(database), clock), clock, tmp_path, check_gate)


def refusals(post):
    """What checking and looking say; both have to refuse."""
    found = []
    for run in (post.check, post.look):
        with pytest.raises(LedgerError) as caught:
            run()
        found.append(caught.value)
    return found


# -- the schema --------------------------------------------------------------------------------------------------------


def test_a_database_without_a_schema_says_how_to_make_it(post, database):
    server().run(f"CREATE DATABASE {database}_bare")
    post.ledger = PostgresLedger(server().url(f"{database}_bare"))
    for error in refusals(post):
        assert error.hint == "run `gatewright ledger init`"
    assert postgres_setup.init(post.ledger.url) is True
    assert post.reasons(8, 1) == ["OK", "TIER_FANOUT_CAP"]


def test_making_the_schema_again_changes_nothing(post):
    post.check()
    before = dump(post.ledger.url)
    assert postgres_setup.init(post.ledger.url) is False
    assert postgres_setup.migrate(post.ledger.url) == (VERSION, VERSION)
    assert dump(post.ledger.url) == before


@pytest.mark.parametrize(("version", "hint"), [(VERSION + 1, "newer gatewright"), (VERSION - 1, "ledger migrate")])
def test_a_schema_of_another_version_is_refused_with_both_versions(post, database, version, hint):
    server().run(f"UPDATE gatewright.ledger SET version = {version}", database)
    for error in refusals(post):
        assert f"version {version}, and this program knows {VERSION}" in error.problem
        assert hint in error.hint


def test_what_is_newer_is_never_migrated(post, database):
    server().run(f"UPDATE gatewright.ledger SET version = {VERSION + 1}", database)
    for change in (postgres_setup.init, postgres_setup.migrate):
        with pytest.raises(LedgerError, match="newer gatewright"):
            change(post.ledger.url)


def test_a_ledger_of_the_first_version_goes_on_after_it_was_migrated(post, database):
    """The first version had no functions to look at rows with, and settled nothing for starts that failed."""
    post.check()
    server().run("DROP TYPE gatewright.seen CASCADE; UPDATE gatewright.ledger SET version = 1", database)
    given = "registration bigint, of_contract bytea, of_runtime bytea"
    server().run(f"CREATE OR REPLACE FUNCTION gatewright._settle({given}) RETURNS void LANGUAGE sql AS ''", database)
    assert [error.hint for error in refusals(post)] == ["run `gatewright ledger migrate`"] * 2
    kept = dump(post.ledger.url)
    assert postgres_setup.migrate(post.ledger.url) == (1, VERSION)
    assert {name: kept[name] for name in kept if name != "ledger"} == {
        name: rows for name, rows in dump(post.ledger.url).items() if name != "ledger"
    }
    with looking.shelf(post.ledger) as shelf:
        assert [row.data["runtime"] for row in shelf.newest(5)] == ["codex"]
    with post.ledger.writing() as session:
        sha = session.pending("", None)[0].contract_sha
        session.append({"kind": "not_started", "contract_sha": sha, "runtime": "codex"}, {})
        assert session.pending("", None) == []
    server().run(f"CREATE ROLE later_{database} LOGIN; GRANT USAGE ON SCHEMA gatewright TO later_{database}", database)
    later = PostgresLedger(server().url(database, f"later_{database}"))
    with pytest.raises(LedgerError, match="may not do this"), looking.shelf(later):
        pass


def test_a_schema_of_something_else_is_left_alone(database):
    server().run(f"CREATE DATABASE {database}_else")
    server().run("CREATE SCHEMA gatewright CREATE TABLE people (name text)", f"{database}_else")
    with pytest.raises(LedgerError, match="something else"):
        postgres_setup.init(server().url(f"{database}_else"))


def test_a_schema_that_was_made_and_is_empty_is_filled(database):
    server().run(f"CREATE DATABASE {database}_empty")
    server().run("CREATE SCHEMA gatewright", f"{database}_empty")
    assert postgres_setup.init(server().url(f"{database}_empty")) is True


# -- what is kept ------------------------------------------------------------------------------------------------------


def test_a_look_changes_nothing_and_may_change_nothing(post):
    post.check(agents=5)
    before = dump(post.ledger.url)
    assert post.look(agents=3).allow
    assert not post.look(agents=4).allow
    with post.ledger.reading() as look, pytest.raises(LedgerError, match="only reads"):
        look.consume(look.tickets()[0])
    assert dump(post.ledger.url) == before


def test_each_tier_has_a_chain_and_what_has_none_goes_to_the_rest(post):
    for _ in range(5):
        post.check()
    post.check(model="claude-opus-5")
    post.check(agents=9)
    with post.ledger.writing() as session:
        session.append({"job_id": "j", "decision": "DENY", "n": 1}, {})
    found = dump(post.ledger.url)
    sizes = {}
    for _, name, _, _, _, size, head, frontier in found["accounts"]:
        lines = chained(found["rows"], name, found["accounts"])
        sizes[name] = size
        assert len(lines) == size
        tree, link = Frontier(), b""
        for at, line in lines:
            leaf = hashlib.sha256(b"\x00" + line).digest()
            tree.add(leaf)
            link = hashlib.sha256(b"\x01" + link + leaf + struct.pack(">d?", at, False)).digest()
        assert (head, frontier) == (link, tree.stored())
    assert sizes == {b"rest": 1, b"tier:low": 6, b"tier:top": 1}


def chained(rows, name, accounts):
    """Time and line of the rows of a chain, in their order."""
    (chain,) = [account[0] for account in accounts if account[1] == name]
    found = sorted((row[18], row[1], row[16]) for row in rows if row[17] == chain)
    assert [place for place, _, _ in found] == list(range(1, len(found) + 1))
    return [(at, line) for _, at, line in found]


NASTY = [
    "'; DROP TABLE gatewright.rows; --",
    "$$; SELECT 1; $$",
    "a\0b",
    "\ud800 alone",
    "\\x41",
    "%s %(x)s {}",
    "x" * 9000,
]


@pytest.mark.parametrize("text", NASTY, ids=lambda text: ascii(text)[:12])
def test_no_text_of_a_request_is_more_than_a_text(post, text):
    given = {"model": text, "request_id": text, "actor": text, "top_approved": text, "labels": {text: text}}
    assert post.check(**given, agents=9, tier_override=text).allow
    assert post.check(**given, agents=9, tier_override=text).findings[0].code == "REQUEST_REPLAYED"
    assert post.check(runtime=text).reason == "INVALID_REQUEST"
    allowed, denied = rows(post)
    assert {name: allowed[name] for name in given} == given
    assert (allowed["tier_override"], denied["runtime"]) == (text, text)


@pytest.mark.parametrize("text", NASTY, ids=lambda text: ascii(text)[:12])
def test_no_text_of_a_registration_is_more_than_a_text(post, text):
    post.check()
    with post.ledger.writing() as session:
        session.append({"job_id": text, "decision": "ALLOW", "contract_sha": text, "runtime": text}, {"note": text})
    with post.ledger.reading() as look:
        assert look.of_job(text)["job_id"] == text
        assert look.of_job(text + "x") is None
        assert len(look.pending("", None)) == 1
        assert look.pending(text, text) == []


def test_a_tier_of_any_name_is_counted(post):
    for name in ("a'b", "%s", "x" * 5000):
        post.table({"version": 2, "tiers": {name: ["m-1"]}, "fanout_caps": {name: 2}})
        assert post.reasons(2, 1, model="m-1") == ["OK", "TIER_FANOUT_CAP"]


# -- time --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ahead", [-3600.0, 3600.0])
def test_the_clocks_of_the_hosts_make_no_difference(database, tmp_path, check_gate, monkeypatch, ahead):
    server().run(REAL_CLOCK, database)
    post = Post(PostgresLedger(server().url(database)), FakeClock(), tmp_path, check_gate)
    now = time.time()
    post.check(agents=8)
    monkeypatch.setattr(time, "time", lambda: now + ahead)
    assert post.reasons(1) == ["TIER_FANOUT_CAP"]
    assert all(abs(row["ts"] - now) < 60 for row in rows(post))
    assert all(abs(ticket.issued_ts - now) < 60 for ticket in tickets(post))


REAL_CLOCK = """
CREATE OR REPLACE FUNCTION gatewright._wall() RETURNS double precision LANGUAGE sql VOLATILE AS $$
    SELECT extract(epoch FROM clock_timestamp())::double precision
$$;
"""


def test_time_stands_still_while_a_server_clock_that_was_set_back_catches_up(post):
    post.check(agents=8)
    post.clock.set_wall(-3600)
    with post.ledger.reading() as look:
        assert (look.time, look.wall) == (post.clock.now + 3600, post.clock.now)
    post.clock.pass_(86_400)
    assert post.reasons(1) == ["TIER_FANOUT_CAP"]
    post.clock.pass_(3601)
    assert post.reasons(1) == ["OK"]
