"""The embedded default's terminals: real child processes, each with a terminal, a log and a host of its own."""

import errno
import os
import re
import secrets
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping

from gatewright.orchestrators import host
from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.orchestrators.protocol import Screen

_HANDLE = re.compile(r"local_[0-9a-f]{12}")
_TAIL_BYTES = 65536
_START_SECONDS = 10.0
_TERM = "xterm-256color"
_PASTE_ON, _PASTE_OFF = b"\x1b[?2004h", b"\x1b[?2004l"


class LocalTerminals:
    """Terminals whose logs and inputs lie in a folder, one folder each."""

    name = "local"

    def __init__(self, folder: str, environ: Mapping[str, str]) -> None:
        self.folder, self.environ = folder, environ

    def reach(self) -> None:
        """Nothing but the interpreter is needed, and that runs."""

    def open(self, worktree: str, command: str) -> str:
        """Start a command under a host that outlives this process. Raises OrchestratorError."""
        handle = f"local_{secrets.token_hex(6)}"
        place = os.path.join(self.folder, handle)
        try:
            os.makedirs(place, 0o700)
            os.mkfifo(os.path.join(place, host.INPUT), 0o600)
            self._start(place, worktree, command)
        except subprocess.CalledProcessError as error:
            raise OrchestratorError(Trouble.REFUSED, f"the worker's host ended with {error.returncode}") from None
        except OSError as error:
            hint = "check the folder and its permissions"
            raise OrchestratorError(Trouble.REFUSED, f"no terminal in {worktree}: {_said(error)}", hint) from None
        self._await_start(place)
        return handle

    def _start(self, place: str, worktree: str, command: str) -> None:
        subprocess.run(  # noqa: S603  a module of ours
            [sys.executable, "-I", host.__file__, os.path.abspath(place), command],
            cwd=worktree,
            env={**self.environ, "TERM": _TERM},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            check=True,
        )

    def _await_start(self, place: str) -> None:
        until = time.monotonic() + _START_SECONDS
        while not any(os.path.exists(os.path.join(place, name)) for name in (host.PID, host.EXIT)):
            if time.monotonic() > until:
                raise OrchestratorError(Trouble.TIMEOUT, f"{place}: the worker's host did not start")
            time.sleep(0.01)

    def type(self, terminal: str, text: str) -> None:
        """Type a text as one entry. Raises OrchestratorError when nobody is there to read it."""
        place = self._place(terminal)
        data = text.encode("utf-8", "replace")
        if self._takes_pastes(place):
            data = b"\x1b[200~" + data + b"\x1b[201~"
        try:
            pipe = os.open(os.path.join(place, host.INPUT), os.O_WRONLY | os.O_NONBLOCK)
            os.set_blocking(pipe, True)
            with open(pipe, "wb") as file:
                file.write(data + b"\r")
        except OSError as error:
            ended = error.errno in {errno.ENXIO, errno.EPIPE, errno.ENOENT}
            problem = "its program has ended" if ended else _said(error)
            raise OrchestratorError(Trouble.REFUSED, f"{terminal}: {problem}", code="terminal_gone") from None

    def _takes_pastes(self, place: str) -> bool:
        tail = _tail(os.path.join(place, host.LOG))
        return tail.rfind(_PASTE_ON) > tail.rfind(_PASTE_OFF)

    def screen(self, terminal: str) -> Screen:
        """The end of a terminal's log. Raises OrchestratorError for a terminal that there is not."""
        place = self._place(terminal)
        text = _tail(os.path.join(place, host.LOG)).decode("utf-8", "replace")
        exit_code = _number(os.path.join(place, host.EXIT))
        alive = exit_code is None and _is_listening(os.path.join(place, host.INPUT))
        return Screen(text=text, alive=alive, exit_code=exit_code, is_stream=True, changed_at=_changed(place))

    def close_command(self, terminal: str) -> str:
        """How a person ends a worker's host, and the worker with it."""
        return f"kill $(cat {shlex.quote(os.path.join(self._place(terminal), host.PID))})"

    def _place(self, terminal: str) -> str:
        place = os.path.join(self.folder, terminal)
        if not _HANDLE.fullmatch(terminal) or not os.path.isdir(place):
            hint = f"terminals of this machine are in {self.folder}"
            raise OrchestratorError(Trouble.REFUSED, f"there is no terminal `{terminal}`", hint, code="terminal_gone")
        return place


def _tail(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
            return file.read(_TAIL_BYTES)
    except FileNotFoundError:
        return b""


def _changed(place: str) -> float | None:
    try:
        return os.stat(os.path.join(place, host.LOG)).st_mtime
    except OSError:
        return None


def _number(path: str) -> int | None:
    try:
        with open(path, encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return None


def _is_listening(pipe: str) -> bool:
    """Whether a worker's host lives: a named pipe that nobody reads cannot be opened for writing."""
    try:
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
    except OSError:
        return False
    return True


def _said(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
