"""`gatewright ledger` as it is called: what it prints and how it exits."""

import sqlite3

import pytest

from gatewright.ledger.looking import Seen
from gatewright.report import evidence

KINDS = ["ledger.db", "ledger.jsonl"]
HOSTILE = "\x1b[2J\u202eevil"


@pytest.fixture(params=KINDS)
def ledger(request):
    return request.param


def checked(place, ledger, *more):
    words = [word for word in place.request() if word != "--no-record"]
    return place.run(*words, "--ledger", ledger, *more)


def run(place, ledger, *words):
    return place.run("ledger", *words, "--ledger", ledger)


@pytest.mark.parametrize("command", ["verify", "show", "migrate"])
def test_without_a_ledger_there_is_nothing_to_judge(place, ledger, command):
    result = run(place, ledger, command)
    assert (result.stdout, result.code) == ("", 5)
    assert ledger in result.stderr
    assert place.tree() == {}


def test_a_ledger_is_made_once(place, ledger):
    assert run(place, ledger, "init").stdout == f"{ledger}: made\n"
    before = place.tree()
    assert run(place, ledger, "init").stdout == f"{ledger}: it is there already\n"
    assert run(place, ledger, "migrate").stdout == f"{ledger}: schema version 1 is the newest\n"
    assert run(place, ledger, "verify").code == 5
    assert place.tree() == before


def test_a_ledger_that_holds_exits_0_and_one_that_does_not_exits_1_with_the_row(place, ledger):
    for _ in range(3):
        assert checked(place, ledger).code == 0
    result = run(place, ledger, "verify")
    assert result.code == 0
    assert result.stdout.endswith("\nOK  every row is what it was\n")
    book = ledger if ledger.endswith(".db") else f"{ledger}.proof"
    with sqlite3.connect(place.cwd / book) as connection:
        connection.execute("UPDATE rows SET total = 1 WHERE id = 2")
    connection.close()
    result = run(place, ledger, "verify")
    assert result.code == 1
    assert "\nEDITED  row 2: `total` is 1, and the lines give 2\n" in result.stdout
    found = run(place, ledger, "verify", "--json").json
    assert found["faults"] == [
        {"harm": "edited", "row": 2, "line": None, "message": "`total` is 1, and the lines give 2"}
    ]
    assert (found["holds"], found["size"], len(found["root"]), len(found["chain"])) == (False, 3, 44, 44)


def test_rows_are_shown_and_nothing_in_them_draws_on_the_screen(place, ledger):
    checked(place, ledger, "--actor", HOSTILE, "--request-id", "r1")
    checked(place, ledger, "--runtime", "fable")
    table = run(place, ledger, "show", "-f", "table")
    assert [line.split()[0] for line in table.stdout.splitlines()[2:]] == ["1", "2"]
    whole = run(place, ledger, "show", "--row", "1", "-f", "table")
    assert '"\\u001b[2J\\u202eevil"' in whole.stdout
    assert not any(char in table.stdout + whole.stdout for char in HOSTILE[:5:4])
    found = run(place, ledger, "show", "-n", "1", "--json").json
    assert [(row["id"], row["row"]["runtime"]) for row in found] == [(2, "fable")]
    sha = found[0]["row"]["contract_sha"]
    assert len(run(place, ledger, "show", "--contract", sha[:6].upper(), "--json").json) == 2
    assert run(place, ledger, "show", "--contract", "x").code == 64
    assert run(place, ledger, "show", "--row", "9").code == 5


@pytest.mark.parametrize("columns", [70, 79, 80, 100, 120, 200])
def test_a_table_of_rows_fits_its_terminal_and_cuts_no_time_and_no_code(columns):
    row = {"decision": "DENY", "reason": "ORCHESTRATION_UNVERIFIED", "n_agents": 12, "runtime": "codex"}
    row |= {"model": "claude-opus-5", "contract_sha": "ab" * 32, "job_id": "ctx_0123456789ab"}
    seen = Seen(id=12345, at=1_795_953_600.0, kind="registration", taken_up=True, settled_by=None, line=b"", data=row)
    told = evidence.seen_table([seen], width=columns).splitlines()
    assert max(map(len, told[:3])) <= columns
    assert {"12345", "2026-11-29T12:00:00Z", "ORCHESTRATION_UNVERIFIED"} <= set(told[2].split())
    assert (told[-1].endswith("--row NUMBER or --json shows all")) is (columns < 150)


def test_the_group_alone_is_wrong_usage(place):
    result = place.run("ledger")
    assert result.code == 64
    assert place.run("ledger", "verfy").code == 64
    assert "did you mean `verify`?" in place.run("ledger", "verfy").stderr


def test_an_export_goes_into_a_new_file_and_in_again(place, ledger):
    for _ in range(3):
        checked(place, ledger)
    assert run(place, ledger, "export", "--out", "out.jsonl").code == 0
    assert run(place, ledger, "export", "--out", "out.jsonl").code == 1
    lines = (place.cwd / "out.jsonl").read_bytes()
    assert (place.cwd / "out.jsonl").stat().st_mode & 0o777 == 0o600
    assert run(place, ledger, "export").stdout.encode() == lines
    result = run(place, "other.db", "import", "out.jsonl", "-f", "table")
    assert result.stdout == "other.db: 3 rows taken up (3 check)\n"
    assert run(place, "other.db", "export").stdout.encode() == lines
    again = run(place, "other.db", "import", "out.jsonl")
    assert again.code == 1
    assert "--append" in again.stderr


def test_an_import_names_the_lines_that_are_no_rows(place, ledger):
    result = place.run(
        "ledger", "import", "-", "--ledger", ledger, "-f", "table", stdin=b'{"decision":"DENY"}\n\n{to\n[]'
    )
    assert result.stdout.splitlines() == [
        f"{ledger}: 3 rows taken up (1 check, 2 skipped)",
        "no rows, and kept as they are: line 3, 4",
        "left out: 1 empty line",
    ]
    assert place.run("ledger", "import", "missing", "--ledger", ledger).code == 1


def test_a_ledger_is_not_put_behind_itself(place, ledger):
    checked(place, ledger)
    (place.cwd / "link").symlink_to(ledger)
    for name in (ledger, "link"):
        refused = run(place, ledger, "import", name, "--append")
        assert (refused.code, refused.stdout) == (1, "")
        assert f"{name}: it is the ledger itself" in refused.stderr
    assert run(place, ledger, "verify", "--json").json["rows"] == 1


@pytest.mark.parametrize(
    ("words", "said"), [(("--row", "9"), "no row 9 in it"), (("--contract", "f00d"), "no row of contract `f00d` in it")]
)
def test_a_row_that_is_not_there_is_told(place, ledger, words, said):
    checked(place, ledger)
    result = run(place, ledger, "show", *words, "--json")
    assert (result.code, result.json) == (5, [])
    assert said in result.stderr


def test_a_database_is_not_taken_up_as_lines(place, ledger):
    checked(place, "other.db")
    result = run(place, ledger, "import", "other.db")
    assert (result.code, "`gatewright ledger export --ledger other.db`" in result.stderr) == (1, True)
    assert run(place, ledger, "show", "--json").code == 5


@pytest.mark.parametrize("words", [["check"], ["check", "--no-record"], ["ledger", "init"], ["report"]])
def test_a_ledger_that_is_named_by_nothing_is_not_another_one(place, words):
    given = [each for each in place.request() if each not in ("check", "--no-record")] if words[0] == "check" else []
    result = place.run(*words, *given, "--ledger", "")
    assert result.code == (2 if words[0] == "check" else 1)
    assert "the ledger has no name" in result.stderr
    assert not (place.cwd / ".gatewright").exists()


def test_an_orchestrator_that_is_named_by_nothing_is_not_another_one(place):
    result = place.run("tasks", "list", "--orchestrator", "")
    assert (result.code, "there is no orchestrator ``" in result.stderr) == (64, True)


def test_a_key_that_cannot_be_made_whole_leaves_nothing_behind(place, ledger):
    place.write("gate.key.pub", "somebody else's")
    result = run(place, ledger, "checkpoint", "--new-key", "gate.key")
    assert (result.code, "gate.key.pub: it is there already" in result.stderr) == (1, True)
    assert not (place.cwd / "gate.key").exists()
    assert (place.cwd / "gate.key.pub").read_text() == "somebody else's"


def test_a_ledger_that_may_not_be_read_says_so(place, ledger):
    checked(place, ledger)
    (place.cwd / ledger).chmod(0)
    told = place.run("ledger", "show", "--ledger", ledger, held_to_modes=True)
    assert (told.code, f"{ledger}: permission denied" in told.stderr) == (1, True)


def test_a_checkpoint_tells_what_the_ledger_alone_does_not(place, ledger):
    checked(place, ledger)
    assert run(place, ledger, "checkpoint", "--new-key", "gate.key").code == 0
    assert (place.cwd / "gate.key").stat().st_mode & 0o777 == 0o600
    assert run(place, ledger, "checkpoint", "--new-key", "gate.key").code == 1
    assert run(place, ledger, "checkpoint").code == 64
    kept = {path: path.read_bytes() for path in place.cwd.glob("ledger*")}
    checked(place, ledger)
    assert run(place, ledger, "checkpoint", "--key", "gate.key", "--out", "monday").code == 0
    checked(place, ledger)
    proved = ("verify", "--checkpoint", "monday", "--public-key", "gate.key.pub")
    assert "agrees with monday" in run(place, ledger, *proved, "-f", "table").stdout
    for path, data in kept.items():
        path.write_bytes(data)
    assert run(place, ledger, "verify").code == 0
    result = run(place, ledger, *proved)
    assert result.code == 1
    assert "ROLLED BACK  row 2: checkpoint monday is of 2 rows, and the ledger has 1\n" in result.stdout
    assert run(place, ledger, "verify", "--checkpoint", "monday").code == 1


def test_the_doctor_exits_1_for_a_problem_alone(place, ledger):
    checked(place, ledger)
    result = run(place, ledger, "doctor", "-f", "table")
    assert result.code == 0
    assert "rows" in result.stdout
    book = place.cwd / (ledger if ledger.endswith(".db") else f"{ledger}.proof")
    book.write_bytes(b"something else altogether, and long enough")
    assert run(place, ledger, "doctor", "--json").code == 1
    if ledger.endswith(".jsonl"):
        assert run(place, ledger, "adopt").stdout.startswith(f"{ledger}: a new proof was started; the old one is ")
        assert run(place, ledger, "doctor").code == 0


def test_the_doctor_calls_a_problem_what_closes_the_gate_and_nothing_else(place, ledger):
    assert place.run("ledger", "doctor", "--ledger", f"new/folder/{ledger}").code == 0
    assert checked(place, f"new/folder/{ledger}").code == 0
    path = place.cwd / "new" / "folder" / ledger
    path.chmod(0o400)
    told = place.run("ledger", "doctor", "--ledger", str(path), "-f", "table", held_to_modes=True)
    assert (told.code, told.stdout.count("problem"), told.stdout.count("every check is denied")) == (1, 1, 1)
    words = [word for word in place.request() if word != "--no-record"]
    assert place.run(*words, "--ledger", str(path), held_to_modes=True).code == 2


def test_rows_that_are_young_or_in_a_file_of_lines_are_not_pruned(place, ledger):
    checked(place, ledger)
    result = run(place, ledger, "prune", "--before", "2100-01-01")
    if ledger.endswith(".jsonl"):
        assert (result.code, "never shortened" in result.stderr) == (1, True)
    else:
        assert (result.code, result.stdout[:20]) == (5, "no row was taken out")
    assert run(place, ledger, "prune", "--before", "tomorrow").code == 64
    assert run(place, ledger, "verify").code == 0
