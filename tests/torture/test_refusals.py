"""A ledger that cannot be written is said to be unavailable, is left as it was, and goes on where it stood."""

import fcntl
import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest
from tests.torture.stations import NAMES

from gatewright.ledger.stores import open_ledger

FILES = {
    "sqlite": ["", "state/ledger.db", "state/ledger.lock"],
    "jsonl": ["state/ledger.jsonl", "state/ledger.jsonl.proof", "~/.dispatch-gate.lock"],
}


class Desk:
    """A place with a ledger of a kind in it."""

    def __init__(self, place, kind):
        self.place, self.kind = place, kind
        self.ledger = f"state/{NAMES[kind]}"
        self.contract = place.write("job.md", "# Job\n")
        self.tickets = place.home / ".mogui" / "dispatch-tickets"

    def words(self, *more, **flags):
        words = [word for word in self.place.request(contract=self.contract, **flags) if word != "--no-record"]
        return [*words, "--ledger", self.ledger, *more]

    def check(self, *more, held_to_modes=False, **flags):
        return self.place.run(*self.words(*more, **flags), held_to_modes=held_to_modes)

    def path(self, name):
        return self.tickets / name[2:] if name.startswith("~/") else self.place.cwd / (name or "state")

    def rows(self):
        with open_ledger(str(self.place.cwd / self.ledger), str(self.tickets)).reading() as look:
            found = [look._data(number) for number in range(1, look.book.size + 1)]
        return [(row["decision"], row["est_chars"]) for row in found if row]

    def started(self, **options):
        command = self.place.command("gatewright", self.words(est_chars="9"))
        environment = self.place.environment({})
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(command, cwd=self.place.cwd, env=environment, **streams, **options)


@pytest.fixture(params=NAMES)
def desk(request, place):
    made = Desk(place, request.param)
    assert made.check(est_chars="1").code == 0
    return made


@pytest.mark.acceptance("T24")
@pytest.mark.parametrize("mode", [0o000, 0o400])
@pytest.mark.parametrize("number", range(3))
def test_a_file_or_folder_that_may_not_be_written_closes_the_gate_and_is_left_alone(desk, number, mode):
    target = desk.path(FILES[desk.kind][number])
    kept = target.stat().st_mode
    target.chmod(mode | (0o100 if target.is_dir() and mode else 0))
    before = desk.place.tree()
    refused = desk.check(est_chars="2", held_to_modes=True)
    assert (refused.code, refused.json["reason"]) == (2, "LEDGER_UNAVAILABLE")
    assert Path(target.name).stem in refused.stderr
    assert desk.place.tree() == before
    target.chmod(kept)
    assert desk.check(est_chars="3").code == 0
    assert desk.rows() == [("ALLOW", 1), ("ALLOW", 3)]


@pytest.mark.acceptance("T24")
def test_a_ledger_that_may_not_be_read_is_no_empty_one_to_a_dry_run_either(desk):
    for path in desk.path("").iterdir():
        path.chmod(0)
    refused = desk.check("--no-record", held_to_modes=True)
    assert (refused.code, refused.json["reason"]) == (2, "LEDGER_UNAVAILABLE")


@pytest.mark.parametrize("more", [0, 1, 100, 5_000, 40_000])
def test_a_disk_that_is_full_closes_the_gate_and_loses_nothing(desk, more):
    full = (desk.place.cwd / desk.ledger).stat().st_size + more if desk.kind == "jsonl" else more
    process = desk.started(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (full, full)))
    said, _ = process.communicate(timeout=60)
    assert process.returncode == (0 if '"reason":"OK"' in said else 2)
    assert ('"reason":"LEDGER_UNAVAILABLE"' in said) == (process.returncode == 2)
    told = [("ALLOW", 9)] if process.returncode == 0 else []
    found = desk.rows()
    assert found[: 1 + len(told)] == [("ALLOW", 1), *told]
    assert desk.check(est_chars="3").code == 0
    assert desk.rows() == [*found, ("ALLOW", 3)]


def test_how_full_a_disk_may_be_is_tried_on_both_sides(place):
    """The smallest limit of the test above refuses, and the largest does not."""
    desk = Desk(place, "jsonl")
    for full, code in ((0, 2), (10**7, 0)):
        process = desk.started(preexec_fn=lambda full=full: resource.setrlimit(resource.RLIMIT_FSIZE, (full, full)))
        process.communicate(timeout=60)
        assert process.returncode == code


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_a_check_that_is_stopped_while_it_waits_has_done_nothing(desk, sent, status):
    lock = desk.path("~/.dispatch-gate.lock" if desk.kind == "jsonl" else "state/ledger.lock")
    with lock.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        before = desk.place.tree()
        process = desk.started()
        _waits_for(process, lock)
        process.send_signal(sent)
        said, told = process.communicate(timeout=60)
    assert (process.returncode, said) == (status, "")
    assert "Traceback" not in told
    assert desk.place.tree() == before
    assert desk.check(est_chars="3").code == 0
    assert desk.rows() == [("ALLOW", 1), ("ALLOW", 3)]


def _waits_for(process, lock):
    """Until a process has opened the lock, and long enough for it to ask for it."""
    folder = Path(f"/proc/{process.pid}/fd")
    for _ in range(200):
        if not folder.exists() or any(os.path.realpath(each) == str(lock) for each in folder.iterdir()):
            break
        time.sleep(0.02)
    time.sleep(0.3 if folder.exists() else 2)
