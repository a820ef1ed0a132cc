"""A process that is killed takes nothing with it that it has told anybody."""

import json
import subprocess
import sys

import pytest
from tests.torture.stations import NAMES, ROOT, environment


@pytest.mark.acceptance("T17", "T22")
@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize(("by", "rounds"), [("SIGKILL", 20), ("SIGINT", 9)])
def test_no_row_is_lost_and_no_ticket_is_halved_by_an_end_at_any_moment(kind, by, rounds):
    command = [sys.executable, "-m", "tests.torture.killing", "--rounds", str(rounds), "--kind", kind, "--by", by]
    done = subprocess.run(
        command, env=environment(), cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    figures = json.loads(done.stdout)[kind]
    assert figures["faults"] == []
    assert figures["kills"] == rounds
    assert figures["told rows"] > 0
