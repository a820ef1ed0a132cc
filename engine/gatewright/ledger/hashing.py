"""Chain and tree over many rows at once, in a second process where the machine has one to spare.

The hashes of a long ledger take longer than reading it. Chain and tree are followed by the other process, and the lines
are hashed by both in turn. Where it is lost, or something does not hold, everything is gone through without it.
"""

import fcntl
import os
import struct
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import IO, Protocol

from gatewright.ledger.chain import Frontier

WORTH = 50_000  #: rows, from which on a second process pays for its start

_HASH, _STAMP = 32, 9
_ROWS = struct.Struct(">I?")
_BEGIN = struct.Struct(">QII")
_STATE = struct.Struct(">?QII")
_NO_ROWS, _BEGINNING = 0, 2**32 - 1
_PIPE_BYTES = 1 << 20


class Links(Protocol):
    """The chain and the tree behind the rows that were given so far."""

    holds: bool  #: false once a line or a head is not what it was; another process may tell it by `state` alone

    def begin(self, frontier: Frontier, head: bytes) -> None:
        """Begin behind rows that nobody goes through."""

    def add(self, lines: Sequence[bytes], leaves: Sequence[bytes], stamps: bytes, heads: Sequence[bytes]) -> None:
        """Add rows. stamps: those of all rows, one behind the other. Raises TypeError for what are no bytes."""

    def state(self) -> tuple[Frontier, bytes]:
        """The tree, and the last head."""


class Here:
    """Links that are followed by this process."""

    def __init__(self) -> None:
        self.frontier, self.head, self.holds = Frontier(), b"", True

    def begin(self, frontier: Frontier, head: bytes) -> None:
        """Begin behind rows that nobody goes through."""
        self.frontier, self.head = frontier, head

    def add(self, lines: Sequence[bytes], leaves: Sequence[bytes], stamps: bytes, heads: Sequence[bytes]) -> None:
        """Add rows."""
        self.holds = self.holds and are_of(leaves, lines)
        self.link(leaves, stamps, heads)

    def link(self, leaves: Sequence[bytes], stamps: bytes, heads: Sequence[bytes]) -> None:
        """Add rows whose lines were hashed."""
        join, hasher = b"".join, sha256
        befores = [self.head, *heads[:-1]]
        rows = zip(befores, leaves, _parts(stamps, _STAMP), strict=True)
        found = [hasher(join((b"\x01", before, leaf, stamp))).digest() for before, leaf, stamp in rows]
        self.holds = self.holds and found == list(heads)
        self.frontier.add_all(leaves)
        self.head = heads[-1]

    def state(self) -> tuple[Frontier, bytes]:
        """The tree, and the last head."""
        return self.frontier, self.head


def are_of(leaves: Sequence[bytes], lines: Iterable[bytes]) -> bool:
    """Whether these are the leaves of lines. Raises TypeError for what are no bytes."""
    hasher = sha256
    return [hasher(b"\x00" + line).digest() for line in lines] == list(leaves)


def _parts(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


class Apart:
    """Links that another process follows. One that is lost holds nothing."""

    def __init__(self, given: IO[bytes], told: IO[bytes]) -> None:
        self._given, self._told, self.holds = given, told, True
        self._turn = False  #: whether the other process hashes the next lines

    def begin(self, frontier: Frontier, head: bytes) -> None:
        """Begin behind rows that nobody goes through."""
        stored = frontier.stored()
        lengths = _BEGIN.pack(frontier.size, len(stored), len(head))
        self._give(_ROWS.pack(_BEGINNING, False), lengths, stored, head)

    def add(self, lines: Sequence[bytes], leaves: Sequence[bytes], stamps: bytes, heads: Sequence[bytes]) -> None:
        """Add rows."""
        self._turn = not self._turn
        lengths = b""
        if self._turn:
            lengths = struct.pack(f">{len(lines)}I", *map(len, lines))
        elif not are_of(leaves, lines):
            self.holds = False
        all_leaves, all_heads = b"".join(leaves), b"".join(heads)
        if len(all_leaves) == len(all_heads) == len(leaves) * _HASH:
            count = _ROWS.pack(len(leaves), bool(lengths))
            self._give(count, lengths, *(lines if lengths else ()), all_leaves, stamps, all_heads)
        else:
            self.holds = False

    def state(self) -> tuple[Frontier, bytes]:
        """The tree, and the last head."""
        self._give(_ROWS.pack(_NO_ROWS, False))
        try:
            holds, size, stored, head = _STATE.unpack(self._told.read(_STATE.size))
        except (OSError, struct.error):
            self.holds = False
            return Frontier(), b""
        self.holds = self.holds and holds
        return Frontier(size, self._told.read(stored)), self._told.read(head)

    def _give(self, *parts: bytes) -> None:
        try:
            self._given.write(b"".join(parts))
            self._given.flush()
        except OSError:
            self.holds = False


@contextmanager
def apart(rows: int) -> Iterator[Apart | None]:
    """A second process for a ledger of so many rows; None where it would not pay, or cannot be started."""
    if rows < WORTH or (os.cpu_count() or 1) < 2 or not sys.executable:  # noqa: PLR2004  two at once
        yield None
        return
    import subprocess

    # Isolated, so that neither the folder nor the environment says what is loaded.
    command = [sys.executable, "-I", "-m", "gatewright.ledger.hashing"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    try:
        process = subprocess.Popen(command, **pipes)  # type: ignore[call-overload]  # noqa: S603  words of ours
    except OSError:
        yield None
        return
    try:
        with suppress(AttributeError, OSError):  # so that neither waits for the other
            fcntl.fcntl(process.stdin, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        yield Apart(process.stdin, process.stdout)
    finally:
        process.kill()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                pipe.close()
        process.wait()


def serve(given: IO[bytes], told: IO[bytes]) -> None:
    """Follow links for another process until it has gone."""
    links = Here()
    while count := given.read(_ROWS.size):
        rows, with_lines = _ROWS.unpack(count)
        if rows == _BEGINNING:
            size, stored, head = _BEGIN.unpack(given.read(_BEGIN.size))
            links.begin(Frontier(size, given.read(stored)), given.read(head))
        elif rows == _NO_ROWS:
            frontier, last = links.state()
            kept = frontier.stored()
            told.write(_STATE.pack(links.holds, frontier.size, len(kept), len(last)) + kept + last)
            told.flush()
        else:
            lines = list(_lines(given, rows)) if with_lines else None
            leaves = _parts(given.read(rows * _HASH), _HASH)
            stamps = given.read(rows * _STAMP)
            heads = _parts(given.read(rows * _HASH), _HASH)
            links.link(leaves, stamps, heads) if lines is None else links.add(lines, leaves, stamps, heads)


def _lines(given: IO[bytes], rows: int) -> Iterator[bytes]:
    lengths = struct.unpack(f">{rows}I", given.read(rows * 4))
    data, at = given.read(sum(lengths)), 0
    for length in lengths:
        yield data[at : at + length]
        at += length


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
