"""What can go wrong, one class a way, each carrying values; `__str__` writes the sentence.

GatewrightError
├── ExpressionError     an expression that may not run, with every fault found
├── EvaluationError     an expression that ran into something it may not guess about
├── AdmissionError      a request that is no plain data, or too large
├── PolicyError         a policy, table, fixture or configuration file with mistakes
├── PluginError         a plugin that cannot be used
├── FileError           a file that cannot be read or written
└── UsageError          a command called wrongly
"""

from enum import Enum

from msgspec import Struct

from gatewright.text import printable


class Place(Struct, frozen=True, order=True):
    """A place in a file; line and column count from 1, in characters."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{printable(self.file)}:{self.line}:{self.column}"


class Severity(Enum):
    """How much a problem weighs: an error stops the file from loading, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Fix(Struct, frozen=True):
    """The one right answer to a mistake: what to write in the place of the characters `start` to `end`."""

    start: int
    end: int
    text: str


class Fault(Struct, frozen=True):
    """One mistake inside an expression, at the characters `start` to `end` of its text."""

    code: str
    start: int
    end: int
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    fix: Fix | None = None  #: in characters of the expression


class Problem(Struct, frozen=True, kw_only=True):
    """One mistake in a file: where, at which key, what, and what was probably meant."""

    place: Place
    message: str
    path: str = ""  #: place inside the document, such as `rules[2].when`
    hint: str = ""
    severity: Severity = Severity.ERROR
    check: str = "policy"  #: the name of the check that found it, for machines
    excerpt: str = ""  #: the source line with a caret below it
    fix: Fix | None = None  #: in characters of the file, a byte order mark not counted

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{self.place}: {where}{self.message}{hint}"


class GatewrightError(Exception):
    """Anything that gatewright says in one sentence instead of a traceback."""


class ExpressionError(GatewrightError):
    """An expression that may not run."""

    def __init__(self, text: str, faults: tuple[Fault, ...]) -> None:
        super().__init__(text, faults)
        self.text = text
        self.faults = faults

    def __str__(self) -> str:
        return "; ".join(fault.message + (f" ({fault.hint})" if fault.hint else "") for fault in self.faults)


class EvaluationError(GatewrightError):
    """An expression that met an absent field, another kind, or a number out of range.

    Holds names, kinds and places, never a value of the request.
    """

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return _told(self.fault.message, self.fault.hint)


class PathError(GatewrightError):
    """Something wrong at a path: of a file, or within a request."""

    def __init__(self, path: str, problem: str, hint: str = "") -> None:
        super().__init__(path, problem, hint)
        self.path = path
        self.problem = problem
        self.hint = hint

    def __str__(self) -> str:
        return _told(f"{self.path}: {self.problem}", self.hint)


class AdmissionError(PathError):
    """A request that is refused before any rule sees it."""


class FileError(PathError):
    """A file that cannot be read or written."""


class PolicyError(GatewrightError):
    """A file with mistakes; all of them, in the order of the file."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class PluginError(GatewrightError):
    """A plugin, rule or fact that cannot be used; names who, what and why."""

    def __init__(self, plugin: str, subject: str, problem: str, hint: str = "") -> None:
        super().__init__(plugin, subject, problem, hint)
        self.plugin = plugin
        self.subject = subject
        self.problem = problem
        self.hint = hint

    def __str__(self) -> str:
        plugin = f"plugin `{self.plugin}`" if self.plugin else ""
        return _told(": ".join(part for part in (plugin, self.subject, self.problem) if part), self.hint)


class UsageError(GatewrightError):
    """A command called wrongly, or a name that does not exist."""

    def __init__(self, problem: str, hint: str = "") -> None:
        super().__init__(problem, hint)
        self.problem = problem
        self.hint = hint

    def __str__(self) -> str:
        return _told(self.problem, self.hint)


def _told(problem: str, hint: str) -> str:
    return f"{problem} ({hint})" if hint else problem
