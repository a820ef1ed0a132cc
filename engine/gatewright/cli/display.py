"""One line on a terminal that changes while a command waits; nothing at all where nobody looks."""

import os
import sys
import unicodedata
from types import TracebackType
from typing import Self

from gatewright.text import printable

_COLUMNS = 80  #: of a terminal that does not say


class Display:
    """The line, on standard error; it is gone at the end."""

    def __init__(self) -> None:
        self.stream = sys.__stderr__ if sys.__stderr__ is not None and sys.__stderr__.isatty() else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._draw("")

    def show(self, text: str) -> None:
        """Show a text in the place of the one before; of a long one, what the terminal has room for."""
        if self.stream is not None:
            self._draw(cut(printable(text), self._columns() - 1))

    def _columns(self) -> int:
        try:
            found = os.get_terminal_size(self.stream.fileno()).columns if self.stream is not None else 0
        except (OSError, ValueError):
            found = 0
        return found or _COLUMNS

    def _draw(self, text: str) -> None:
        if self.stream is None:
            return
        try:
            self.stream.write(f"\r\x1b[K{text}")
            self.stream.flush()
        except (OSError, ValueError):
            self.stream = None  # nobody looks any more


def cut(text: str, columns: int) -> str:
    """The beginning of a text that fits into so many columns; wide characters take two."""
    taken = 0
    for at, char in enumerate(text):
        taken += 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if taken > columns:
            return text[:at]
    return text
