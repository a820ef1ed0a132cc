"""When the server is away, does not answer or lets nobody in: the gate closes, says why, and tells no secret."""

import threading
import time
import traceback

import pytest
from tests.ledger.desks import FakeClock, Post
from tests.ledger.postgres import Timed, another, fresh_database, server
from tests.ledger.test_rows import rows, tickets

from gatewright.ledger import postgres_link, postgres_setup
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.postgres import PostgresLedger
from gatewright.ledger.stores import open_ledger

SECRET = "hunter2-4711"
PG = "postgresql:" + "//"


@pytest.fixture
def database():
    return fresh_database()


@pytest.fixture
def post(database, tmp_path, check_gate):
    clock = FakeClock()
    return Post(Timed(server().url(database), clock), clock, tmp_path, check_gate)


@pytest.fixture
def own(tmp_path, check_gate):
    """A server of the test's own, and a post on it, on the server's real clock."""
    found = another()
    found.run("DROP DATABASE fresh WITH (FORCE)")
    found.run("CREATE DATABASE main")
    postgres_setup.init(found.url("main"))
    yield found, Post(PostgresLedger(found.url("main")), FakeClock(), tmp_path, check_gate)
    if found.running:
        found.stop("QUIT")


def refused(run):
    """What is said when something is refused."""
    with pytest.raises(LedgerError) as caught:
        run()
    return caught.value


def everything_of(error):
    """All that an error carries along: its trace, its values, and the errors behind it with theirs."""
    found = ["".join(traceback.format_exception(error))]
    while error is not None:
        found += [str(error), repr(error), repr(vars(error))]
        pgconn = getattr(error, "pgconn", None)
        found.append(repr(pgconn.password if pgconn is not None else ""))
        error = error.__context__
    return "".join(found)


# -- names and secrets -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "name"),
    [
        (f"{PG}ann:{SECRET}@db.example/main", "postgresql://ann@db.example/main"),
        (
            f"postgres://ann:{SECRET}@db.example:5433,two.example/main",
            "postgres://ann@db.example:5433,two.example/main",
        ),
        (f"{PG}db.example/main?password={SECRET}", "postgresql://db.example/main"),
        (
            f"{PG}/main?user=ann&p%61ssword={SECRET}&host=db.example",
            "postgresql:///main?user=ann&host=db.example",
        ),
        (f"{PG}/main?sslpassword={SECRET}", "postgresql:///main"),
        (f"{PG}ann:a/{SECRET}@db.example/main", "postgresql://ann@db.example/main"),
        (f"{PG}ann:a@{SECRET}@db.example/main", "postgresql://ann@db.example/main"),
        ("postgresql://db.example/main", "postgresql://db.example/main"),
    ],
)
def test_a_ledger_is_named_without_its_password(url, name):
    assert open_ledger(url, "").name == name


@pytest.mark.parametrize(
    "url",
    [
        f"{PG}ann:{SECRET}@nowhere.invalid/main",
        f"{PG}ann:{SECRET}@127.0.0.1:1/main",
        f"{PG}ann:a/{SECRET}@127.0.0.1:1/main",
        f"{PG}ann@127.0.0.1:1/main?password={SECRET}",
        f"{PG}ann:{SECRET}@127.0.0.1:1/main?no_such_setting=1",
        f"{PG}ann:{SECRET}@127.0.0.1:port/main",
        f"{PG}ann:%zz{SECRET}@127.0.0.1:1/main",
    ],
)
def test_no_password_stands_in_what_is_said(url):
    for run in (open_ledger(url, "").reading, open_ledger(url, "").writing):
        error = refused(run().__enter__)
        assert error.hint
        assert SECRET not in everything_of(error)


def test_a_user_with_a_wrong_password_is_not_let_in_and_no_password_is_told(post, database):
    server().run(f"CREATE ROLE named_{database} LOGIN PASSWORD '{SECRET}' IN ROLE named")
    good = server().url(database, f"named_{database}:{SECRET}")
    bad = server().url(database, f"named_{database}:not-{SECRET}")
    server().run("".join(f"{each}\n" for each in postgres_setup.grants(f"named_{database}")), database)
    server().run(f"GRANT ALL ON TABLE public.clock TO named_{database}", database)
    post.ledger = Timed(good, post.clock)
    assert post.reasons(1) == ["OK"]
    post.ledger = Timed(bad, post.clock)
    error = refused(post.check)
    assert "does not let this user in" in error.problem
    assert SECRET not in everything_of(error)


def test_a_server_that_is_away_is_told_of(post):
    post.ledger = PostgresLedger(f"{PG}ann@127.0.0.1:1/main")
    for run in (post.check, post.look):
        error = refused(run)
        assert "cannot be reached" in error.problem
        assert "refused" in error.problem


def test_a_database_that_is_not_there_is_told_of(post):
    post.ledger = PostgresLedger(server().url("no_such_database"))
    assert "no database of this name" in refused(post.check).problem


def test_an_older_server_is_refused(post, monkeypatch):
    monkeypatch.setattr(postgres_link, "OLDEST_SERVER", 99)
    assert "PostgreSQL 99 or newer is needed" in refused(post.check).hint


def test_without_its_driver_it_says_how_to_get_it(post, monkeypatch):
    monkeypatch.setattr(postgres_link, "find_spec", lambda _name: None)
    assert refused(post.check).hint == "pip install 'gatewright[postgres]'"


# -- rights ------------------------------------------------------------------------------------------------------------


def test_a_role_that_may_only_call_functions_checks_and_rewrites_nothing(post, database):
    import psycopg  # of an extra

    role = f"only calls {database}"
    server().run(f'CREATE ROLE "{role}" LOGIN')
    server().run("".join(f"{each}\n" for each in postgres_setup.grants(role)), database)
    server().run(f'GRANT ALL ON TABLE public.clock TO "{role}"', database)
    post.ledger = Timed(server().url(database, role.replace(" ", "%20")), post.clock)
    assert post.reasons(5, 3, 1) == ["OK", "OK", "TIER_FANOUT_CAP"]
    assert post.check(agents=1, request_id="r", tier_override="agreed").allow
    assert post.check(agents=1, request_id="r", tier_override="agreed").allow
    assert len(rows(post)) == 4
    assert len(tickets(post)) == 1
    with psycopg.connect(post.ledger.url, autocommit=True) as connection:
        for statement in REWRITES:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


REWRITES = (
    "DELETE FROM gatewright.rows",
    "UPDATE gatewright.rows SET agents = 0",
    "UPDATE gatewright.accounts SET total = 0",
    "TRUNCATE gatewright.rows",
    "INSERT INTO gatewright.rows SELECT * FROM gatewright.rows",
    "SELECT * FROM gatewright.tickets",
    "CREATE TABLE gatewright.more (id integer)",
    "CREATE OR REPLACE FUNCTION gatewright._wall() RETURNS double precision LANGUAGE sql AS 'SELECT 0.0::float8'",
    "SELECT gatewright._settle(1, '', '')",
    "SELECT gatewright._counted('')",
    "DROP SCHEMA gatewright CASCADE",
)


def test_a_role_without_rights_hears_which_it_needs(post, database):
    server().run(f"CREATE ROLE nobody_{database} LOGIN")
    post.ledger = PostgresLedger(server().url(database, f"nobody_{database}"))
    error = refused(post.check)
    assert "may not do this" in error.problem
    assert "grants" in error.hint


# -- waiting -----------------------------------------------------------------------------------------------------------


def test_a_step_that_never_ends_is_not_waited_for_for_ever(post):
    post.check()
    post.ledger.wait = 2.0
    with PostgresLedger(post.ledger.url).writing() as session:
        assert session.tickets()
        assert "lock" in refused(post.check).problem
        assert post.look().allow
    assert post.reasons(1) == ["OK"]


def test_a_program_that_hangs_in_its_step_keeps_nobody_out(post):
    hung = PostgresLedger(post.ledger.url, wait=1.0)
    step = hung.writing()
    session = step.__enter__()
    assert post.reasons(1) == ["OK"]
    error = refused(session.tickets)
    assert "paused for too long" in error.problem or "lost" in error.problem
    with pytest.raises(LedgerError):
        step.__exit__(None, None, None)


def test_statements_have_a_time_limit(post, database):
    server().run(
        "CREATE OR REPLACE FUNCTION gatewright._wall() RETURNS double precision LANGUAGE sql AS "
        "'SELECT 0.0::float8 FROM pg_sleep(20)'",
        database,
    )
    post.ledger.wait = 0.5
    assert "too long to answer" in refused(post.check).problem


# -- going away --------------------------------------------------------------------------------------------------------


def test_a_server_that_is_killed_in_the_middle_of_a_step_leaves_nothing_of_it(own):
    server, post = own
    post.check(agents=3)

    def step():
        with post.ledger.writing() as session:
            session.append({"decision": "ALLOW", "n_agents": 5, "tier": "low"}, {})
            server.stop("QUIT")
            session.tickets()

    error = refused(step)
    assert "of which nothing remains" in error.problem
    server.start()
    assert len(rows(post)) == 1
    assert post.reasons(5, 1) == ["OK", "TIER_FANOUT_CAP"]


@pytest.mark.parametrize("request_id", ["r-1", None])
def test_a_server_that_is_killed_before_it_answers_is_found_out_by_the_request_id(own, request_id):
    """A standby that never confirms holds the answer back; the row itself is on the disk by then."""
    server, post = own
    post.check()
    server.run("ALTER SYSTEM SET synchronous_standby_names = 'never'")
    server.run("SELECT pg_reload_conf()")
    said = []
    asking = threading.Thread(target=lambda: said.append(refused(lambda: post.check(agents=7, request_id=request_id))))
    asking.start()
    wait_for(server, "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    server.stop("QUIT")
    asking.join()
    assert "whether the step was recorded is not known" in said[0].problem
    assert "request id" in said[0].hint
    with (server.folder / "data" / "postgresql.auto.conf").open("w") as file:
        file.write("")
    server.start()
    again = post.check(agents=7, request_id=request_id)
    assert (again.allow, again.reason) == ((True, "OK") if request_id else (False, "TIER_FANOUT_CAP"))
    assert [row["decision"] for row in rows(post)] == ["ALLOW", "ALLOW"] + ([] if request_id else ["DENY"])


def wait_for(server, query):
    import psycopg  # of an extra

    """Wait until a query answers."""
    for _ in range(200):
        with psycopg.connect(server.url("main")) as connection:
            if connection.execute(query).fetchone() is not None:
                return
        time.sleep(0.05)
    raise AssertionError(query)
