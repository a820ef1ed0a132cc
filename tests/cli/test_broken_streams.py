"""Streams that are closed, full or left: the exit status still tells the truth."""

import os
import subprocess

import pytest
from tests.cli.processes import DISPATCH_GATE, GATEWRIGHT, Place

PROGRAMS = pytest.mark.parametrize("program", [GATEWRIGHT, DISPATCH_GATE])
LISTING = {"rules": 0, "facts": 0, "policies": 0, "explain NO_MODEL": 0, "lint missing.yaml": 64, "--help": 0}


def _left() -> int:
    """The writing end of a pipe that nobody reads any more."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


def _full() -> int:
    return os.open("/dev/full", os.O_WRONLY)


STREAMS = [_left, *([_full] if os.path.exists("/dev/full") else [])]


def _start(place: Place, words, program=GATEWRIGHT, *, stdout=None, stderr=None):
    """Start a program with one of its streams in the state of that file descriptor."""
    process = subprocess.Popen(
        place.command(program, words),
        cwd=place.cwd,
        env=place.environment({}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if stdout is None else stdout,
        stderr=subprocess.PIPE if stderr is None else stderr,
    )
    for handle in (stdout, stderr):
        if handle is not None:
            os.close(handle)
    out, err = process.communicate(timeout=60)
    return process.returncode, (out or b"").decode(), (err or b"").decode()


@pytest.mark.parametrize("words", LISTING)
def test_a_reader_who_has_read_enough_is_no_failure(place, words):
    code, _, err = _start(place, words.split(), stdout=_left())
    assert code == LISTING[words]
    assert "Traceback" not in err


@PROGRAMS
@pytest.mark.parametrize("agents", ["0", "1"])
@pytest.mark.parametrize("stream", STREAMS)
def test_a_decision_that_cannot_be_told_is_a_denial(place, program, agents, stream):
    code, _, err = _start(place, place.request(agents=agents), program, stdout=stream())
    assert code == 2
    assert "Traceback" not in err
    assert all(line.startswith(f"{program}: ") for line in err.splitlines())


@PROGRAMS
@pytest.mark.parametrize("agents", ["0", "1"])
def test_without_standard_output_a_decision_is_a_denial(place, program, agents):
    words = place.command(program, place.request(agents=agents))
    closing = ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *words]
    done = subprocess.run(closing, cwd=place.cwd, env=place.environment({}), capture_output=True, check=False)
    assert (done.returncode, b"Traceback" in done.stderr) == (2, False)


@PROGRAMS
@pytest.mark.parametrize(("agents", "status"), [("0", 2), ("1", 0), ("two", 64)])
@pytest.mark.parametrize("stream", STREAMS)
def test_people_who_do_not_listen_change_no_status(place, program, agents, status, stream):
    code, out, _ = _start(place, place.request(agents=agents), program, stderr=stream())
    assert code == status
    assert out.count("\n") == (status != 64)


@PROGRAMS
@pytest.mark.parametrize(("agents", "status"), [("0", 2), ("1", 0), ("two", 64)])
def test_closed_standard_error_changes_no_status(place, program, agents, status):
    words = place.command(program, place.request(agents=agents))
    closing = ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", *words]
    done = subprocess.run(closing, cwd=place.cwd, env=place.environment({}), stdout=subprocess.PIPE, check=False)
    assert done.returncode == status
    assert done.stdout.count(b"\n") == (status != 64)


@pytest.mark.skipif(_full not in STREAMS, reason="there is no device that is always full")
def test_a_listing_that_cannot_be_written_is_told_in_a_line(place):
    code, _, err = _start(place, ["rules"], stdout=_full())
    assert code not in (0, 2)
    assert err.startswith("gatewright: ")
    assert "Traceback" not in err


def test_closed_standard_input_is_an_empty_one(place):
    words = place.command(GATEWRIGHT, ["eval", "true", "--facts", "-"])
    closing = ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *words]
    done = subprocess.run(closing, cwd=place.cwd, env=place.environment({}), capture_output=True, check=False)
    assert done.returncode in (1, 64)
    assert b"Traceback" not in done.stderr
