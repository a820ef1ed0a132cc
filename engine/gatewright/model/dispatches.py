"""A dispatch as it went: one step after another, and where it ended."""

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct

from gatewright.model.decisions import Plain
from gatewright.model.exits import DispatchCode


class StepName(Enum):
    """The steps, in their order."""

    REQUEST = "request"
    RUNTIME = "runtime"
    MODEL = "model"
    APPROVAL = "approval"
    PREFLIGHT = "preflight"
    SCOPE = "scope"
    PRETRUST = "pretrust"
    CHECK = "check"
    TASK = "task"
    TERMINAL = "terminal"
    INJECT = "inject"
    REGISTER = "register"
    DELIVERY = "delivery"
    CLEAN_UP = "clean-up"


class StepOutcome(Enum):
    """How a step ended."""

    DONE = "done"
    WARNED = "warned"  #: done, and something is to be said
    SKIPPED = "skipped"  #: there was nothing to do
    DENIED = "denied"  #: a gate is closed
    FAILED = "failed"


class Step(Struct, frozen=True, kw_only=True):
    """One step."""

    name: StepName
    outcome: StepOutcome
    says: str  #: in a line
    more: tuple[str, ...] = ()  #: further lines: why, and what to do
    data: Mapping[str, Plain] = {}

    def to_dict(self) -> dict[str, Plain]:
        """The step as plain data."""
        return {
            "step": self.name.value,
            "outcome": self.outcome.value,
            "says": self.says,
            "more": list(self.more),
            **self.data,
        }


class Made(Struct, frozen=True, kw_only=True):
    """What a dispatch has made so far."""

    contract_sha: str | None = None
    runtime: str | None = None
    model: str | None = None
    task: str | None = None
    terminal: str | None = None
    dispatch: str | None = None
    registered: bool = False
    model_verified: bool = False
    delivery: str | None = None  #: the class of the delivery
    ended: bool = False  #: whether the terminal's program is known to have ended


class Dispatched(Struct, frozen=True, kw_only=True):
    """A whole dispatch."""

    code: DispatchCode
    made: Made
    steps: tuple[Step, ...]
    clean_up: tuple[str, ...] = ()  #: what a person runs to end what is left

    def to_dict(self) -> dict[str, Plain]:
        """The dispatch as plain data."""
        return {
            "exit_code": int(self.code),
            "result": self.code.name.lower(),
            "contract_sha": self.made.contract_sha,
            "runtime": self.made.runtime,
            "model": self.made.model,
            "task": self.made.task,
            "terminal": self.made.terminal,
            "job_id": self.made.dispatch,
            "registered": self.made.registered,
            "model_verified": self.made.model_verified,
            "delivery": self.made.delivery,
            "clean_up": list(self.clean_up),
            "steps": [step.to_dict() for step in self.steps],
        }
