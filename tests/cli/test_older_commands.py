"""The older program has the commands that it always had, and no others."""

import re

import pytest
from tests.cli.processes import DISPATCH_GATE

COMMANDS = ["check", "register", "watch", "report"]


@pytest.mark.acceptance("G01")
def test_the_older_program_lists_its_four_commands(place):
    found = place.run("--help", program=DISPATCH_GATE)
    listed = re.findall(r"^  ([a-z-]+) +\S", found.stdout.partition("Commands:")[2], flags=re.MULTILINE)
    assert (found.code, listed) == (0, COMMANDS)


@pytest.mark.acceptance("G01")
@pytest.mark.parametrize("command", ["dispatch", "accept", "pretrust", "tasks", "test"])
def test_what_only_the_newer_program_has_is_none_of_its_commands(place, command):
    found = place.run(command, "--help", program=DISPATCH_GATE)
    assert (found.code, f"unknown command `{command}`" in found.stderr) == (64, True)
