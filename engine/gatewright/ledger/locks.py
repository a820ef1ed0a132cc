"""One writer at a time: an exclusive lock on a file, waited for within reason."""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from gatewright.ledger.errors import LedgerError

WAIT_SECONDS = 30.0
_MODE = 0o600


@contextmanager
def locked(path: str, *, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the exclusive lock on a file, made where it is missing.

    The lock is of the open file, so that it excludes threads of this process as well as other processes, and ends with
    the process however that ends. Raises LedgerError when the file cannot be opened, or is held for longer than `wait`
    seconds.
    """
    descriptor = _opened(path, os.O_RDWR | os.O_CREAT)
    try:
        _hold(descriptor, fcntl.LOCK_EX, path, wait)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def shared(path: str, *, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the shared lock on a file if there is one; nothing is made where it is missing."""
    if not os.path.exists(path):
        yield
        return
    descriptor = _opened(path, os.O_RDONLY)
    try:
        _hold(descriptor, fcntl.LOCK_SH, path, wait)
        yield
    finally:
        os.close(descriptor)


def _opened(path: str, flags: int) -> int:
    try:
        return os.open(path, flags | os.O_CLOEXEC, _MODE)
    except OSError as error:
        problem = f"the lock cannot be opened: {(error.strerror or 'unknown reason').lower()}"
        raise LedgerError(path, problem, "check the folder and its permissions") from None


def _hold(descriptor: int, kind: int, path: str, wait: float) -> None:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        _wait(descriptor, kind, path, wait)
    except OSError as error:
        raise LedgerError(path, f"the file system has no locks: {(error.strerror or '').lower()}", _ELSEWHERE) from None


def _wait(descriptor: int, kind: int, path: str, wait: float) -> None:
    if not _Waiter(descriptor, kind).waited(wait):
        hint = "a process holds it without going on: see who with `lsof` or `fuser`"
        raise LedgerError(path, f"the lock has been held by another process for {wait:g} s", hint)


_ELSEWHERE = "keep the ledger on a local disk, or in PostgreSQL"


class _Waiter:
    """Waits for a lock in a thread of its own, since the kernel queues fairly but knows no time limit.

    Polling instead would starve: with sixteen processes the unlucky one waits twenty times as long.
    """

    def __init__(self, descriptor: int, kind: int) -> None:
        self.descriptor, self.kind = os.dup(descriptor), kind
        self.done = threading.Event()
        self.held = False

    def waited(self, seconds: float) -> bool:
        thread = threading.Thread(target=self._wait, daemon=True)
        thread.start()
        self.done.wait(seconds)
        return self.held

    def _wait(self) -> None:
        # The copy shares its lock with the original: closing it later leaves the lock where it is held, and where
        # nobody waits any more the original is closed already, so that closing the copy lets go.
        try:
            fcntl.flock(self.descriptor, self.kind)
            self.held = True
        except OSError:
            self.held = False
        finally:
            os.close(self.descriptor)
            self.done.set()
