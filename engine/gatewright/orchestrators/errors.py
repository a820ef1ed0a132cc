"""What goes wrong with an orchestrator, in kinds that a registration can name."""

from enum import Enum

from gatewright.errors import GatewrightError
from gatewright.text import shortened

_LIMIT = 1000  #: characters of what another program says; it is shown in one line, and kept in the ledger


class Trouble(Enum):
    """How an orchestrator failed. The values are what a registration records as `probe_failure`."""

    MISSING = "orca_missing"  #: not there, not running, or another program of the same name
    TIMEOUT = "probe_timeout"  #: no answer in time
    UNPARSEABLE = "probe_unparseable"  #: an answer of another form
    NOT_FOUND = "task_not_found"  #: no such task, or nothing dispatched of it
    REFUSED = "refused"  #: it answered, and will not


class OrchestratorError(GatewrightError):
    """An orchestrator that does not do what it is asked.

    code: the orchestrator's own word for it, where it has one.
    steps: what it advises to do.
    """

    def __init__(
        self, trouble: Trouble, problem: str, hint: str = "", *, code: str = "", steps: tuple[str, ...] = ()
    ) -> None:
        super().__init__(trouble, problem, hint, code, steps)
        self.trouble, self.hint, self.steps = trouble, hint, tuple(shortened(each, _LIMIT) for each in steps)
        self.problem, self.code = shortened(problem, _LIMIT), shortened(code, _LIMIT)

    def __str__(self) -> str:
        code = f"{self.code}: " if self.code else ""
        hints = "; ".join(each for each in (self.hint, *self.steps) if each)
        return f"{code}{self.problem}" + (f" ({hints})" if hints else "")
