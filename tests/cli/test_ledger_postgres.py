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


def checked(place, ledger, *more):
    words = [word for word in place.request() if word != "--no-record"]
    return place.run(*words, "--ledger", ledger, *more)


def test_a_ledger_is_made_once_and_the_grants_are_printed(place, ledger):
    made = run(place, ledger, "init", "--role", "checks")
    assert made.code == 0
    first, *grants = made.stdout.splitlines()
    assert first.endswith(": made")
    assert len(grants) == len(FUNCTIONS) + 1
    assert grants[0] == 'GRANT USAGE ON SCHEMA gatewright TO "checks";'
    assert run(place, ledger, "init").stdout.splitlines()[0].endswith(": it is there already")
    assert run(place, ledger, "migrate").stdout.endswith(": schema version 2 is the newest\n")


def test_without_a_schema_a_check_is_denied_and_nothing_is_there_to_migrate(place, ledger):
    denied = checked(place, ledger)
    assert (denied.code, denied.json["reason"]) == (2, "LEDGER_UNAVAILABLE")
    assert "run `gatewright ledger init`" in denied.stderr
    assert run(place, ledger, "migrate").code == 5


def test_a_check_is_recorded_and_the_ledger_holds(place, ledger):
    run(place, ledger, "init")
    for _ in range(3):
        assert checked(place, ledger).code == 0
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


def test_rows_are_shown_as_those_of_other_ledgers_are(place, ledger):
    run(place, ledger, "init")
    assert run(place, ledger, "show").code == 5
    checked(place, ledger, "--actor", "\x1b[2J\u202eevil")
    checked(place, ledger, "--runtime", "fable")
    table = run(place, ledger, "show", "-f", "table")
    assert [line.split()[0] for line in table.stdout.splitlines()[2:]] == ["1", "2"]
    whole = run(place, ledger, "show", "--row", "1", "-f", "table").stdout
    assert '"\\u001b[2J\\u202eevil"' in whole
    found = run(place, ledger, "show", "-n", "1", "--json").json
    assert [(row["id"], row["kind"], row["row"]["runtime"]) for row in found] == [(2, "check", "fable")]
    sha = found[0]["row"]["contract_sha"]
    assert [row["id"] for row in run(place, ledger, "show", "--contract", sha[:6].upper(), "--json").json] == [1, 2]
    assert run(place, ledger, "show", "--contract", "f00d").code == 5
    assert run(place, ledger, "show", "--row", "9").code == 5
    assert run(place, ledger, "show", "--row", "9" * 30, "-n", "9" * 30).code == 5


def test_a_checkpoint_tells_what_the_ledger_alone_does_not(place, ledger):
    run(place, ledger, "init")
    checked(place, ledger)
    assert run(place, ledger, "checkpoint", "--new-key", "gate.key").code == 0
    assert (place.cwd / "gate.key.pub").read_text().startswith("gatewright/")
    assert run(place, ledger, "checkpoint", "--key", "gate.key", "--out", "monday").code == 0
    checked(place, ledger)
    proved = ("verify", "--checkpoint", "monday", "--public-key", "gate.key.pub", "-f", "table")
    assert "agrees with monday" in run(place, ledger, *proved).stdout
    assert run(place, ledger, "verify", "--chain-only", "--json").json["rows"] == 2
    server().run(
        "DELETE FROM gatewright.rows; UPDATE gatewright.accounts SET size=0, head='', frontier='', total=0", "bare"
    )
    assert run(place, ledger, "verify").code == 5
    result = run(place, ledger, *proved)
    assert (result.code, "ROLLED BACK  checkpoint monday is of 1 rows" in result.stdout) == (1, True)
    refused = run(place, ledger, "verify", "--archive", ".")
    assert (refused.code, "leave --archive out" in refused.stderr) == (1, True)
