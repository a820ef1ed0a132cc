"""Processes ended at random moments while they check: `python -m tests.torture.killing [--rounds N] [--by SIGNAL]`.

Each child checks without end and tells each recorded row on a pipe; it is ended, by `SIGKILL` or a signal
that can be caught, and every row that it told must be there. Children are forked, as starting Python would take longer.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.torture.stations import NAMES, Station

BY = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
BROKEN = -1  #: stands for a child that fails by itself or does not stop; there is no such row
FRESH = 25  #: after so many rounds a new ledger is begun, as its making is a moment of its own


def check_on(station: Station, first: int, told: int) -> None:
    """Check without end, every fifth time in vain, and tell each row that is recorded."""
    number = first
    while True:
        station.check(est_chars=number, agents=2 if number % 5 else 10**9)
        os.write(told, b"%d\n" % number)
        number += 1


def ended(station: Station, first: int, waits: int, seconds: float, by: signal.Signals) -> list[int]:
    """The rows that a child has told before it was ended, so many seconds after it told so many rows."""
    heard, told = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(heard)
            os.write(told, b"\n")  # a signal that comes before Python is ready again is lost
            check_on(station, first, told)
        except Exception:  # noqa: BLE001  nothing but the signal is to end it
            os.write(told, b"%d\n" % BROKEN)
        finally:
            os._exit(1)
    os.close(told)
    lines: list[bytes] = []
    with os.fdopen(heard, "rb") as pipe:
        for _ in range(waits + 1):
            lines = [*lines, pipe.readline()]
        time.sleep(seconds)
        os.kill(child, by)
        stopped = has_stopped(child)
        numbers = [int(line) for line in b"".join([*lines, pipe.read()]).split()]
        return numbers if stopped else [*numbers, BROKEN]


def has_stopped(child: int) -> bool:
    """Whether a child ends within reason; it is killed where it does not."""
    until = time.monotonic() + 20
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return False
        time.sleep(0.001)
    return True


def faults_of(station: Station, told: set[int]) -> list[str]:
    """What does not hold after a kill."""
    try:
        lost = told - station.numbers()
        found = [f"{len(lost)} recorded rows are lost"] if lost else []
        found += station.faults()
        if not station.look().allow:
            found.append("a look at it is denied")
    except Exception as error:  # noqa: BLE001  whatever it is, the ledger is damaged
        found = [f"damaged: {error!r}"]
    left = [path.name for path in station.tickets.glob(".*.tmp")] if station.tickets.is_dir() else []
    return [*found, *([f"{len(left)} temporary files pile up"] if len(left) > 1 else [])]


def rounds(kind: str, count: int, seed: int, by: signal.Signals) -> dict[str, object]:
    """Figures of so many kills, with whatever did not hold after one of them."""
    chance, faults, rows, first = random.Random(seed), [], 0, 0
    with tempfile.TemporaryDirectory() as place:
        for number in range(count):
            if number % FRESH == 0:
                station, told = Station(Path(place) / str(number), kind), set()
            told.update(ended(station, first, number % 3, chance.random() * 0.1, by))
            first = max(told, default=first) + 2  # behind the one that was recorded and not told
            faults += [f"round {number}: {fault}" for fault in faults_of(station, told)]
            if number % FRESH == FRESH - 1 or number == count - 1:
                rows += len(told)
                shutil.rmtree(station.folder)
    return {"kills": count, "told rows": rows, "faults": faults}


def main() -> None:
    """Print the figures of every kind; exit 1 if something did not hold."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=NAMES, action="append")
    parser.add_argument("--by", choices=[each.name for each in BY], default=BY[0].name)
    options = parser.parse_args()
    by = signal.Signals[options.by]
    told = {kind: rounds(kind, options.rounds, options.seed, by) for kind in options.kind or NAMES}
    print(json.dumps(told))
    sys.exit(any(figures["faults"] for figures in told.values()))


if __name__ == "__main__":
    main()
