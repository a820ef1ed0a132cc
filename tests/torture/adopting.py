"""A new proof whose making is stopped at every call to the system: `python -m tests.torture.adopting`.

Runs under the shim. Each child takes a copy of the same ledger, whose file was changed behind its proof's back, and
adopts it; a chosen call is the last thing that it does, or fails. Then adopting again has to end well, with all that
the old proof knew.
"""

import argparse
import ctypes
import json
import os
import shutil
import sqlite3
import sys
from collections import Counter
from functools import partial
from pathlib import Path

from msgspec import Struct
from tests.torture.failing import ALLOWED, HOW, MISSED, OTHER, spoiled
from tests.torture.shims import figures_of
from tests.torture.stations import Station

from gatewright.ledger import adopting
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.sqlite import left_beside, unchanged

THEN, AGAIN = 1_795_953_600.0, 1_795_953_660.0
STATES = ("whole", "crashed")  #: how the old proof was left


class Damaged(Struct, frozen=True):
    """A ledger whose newest line was taken away, and what has to outlive its adopting."""

    station: Station
    lines: bytes
    actors: list[str]

    @property
    def file(self) -> Path:
        """The file of lines."""
        return self.station.folder / "state" / "ledger" / "ledger.jsonl"

    @property
    def proof(self) -> Path:
        """The proof in force."""
        return self.file.with_name("ledger.jsonl.proof")

    def copied(self, folder: Path) -> "Damaged":
        """The same in another folder."""
        shutil.copytree(self.station.folder, folder)
        return Damaged(Station(folder, "jsonl"), self.lines, self.actors)


def damaged(folder: Path, state: str) -> Damaged:
    """A ledger to be adopted; `crashed` has a journal beside its proof, without which that is half written."""
    station = Station(folder, "jsonl")
    for number in range(4):
        station.check(est_chars=number, actor=f"somebody {number}")
    found = Damaged(station, b"", [f"somebody {number}" for number in range(3)])
    if state == "crashed":
        _crash(found)
    lines = b"".join(found.file.read_bytes().splitlines(keepends=True)[:3])
    found.file.write_bytes(lines)
    return Damaged(station, lines, found.actors)


def _crash(found: Damaged) -> None:
    """Have a check be the last thing that a process did, between the journal and the end of the proof's writing."""
    proof, call = found.proof.read_bytes(), 0
    while not (left_beside(str(found.proof)) and found.proof.read_bytes() != proof):
        call += 1
        child = os.fork()
        if child == 0:
            ctypes.CDLL(None).torture_choose(call, 0)
            found.station.check(est_chars=10)
            os._exit(MISSED)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == MISSED:
            raise AssertionError("no call leaves a journal behind")


def adopted(found: Damaged) -> int:
    """How adopting ends."""
    adopting.adopt(found.station.ledger, THEN)
    return ALLOWED


def faults_of(found: Damaged, ending: int) -> list[str]:
    """What does not hold of a ledger whose adopting ended so, before and behind another one."""
    faults = ["something else was raised"] if ending == OTHER else []
    faults += _stands(found, adopted=ending == ALLOWED)
    try:
        adopting.adopt(found.station.ledger, AGAIN)
    except LedgerError as error:
        return [*faults, f"it cannot be adopted any more: {error}"]
    faults += _stands(found, adopted=True)
    left = [path.name for path in found.file.parent.iterdir() if ".adopting" in path.name]
    faults += [f"{', '.join(left)} was left behind"] if left else []
    return [*faults, *found.station.faults()]


def _stands(found: Damaged, *, adopted: bool) -> list[str]:
    """What does not hold: the lines are as they were, and one proof knows who asked, the old one or the new one."""
    faults = [] if found.file.read_bytes() == found.lines else ["the lines were changed"]
    known = [entry.row.data.get("actor") for entry in _rows(found.station)]
    if known == found.actors:
        return faults
    if adopted or known:
        return [*faults, f"of who asked is known: {known}"]
    return faults  # the old proof is in force still, and refuses the file


def _rows(station: Station) -> list[object]:
    try:
        return list(station.ledger.rows())
    except LedgerError as error:
        if "adopt" in error.hint:
            return []
        raise


def kept_faults(found: Damaged) -> list[str]:
    """What does not hold of the old proofs that are kept."""
    beside = []
    for path in found.file.parent.glob("ledger.jsonl.proof.*Z"):
        try:
            with unchanged(str(path)) as connection:
                beside.append([json.loads(more)["actor"] for (more,) in connection.execute("SELECT more FROM rows")])
        except sqlite3.Error as error:
            beside.append([f"{error}"])
    old = [*found.actors, "somebody 3"]
    return [] if old in beside else [f"the old proof was not kept as it was, but: {beside}"]


def rounds(state: str, how: str, place: Path) -> dict[str, object]:
    """Figures of an adopting that is spoiled at its first call, at the next, and so on to its last."""
    first = damaged(place / "first", state)
    endings, faults, call, ending = Counter(), [], 1, ALLOWED
    while ending != MISSED:
        found = first.copied(place / "spoiled")
        ending = spoiled(call, HOW[how], partial(adopted, found))
        if ending != MISSED:
            told = [*faults_of(found, ending), *kept_faults(found)]
            faults += [f"call {call}: {fault}" for fault in told]
            endings[ending] += 1
        shutil.rmtree(place / "spoiled")
        call += 1
    return {"endings": endings, "faults": faults}


def started(state: str, how: str) -> dict[str, object]:
    """The figures of `rounds`, counted by a program that runs under the shim."""
    return figures_of("tests.torture.adopting", "--state", state, "--how", how)


def main() -> None:
    """Print the figures of every state and way to fail; exit 1 if something did not hold."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--place", type=Path)
    parser.add_argument("--state", choices=STATES)
    parser.add_argument("--how", choices=HOW)
    asked = parser.parse_args()
    if asked.place:
        print(json.dumps(rounds(asked.state, asked.how, asked.place)))
        return
    found = {(state, how): started(state, how) for state in STATES for how in HOW}
    for (state, how), figures in found.items():
        print(state, how, json.dumps(figures))
    sys.exit(any(figures["faults"] for figures in found.values()))


if __name__ == "__main__":
    main()
