"""Looking a ledger in PostgreSQL over: what is said of the server, the schema, and the role."""

import pytest
from tests.ledger.desks import FakeClock
from tests.ledger.postgres import Timed, fresh_database, server

from gatewright.ledger import postgres_setup
from gatewright.ledger.doctor import examine
from gatewright.ledger.postgres import PostgresLedger
from gatewright.ledger.postgres_doctor import way
from gatewright.ledger.symptoms import Mark

OK, WARNING, PROBLEM = Mark.OK, Mark.WARNING, Mark.PROBLEM


@pytest.fixture
def database():
    """The name of a database with an empty ledger in it."""
    return server() and fresh_database()


@pytest.fixture
def role(database):
    """The name of a role that may connect, and no more."""
    server().run(f"CREATE ROLE r_{database} LOGIN; GRANT ALL ON TABLE public.clock TO r_{database}", database)
    return f"r_{database}"


def found(database, user="postgres", clock=None):
    """What is said, by what it is about."""
    clock = clock or FakeClock()
    return {each.about: each for each in examine(Timed(server().url(database, user), clock), clock)}


def marks(symptoms):
    """How well each thing is."""
    return {name: each.mark for name, each in symptoms.items()}


def granted(database, role, *, but=()):
    """Give a role its rights, some left out."""
    server().run(
        "".join(each for each in postgres_setup.grants(role) if not any(name in each for name in but)), database
    )


def test_a_role_with_the_printed_grants_is_as_it_should_be(database, role):
    granted(database, role)
    told = found(database, role)
    good = ("server", "connection", "role", "schema", "rows", "accounts", "tickets", "clock")
    assert marks(told) == {**dict.fromkeys(good, OK), "durability": WARNING}
    assert told["role"].told == f"`{role}` can add rows, and change none"
    assert told["schema"].told == "version 2"
    assert told["rows"].told == "0"
    assert told["durability"].told.startswith("fsync and full_page_writes off")


@pytest.mark.parametrize(
    ("rights", "why"),
    [
        ("ALTER ROLE {} SUPERUSER", "a superuser"),
        ("GRANT postgres TO {}", "an owner of the ledger"),
        ("GRANT DELETE ON gatewright.rows TO {}", "let into its tables"),
    ],
)
def test_who_can_rewrite_rows_is_told_so(database, role, rights, why):
    granted(database, role)
    server().run(rights.format(role), database)
    said = found(database, role)["role"]
    assert (said.mark, said.told) == (WARNING, f"`{role}` is {why}, and can rewrite every row")
    assert "ledger init --role" in said.to_do


def test_a_function_that_may_not_be_called_closes_the_gate(database, role):
    granted(database, role, but=("check_at_once", "consume"))
    said = found(database, role)["rights"]
    assert (said.mark, said.told) == (PROBLEM, f"`{role}` may not call check_at_once, consume")


def test_a_role_without_any_right_is_told_of_all_of_them(database, role):
    told = found(database, role)
    assert marks(told)["rights"] is PROBLEM
    assert all(name in told["rights"].told for name in postgres_setup.FUNCTIONS)
    assert told["ledger"].told == "the role may not do this"


def test_functions_that_are_open_to_everybody_are_told_of(database):
    server().run(
        "GRANT USAGE ON SCHEMA gatewright TO PUBLIC; GRANT EXECUTE ON FUNCTION gatewright.enter TO PUBLIC", database
    )
    said = found(database)["rights"]
    assert (said.mark, said.told) == (WARNING, "1 functions are open to every role of the database")


@pytest.mark.parametrize("version", [1, 3])
def test_a_schema_of_another_version_closes_the_gate(database, version):
    server().run(f"UPDATE gatewright.ledger SET version = {version}", database)
    said = found(database)["ledger"]
    assert (said.mark, said.told) == (PROBLEM, f"it has schema version {version}, and this program knows 2")


def test_a_database_without_a_ledger_says_how_to_make_one(database):
    server().run(f"CREATE DATABASE {database}_bare")
    (said,) = [
        each for each in examine(PostgresLedger(server().url(f"{database}_bare")), FakeClock()) if each.mark is PROBLEM
    ]
    assert (said.about, said.to_do) == ("ledger", "run `gatewright ledger init`")


def test_a_server_that_only_reads_closes_the_gate(database):
    server().run(f"ALTER DATABASE {database} SET default_transaction_read_only = on")
    said = {each.about: each for each in examine(PostgresLedger(server().url(database)), FakeClock())}["writing"]
    assert (said.mark, said.to_do.endswith("every check is denied")) == (PROBLEM, True)


def test_a_server_that_is_not_there_is_told_and_not_raised():
    (said,) = examine(PostgresLedger("postgresql:" + "//ann@127.0.0.1:1/main"), FakeClock())
    assert (said.about, said.mark, "cannot be reached" in said.told) == ("ledger", PROBLEM, True)


def test_a_password_in_the_name_is_warned_of_and_not_shown():
    told = list(examine(PostgresLedger("postgresql:" + "//ann:hunter2@127.0.0.1:1/main"), FakeClock()))
    assert (told[0].about, told[0].mark) == ("URL", WARNING)
    assert "hunter2" not in repr(told)


@pytest.mark.parametrize(
    ("host", "address", "encrypted", "mark", "told"),
    [
        ("/sockets", "", False, OK, "within this machine"),
        ("@abstract", "", False, OK, "within this machine"),
        ("localhost", "127.0.0.1", False, OK, "within this machine"),
        ("second", "127.0.0.2", False, OK, "within this machine"),
        ("::1", "::1", False, OK, "within this machine"),
        ("::ffff:127.0.0.1", "::ffff:127.0.0.1", False, OK, "within this machine"),
        ("localhost", "127.0.0.1", True, OK, "within this machine"),
        ("db.example", "192.0.2.7", True, OK, "encrypted"),
        ("db.example", "2001:db8::7", True, OK, "encrypted"),
        ("db.example", "192.0.2.7", False, WARNING, "not encrypted"),
        ("db.example", "2001:db8::7", False, WARNING, "not encrypted"),
        ("db.example", "::ffff:192.0.2.7", False, WARNING, "not encrypted"),
        ("fe80::7%eth0", "fe80::7%eth0", False, WARNING, "not encrypted"),
        ("localhost", "192.0.2.7", False, WARNING, "not encrypted"),
        ("db.example", "", False, WARNING, "not encrypted"),
    ],
)
def test_a_way_beyond_this_machine_has_to_be_encrypted(host, address, encrypted, mark, told):
    found = way(host, address, encrypted=encrypted)
    assert (found.about, found.mark, found.told) == ("connection", mark, told)
    assert found.to_do == ("add sslmode=verify-full to the URL" if mark is WARNING else "")


def test_clocks_that_do_not_agree_are_told_of(database):
    ahead = FakeClock(wall=FakeClock().now + 90)
    told = {each.about: each for each in examine(Timed(server().url(database), FakeClock()), ahead)}
    assert told["this clock"].told == "the clock of this machine is 90 s ahead of the server's"
