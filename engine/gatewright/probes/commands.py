"""Running a program to hear what it says: with a time limit, bounded output, and nothing of it left behind.

A command is a line for the shell, as an operator wrote it, or a list of words that no shell sees. It runs as the leader
of a process group of its own, which is ended as a whole: a pipeline, a job in the background and whatever else holds
the pipe open. What has left that group by itself is not waited for.
"""

import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import Enum
from tempfile import TemporaryFile
from typing import IO, Any, Self

from msgspec import Struct

SECONDS = 30.0  #: what a probe may take
KEPT_BYTES = 1 << 20  #: of its output; of what it says beyond, the beginning and the end are kept
_GRACE_SECONDS = 1.0  #: between asking a group to end and ending it
_DRAIN_SECONDS = 0.5  #: for what still stands in the pipe when the command has ended and something else holds it open
_POLL_SECONDS = 0.02
_CHUNK = 1 << 16
_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  #: what people and the system stop this process with


class End(Enum):
    """How a command ended."""

    EXITED = "it exited"
    TIMED_OUT = "it was over its time and was ended"
    NOT_STARTED = "it could not be started"


class Ran(Struct, frozen=True, kw_only=True):
    """What became of a command, and what it said."""

    end: End
    status: int | None = None  #: its exit status, minus the signal's number where one ended it; None unless it exited
    output: str = ""  #: of its standard output, decoded as UTF-8 with replacement
    errors: str = ""  #: of its standard error
    cut: bool = False  #: whether something was left out of the middle of the output
    problem: str = ""  #: why it could not be started

    @property
    def succeeded(self) -> bool:
        """Whether it exited with status 0."""
        return self.end is End.EXITED and self.status == 0


def run(
    command: str | Sequence[str],
    *,
    seconds: float = SECONDS,
    kept: int = KEPT_BYTES,
    environ: Mapping[str, str] | None = None,
    folder: str | None = None,
    told: bytes = b"",
) -> Ran:
    """Run a command and hear it out. Never raises for what the command is or does.

    command: a line for the shell, or the words of a program that is started without one.
    seconds: its time limit.
    kept: how many bytes of each stream are kept at most.
    environ, folder: in the place of our own.
    told: what it can read on its standard input.
    """
    words = ["/bin/sh", "-c", command] if isinstance(command, str) else list(command)
    with _Stops() as stops:
        try:
            with _readable(told) as given:
                process = subprocess.Popen(  # noqa: S603  the command is the operator's own
                    words,
                    stdin=given,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                    env=environ,
                    cwd=folder,
                )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            return Ran(end=End.NOT_STARTED, problem=(reason or type(error).__name__).lower())
        try:
            stops.end_before(process)
            return _heard(process, seconds, kept)
        finally:
            stops.wait()
            _end_group(process)


class _Stops:
    """What becomes of signals that stop this process while a command runs: none leaves the command behind.

    While it is being started, and while it is being ended, they wait. In between one that ends this process at once has
    the command's group ended before; any other one does what it always does.
    """

    def __init__(self) -> None:
        self._came: list[int] = []
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():  # no other may say what a signal does
            found = {each: signal.getsignal(each) for each in _STOPS}
            # None is what was not set from Python, and cannot be put back.
            self._before = {each: handler for each, handler in found.items() if handler not in (signal.SIG_IGN, None)}
        self.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._put(self._before)
        self._let_happen()

    def wait(self) -> None:
        """Have them wait."""
        self._put(dict.fromkeys(self._before, lambda number, _frame: self._came.append(number)))

    def end_before(self, process: "subprocess.Popen[bytes]") -> None:
        """Have a command ended first from now on, and let happen what has waited."""

        def end(number: int, _frame: object) -> None:
            _end_group(process)
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

        self._put({each: end if handler is signal.SIG_DFL else handler for each, handler in self._before.items()})
        self._let_happen()

    def _put(self, handlers: Mapping[signal.Signals, Any]) -> None:
        for each, handler in handlers.items():
            signal.signal(each, handler)

    def _let_happen(self) -> None:
        while self._came:
            signal.raise_signal(self._came.pop(0))


def _readable(told: bytes) -> IO[bytes]:
    """A file that holds it: a pipe would have to be filled while the command is heard."""
    if not told:
        return open(os.devnull, "rb")
    file = TemporaryFile()  # noqa: SIM115  whoever asks closes it
    file.write(told)
    file.seek(0)
    return file


def _heard(process: "subprocess.Popen[bytes]", seconds: float, kept: int) -> Ran:
    deadline = time.monotonic() + seconds
    assert process.stdout is not None
    assert process.stderr is not None
    output, errors = _Kept(kept), _Kept(kept)
    with process.stdout, process.stderr, selectors.DefaultSelector() as selector:
        for stream, into in ((process.stdout, output), (process.stderr, errors)):
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ, into)
        in_time = _listen(process, selector, deadline)
    return Ran(
        end=End.EXITED if in_time else End.TIMED_OUT,
        status=process.returncode if in_time else None,
        output=output.text(),
        errors=errors.text(),
        cut=output.cut,
    )


def _listen(process: "subprocess.Popen[bytes]", selector: selectors.BaseSelector, deadline: float) -> bool:
    """Read both streams to their end, or until the command has ended; whether it ended in time."""
    ended = False
    while selector.get_map():
        now = time.monotonic()
        if now >= deadline:
            return process.poll() is not None
        if not ended and process.poll() is not None:
            ended, deadline = True, min(deadline, now + _DRAIN_SECONDS)
        for key, _ in selector.select(min(_POLL_SECONDS, deadline - now)):
            if not key.data.read(key.fd):
                selector.unregister(key.fileobj)
    with suppress(subprocess.TimeoutExpired):
        process.wait(max(0.0, deadline - time.monotonic()))
    return process.returncode is not None


class _Kept:
    """The beginning and the end of a stream; what is too much in between is read and dropped."""

    def __init__(self, size: int) -> None:
        self.half = max(1, size // 2)
        self.head, self.tail = bytearray(), bytearray()
        self.cut = False

    def read(self, descriptor: int) -> bool:
        """Take in what there is; whether more may come."""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return True
        room = self.half - len(self.head)
        self.head += data[:room]
        self.tail += data[room:]
        if len(self.tail) > self.half:
            del self.tail[: len(self.tail) - self.half]
            self.cut = True
        return bool(data)

    def text(self) -> str:
        """What was kept, as text; a line break stands for what was left out, so that nothing is joined over it."""
        return bytes(self.head + (b"\n" if self.cut else b"") + self.tail).decode("utf-8", "replace")


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    """End what is left of a command's process group: politely first, then for good, and leave no zombie."""
    if _signalled(process, signal.SIGTERM):
        patience = time.monotonic() + _GRACE_SECONDS
        while _signalled(process, 0) and time.monotonic() < patience:
            process.poll()
            time.sleep(_POLL_SECONDS)
        _signalled(process, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):  # what the system itself cannot end is not waited for
        process.wait(_GRACE_SECONDS)


def _signalled(process: "subprocess.Popen[bytes]", number: int) -> bool:
    """Send a signal to every process of the group; whether there was one."""
    # The group's id is the leader's. The system gives it to nobody else as long as a process is left in the group.
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True
