"""`watch` as other programs meet it: one object, a status, and a line that changes where a person looks."""

import json
import os
import re
import subprocess
import time

import pytest
from tests.cli.processes import DISPATCH_GATE, GATEWRIGHT
from tests.cli.test_terminal import HOSTILE, _printable, _shown

PROGRAMS = [GATEWRIGHT, DISPATCH_GATE]
KEYS = ["idle_seconds", "last_progress_at", "reason", "status"]


def aged(place, seconds, text="working\n"):
    place.write("job.log", text)
    then = time.time() - seconds
    os.utime(place.cwd / "job.log", (then, then))


@pytest.mark.acceptance("V01", "V02", "G13")
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("seconds", "more", "code", "status", "said"),
    [
        (0, (), 0, "OK", ""),
        (300, (), 0, "OK", ""),
        (400, (), 3, "STALLED", "STALLED"),
        (400, ("--max-idle", "500"), 0, "OK", ""),
        (20, ("--max-idle", "10"), 3, "STALLED", "STALLED"),
    ],
)
def test_the_status_says_how_it_stands(place, program, seconds, more, code, status, said):
    aged(place, seconds)
    result = place.run("watch", "--log", "job.log", *more, program=program)
    assert (result.code, result.json["status"], result.json["reason"]) == (code, status, status)
    assert result.stderr == (f"{program}: {said}\n" if said else "")
    assert list(result.json) == KEYS
    assert seconds <= result.json["idle_seconds"] < seconds + 60


@pytest.mark.acceptance("V01")
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_missing_log_is_two(place, program):
    result = place.run("watch", "--log", "job.log", program=program)
    assert (result.code, result.stderr) == (2, f"{program}: LOG_MISSING\n")
    assert result.stdout == '{"idle_seconds":null,"last_progress_at":null,"reason":"LOG_MISSING","status":"MISSING"}\n'


@pytest.mark.acceptance("V02")
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("words", [(), ("--log", "x", "--max-idle", "soon"), ("--log", "x", "--max", "1", "y")])
def test_a_log_has_to_be_named(place, program, words):
    assert place.run("watch", *words, program=program).code == 64


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--sentinel", "a(b"), "--sentinel, character"),
        (("--progress", r"(a+)\1$"), "--progress, character"),
        (("--max-idle", "-1"), "--max-idle"),
        (("--max-idle", "nan"), "`nan` is no number of seconds"),
        (("--max-idle", "inf"), "`inf` is no number of seconds"),
    ],
)
def test_a_pattern_that_cannot_be_taken_is_told_with_its_place(place, words, said):
    aged(place, 0)
    result = place.run("watch", "--log", "job.log", *words)
    assert (result.code, result.stdout) == (64, "")
    assert said in result.stderr


def test_a_log_that_cannot_be_read_is_neither_stalled_nor_missing(place):
    aged(place, 0)
    (place.cwd / "job.log").chmod(0)
    result = place.run("watch", "--log", "job.log", "--sentinel", "DONE", held_to_modes=True)
    assert (result.code, result.stdout) == (1, "")
    assert "job.log" in result.stderr


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("words", [(), ("--sentinel", "DONE"), ("--follow",)])
@pytest.mark.parametrize("made", [os.mkdir, os.mkfifo])
def test_what_is_no_file_is_no_log_that_moves(place, program, words, made):
    if words and program != "gatewright":
        words = ()
    made(place.cwd / "job.log")
    result = place.run("watch", "--log", "job.log", *words, program=program)
    assert (result.code, result.stdout) == (1, "")
    assert (
        result.stderr == f"{program}: job.log: it is no plain file, and has no lines to follow (name the log itself)\n"
    )


def test_the_sentinel_is_given_back(place):
    aged(place, 9000, "DONE \x1b[31m\n")
    result = place.run("watch", "--log", "job.log", "--sentinel", "^DONE")
    assert (result.code, result.json["reason"], result.json["sentinel"]) == (0, "SENTINEL", "DONE \x1b[31m")
    assert "\x1b" not in result.stdout


def test_following_ends_with_the_line(place):
    aged(place, 0)
    words = place.command(GATEWRIGHT, ["watch", "--log", "job.log", "--follow", "--sentinel", "^DONE$"])
    with subprocess.Popen(
        words, cwd=place.cwd, env=place.environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        with (place.cwd / "job.log").open("a") as file:
            file.write("DONE\n")
        stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stderr, json.loads(stdout)["sentinel"]) == (0, b"", "DONE")


def test_a_person_sees_how_it_goes_and_no_line_draws(place):
    aged(place, 0, f"{HOSTILE} step\n" + "long " * 90 + HOSTILE + "\n")
    words = ("watch", "--log", "job.log", "--follow", "--sentinel", "^END$", "--max-idle", "2")
    lines, code = _shown(place, *words)
    # What is split at its line ends is split at the carriage returns too.
    *drawn, last = (piece.rstrip("\n") for piece in "\n".join(lines).split("\x1b[K"))
    status, said = last.splitlines()
    assert (code, json.loads(status)["status"], said) == (3, "STALLED", "gatewright: STALLED")
    assert re.match(r"job\.log: idle \d s of 2 s \| 2 lines \| long long", drawn[1])
    assert _printable(drawn)
    assert all(len(each) < 100 for each in drawn)


def test_nothing_is_drawn_where_nobody_looks(place):
    aged(place, 0)
    result = place.run("watch", "--log", "job.log", "--follow", "--max-idle", "0.2")
    assert (result.code, result.stderr) == (3, "gatewright: STALLED\n")
