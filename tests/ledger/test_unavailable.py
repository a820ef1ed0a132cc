"""A ledger that cannot be used closes the gate, says where and why, and is left as it was."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from tests.ledger.desks import FakeClock, Post, json_lines, sqlite

from gatewright.ledger import places, schema
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.locks import locked
from gatewright.ledger.stores import open_ledger


@pytest.fixture
def place(tmp_path, check_gate):
    clock = FakeClock()
    return Post(sqlite(tmp_path, clock), clock, tmp_path, check_gate)


def refusals(place):
    """What checking and looking say; both have to refuse."""
    found = []
    for run in (place.check, place.look):
        with pytest.raises(LedgerError) as caught:
            run()
        found.append(caught.value)
    return found


@pytest.mark.parametrize(
    "content", [b"not a database, but a text of some length", b"SQLite format 3\x00" + b"\xff" * 200]
)
def test_a_file_that_is_no_database_is_left_alone(place, content):
    path = place.folder / "ledger.db"
    path.write_bytes(content)
    for error in refusals(place):
        assert str(path) == error.path
        assert error.hint
    assert path.read_bytes() == content


def test_a_database_of_something_else_is_left_alone(place):
    path = place.folder / "ledger.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE people (name TEXT)")
    connection.commit()
    connection.close()
    for error in refusals(place):
        assert "something else" in error.problem
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_schema").fetchall()
    assert names == [("people",)]


def test_a_ledger_of_a_newer_schema_is_refused_with_both_versions(place):
    place.check()
    connection = sqlite3.connect(place.folder / "ledger.db")
    connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    connection.close()
    for error in refusals(place):
        assert str(schema.VERSION + 1) in error.problem
        assert "newer" in error.hint


@pytest.mark.parametrize("what", ["folder", "pipe", "dead link", "no folder", "file as folder"])
def test_a_path_where_no_ledger_can_be_is_refused(place, what):
    path = place.folder / "ledger.db"
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "dead link":
        path.symlink_to(place.folder / "missing" / "ledger.db")
    else:
        (place.folder / "taken").write_text("")
        path = place.folder / "taken" / "ledger.db" if what == "file as folder" else place.folder / "taken/a/ledger.db"
        place.ledger = open_ledger(str(path), str(place.folder / "tickets"), clock=place.clock)
    with pytest.raises(LedgerError) as caught:
        place.check()
    assert caught.value.problem


@pytest.mark.acceptance("T24")
@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable to the superuser")
@pytest.mark.parametrize("kind", [sqlite, json_lines])
def test_a_ledger_that_may_not_be_read_is_no_empty_one(tmp_path, check_gate, kind):
    place = Post(kind(tmp_path, FakeClock()), FakeClock(), tmp_path, check_gate)
    place.check()
    for path in tmp_path.glob("ledger*"):
        path.chmod(0)
    refusals(place)


def test_an_empty_file_is_an_empty_ledger(place):
    (place.folder / "ledger.db").write_bytes(b"")
    assert place.look().allow
    assert (place.folder / "ledger.db").read_bytes() == b""
    assert place.reasons(8, 1) == ["OK", "TIER_FANOUT_CAP"]


@pytest.mark.parametrize(
    ("name", "words"),
    [("", "no name"), ("mysql://db.example/main", "kind"), ("sqlite:///", "path"), ("sqlite:/" + "/ledger.db", "kind")],
)
def test_a_name_that_is_none_is_refused(name, words):
    with pytest.raises(LedgerError) as caught:
        open_ledger(name, "tickets")
    assert words in caught.value.problem


@pytest.mark.parametrize("name", ["sqlite:///{}/a.db", "{}/a.db", "{}/a", "{}/A.JSONL"])
def test_any_other_path_is_sqlite(tmp_path, name):
    assert type(open_ledger(name.format(tmp_path), "tickets")).__name__ == "SqliteLedger"


def test_to_the_older_program_every_path_is_json_lines(tmp_path):
    assert type(open_ledger(f"{tmp_path}/a.db", "tickets", older=True)).__name__ == "JsonLinesLedger"


# -- locks -----------------------------------------------------------------------------------------------------------


def test_a_lock_that_is_never_let_go_is_not_waited_for_for_ever(tmp_path):
    path = str(tmp_path / "lock")
    with locked(path), pytest.raises(LedgerError) as caught, locked(path, wait=0.2):
        pass
    assert "another process" in caught.value.problem
    with locked(path, wait=0.2):
        pass


def test_a_lock_ends_with_its_process(tmp_path):
    path = str(tmp_path / "lock")
    script = f"""
import fcntl, time
file = open({path!r}, "w")
fcntl.flock(file, fcntl.LOCK_EX)
print(1, flush=True)
time.sleep(60)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    process.stdout.readline()
    with pytest.raises(LedgerError), locked(path, wait=0.2):
        pass
    process.kill()
    process.wait()
    process.stdout.close()
    with locked(path, wait=5):
        pass


# -- places ----------------------------------------------------------------------------------------------------------

MOUNTS = """\
22 1 8:1 / / rw,relatime - ext4 /dev/root rw
30 22 0:40 / /home rw - nfs4 server:/home rw
31 30 0:41 / /home/ann/local\\040disk rw - xfs /dev/sdb rw
32 22 0:42 / /mnt/share rw shared:5 - cifs //server/share rw
33 22 0:43 / /mnt/remote rw - fuse.sshfs host:/ rw
broken line
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/ledger.db", "ext4"),
        ("/home/bob/ledger.db", "nfs4"),
        ("/home/ann/local disk/ledger.db", "xfs"),
        ("/homeless/ledger.db", "ext4"),
        ("/mnt/share/a/b.db", "cifs"),
        ("/mnt/remote/b.db", "fuse.sshfs"),
    ],
)
def test_the_file_system_of_a_path_is_that_of_the_nearest_mount_above(path, kind):
    assert places.file_system(path, MOUNTS) == kind
    if kind in ("ext4", "xfs"):
        places.refuse_network(path, MOUNTS)
        return
    with pytest.raises(LedgerError, match="network file system") as caught:
        places.refuse_network(path, MOUNTS)
    assert "postgresql" in caught.value.hint


# -- dry runs --------------------------------------------------------------------------------------------------------


def bytes_of(folder):
    return {
        path.relative_to(folder): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.acceptance("C16", "G04")
@pytest.mark.parametrize("state", ["fresh", "used", "left by a crash", "lock gone"])
def test_a_look_leaves_every_byte_as_it_was(file_post, state):
    if state != "fresh":
        file_post.reasons(3, 2)
    if state == "left by a crash":
        crash_after_commit(file_post)
    if state == "lock gone":
        for lock in [*file_post.folder.glob("*.lock"), *file_post.folder.glob("tickets/.*.lock")]:
            lock.unlink()
    before = bytes_of(file_post.folder)
    used = {"fresh": 0, "left by a crash": 7}.get(state, 5)
    assert file_post.look(agents=8 - used).allow
    assert not file_post.look(agents=9 - used).allow
    assert bytes_of(file_post.folder) == before


def crash_after_commit(post):
    """Leave the files as a process killed right behind its commit does: the log is there, and not checkpointed."""
    code = """
import os, sys
from pathlib import Path
from tests.ledger.desks import KINDS, FakeClock, Post
from gatewright.app import App, Options
from gatewright.model import Stage
import gatewright.ledger.session as session
folder = Path(sys.argv[1])
clock = FakeClock()
kind = "jsonl" if (folder / "ledger.jsonl").exists() else "sqlite"
post = Post(KINDS[kind](folder, clock), clock, folder, App(Options(), environ={}).gate(Stage.CHECK))
import gatewright.ledger.sqlite as sqlite, gatewright.ledger.jsonl as jsonl
real = sqlite.transaction
from contextlib import contextmanager
@contextmanager
def then_die(connection):
    with real(connection):
        yield
    os._exit(9)
sqlite.transaction = jsonl.transaction = then_die
post.check(agents=2)
"""
    paths = os.pathsep.join(["engine", "rules", "."])
    done = subprocess.run(
        [sys.executable, "-c", code, str(post.folder)], env={**os.environ, "PYTHONPATH": paths}, check=False
    )
    assert done.returncode == 9
