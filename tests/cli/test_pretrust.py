"""`gatewright pretrust` as a process: what it prints, how it exits, what of the environment it reads."""

import json

import pytest

CONFIG = ".codex/config.toml"


@pytest.fixture
def worktree(place):
    folder = place.cwd / "wt"
    folder.mkdir()
    return str(folder)


def home(place, text="a = 1\n"):
    path = place.home / CONFIG
    path.parent.mkdir()
    path.write_text(text)
    return path


@pytest.mark.acceptance("B01", "B03")
def test_a_relative_path_is_a_failure_with_a_summary(place):
    result = place.run("pretrust", "codex", "./x")
    assert (result.code, result.stdout.splitlines()[-1]) == (
        2,
        "Summary: skipped — 1 of 1: the worktree is no absolute path",
    )


@pytest.mark.acceptance("B03", "B11")
def test_the_last_line_sums_up(place, worktree):
    home(place)
    summaries = [place.run("pretrust", "codex", worktree).stdout.splitlines()[-1] for _ in range(2)]
    assert summaries == [
        "Summary: 1 added, 0 updated, 0 already trusted",
        "Summary: 0 added, 0 updated, 1 already trusted",
    ]


@pytest.mark.acceptance("B04")
@pytest.mark.parametrize("accounts", ["nowhere", "."])
def test_without_an_account_there_is_nothing_to_do(place, worktree, accounts):
    result = place.run("pretrust", "codex", worktree, "--accounts-dir", accounts)
    assert (result.code, result.stdout) == (
        0,
        "no codex account was found: nothing to pre-trust\nSummary: 0 added, 0 updated, 0 already trusted\n",
    )


@pytest.mark.acceptance("B02")
def test_every_account_is_a_line(place, worktree):
    for name in ("a", "b"):
        place.write(f"accounts/{name}/home/config.toml", "")
    result = place.run("pretrust", "codex", worktree, "--accounts-dir", "accounts")
    lines = [line for line in result.stdout.splitlines() if line.startswith("added")]
    assert [line.split()[:3] for line in lines] == [
        ["added", f"accounts/{name}/home/config.toml", worktree] for name in ("a", "b")
    ]


@pytest.mark.acceptance("B17")
def test_variables_name_homes(place, worktree):
    for folder in ("own", "accounts/a/home", "claude"):
        (place.cwd / folder).mkdir(parents=True)
    told = place.run("pretrust", "codex", worktree, "--json", CODEX_HOME="own", CODEX_ACCOUNTS_DIR="accounts").json
    assert [entry["file"] for entry in told["entries"]] == ["accounts/a/home/config.toml", "own/config.toml"]
    told = place.run("pretrust", "claude", worktree, "--json", CLAUDE_CONFIG_DIR="claude").json
    assert [entry["file"] for entry in told["entries"]] == ["claude/.claude.json"]
    told = place.run("pretrust", "cursor", worktree, "--json", CURSOR_PROJECTS_DIR="cursor").json
    assert [entry["status"] for entry in told["entries"]] == ["added"]
    assert [path.name for path in (place.cwd / "cursor").glob("*/*")] == [".workspace-trusted"]


@pytest.mark.acceptance("B14")
def test_an_explicit_refusal_stops_it_and_a_flag_turns_it_around(place, worktree):
    path = home(place, f'[projects."{worktree}"]\ntrust_level = "untrusted"\n')
    result = place.run("pretrust", "codex", worktree)
    assert result.code == 2
    assert f"gatewright: {path}: `{worktree}` is explicitly untrusted (pass --flip-untrusted" in result.stderr
    assert place.run("pretrust", "codex", worktree, "--flip-untrusted").code == 0
    assert path.read_text() == f'[projects."{worktree}"]\ntrust_level = "trusted"\n'


@pytest.mark.acceptance("B20")
@pytest.mark.parametrize("runtime", ["codex", "claude"])
def test_a_dry_run_shows_what_would_be_written_and_revoke_takes_it_back(place, worktree, runtime):
    path, before = (home(place), "a = 1\n") if runtime == "codex" else (place.home / ".claude.json", '{"k":"secret"}')
    path.write_text(before)
    shown = place.run("pretrust", runtime, worktree, "--dry-run").stdout
    assert path.read_text() == before
    added = [line[1:] for line in shown.splitlines() if line.startswith("+") and not line.startswith("+++")]
    place.run("pretrust", runtime, worktree)
    assert all(line in path.read_text() for line in added)
    assert any(worktree in line for line in added)
    result = place.run("pretrust", runtime, worktree, "--revoke")
    assert (result.code, result.stdout.splitlines()[-1]) == (0, "Summary: 1 revoked, 0 not there")
    assert path.read_text() == before


@pytest.mark.acceptance("B20")
def test_a_dry_run_shows_of_a_long_line_only_what_differs(place, worktree):
    (place.home / ".claude.json").write_text(json.dumps({"secret": "s3cr3t" * 50, "projects": {}}))
    shown = place.run("pretrust", "claude", worktree, "--dry-run").stdout
    assert "s3cr3t" not in shown
    assert f'"{worktree}": {{ "hasTrustDialogAccepted": true }}' in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["grok", "/w"], "`grok` is not one of"),
        (["codex"], "missing argument `WORKTREE`"),
        (["claude", "/w", "--accounts-dir", "x"], "`--accounts-dir` says nothing of claude"),
        (["codex", "/w", "--projects-dir", "x"], "`--projects-dir` says nothing of codex"),
        (["cursor", "/w", "--flip-untrusted"], "`--flip-untrusted` says nothing of cursor"),
    ],
)
def test_a_wrong_call_is_told(place, words, said):
    result = place.run("pretrust", *words)
    assert result.code == 64
    assert said in result.stderr


@pytest.mark.acceptance("B12")
@pytest.mark.parametrize("runtime", ["codex", "claude"])
def test_a_damaged_file_is_left_as_it_is(place, worktree, runtime):
    path = home(place) if runtime == "codex" else place.home / ".claude.json"
    path.write_bytes(b"{\xff")
    result = place.run("pretrust", runtime, worktree)
    assert (result.code, path.read_bytes()) == (2, b"{\xff")
    assert result.stdout.splitlines()[-1].startswith("Summary: skipped — 1 of 1: it is no text in UTF-8")
