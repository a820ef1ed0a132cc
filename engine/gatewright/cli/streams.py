"""Standard output and error: one document on the one, words for people on the other, whatever becomes of them."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import BinaryIO, TextIO

from gatewright.errors import GatewrightError
from gatewright.text import printable


class OutputError(GatewrightError):
    """Standard output, or a file in its place, cannot be written."""

    def __init__(self, problem: str, *, where: str = "standard output", left: bool = False) -> None:
        super().__init__(problem)
        self.problem, self.where = problem, where
        self.left = left  #: whether the reader has gone, having read enough

    def __str__(self) -> str:
        return f"{printable(self.where)}: {self.problem}"


def emit(text: str) -> None:
    """Write to the process's own standard output, at once. Raises OutputError when that cannot be."""
    stream = sys.__stdout__
    if stream is None:
        raise OutputError("it is closed")
    try:
        _write(stream, text)
    except BrokenPipeError:
        raise OutputError("nobody reads it", left=True) from None
    except (OSError, ValueError) as error:
        raise OutputError(str(getattr(error, "strerror", None) or "it cannot be written").lower()) from None


def emit_lines(lines: Iterable[bytes]) -> None:
    """Write lines as they come, each with its line end, byte for byte. Raises OutputError when that cannot be."""
    stream = sys.__stdout__
    if stream is None:
        raise OutputError("it is closed")
    try:
        for line in lines:
            stream.buffer.write(line + b"\n")
        stream.buffer.flush()
    except BrokenPipeError:
        raise OutputError("nobody reads it", left=True) from None
    except (OSError, ValueError) as error:
        raise OutputError(str(getattr(error, "strerror", None) or "it cannot be written").lower()) from None


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
    except UnicodeEncodeError:
        stream.write(text.encode(stream.encoding or "ascii", "backslashreplace").decode(stream.encoding or "ascii"))
    stream.flush()


def standard_input() -> BinaryIO:
    """Standard input; a closed one is empty."""
    return sys.stdin.buffer if sys.stdin is not None else BytesIO()


def say(program: str, message: str) -> None:
    """Tell people something on standard error, each line with the program's name in front.

    People who do not listen change nothing: what was decided stands.
    """
    stream = sys.__stderr__
    if stream is None:
        return
    try:
        _write(stream, "".join(f"{program}: {printable(line)}\n" for line in message.splitlines()))
    except (OSError, ValueError):
        settle(stream)


@contextmanager
def kept_clean() -> Iterator[None]:
    """Send what plugins print to standard error, so that standard output stays one document."""
    before, sys.stdout = sys.stdout, sys.stderr
    try:
        yield
    finally:
        sys.stdout = before


def settle(stream: TextIO | None) -> None:
    """Flush a stream for the last time; one that takes nothing more is sent nowhere, so that exiting cannot fail."""
    if stream is None:
        return
    try:
        stream.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
