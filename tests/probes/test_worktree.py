"""What has become of a worktree: everything that differs from the base is found, and nothing there is run."""

import os

import pytest
from tests.probes.worktrees import ENVIRON, commit, git, put, repository

from gatewright.probes.worktree import leads_out, look_over


@pytest.fixture
def work(tmp_path):
    return repository(tmp_path)


def looked(work, base="main"):
    found = look_over(str(work), base, ENVIRON)
    assert found.problem is None
    return found


def test_nothing_done_is_nothing_changed(work):
    found = looked(work)
    assert (found.changed, found.commits, found.pushed, found.branch, found.follows) == ((), 0, 0, "job/17", True)


@pytest.mark.parametrize("base", ["main", None])
def test_files_count_whether_committed_staged_changed_or_never_added(work, base):
    put(work, "src/committed.py")
    commit(work)
    put(work, "src/staged.py")
    git(work, "add", "src/staged.py")
    put(work, "src/a.py", "changed\n")
    put(work, "docs/untracked.md")
    (work / "src" / "b.py").unlink()
    found = looked(work, base)
    assert found.changed == ("docs/untracked.md", "src/a.py", "src/b.py", "src/committed.py", "src/staged.py")
    assert found.commits == 1


def test_a_rename_is_a_path_that_is_gone_and_one_that_is_new(work):
    git(work, "mv", "src/a.py", "moved.py")
    commit(work)
    assert looked(work).changed == ("moved.py", "src/a.py")


def test_what_was_committed_and_taken_back_has_been_changed(work):
    put(work, "secret.txt")
    commit(work)
    git(work, "rm", "-q", "secret.txt")
    commit(work)
    found = looked(work)
    assert (found.changed, found.commits) == (("secret.txt",), 2)


def test_what_is_staged_and_taken_back_in_the_files_has_been_changed(work):
    put(work, "src/a.py", "staged\n")
    git(work, "add", "src/a.py")
    put(work, "src/a.py", "src/a.py\n")
    assert looked(work).changed == ("src/a.py",)


def test_a_mode_is_a_change_even_where_git_is_told_to_mind_none(work):
    git(work, "config", "core.fileMode", "false")
    os.chmod(work / "src" / "a.py", 0o755)
    assert looked(work).changed == ("src/a.py",)


@pytest.mark.parametrize("mark", ["--assume-unchanged", "--skip-worktree"])
def test_no_mark_in_the_index_hides_a_change(work, mark):
    git(work, "update-index", mark, "src/a.py")
    put(work, "src/a.py", "changed\n")
    assert looked(work).changed == ("src/a.py",)


@pytest.mark.parametrize("name", ["a b.txt", 'quo"ted', "new\nline", "ünïcode", "-dash", "tab\tbed"])
def test_names_come_as_they_are(work, name):
    put(work, name)
    assert looked(work).changed == (name,)


def test_links_that_lead_out_are_told(work, tmp_path):
    (tmp_path / "outside").mkdir()
    (work / "src" / "out").symlink_to(tmp_path / "outside")
    (work / "src" / "in").symlink_to("a.py")
    found = looked(work)
    assert (found.changed, found.links_out) == (("src/in", "src/out"), ("src/out",))


def test_a_folder_that_became_a_link_takes_its_files_out(work, tmp_path):
    (work / "src").rename(tmp_path / "elsewhere")
    (work / "src").symlink_to(tmp_path / "elsewhere")
    found = looked(work)
    assert "src" in found.changed
    assert "src" in found.links_out


def test_ignored_files_are_told_and_not_looked_at(work):
    put(work, "build/out.txt")
    found = looked(work)
    assert (found.changed, found.ignored) == ((), ("build/",))


def test_a_worker_cannot_hide_files_by_ignoring_them_itself(work):
    put(work, ".github/.gitignore", "*\n")
    put(work, ".github/evil.yml")
    assert ".github/.gitignore" in looked(work).changed


@pytest.mark.parametrize("place", ["info/exclude", "config"])
def test_no_private_list_of_ignored_files_hides_one(work, tmp_path, place):
    folder = tmp_path / "main" / ".git"
    if place == "config":
        put(tmp_path, "ignore", "*\n")
        git(work, "config", "core.excludesFile", str(tmp_path / "ignore"))
    else:
        put(folder, "info/exclude", "*\n")
    put(work, "hidden.txt")
    assert looked(work).changed == ("hidden.txt",)


@pytest.mark.acceptance("A15")
@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable to the superuser")
@pytest.mark.parametrize("folder", ["hidden", "inner/hidden"])
def test_a_folder_that_cannot_be_read_is_not_taken_for_empty(work, folder):
    put(work, f"{folder}/x")
    git(work, "init", "-q", "inner")
    (work / folder).chmod(0)
    try:
        assert "hidden" in look_over(str(work), "main", ENVIRON).problem
    finally:
        (work / folder).chmod(0o700)


@pytest.mark.acceptance("A12")
def test_a_repository_within_is_gone_through_whatever_it_knows_and_ignores_itself(work):
    for name in ("inner/x", "inner/deep/.env", "inner/.gitignore"):
        put(work, name, "*\n")
    git(work / "inner", "init", "-q")
    git(work / "inner", "add", "-f", "x")
    (work / "inner" / "out").symlink_to("/etc", target_is_directory=True)
    found = looked(work)
    assert found.changed == ("inner", "inner/.gitignore", "inner/deep/.env", "inner/out", "inner/x")
    assert found.links_out == ("inner/out",)


@pytest.mark.acceptance("A12")
@pytest.mark.parametrize(
    ("attributes", "content"),
    [("", "src/a.py\r\n"), ("text", "src/a.py\r\n"), ("working-tree-encoding=UTF-16LE", "src/a.py\n")],
)
def test_neither_settings_nor_private_attributes_hide_a_change(work, tmp_path, attributes, content):
    git(work, "config", "core.autocrlf", "true")
    put(tmp_path / "main" / ".git", "info/attributes", f"src/a.py {attributes}\n")
    (work / "src" / "a.py").write_bytes(content.encode("utf-16-le" if "UTF-16" in attributes else "utf-8"))
    assert looked(work).changed == ("src/a.py",)


def test_a_repository_of_another_kind_of_ids_is_looked_at_too(tmp_path):
    put(tmp_path, "a.txt")
    git(tmp_path, "init", "-q", "-b", "main", "--object-format=sha256")
    commit(tmp_path)
    put(tmp_path, "b.txt")
    assert looked(tmp_path).changed == ("b.txt",)


@pytest.mark.parametrize("given", ["main", None, "id", "short id"])
def test_a_base_that_a_name_was_given_for_says_so(work, given):
    ids = git(work, "rev-parse", "main").strip()
    base = {"id": ids, "short id": ids[:12]}.get(given, given)
    found = looked(work, base)
    assert (found.base, found.base_name) == (ids, "" if given in ("id", "short id") else found.base_name)
    assert bool(found.base_name) is (given in ("main", None))


def test_a_worktree_is_looked_at_by_a_relative_path_too(work, monkeypatch):
    monkeypatch.chdir(work.parent)
    put(work, "src/a.py", "changed\n")
    assert look_over(work.name, "main", ENVIRON).changed == ("src/a.py",)


def test_a_submodule_is_told_and_its_commit_compared(work, tmp_path):
    put(tmp_path / "lib", "x")
    git(tmp_path / "lib", "init", "-q")
    commit(tmp_path / "lib")
    main = tmp_path / "main"
    git(main, "submodule", "add", "-q", str(tmp_path / "lib"), "lib")
    commit(main)
    git(work, "merge", "-q", "main")
    git(work, "submodule", "update", "-q", "--init")
    assert (looked(work).changed, looked(work).submodules) == ((), ("lib",))
    put(work / "lib", "y")
    commit(work / "lib")
    assert looked(work).changed == ("lib",)


def test_pushed_commits_are_known_by_the_remote_s_branches(work, tmp_path):
    git(tmp_path, "init", "-q", "--bare", "remote.git")
    git(work, "remote", "add", "origin", str(tmp_path / "remote.git"))
    put(work, "src/a.py", "changed\n")
    commit(work)
    assert (looked(work).commits, looked(work).pushed) == (1, 0)
    git(work, "push", "-q", "origin", "job/17")
    assert (looked(work).commits, looked(work).pushed) == (1, 1)


def test_work_that_does_not_stand_on_its_base_is_told(work, tmp_path):
    put(tmp_path / "main", "other.txt")
    commit(tmp_path / "main")
    assert looked(work, "main").follows is False
    assert looked(work, None).follows is True


def test_no_branch_is_told_as_none(work):
    git(work, "checkout", "-q", "--detach")
    assert looked(work).branch == ""


def test_nothing_that_is_configured_in_the_worktree_is_run(work, tmp_path):
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch '{tmp_path}/sprung'\ncat\n")
    trap.chmod(0o755)
    names = ("core.fsmonitor", "diff.external", "filter.x.clean", "filter.x.process", "diff.x.command")
    for name in (*names, "diff.x.textconv", "core.pager", "gpg.program", "core.sshCommand"):
        git(work, "config", name, str(trap))
    git(work, "config", "filter.x.required", "true")
    hooks = tmp_path / "main" / ".git" / "hooks"
    for hook in ("post-index-change", "post-checkout", "fsmonitor-watchman"):
        (hooks / hook).write_text(trap.read_text())
        (hooks / hook).chmod(0o755)
    put(work, ".gitattributes", "* filter=x diff=x\n")
    put(work, "src/a.py", "changed\n")
    assert looked(work).changed == (".gitattributes", "src/a.py")
    assert not (tmp_path / "sprung").exists()


def test_looking_writes_nothing_into_the_repository(work, tmp_path):
    put(work, "src/a.py", "changed\n")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    looked(work)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("folder", "base", "said"),
    [
        (".", "main", "not a git repository"),
        ("work/src", "main", "it is not the top of a git worktree"),
        ("work", "gone", "`gone` is no commit here"),
        ("work", "--all", "`--all` is no commit here"),
        ("gone", "main", "git cannot be started here"),
    ],
)
def test_what_cannot_be_looked_over_is_a_problem_in_words(work, tmp_path, folder, base, said):
    found = look_over(str(tmp_path / folder), base, {**ENVIRON, "GIT_CEILING_DIRECTORIES": str(tmp_path)})
    assert said in (found.problem or "")


def test_without_git_there_is_a_problem_in_words(work):
    assert "git cannot be started" in (look_over(str(work), "main", {"PATH": "/nonexistent"}).problem or "")


def test_a_variable_of_the_environment_leads_nowhere_else(work, tmp_path):
    put(work, "src/a.py", "changed\n")
    environ = {**ENVIRON, "GIT_DIR": str(tmp_path / "main" / ".git"), "GIT_WORK_TREE": str(tmp_path / "main")}
    assert look_over(str(work), "main", environ).changed == ("src/a.py",)


def test_a_worktree_that_is_configured_to_be_elsewhere_is_a_problem(work, tmp_path):
    git(tmp_path / "main", "config", "core.worktree", str(tmp_path / "work"))
    assert look_over(str(tmp_path / "main"), "main", ENVIRON).problem is not None


@pytest.mark.parametrize(("name", "out"), [("a", False), ("../x", True), ("/etc/hosts", True), (".", False)])
def test_a_path_leads_out_by_what_it_resolves_to(tmp_path, name, out):
    assert leads_out(str(tmp_path), name) is out
