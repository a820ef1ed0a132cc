"""The lines of a transcript, one at a time: however long the file is, and whatever stands in it."""

import os
from collections.abc import Iterator
from typing import BinaryIO

from gatewright.probes.files import open_plain
from gatewright.probes.transcripts.rows import Row, row_in

MAX_LINE = 32 << 20  #: bytes of a line; a longer one is passed over and told
_BUFFER = 1 << 20


class Lines:
    """A transcript that is read from its beginning to where it ends now, line by line.

    Only a line feed ends a line. What is appended while it is being read is left for the next time.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.rows = 0  #: lines that held a row
        self.skipped = 0  #: lines that held none; blank ones are neither
        self.too_long = 0  #: of these, lines beyond the limit
        self.torn = False  #: whether the last of them is a last line that is not complete
        self._ended = True  #: whether the newest line had its line end

    def __iter__(self) -> Iterator[Row]:
        """The rows, in their order. Raises FileError for what is no plain file, or cannot be read."""
        for line in self.raw():
            row = row_in(line)
            if row is None:
                self._leave_out(line)
            else:
                self.rows += 1
                yield row

    def raw(self) -> Iterator[bytes]:
        """The lines as they are, but for blank ones and those that are too long."""
        with open_plain(self.path, buffer=_BUFFER) as file:
            left = os.fstat(file.fileno()).st_size
            while left > 0 and (line := file.readline(min(left, MAX_LINE))):
                left -= len(line)
                self._ended = line.endswith(b"\n")
                if not self._ended and left > 0:
                    left -= self._pass_over(file, left)
                elif line.strip():
                    yield line

    def _pass_over(self, file: BinaryIO, left: int) -> int:
        """Read and drop the rest of a line that is too long; how many bytes that were."""
        self.skipped, self.too_long = self.skipped + 1, self.too_long + 1
        dropped = 0
        while dropped < left and (more := file.readline(min(left - dropped, _BUFFER))):
            dropped += len(more)
            if more.endswith(b"\n"):
                break
        return dropped

    def _leave_out(self, line: bytes) -> None:
        if not line.strip(b"\x00 \t\r\n"):
            return  # a crash has left room for a row that was never written
        self.skipped += 1
        self.torn = not self._ended
