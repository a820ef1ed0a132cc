"""Cursor: a marker of its own for each worktree, and no link followed on the way to it."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from gatewright.model import Moment
from gatewright.runtimes.pretrust import cursor
from gatewright.runtimes.pretrust.homes import find
from gatewright.runtimes.pretrust.outcomes import Status, TrustError

WHOLE = '{\n  "trustedAt": "2026-01-02T03:04:05.678Z",\n  "workspacePath": %s\n}\n'


def folder(desk):
    return desk.home / ".cursor" / "projects"


def marker(desk, key=None):
    return folder(desk) / (key or cursor.key(str(desk.worktree))) / ".workspace-trusted"


def write(desk, text, key=None):
    path = marker(desk, key)
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return path


@pytest.mark.acceptance("B18")
@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/a/b", "a-b"),
        ("/a/.hidden/b_c", "a-hidden-b-c"),
        ("/Aé/ b//", "A-b"),
        ("/a.d", "a-d"),
        ("/" + "x" * 84, "x" * 84),
        ("/" + "x" * 85, "x" * 84 + "-" + hashlib.sha256(("/" + "x" * 85).encode()).hexdigest()[:7]),
    ],
)
def test_the_key_collapses_what_is_no_letter_or_digit_and_hashes_what_is_long(path, key):
    assert cursor.key(path) == key


@pytest.mark.acceptance("B18")
@pytest.mark.parametrize(
    "key", ["srv-.w-fix_login", "-srv-.w-fix_login", "srv-w-fix_login", "-srv-w-fix_login", "srv-w-fix-login"]
)
def test_older_keys_come_with_and_without_a_dash_in_front(key):
    assert key in [cursor.key("/srv/.w/fix_login"), *cursor.older_keys("/srv/.w/fix_login")]


@pytest.mark.acceptance("B18")
@pytest.mark.parametrize("path", ["/", "/..."])
def test_a_path_without_a_letter_and_a_digit_has_no_key_and_no_marker(desk, path):
    with pytest.raises(TrustError, match="no letter and no digit"):
        cursor.trust(path, find({"HOME": str(desk.home)}), Moment.at(0), dry_run=False)
    assert cursor.distrust(path, find({"HOME": str(desk.home)}), dry_run=False).status is Status.ABSENT
    assert not folder(desk).exists()
    assert "" not in cursor.older_keys(path)


@pytest.mark.acceptance("B06", "B07")
def test_a_worktree_is_added_once_and_then_trusted_already(desk):
    assert desk.statuses("cursor") == ["added"]
    assert marker(desk).read_text() == WHOLE % json.dumps(str(desk.worktree))
    assert marker(desk).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in marker(desk).parent.iterdir()] == [".workspace-trusted"]
    assert desk.statuses("cursor") == ["already-trusted"]
    assert desk.pretrust("cursor").summary == "Summary: 0 added, 0 updated, 1 already trusted"


@pytest.mark.acceptance("B20")
def test_a_dry_run_makes_nothing_and_what_was_made_is_removed_again(desk):
    assert desk.statuses("cursor", dry_run=True) == ["added"]
    assert not (desk.home / ".cursor").exists()
    assert desk.statuses("cursor", revoke=True) == ["not-there"]
    desk.pretrust("cursor")
    assert desk.statuses("cursor", revoke=True, dry_run=True) == ["revoked"]
    assert marker(desk).exists()
    assert desk.statuses("cursor", revoke=True) == ["revoked"]
    assert list(folder(desk).iterdir()) == []


@pytest.mark.parametrize("name", ["fix_login", ".worktrees", "UPPER", "a.b_c", "x" * 120])
def test_a_marker_under_an_older_key_that_names_the_worktree_is_found(desk, name):
    worktree = desk.home / name
    worktree.mkdir()
    for key in cursor.older_keys(str(worktree)):
        if len(key) > 255:
            continue
        path = write(desk, json.dumps({"workspacePath": str(worktree)}), key)
        assert desk.statuses("cursor", worktree) == ["already-trusted"]
        assert not marker(desk, cursor.key(str(worktree))).exists()
        path.unlink()


def test_a_marker_under_an_older_key_that_names_another_worktree_does_not_count(desk):
    worktree = desk.home / "a_b"
    worktree.mkdir()
    (key, *_) = cursor.older_keys(str(worktree))
    write(desk, '{"workspacePath": "/other"}', key)
    assert desk.statuses("cursor", worktree) == ["added"]


@pytest.mark.acceptance("B18")
def test_the_marker_of_another_workspace_is_left_alone(desk):
    path = write(desk, '{"trustedAt": "x", "workspacePath": "/other"}')
    (entry,) = desk.pretrust("cursor").entries
    assert (entry.status.value, entry.problem) == ("skipped", "it is the marker of another workspace")
    assert path.read_text() == '{"trustedAt": "x", "workspacePath": "/other"}'


@pytest.mark.parametrize(
    "text",
    [
        '{\n  "trustedAt": "2026-11-20T08:00:00.000Z",\n  "futureKey": {"a": 1}\n}',
        '{"trustedAt":"x"}\n',
    ],
)
def test_a_marker_without_a_workspace_gets_one_and_keeps_the_rest(desk, text):
    path = write(desk, text)
    assert desk.statuses("cursor") == ["updated"]
    assert json.loads(path.read_text()) == {**json.loads(text), "workspacePath": str(desk.worktree)}
    assert desk.statuses("cursor", revoke=True) == ["revoked"]
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it is not valid JSON: "),
        ("[]", "it holds no JSON object"),
        ("{}", "it is no marker of Cursor"),
        ('{"trustedAt": 1, "trustedAt": 2}', 'it says "trustedAt" twice'),
        ('{"trustedAt": "x", "workspacePath": null}', "it is the marker of another workspace"),
    ],
)
def test_what_is_no_marker_is_left_alone(desk, text, problem):
    path = write(desk, text)
    (entry,) = desk.pretrust("cursor").entries
    assert entry.status.value == "skipped"
    assert entry.problem.startswith(problem)
    assert path.read_text() == text


def test_what_the_agent_has_written_itself_is_not_revoked(desk):
    text = json.dumps({"trustedAt": "x", "workspacePath": str(desk.worktree), "trustMethod": "cli-flag"})
    path = write(desk, text)
    (entry,) = desk.pretrust("cursor", revoke=True).entries
    assert (entry.status.value, entry.problem) == ("skipped", "Cursor has written it, not this command")
    assert path.read_text() == text


@pytest.mark.acceptance("B18")
@pytest.mark.parametrize(
    "at", [".cursor", ".cursor/projects", ".cursor/projects/KEY", ".cursor/projects/KEY/.workspace-trusted"]
)
def test_no_link_is_followed(desk, at):
    link = desk.home / at.replace("KEY", cursor.key(str(desk.worktree)))
    link.parent.mkdir(parents=True, exist_ok=True)
    victim = desk.home / "victim"
    victim.write_text('{"trustedAt": "x"}') if at.endswith("trusted") else victim.mkdir()
    link.symlink_to(victim)
    (entry,) = desk.pretrust("cursor").entries
    assert entry.status.value == "skipped"
    assert entry.problem.startswith("it is a symbolic link")
    assert link.is_symlink()
    assert victim.read_text() == '{"trustedAt": "x"}' if victim.is_file() else list(victim.iterdir()) == []


def test_a_file_in_the_place_of_a_folder_is_told(desk):
    (desk.home / ".cursor").write_text("x")
    (entry,) = desk.pretrust("cursor").entries
    assert (entry.status.value, entry.problem) == ("skipped", "not a directory")


def test_many_at_once_make_one_marker(desk):
    with ThreadPoolExecutor(6) as pool:
        found = sorted(pool.map(lambda _: desk.statuses("cursor")[0], range(12)))
    assert found == ["added", *["already-trusted"] * 11]
    assert [path.name for path in marker(desk).parent.iterdir()] == [".workspace-trusted"]


def test_a_variable_or_a_flag_moves_the_projects():
    assert find({"HOME": "/h"}).cursor_projects is None
    assert find({"HOME": "/h", "CURSOR_DATA_DIR": "/d"}).cursor_projects == "/d/projects"
    assert find({"HOME": "/h", "CURSOR_DATA_DIR": "/d", "CURSOR_PROJECTS_DIR": "/p"}).cursor_projects == "/p"
    assert find({"HOME": "/h", "CURSOR_PROJECTS_DIR": "/p"}, projects="/q").cursor_projects == "/q"
