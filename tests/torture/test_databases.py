"""A PostgreSQL server that is killed, and a way to it that is cut, pass no cap and lose nothing that was answered."""

import time

import pytest
from tests.ledger.desks import FakeClock, Post
from tests.ledger.postgres import fresh_database, server
from tests.torture.cutting import cut
from tests.torture.databases import Stepwise, rounds
from tests.torture.stations import gate

from gatewright.ledger import postgres_verify
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.postgres import PostgresLedger
from gatewright.ledger.tickets import Ticket

REAL_CLOCK = """
CREATE OR REPLACE FUNCTION gatewright._wall() RETURNS double precision LANGUAGE sql VOLATILE AS $$
    SELECT extract(epoch FROM clock_timestamp())::double precision
$$
"""


def test_servers_that_are_killed_in_the_middle_of_races_pass_no_cap_and_lose_no_answer():
    figures = rounds(1, seed=3)
    assert figures["faults"] == []
    assert figures["kills"] > 0
    assert figures["answers"] > 0


@pytest.fixture
def post(tmp_path):
    name = server() and fresh_database()
    server().run(REAL_CLOCK, name)
    return Post(PostgresLedger(server().url(name)), FakeClock(), tmp_path, gate())


def settled(post):
    """Wait until the server has done with all that was asked of it."""
    import psycopg  # of an extra

    query = (
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'gatewright' AND datname = current_database()"
    )
    with psycopg.connect(post.ledger.url, autocommit=True) as connection:
        for _ in range(400):
            if connection.execute(query).fetchone() == (0,):
                return
            time.sleep(0.02)
    raise AssertionError("a step does not end")


def requests_kept(post):
    """The request ids of the rows."""
    settled(post)
    return [entry.row.request_id for entry in post.ledger.rows()]


@pytest.mark.parametrize("arrives", [False, True])
@pytest.mark.parametrize("kind", [PostgresLedger, Stepwise])
def test_a_way_that_is_cut_at_any_message_of_a_check_leaves_one_row_or_none_and_says_which(post, kind, arrives):
    direct, wrong, doubts = post.ledger, [], 0
    for at in range(1, 200):
        name = f"r-{at}"
        post.ledger = direct
        before = requests_kept(post)
        with cut(server().folder, at, arrives=arrives) as way:
            post.ledger = kind(direct.url.replace(str(server().folder), str(way.folder)))
            said = asked(post, name)
        post.ledger = direct
        there = name in requests_kept(post)
        doubts += "not known" in said
        if (said == "answered" and not there) or (there and said != "answered" and "not known" not in said):
            wrong.append((at, said, there))
        assert post.check(agents=1, tier_override="agreed", request_id=name).allow
        assert requests_kept(post) == [*before, name]
        if not way.was_cut:
            break
    assert wrong == []
    assert way.was_cut is False
    assert at > 2
    assert doubts > 0
    assert postgres_verify.verify(direct, (), lambda _done, _total: None).holds


def asked(post, name):
    """What a check through the way leads to."""
    try:
        post.check(agents=1, tier_override="agreed", request_id=name)
    except LedgerError as error:
        return error.problem
    return "answered"


@pytest.mark.parametrize("arrives", [False, True])
def test_a_ticket_is_taken_with_its_row_or_not_at_all(post, arrives):
    """As a registration does it: one step that takes the ticket and writes the row."""
    direct = post.ledger
    for at in range(1, 40):
        ticket = Ticket(runtime="codex", contract_sha=f"{at:064x}", issued_ts=1.0, count=1)
        with direct.writing() as session:
            session.issue(ticket)
        with cut(server().folder, at, arrives=arrives) as way:
            ledger = PostgresLedger(direct.url.replace(str(server().folder), str(way.folder)))
            settle(ledger, ticket, f"j-{at}")
        settled(post)
        with direct.reading() as look:
            assert (ticket not in look.tickets()) is (look.of_job(f"j-{at}") is not None)
        if not way.was_cut:
            break
    assert way.was_cut is False


def settle(ledger, ticket, job):
    """Take a ticket and write the registration, as far as the way goes."""
    try:
        with ledger.writing() as session:
            assert session.consume(ticket)
            session.append({"job_id": job, "decision": "ALLOW", "contract_sha": ticket.contract_sha}, {})
    except LedgerError:
        return
