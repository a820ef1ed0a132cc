"""Which program the orchestrator is."""

import sys

import pytest

from gatewright.probes.orchestration import orca


@pytest.mark.parametrize(
    ("environ", "program"),
    [
        ({"ORCA_CLI_COMMAND": "orca-custom", "ORCA_DEV_REPO_ROOT": "x"}, "orca-custom"),
        ({"ORCA_CLI_COMMAND": "", "ORCA_DEV_REPO_ROOT": "x"}, "orca-dev"),
        ({}, "orca"),
        ({"PATH": "here"}, "orca-ide" if sys.platform == "linux" else "orca"),
        ({"PATH": "here", "ORCA_TERMINAL_HANDLE": "term_1"}, "orca"),
        ({"PATH": "elsewhere"}, "orca"),
    ],
)
def test_the_program_is_named_or_known_by_where_it_is_called(tmp_path, environ, program):
    here = tmp_path / "here"
    here.mkdir()
    (here / "orca-ide").write_text("#!/bin/sh\n")
    (here / "orca-ide").chmod(0o755)
    if "PATH" in environ:
        environ = {**environ, "PATH": str(tmp_path / environ["PATH"])}
    assert orca({"PATH": "", **environ}) == program
