"""The power fails at random moments: `python -m tests.torture.power [--images N]`.

A process checks and tells each row, and all that it does to its files is logged. From the log, images of the disk are
built as they may look when the power went at some moment: what was synced is there; of the rest each sector, each new
length and each name in a folder is there or not, by chance. Each image must open, with every row that had been told.

`--careless` breaks the promise on purpose, to see that it is noticed: `sync` leaves every sync of ours out, `folder`
those of folders, `off` those of SQLite, and `early answer` tells a row before it is recorded.
"""

import argparse
import ctypes
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from tests.torture.shims import Kind, Step, steps, watched
from tests.torture.stations import NAMES, ROOT, Station

SECTOR = 512
CHECKS = 10  #: in one recording
CARELESS = ("sync", "folder", "off", "early answer")


class File:
    """What is in a file: surely, and perhaps."""

    def __init__(self) -> None:
        self.surely, self.perhaps = b"", []

    def synced(self) -> None:
        """All that was done to it is on disk."""
        self.surely, self.perhaps = self.image(None, 1.0), []

    def image(self, chance: random.Random | None, share: float) -> bytes:
        """What may be found of it: each sector that was not synced with a probability of `share`."""
        found = bytearray(self.surely)
        for step in self.perhaps:
            if step.kind is Kind.CUT:
                if chance is None or chance.random() < share:
                    found = found[: step.offset].ljust(step.offset, b"\0")
                continue
            for start, piece in _sectors(step):
                if chance is None or chance.random() < share:
                    found = found.ljust(start, b"\0")
                    found[start : start + len(piece)] = piece
        return bytes(found)


def _sectors(step: Step) -> Iterator[tuple[int, bytes]]:
    start, end = step.offset, step.offset + len(step.data)
    while start < end:
        stop = min(end, (start // SECTOR + 1) * SECTOR)
        yield start, step.data[start - step.offset : stop - step.offset]
        start = stop


class Disk:
    """A folder and what is below it, as far as it is known to be on disk."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.files: dict[int, File] = {}
        self.surely: dict[str, File | None] = {root: None}  #: by path; None for a folder
        self.perhaps: list[tuple[Step, File | None]] = []  #: what was done to names since their folder was synced

    def follow(self, step: Step) -> None:
        """Take in what a process did."""
        if step.kind in (Kind.WROTE, Kind.CUT):
            self.files[step.inode].perhaps.append(step)
        elif step.kind is Kind.SYNCED and step.inode in self.files:
            self.files[step.inode].synced()
        elif step.kind is Kind.SYNCED:
            self._synced_folder(step.path)
        elif step.kind is Kind.CREATED:
            self.files[step.inode] = File()
            self.perhaps.append((step, self.files[step.inode]))
        elif step.kind is not Kind.MARK:
            if step.kind is Kind.MADE_FOLDER:
                self.files.pop(step.inode, None)  # the number of a file that is gone
            file = self.files.get(step.inode) if step.kind is Kind.RENAMED else None
            self.perhaps.append((step, file))

    def _synced_folder(self, folder: str) -> None:
        mine = [each for each in self.perhaps if os.path.dirname(each[0].path) == folder]
        self.perhaps = [each for each in self.perhaps if os.path.dirname(each[0].path) != folder]
        for step, file in mine:
            _named(self.surely, step, file)

    def image(self, place: Path, chance: random.Random) -> None:
        """Put what may be found of it into a folder."""
        share = chance.choice([0.0, 1.0, 0.5, chance.random()])
        names = dict(self.surely)
        for step, file in self.perhaps:
            if chance.random() < share:
                _named(names, step, file)
        for path in sorted(names):
            file, target = names[path], place / os.path.relpath(path, self.root)
            if not target.parent.is_dir():
                continue  # no folder leads to it
            if file is None:
                target.mkdir()
            else:
                target.write_bytes(file.image(chance, share))


def _named(names: dict[str, File | None], step: Step, file: File | None) -> None:
    if step.kind is Kind.REMOVED:
        names.pop(step.path, None)
    elif step.kind is Kind.RENAMED:
        names.pop(step.path, None)
        names[step.second] = file
    else:
        names[step.path] = file


def record(station: Station, careless: str | None) -> None:
    """Check, and mark each row that is told. Runs under the shim."""
    mark = ctypes.CDLL(None).torture_mark
    if careless:
        be_careless(careless)
    for number in range(CHECKS):
        if careless == "early answer":
            mark(number)
        station.check(est_chars=number, agents=2 if number % 4 else 10**9)
        mark(number)


def be_careless(how: str) -> None:
    """Break the promise."""
    from gatewright.ledger import jsonl, places, sqlite

    if how == "sync":
        os.fsync = lambda descriptor: None
    elif how == "folder":
        places.sync_folder = lambda path: None
    elif how == "off":
        sqlite.prepared = _then_off(sqlite.prepared)
        jsonl._prepared = _then_off(jsonl._prepared)


def _then_off(prepared: Callable[[sqlite3.Connection, str], None]) -> Callable[[sqlite3.Connection, str], None]:
    def then_off(connection: sqlite3.Connection, path: str) -> None:
        prepared(connection, path)
        connection.execute("PRAGMA synchronous = OFF")

    return then_off


def recording(kind: str, careless: str | None) -> tuple[str, list[Step]]:
    """What a process does to its files while it checks, and where they are."""
    with tempfile.TemporaryDirectory() as place:
        root, log = Path(place) / "root", Path(place) / "log"
        Station(root, kind)
        command = [sys.executable, "-m", "tests.torture.power", "--record", str(root), "--kind", kind]
        command += ["--careless", careless] if careless else []
        subprocess.run(command, env=watched(root, log), cwd=ROOT, check=True, timeout=120)
        return str(root), list(steps(log))


def images(
    root: str, done: list[Step], kind: str, count: int, chance: random.Random
) -> Iterator[tuple[Station, set[int]]]:
    """Images at random moments, each with the rows that had been told by then."""
    moments = sorted(chance.choices(range(1, len(done) + 1), k=count))
    disk, told, at = Disk(root), set(), 0
    for moment in moments:
        for step in done[at:moment]:
            disk.follow(step)
            if step.kind is Kind.MARK:
                told.add(step.offset)
        at = moment
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "image"
            disk.image(folder, chance)
            yield Station(folder, kind), set(told)


def faults_of(station: Station, told: set[int]) -> list[str]:
    """What does not hold of an image."""
    try:
        found = ["recorded rows are lost"] if told - station.numbers() else []
        found += station.faults()
        if any(number % 4 for number in told) and not list(station.tickets.glob("*.json")) and station.kind == "jsonl":
            found.append("the ticket is lost")
        found += [] if station.check(est_chars=CHECKS, agents=1).allow else ["the next check is denied"]
        lost = (told | {CHECKS}) - station.numbers()
        return [*found, *(["rows are lost behind the next check"] if lost else []), *station.faults()]
    except Exception as error:  # noqa: BLE001  whatever it is, the image is damaged
        return [f"it does not open: {error!r}"]


def rounds(kind: str, count: int, seed: int, careless: str | None = None) -> dict[str, object]:
    """Figures of so many images, with whatever did not hold of one of them."""
    chance, found = random.Random(seed), []
    root, done = recording(kind, careless)
    rows = 0
    for station, told in images(root, done, kind, count, chance):
        rows += len(told)
        found += faults_of(station, told)
    return {"images": count, "steps": len(done), "told rows": rows, "faults": found}


def main() -> None:
    """Print the figures of every kind; exit 1 if something did not hold."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--images", type=int, default=220)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=NAMES, action="append")
    parser.add_argument("--careless", choices=CARELESS)
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()
    kinds: Iterable[str] = options.kind or NAMES
    if options.record:
        for kind in kinds:
            record(Station(options.record, kind), options.careless)
        return
    told = {kind: rounds(kind, options.images, options.seed, options.careless) for kind in kinds}
    print(json.dumps(told))
    sys.exit(any(figures["faults"] for figures in told.values()))


if __name__ == "__main__":
    main()
