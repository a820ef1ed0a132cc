"""What stands on a screen once everything was written: colours are gone, cursor moves are carried out.

Every sequence costs the same whatever its numbers are, and only the end of a long text is read.
"""

import re
from collections.abc import Callable

MAX_CHARACTERS = 65_536  #: of the end of what was written
MAX_ROWS, MAX_COLUMNS = 1_000, 1_000
HEIGHT = 24  #: of a terminal of which nothing is known
TAB = 8

_TOKENS = re.compile(
    r"(?P<csi>(?:\x1b\[|\x9b)(?P<numbers>[0-9;:<=>?]{0,64})[ -/]{0,8}(?P<final>[@-~])?)"
    r"|(?P<told>(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\r\n]*(?:\x07|\x9c|\x1b\\)?)"
    r"|\x1b(?:[ -/]{0,8}[0-~])?"
    r"|(?P<control>[\x00-\x1f\x7f-\x9f])"
    r"|(?P<plain>[^\x00-\x1f\x7f-\x9f]+)"
)
_PLACED = re.compile(r"(?:\x1b\[|\x9b)([0-9]{1,4})(?:;[0-9]{0,4})?[Hf]")


def rows(text: str, columns: int = MAX_COLUMNS) -> list[str]:
    """The rows that stand there, the oldest first, without blanks at their ends.

    columns: how wide the terminal is; what is written beyond it goes on in the next row.
    """
    end = text[-MAX_CHARACTERS:]
    if columns >= MAX_COLUMNS and not any(char in end for char in "\x1b\x9b\r\b\t"):
        return [line.rstrip() for line in _without_controls(end).split("\n")][-MAX_ROWS:]
    grid = _Grid(_height(end), min(columns, MAX_COLUMNS))
    for token in _TOKENS.finditer(end):
        if token["plain"] is not None:
            grid.write(token["plain"])
        elif token["control"] is not None:
            grid.control(token["control"])
        elif token["csi"] is not None:
            grid.command(token["final"] or "", token["numbers"])
    return grid.rows()


def _without_controls(text: str) -> str:
    return re.sub(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", "", text)


def _height(text: str) -> int:
    placed = [int(match[1]) for match in _PLACED.finditer(text)]
    return min(max([HEIGHT, *placed]), MAX_ROWS)


class _Grid:
    """Cells by row and column; the screen is its last rows, and what has scrolled off is above them."""

    def __init__(self, height: int, columns: int) -> None:
        self.height, self.columns = height, columns
        self.cells: dict[int, dict[int, str]] = {}
        self.row = self.column = self.last = 0
        self.commands: dict[str, Callable[[list[int]], None]] = {
            **dict.fromkeys("Hf", self._place),
            **dict.fromkeys("G`", self._to_column),
            "A": lambda numbers: self._to_row(self.row - numbers[0]),
            "B": lambda numbers: self._to_row(self.row + numbers[0]),
            "C": lambda numbers: self._to_column([self.column + numbers[0] + 1]),
            "D": lambda numbers: self._to_column([self.column - numbers[0] + 1]),
            "E": lambda numbers: self._to_row(self.row + numbers[0], 0),
            "F": lambda numbers: self._to_row(self.row - numbers[0], 0),
            "d": lambda numbers: self._to_row(self.top + numbers[0] - 1),
        }

    @property
    def top(self) -> int:
        return max(0, self.last - self.height + 1)

    def write(self, text: str) -> None:
        while text:
            room = self.columns - self.column
            if room <= 0:
                self.control("\n")
                room = self.columns
            cells = self.cells.setdefault(self.row, {})
            cells.update(enumerate(text[:room], self.column))
            self.column += len(text[:room])
            self.last, text = max(self.last, self.row), text[room:]

    def control(self, char: str) -> None:
        if char == "\n":
            self.row, self.column = self.row + 1, 0
            self.last = max(self.last, self.row)
            self.cells.pop(self.row - MAX_ROWS, None)
        elif char == "\r":
            self.column = 0
        elif char == "\b":
            self.column = max(self.column - 1, 0)
        elif char == "\t":
            self.column = min((self.column // TAB + 1) * TAB, MAX_COLUMNS)

    def command(self, final: str, numbers: str) -> None:
        private = numbers.startswith(("?", ">", "<", "="))
        given = [int(each) if each.isdigit() else 0 for each in numbers.strip("?><=").split(";")]
        if final in ("h", "l"):
            if private and {47, 1047, 1049} & set(given):
                self._clear()
        elif final == "J":
            self._erase(given[0])
        elif final == "K":
            self._erase_line(given[0])
        elif final in self.commands:
            self.commands[final]([min(max(each, 1), MAX_ROWS) for each in given])

    def _place(self, numbers: list[int]) -> None:
        self._to_row(self.top + numbers[0] - 1)
        self._to_column([numbers[1] if len(numbers) > 1 else 1])

    def _to_column(self, numbers: list[int]) -> None:
        self.column = min(max(numbers[0] - 1, 0), MAX_COLUMNS)

    def _to_row(self, row: int, column: int | None = None) -> None:
        self.row = min(max(row, self.top), self.top + self.height - 1)
        self.column = self.column if column is None else column

    def _erase(self, what: int) -> None:
        if what in (2, 3):
            self._clear()
        elif what == 0:
            self._erase_line(0)
            for row in range(self.row + 1, self.last + 1):
                self.cells.pop(row, None)
            self.last = min(self.last, self.row)

    def _erase_line(self, what: int) -> None:
        cells = self.cells.get(self.row, {})
        kept = {0: lambda column: column < self.column, 1: lambda column: column > self.column}.get(what)
        if kept is None:
            cells.clear()
        elif cells:
            self.cells[self.row] = {column: char for column, char in cells.items() if kept(column)}

    def _clear(self) -> None:
        self.cells.clear()
        self.row = self.column = self.last = 0

    def rows(self) -> list[str]:
        first = max(0, self.last - MAX_ROWS + 1)
        return [_line(self.cells.get(row, {})) for row in range(first, self.last + 1)]


def _line(cells: dict[int, str]) -> str:
    width = max(cells, default=-1) + 1
    return "".join(cells.get(column, " ") for column in range(width)).rstrip()
