"""A log that something else writes: when it last changed, and its lines as they are completed."""

import os
import stat
from collections.abc import Iterator

from gatewright.errors import FileError

MAX_LINE = 1 << 16  #: bytes of a line that are kept; the rest of a longer one is read and dropped
_CHUNK = 1 << 18
_NO_LOG = ("it is no plain file, and has no lines to follow", "name the log itself")
_MARK = 256  #: bytes in front of the place read to, by which a log that was written anew is known


def changed_at(path: str) -> float | None:
    """When a log last changed, in seconds since the epoch; None where there is none. Raises FileError."""
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise FileError(
            path, f"the log cannot be looked at: {_said(error)}", "check the path and permissions"
        ) from None
    if not stat.S_ISREG(status.st_mode):
        raise FileError(path, *_NO_LOG)
    return status.st_mtime


class Tail:
    """Follows a log by its path: what is appended, what is put in its place, what it is cut back to."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._file = -1
        self._at = 0
        self._mark = b""
        self._line = bytearray()

    def close(self) -> None:
        """Let go of the log."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1

    def lines(self) -> Iterator[str]:
        """The lines that were completed since the last call, without their line ends.

        A line without its line end is not complete. Bytes that are not UTF-8 are replaced.
        """
        if self._file >= 0:
            if self._rewritten():
                self._begin()
            yield from self._appended()
        if self._is_another():
            self.close()
            self._open()
            if self._file >= 0:
                yield from self._appended()

    def _open(self) -> None:
        try:
            # Nothing waits for the other end of a pipe that stands where a log should.
            self._file = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise FileError(self.path, f"the log cannot be read: {_said(error)}", "check its permissions") from None
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            self.close()
            raise FileError(self.path, *_NO_LOG)
        self._begin()

    def _begin(self) -> None:
        self._at, self._mark = 0, b""
        self._line.clear()

    def _is_another(self) -> bool:
        """Whether the path leads to another file than the one that is open."""
        try:
            there = os.stat(self.path)
        except OSError:
            return self._file < 0
        if self._file < 0:
            return True
        held = os.fstat(self._file)
        return (there.st_dev, there.st_ino) != (held.st_dev, held.st_ino)

    def _rewritten(self) -> bool:
        """Whether what was read is not there any more: the log was cut back, and perhaps written anew."""
        return os.pread(self._file, len(self._mark), self._at - len(self._mark)) != self._mark

    def _appended(self) -> Iterator[str]:
        while chunk := os.pread(self._file, _CHUNK, self._at):
            self._at += len(chunk)
            self._mark = (self._mark + chunk)[-_MARK:]
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                self._keep(end)
                yield self._line.decode("utf-8", "replace").removesuffix("\r")
                self._line.clear()
            self._keep(rest)

    def _keep(self, part: bytes) -> None:
        self._line += part[: MAX_LINE - len(self._line)]


def _said(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
