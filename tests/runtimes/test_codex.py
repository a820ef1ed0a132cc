"""Codex: every home, every key, and files that are left as they are."""

import os
import tomllib
from concurrent.futures import ThreadPoolExecutor

import pytest

from gatewright.runtimes.pretrust import codex, spots
from gatewright.runtimes.pretrust.homes import find
from gatewright.runtimes.pretrust.outcomes import TrustError

CONFIG = ".codex/config.toml"
ACCOUNTS = ".local/share/orca/codex-accounts"


def projects(path):
    return {key: entry["trust_level"] for key, entry in tomllib.loads(path.read_text())["projects"].items()}


@pytest.mark.acceptance("B02", "B17")
def test_every_account_and_every_home_is_trusted(desk):
    names = [f"{ACCOUNTS}/{name}/home/config.toml" for name in "ab"]
    names += [".config/orca/codex-runtime-home/home/config.toml", CONFIG]
    files = [desk.write(name, "a = 1\n") for name in names]
    assert [entry.file for entry in desk.pretrust("codex").entries] == [str(file) for file in files]
    assert [projects(file) for file in files] == [{str(desk.worktree): "trusted"}] * 4


@pytest.mark.acceptance("B17")
@pytest.mark.parametrize(
    ("environ", "platform", "accounts"),
    [
        ({}, "linux", ["/h/.local/share/orca", "/h/.config/orca"]),
        ({"XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"}, "linux", ["/d/orca", "/c/orca"]),
        ({}, "darwin", ["/h/Library/Application Support/orca"]),
        ({"ORCA_USER_DATA_PATH": "/o"}, "darwin", ["/o", "/h/Library/Application Support/orca"]),
    ],
)
def test_the_folders_of_an_orchestrator_are_those_of_the_platform(environ, platform, accounts):
    homes = find({"HOME": "/h", **environ}, platform=platform)
    assert homes.codex_accounts == tuple(f"{each}/codex-accounts" for each in accounts)
    assert homes.codex_homes == (*(f"{each}/codex-runtime-home/home" for each in accounts), "/h/.codex")


@pytest.mark.acceptance("B17")
def test_variables_name_more_homes_and_a_flag_for_the_home_beats_them():
    environ = {"HOME": "/h", "CODEX_ACCOUNTS_DIR": "/a", "CODEX_HOME": "/x"}
    assert find(environ, platform="linux").codex_accounts == ("/a",)
    assert find(environ, accounts="/b", platform="linux").codex_accounts == ("/b",)
    assert find(environ, platform="linux").codex_homes[-2:] == ("/x", "/h/.codex")
    assert find(environ, home="/y", platform="linux") == find({}, home="/y", platform="linux")


@pytest.mark.acceptance("B04")
def test_without_a_home_there_is_nothing_to_do(desk):
    outcome = desk.pretrust("codex")
    assert (outcome.entries, outcome.succeeded) == ((), True)
    assert outcome.summary == "Summary: 0 added, 0 updated, 0 already trusted"


def test_two_names_of_one_file_are_one_file(desk):
    file = desk.write(CONFIG, "a = 1\n")
    home = desk.home / ACCOUNTS / "a" / "home"
    home.mkdir(parents=True)
    (home / "config.toml").symlink_to(file)
    assert desk.statuses("codex") == ["added"]
    assert (home / "config.toml").is_symlink()


def test_a_home_without_a_configuration_gets_one_that_only_its_owner_reads(desk):
    (desk.home / ".codex").mkdir()
    assert desk.statuses("codex") == ["added"]
    assert (desk.home / CONFIG).stat().st_mode & 0o777 == 0o600
    assert desk.statuses("codex", revoke=True) == ["revoked"]
    assert os.listdir(desk.home / ".codex") == []


def linked(desk, *, back=None, common="../.."):
    """A repository and a worktree that is linked to it; its root."""
    root = desk.home / "repo"
    folder = root / ".git" / "worktrees" / "wt"
    folder.mkdir(parents=True)
    (desk.worktree / ".git").write_text(f"gitdir: {folder}\n")
    (folder / "commondir").write_text(f"{common}\n")
    (folder / "gitdir").write_text(f"{back or desk.worktree / '.git'}\n")
    return root


@pytest.mark.acceptance("B13")
def test_a_linked_worktree_is_trusted_under_its_own_path_and_that_of_its_repository(desk):
    root, file = linked(desk), desk.write(CONFIG, "a = 1\n")
    outcome = desk.pretrust("codex")
    assert outcome.entries[0].keys == (str(desk.worktree), str(root))
    assert projects(file) == {str(desk.worktree): "trusted", str(root): "trusted"}
    assert desk.statuses("codex", revoke=True) == ["revoked"]
    assert file.read_text() == "a = 1\n"


@pytest.mark.parametrize("mark", ["gitdir: nowhere\n", "something else\n", "gitdir: \x00\n", ""])
def test_a_link_that_leads_nowhere_trusts_the_worktree_alone_and_says_so(desk, mark):
    file = desk.write(CONFIG, "a = 1\n")
    (desk.worktree / ".git").write_text(mark)
    outcome = desk.pretrust("codex")
    assert projects(file) == {str(desk.worktree): "trusted"}
    assert [note.endswith("only the worktree itself is trusted") for note in outcome.notes] == [True]


def test_a_repository_that_does_not_know_the_worktree_is_not_trusted(desk):
    linked(desk, back="/elsewhere/.git")
    file = desk.write(CONFIG, "a = 1\n")
    assert "does not name it back" in desk.pretrust("codex").notes[0]
    assert projects(file) == {str(desk.worktree): "trusted"}


def test_the_folder_around_a_bare_repository_is_not_trusted(desk):
    linked(desk, common="../../../bare.git")
    file = desk.write(CONFIG, "a = 1\n")
    assert desk.pretrust("codex").entries[0].keys == (str(desk.worktree),)
    assert projects(file) == {str(desk.worktree): "trusted"}


@pytest.mark.acceptance("B13")
@pytest.mark.parametrize("spelling", ["{wt}/", "{wt}/.", "{wt}/../wt", "{home}/link", "{home}/link/"])
def test_the_key_is_the_real_path_however_the_worktree_is_named(desk, spelling):
    (desk.home / "link").symlink_to(desk.worktree)
    file = desk.write(CONFIG, "a = 1\n")
    desk.pretrust("codex", spelling.format(wt=desk.worktree, home=desk.home))
    assert projects(file) == {str(desk.worktree): "trusted"}


@pytest.mark.acceptance("B01", "B12")
@pytest.mark.parametrize(
    ("worktree", "problem"),
    [
        ("wt", "the worktree is no absolute path"),
        ("", "the worktree is no absolute path"),
        ("/a\nb", "a path with a line break is not written into a trust file"),
        ("/a\r", "a path with a line break is not written into a trust file"),
        ("/a\u2028b", "a path with a line break is not written into a trust file"),
        ("/a\x00b", "a path holds no NUL character"),
        ("/a\udcff", "the path is no text in UTF-8"),
        (os.devnull, "the worktree is no folder"),
    ],
)
@pytest.mark.parametrize("runtime", ["codex", "cursor", "claude"])
def test_a_worktree_that_no_agent_would_look_up_is_refused(desk, runtime, worktree, problem):
    with pytest.raises(TrustError) as refused:
        desk.pretrust(runtime, worktree)
    assert refused.value.problem == problem


# What a file is kept from.


@pytest.mark.acceptance("B15")
def test_mode_and_link_stay_and_nothing_is_left_beside(desk):
    real = desk.write("dotfiles/codex.toml", "a = 1\n")
    real.chmod(0o640)
    (desk.home / ".codex").mkdir()
    (desk.home / CONFIG).symlink_to("../dotfiles/codex.toml")
    assert desk.statuses("codex") == ["added"]
    assert real.stat().st_mode & 0o777 == 0o640
    assert (desk.home / CONFIG).readlink().as_posix() == "../dotfiles/codex.toml"
    assert os.listdir(real.parent) + os.listdir(desk.home / ".codex") == ["codex.toml", "config.toml"]


def a_folder(path):
    path.mkdir()


def a_loop(path):
    path.symlink_to(path.name)


def a_closed_file(path):
    path.write_text("a = 1\n")
    path.chmod(0o444)


def a_closed_folder(path):
    path.write_text("a = 1\n")
    path.parent.chmod(0o555)


def a_large_file(path):
    path.write_bytes(b"#" * (16 * 1024 * 1024 + 1))


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        (a_folder, "it is a folder"),
        (os.mkfifo, "it is not a plain file"),
        (a_loop, "it is a symbolic link"),
        (a_closed_file, "it is read-only"),
        (a_closed_folder, "its folder is read-only"),
        (a_large_file, "it is larger than 16 MiB"),
    ],
)
def test_what_cannot_be_changed_safely_is_skipped_by_name(desk, kind, problem):
    (desk.home / ".codex").mkdir()
    kind(desk.home / CONFIG)
    (entry,) = desk.pretrust("codex").entries
    (desk.home / ".codex").chmod(0o755)
    assert (entry.status.value, entry.problem) == ("skipped", problem)
    assert os.listdir(desk.home / ".codex") == ["config.toml"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_is_skipped_by_name(desk):
    os.chown(desk.write(CONFIG, "a = 1\n"), 12345, -1)
    (entry,) = desk.pretrust("codex").entries
    assert (entry.status.value, entry.problem) == ("skipped", "it belongs to another user")


@pytest.mark.acceptance("B03")
def test_one_account_that_is_skipped_makes_the_whole_a_failure(desk):
    desk.write(f"{ACCOUNTS}/a/home/config.toml", "a = \n")
    good = desk.write(CONFIG, "a = 1\n")
    outcome = desk.pretrust("codex")
    assert outcome.summary.startswith("Summary: skipped — 1 of 2: it is not valid TOML: ")
    assert not outcome.succeeded
    assert projects(good) == {str(desk.worktree): "trusted"}


def test_many_at_once_lose_nothing(desk):
    file = desk.write(CONFIG, "a = 1\n")
    worktrees = [desk.home / f"wt-{number}" for number in range(12)]
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda worktree: desk.statuses("codex", worktree), worktrees))
    assert found == [["added"]] * 12
    assert sorted(projects(file)) == sorted(map(str, worktrees))


def test_what_another_program_writes_meanwhile_is_not_overwritten(desk, monkeypatch):
    file, place = desk.write(CONFIG, "a = 1\n"), spots._placed

    def late(*given):
        monkeypatch.setattr(spots, "_placed", place)
        file.write_text("b = 2\n")
        return place(*given)

    monkeypatch.setattr(spots, "_placed", late)
    assert desk.statuses("codex") == ["added"]
    assert file.read_text().startswith("b = 2\n\n[projects.")


def test_a_file_that_never_rests_is_left_alone(desk, monkeypatch):
    file, place, count = desk.write(CONFIG, "a = 0\n"), spots._placed, iter(range(1, 100))

    def late(*given):
        file.write_text(f"a = {next(count)}\n")
        return place(*given)

    monkeypatch.setattr(spots, "_placed", late)
    (entry,) = desk.pretrust("codex").entries
    assert (entry.status.value, entry.problem) == ("skipped", "another program keeps changing it")
    assert file.read_text() == "a = 20\n"
    assert os.listdir(file.parent) == ["config.toml"]


@pytest.mark.acceptance("B20")
def test_a_dry_run_writes_nothing(desk):
    file = desk.write(CONFIG, "a = 1\n")
    before = os.stat(file)
    assert desk.statuses("codex", dry_run=True) == ["added"]
    assert os.stat(file) == before
    assert codex.files(find({}, home=str(desk.home), platform="linux")) == [str(file)]
