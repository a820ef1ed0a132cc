"""Every call that a check makes to the system fails once, or is its last: `python -m tests.torture.failing`.

Runs under the shim. Each child takes a copy of the same ledger, checks once with one chosen call spoiled, and ends in
one of these ways: the row is told, allowed or denied, the ledger is said to be unavailable, something else is raised,
or the child is dead.
"""

import argparse
import ctypes
import errno
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.torture.shims import figures_of
from tests.torture.stations import NAMES, Station

from gatewright.ledger.errors import LedgerError

HOW = {"dies": 0, "disk full": errno.ENOSPC, "disk broken": errno.EIO, "no descriptor left": errno.EMFILE}
ASKED, AGENTS = 99, 7  #: by which the row and the ticket of the spoiled check are known
ALLOWED, DENIED, UNAVAILABLE, OTHER, DEAD, MISSED = 0, 2, 3, 4, 9, 10


def spoiled(call: int, error: int, work: Callable[[], int]) -> int:
    """How work ends, in a child, whose nth call fails; MISSED where it makes fewer calls."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    shim = ctypes.CDLL(None)
    shim.torture_choose(call, error)
    try:
        ending = work()
    except LedgerError:
        ending = UNAVAILABLE
    except BaseException as problem:  # noqa: BLE001  told below
        os.write(2, f"call {call}: {problem!r}\n".encode())
        ending = OTHER
    os._exit(ending if shim.torture_calls() >= call else MISSED)


def checked(station: Station) -> int:
    """How a check ends; DENIED where the contract or the tier table could not be read."""
    return ALLOWED if station.check(est_chars=ASKED, agents=AGENTS).allow else DENIED


def faults_of(station: Station, ending: int, before: set[int]) -> list[str]:
    """What does not hold of a ledger whose last check ended so."""
    try:
        found = ["something else was raised"] if ending == OTHER else []
        numbers = station.numbers()
        wanted = before | {ASKED} if ending in (ALLOWED, DENIED) else before
        found += ["recorded rows are lost"] if wanted - numbers else []
        with station.ledger.reading() as look:
            issued = any(ticket.count == AGENTS for ticket in look.tickets())
        if issued and (ASKED not in numbers or (station.kind == "jsonl" and ending == UNAVAILABLE)):
            found.append("a ticket was issued for what was not allowed")
        if ending == ALLOWED and not issued:
            found.append("the ticket is missing")
        found += station.faults()
        found += [] if station.check(est_chars=ASKED + 1).allow else ["the next check is denied"]
        found += ["rows are lost behind the next check"] if numbers - station.numbers() else []
        return [*found, *station.faults()]
    except Exception as error:  # noqa: BLE001  whatever it is, the ledger is damaged
        return [f"it does not open: {error!r}"]


def rounds(kind: str, how: str, place: Path, stride: int, *, fresh: bool) -> dict[str, object]:
    """Figures of a check that is spoiled at its first call, at the next behind some, and so on to its last."""
    first = Station(place / "first", kind)
    before = set() if fresh else {0, 1}
    for number in before:
        first.check(est_chars=number)
    endings, faults, call, ending = Counter(), [], 1, ALLOWED
    while ending != MISSED:
        shutil.copytree(first.folder, place / "spoiled")
        station = Station(place / "spoiled", kind)
        ending = spoiled(call, HOW[how], partial(checked, station))
        if ending != MISSED:
            faults += [f"call {call}: {fault}" for fault in faults_of(station, ending, before)]
            endings[ending] += 1
        shutil.rmtree(place / "spoiled")
        call += stride
    shutil.rmtree(first.folder)
    return {"endings": endings, "faults": faults}


def started(kind: str, how: str, *, stride: int, fresh: bool) -> dict[str, object]:
    """The figures of `rounds`, counted by a program that runs under the shim."""
    words = ["--kind", kind, "--how", how, "--stride", str(stride), *(["--fresh"] if fresh else [])]
    return figures_of("tests.torture.failing", *words)


def main() -> None:
    """Print the figures of every kind and way to fail; exit 1 if something did not hold."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--place", type=Path)
    parser.add_argument("--kind", choices=NAMES)
    parser.add_argument("--how", choices=HOW)
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--fresh", action="store_true")
    asked = parser.parse_args()
    if asked.place:
        print(json.dumps(rounds(asked.kind, asked.how, asked.place, asked.stride, fresh=asked.fresh)))
        return
    broken = False
    for kind in NAMES:
        for how in HOW:
            for fresh in (False, True):
                figures = started(kind, how, stride=asked.stride, fresh=fresh)
                print(kind, how, "fresh" if fresh else "used", json.dumps(figures))
                broken = broken or bool(figures["faults"])
    sys.exit(broken)


if __name__ == "__main__":
    main()
