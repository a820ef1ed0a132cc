"""Keeps one worker of the embedded orchestrator: a program under a terminal of its own, with its log and its input.

Run as a script of its own with a folder and a command, so that it needs nothing but the interpreter. The folder holds
`log` (all that the program wrote), `input` (a named pipe; what is written there is typed), `pid` until its end and
`exit` from then on. The host ends when the program does, and when it is told to it ends the program with everything
that it started.
"""

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

LOG, INPUT, PID, EXIT = "log", "input", "pid", "exit"
ROWS, COLUMNS = 50, 120
_CHUNK = 65536
_GRACE_SECONDS = 2.0


def main(folder: str, command: str) -> None:
    """Start the command, and copy until it ends."""
    if os.fork():  # the host is nobody's child: it outlives who started it, and leaves no dead process behind
        return
    umask = os.umask(0o077)
    typed = os.open(os.path.join(folder, INPUT), os.O_RDWR | os.O_NONBLOCK)
    log = os.open(os.path.join(folder, LOG), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    worker, master = pty.fork()
    if worker == 0:
        os.umask(umask)
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.execv("/bin/sh", ["/bin/sh", "-c", command])  # noqa: S606  the operator's own launch command
    signal.signal(signal.SIGTERM, lambda *_: _end(worker))
    _put(os.path.join(folder, PID), str(os.getpid()))
    _copy(master, typed, log)
    _, status = os.waitpid(worker, 0)
    _put(os.path.join(folder, EXIT), str(os.waitstatus_to_exitcode(status)))
    os.unlink(os.path.join(folder, PID))  # the number may soon be another program's, and `kill` would meet that


def _copy(master: int, typed: int, log: int) -> None:
    waiting = b""
    while True:
        ready, writable, _ = select.select([master, typed], [master] if waiting else [], [])
        if master in ready:
            try:
                data = os.read(master, _CHUNK)
            except OSError:  # how Linux tells that the last program on the terminal has gone
                return
            if not data:
                return
            _write(log, data)
        if typed in ready:
            with contextlib.suppress(BlockingIOError):
                waiting += os.read(typed, _CHUNK)
        if master in writable:
            # A piece at a time: a terminal takes what its program has not read yet only up to some size.
            try:
                waiting = waiting[os.write(master, waiting[:512]) :]
            except OSError:  # nobody is left who could read it; what was written before is still to be taken up
                waiting = b""


def _write(log: int, data: bytes) -> None:
    while data:
        try:
            data = data[os.write(log, data) :]
        except OSError:  # a full disk loses log, and must not stop the worker
            return


def _end(worker: int) -> None:
    with contextlib.suppress(OSError):
        os.killpg(worker, signal.SIGHUP)
        os.killpg(worker, signal.SIGTERM)
        time.sleep(_GRACE_SECONDS)
        os.killpg(worker, signal.SIGKILL)


def _put(path: str, text: str) -> None:
    temporary = f"{path}.new"
    with open(temporary, "w", encoding="ascii") as file:
        file.write(text)
    os.replace(temporary, path)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
