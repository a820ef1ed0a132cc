"""`gatewright ledger` on a database: made once with its grants, gone through, brought up to date."""

import pytest
from tests.ledger.postgres import server

from gatewright.ledger.postgres_setup import FUNCTIONS


@pytest.fixture
def ledger():
    """The URL of a database with nothing in it."""
    server().run("DROP DATABASE IF EXISTS bare")
    server().run("CREATE DATABASE bare")
    return server().url("bare")


def run(place, ledger, *words):
    return place.run("ledger", *words, "--ledger", ledger)


def test_a_ledger_is_made_once_and_the_grants_are_printed(place, ledger):
    made = run(place, ledger, "init", "--role", "checks")
    assert made.code == 0
    first, *grants = made.stdout.splitlines()
    assert first.endswith(": made")
    assert len(grants) == len(FUNCTIONS) + 1
    assert grants[0] == 'GRANT USAGE ON SCHEMA gatewright TO "checks";'
    assert run(place, ledger, "init").stdout.splitlines()[0].endswith(": it is there already")
    assert run(place, ledger, "migrate").stdout.endswith(": schema version 1 is the newest\n")


def test_without_a_schema_a_check_is_denied_and_nothing_is_there_to_migrate(place, ledger):
    words = [word for word in place.request() if word != "--no-record"]
    denied = place.run(*words, "--ledger", ledger)
    assert (denied.code, denied.json["reason"]) == (2, "LEDGER_UNAVAILABLE")
    assert "run `gatewright ledger init`" in denied.stderr
    assert run(place, ledger, "migrate").code == 5


def test_a_check_is_recorded_and_the_ledger_holds(place, ledger):
    run(place, ledger, "init")
    words = [word for word in place.request() if word != "--no-record"]
    for _ in range(3):
        assert place.run(*words, "--ledger", ledger).code == 0
    found = run(place, ledger, "verify")
    assert (found.code, found.stdout.splitlines()[-1]) == (0, "OK  every row is what it was")
    lines = run(place, ledger, "export").stdout
    assert lines.count("\n") == 3
    place.write("lines.jsonl", lines)
    assert place.run("ledger", "import", "lines.jsonl", "--ledger", ledger).code == 1
    assert place.run("ledger", "import", "lines.jsonl", "--append", "--ledger", ledger).code == 0
    assert run(place, ledger, "export").stdout == lines * 2
    assert run(place, ledger, "verify").code == 0
    server().run("UPDATE gatewright.rows SET at = at - 1 WHERE id = 2", "bare")
    assert run(place, ledger, "verify").code == 1
