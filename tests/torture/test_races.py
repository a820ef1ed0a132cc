"""However many ask at one moment, no cap is passed, and every answer has its row."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.torture.racing import rounds
from tests.torture.stations import NAMES, ROOT, Station, environment


@pytest.mark.acceptance("P24", "T13")
@pytest.mark.parametrize("kind", NAMES)
def test_sixteen_processes_with_overrides_and_request_ids_pass_no_cap(kind):
    figures = rounds(kind, 2, seed=7)
    assert figures["faults"] == []
    assert figures["checks"] == 32


def test_a_program_that_writes_as_the_older_tool_does_loses_nothing_and_is_counted():
    figures = rounds("jsonl", 2, seed=8, strangers=4)
    assert figures["faults"] == []


@pytest.mark.parametrize("kind", NAMES)
def test_threads_of_one_process_pass_no_cap(kind, tmp_path):
    station = Station(tmp_path, kind, cap=5)
    with ThreadPoolExecutor(12) as pool:
        decisions = list(pool.map(lambda number: station.check(est_chars=number), range(12)))
    assert sorted(decision.reason for decision in decisions) == ["OK"] * 5 + ["TIER_FANOUT_CAP"] * 7
    assert station.faults() == []
    assert station.numbers() == set(range(12))


FORKS = """
import os, sys
from pathlib import Path
from tests.torture.stations import Station
station = Station(Path(sys.argv[1]), sys.argv[2], cap=5)
station.check(est_chars=0)
for number in range(1, 9):
    if os.fork() == 0:
        station.check(est_chars=number)
        os._exit(0)
print(sum(os.waitpid(-1, 0)[1] for _ in range(8)))
"""


@pytest.mark.parametrize("kind", NAMES)
def test_children_that_a_process_forks_after_it_has_checked_pass_no_cap(kind, tmp_path):
    command = [sys.executable, "-c", FORKS, str(tmp_path), kind]
    done = subprocess.run(command, env=environment(), cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "0\n"
    station = Station(tmp_path, kind, cap=5)
    assert station.faults() == []
    assert station.numbers() == set(range(9))
    assert sum(row.decision == "ALLOW" for row in station.rows()) == 5
