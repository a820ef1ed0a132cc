"""Running a program to hear what it says: bounded in time and size, and nothing of it is left behind."""

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from gatewright.probes import commands
from gatewright.probes.commands import End, Ran, run

LONG = 300  #: seconds that nobody waits


def is_running(process: int) -> bool:
    """Whether a process is there and is no zombie."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return bool(shown.stdout.strip()) and not shown.stdout.strip().startswith("Z")


def numbers(text: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", text)]


def test_a_line_is_run_by_the_shell():
    assert run("printf 'a\\nb\\n' | tail -n 1; exit 3") == Ran(end=End.EXITED, status=3, output="b\n")


@pytest.mark.acceptance("R08", "R04")
def test_standard_error_is_kept_apart():
    ran = run("echo out; echo err >&2")
    assert (ran.output, ran.errors, ran.succeeded) == ("out\n", "err\n", True)


def test_words_are_run_without_a_shell():
    ran = run([sys.executable, "-c", "import sys; print(sys.argv[1:])", "$HOME; ls", "a b"])
    assert ran.output == "['$HOME; ls', 'a b']\n"


@pytest.mark.parametrize("command", [["no-such-program-anywhere"], [os.devnull], ["a\0b"]])
def test_what_cannot_be_started_is_told_and_not_raised(command):
    ran = run(command)
    assert (ran.end, ran.status, ran.succeeded) == (End.NOT_STARTED, None, False)
    assert ran.problem


def test_a_signal_is_no_success():
    assert run("kill -9 $$").status == -9
    assert not run("kill -9 $$").succeeded


def test_nothing_is_read_from_our_own_input():
    assert run("cat; echo end").output == "end\n"


def test_the_environment_and_the_folder_may_be_others(tmp_path):
    ran = run("echo $WHO; pwd -P", environ={"WHO": "me", "PATH": os.environ["PATH"]}, folder=str(tmp_path))
    assert ran.output == f"me\n{tmp_path.resolve()}\n"


def test_bytes_that_are_no_text_are_replaced():
    assert run(r"printf 'a\377\000b'").output == "a�\0b"


@pytest.mark.acceptance("R10", "CL-07")
@pytest.mark.parametrize(
    "command",
    [
        f"echo $$; sleep {LONG} & echo $!; wait",
        f"sh -c 'echo $$; sleep {LONG} & echo $!; wait'",
        f"echo $$; trap '' TERM; sleep {LONG} & echo $!; while :; do sleep {LONG}; done",
        f"echo $$; exec >&- 2>&-; sleep {LONG}",
        f"echo $$; (trap '' TERM HUP; exec sleep {LONG}) & echo $!; wait",
        f"echo $$; sleep {LONG} | cat",
    ],
    ids=["waits for a child", "in a shell", "hears no one", "closes its output", "deaf grandchild", "pipeline"],
)
def test_a_command_over_its_time_is_ended_with_everything_that_it_started(command):
    before = time.monotonic()
    ran = run(command, seconds=0.4)
    assert (ran.end, ran.status, ran.succeeded) == (End.TIMED_OUT, None, False)
    assert time.monotonic() - before < LONG / 10
    assert numbers(ran.output)
    assert [each for each in numbers(ran.output) if is_running(each)] == []


@pytest.mark.acceptance("R10")
def test_what_a_command_leaves_in_the_background_is_neither_waited_for_nor_left():
    before = time.monotonic()
    ran = run(f"echo done; sleep {LONG} & echo $!")
    assert (ran.end, ran.status) == (End.EXITED, 0)
    assert time.monotonic() - before < LONG / 10
    assert not is_running(numbers(ran.output)[0])


def test_what_was_said_before_the_time_was_over_is_kept():
    assert run(f"echo first; sleep {LONG}", seconds=0.3).output == "first\n"


def test_no_zombie_is_left():
    run("true")
    run(f"sleep {LONG}", seconds=0.1)
    shown = subprocess.run(["ps", "-A", "-o", "ppid=,stat="], capture_output=True, text=True, check=True).stdout
    ours = [line.split()[1] for line in shown.splitlines() if line.split()[0] == str(os.getpid())]
    assert [state for state in ours if state.startswith("Z")] == []


def test_of_a_flood_the_beginning_and_the_end_are_kept():
    line = "x" * 99
    ran = run(f"echo start; yes {line} | head -n 100000; echo end", kept=1000)
    assert ran.cut
    assert ran.output.startswith(f"start\n{line}\n")
    assert ran.output.endswith(f"{line}\nend\n")
    assert len(ran.output) == 1001
    assert ran.succeeded


def test_a_flood_that_does_not_end_is_ended_by_the_clock():
    ran = run("yes", seconds=0.4, kept=1000)
    assert (ran.end, ran.cut, len(ran.output)) == (End.TIMED_OUT, True, 1001)


def test_words_at_the_seam_of_a_cut_are_not_joined():
    ran = run("printf 'aaaab'; printf 'y%.0s' 1 2 3 4 5 6 7 8; printf 'caaaa'", kept=10)
    assert ran.output == "aaaab\ncaaaa"


@pytest.mark.parametrize("size", [9, 10])
def test_output_of_the_size_that_is_kept_is_whole(size):
    ran = run(f"printf '%0{size}d' 7", kept=10)
    assert (ran.output, ran.cut) == ("7".rjust(size, "0"), False)


def test_an_interrupt_ends_the_command_too(monkeypatch):
    started = []

    def interrupted(process, *_):
        started.append(process.pid)
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "_listen", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(f"sleep {LONG}")
    assert not is_running(started[0])


_ASKING = """
import os, pathlib, signal, sys
from gatewright.probes.commands import run
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may have them ignored
signal.signal(signal.SIGINT, signal.default_int_handler)
run("sleep {LONG} & echo $! > child; sleep {LONG}" if sys.argv[1] == "running" else "true")
pathlib.Path("child").write_text("0")
os.kill(os.getpid(), 15)
"""


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_that_ends_this_process_ends_the_command_before(stop, tmp_path):
    asking = [sys.executable, "-c", _ASKING.replace("{LONG}", str(LONG)), "running"]
    with subprocess.Popen(asking, cwd=tmp_path, stderr=subprocess.DEVNULL) as process:
        child = tmp_path / "child"
        while not (child.exists() and child.read_text().strip()):
            time.sleep(0.01)
        process.send_signal(stop)
        assert process.wait(20) == -stop
    assert not is_running(int(child.read_text()))


_STOPPED = """
import os, pathlib, signal, subprocess, sys
from gatewright.probes import commands
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
number, moment, program = int(sys.argv[1]), sys.argv[2], sys.argv[3]
at_once, end_group = subprocess.Popen, commands._end_group

def started(*given, **more):
    try:
        process = at_once(*given, **more)
        pathlib.Path("child").write_text(str(process.pid))
        return process
    finally:
        if moment == "starting":
            os.kill(os.getpid(), number)

def ended(process):
    if moment == "ending":
        os.kill(os.getpid(), number)
    end_group(process)

subprocess.Popen, commands._end_group = started, ended
commands.run([program, "{LONG}"], seconds=0.1 if moment == "ending" else 60)
print("went on")
"""


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize(("moment", "program"), [("starting", "sleep"), ("ending", "sleep"), ("starting", "/no/such")])
def test_a_signal_between_two_moments_of_a_command_leaves_nothing_behind_and_is_not_lost(
    stop, moment, program, tmp_path
):
    script = [sys.executable, "-c", _STOPPED.replace("{LONG}", str(LONG)), str(int(stop)), moment, program]
    done = subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stdout) == (-stop, "")
    child = tmp_path / "child"
    assert child.exists() is (program == "sleep")
    assert not (child.exists() and is_running(int(child.read_text())))


def test_an_error_of_ours_leaves_the_signals_as_they_were():
    before = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    with pytest.raises(TypeError):
        commands.run([5], folder=object())
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)] == before


def test_when_the_command_has_ended_a_signal_does_what_it_did_before(tmp_path):
    asking = [sys.executable, "-c", _ASKING.replace("{LONG}", str(LONG)), "over"]
    assert subprocess.run(asking, cwd=tmp_path, check=False).returncode == -signal.SIGTERM


def test_a_command_that_another_thread_runs_is_heard_out_too():
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(run, "echo heard").result().output == "heard\n"


@pytest.mark.acceptance("R09")
def test_a_probe_has_thirty_seconds():
    assert commands.SECONDS == 30
