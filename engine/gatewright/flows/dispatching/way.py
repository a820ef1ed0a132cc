"""A dispatch under way: its steps so far, what it has made, and how it ends."""

from collections.abc import Callable, Iterable
from typing import NoReturn

import msgspec

from gatewright.flows.dispatching import notes
from gatewright.flows.dispatching.desk import Desk, DispatchRequest
from gatewright.model import GateDecision
from gatewright.model.dispatches import Made, Step, StepName, StepOutcome
from gatewright.model.exits import DispatchCode
from gatewright.orchestrators.protocol import Orchestrator
from gatewright.runtimes.pretrust.outcomes import Outcome

Tell = Callable[[Step], None]


class Stop(Exception):  # noqa: N818  no error: the end of the way
    """The dispatch ends here."""

    def __init__(self, code: DispatchCode) -> None:
        super().__init__(code)
        self.code = code


class Way:
    """One dispatch under way."""

    def __init__(self, desk: Desk, request: DispatchRequest, tell: Tell) -> None:
        self.desk, self.request, self.tell = desk, request, tell
        self.steps: list[Step] = []
        self.made = Made()
        self.trusted: Outcome | None = None
        self.asked: Orchestrator | None = None
        self.is_recorded = False  #: whether an allowed check waits for this dispatch
        self.may_run = False  #: whether the task may have reached a worker

    @property
    def orchestrator(self) -> Orchestrator:
        """The orchestrator, once it was chosen."""
        assert self.asked is not None
        return self.asked

    def step(self, name: StepName, outcome: StepOutcome, says: str, more: Iterable[str] = (), **data: object) -> None:
        """A step has ended."""
        plain = msgspec.to_builtins({key: value for key, value in data.items() if value is not None})
        step = Step(name=name, outcome=outcome, says=says, more=tuple(more), data=plain)
        self.steps.append(step)
        self.tell(step)

    def end(self, name: StepName, code: DispatchCode, says: str, more: Iterable[str] = (), **data: object) -> NoReturn:
        """A step has failed, and the dispatch with it."""
        outcome = StepOutcome.DENIED if code is DispatchCode.DENIED else StepOutcome.FAILED
        self.step(name, outcome, says, more, **data)
        raise Stop(code)

    def decided(
        self,
        name: StepName,
        decision: GateDecision,
        says: str,
        code: DispatchCode,
        more: Iterable[str] = (),
        failed: str = "",
        **data: object,
    ) -> None:
        """A gate has decided. Where it denies, the dispatch ends with this code.

        failed: what is said then, in the place of the denial.
        """
        lines = [*notes.findings(decision), *more]
        plain = decision.to_dict()
        if not decision.allow:
            self.end(name, code, failed or notes.denied(decision), lines, decision=plain, **data)
        outcome = StepOutcome.WARNED if decision.warnings else StepOutcome.DONE
        self.step(name, outcome, says, lines, decision=plain, **data)

    def know(self, **made: object) -> None:
        """Something more is known of what was made."""
        self.made = msgspec.structs.replace(self.made, **made)
