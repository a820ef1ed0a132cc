"""What a dispatch asks of an orchestrator, whichever it is."""

from collections.abc import Sequence
from enum import Enum
from typing import Protocol, runtime_checkable

from msgspec import Struct


class DispatchStatus(Enum):
    """Where a dispatch is. The words are those that orchestrators print."""

    PENDING = "pending"
    DISPATCHED = "dispatched"
    COMPLETED = "completed"
    FAILED = "failed"
    CIRCUIT_BROKEN = "circuit_broken"
    OTHER = "other"  #: a word that is not known, or none

    @classmethod
    def of(cls, word: str) -> "DispatchStatus":
        """The status of a word. One that is not known says nothing of an end."""
        return next((each for each in cls if each.value == word), cls.OTHER)

    @property
    def is_active(self) -> bool:
        """Whether a worker may still be at it."""
        return self in {DispatchStatus.PENDING, DispatchStatus.DISPATCHED, DispatchStatus.OTHER}


class Dispatch(Struct, frozen=True, kw_only=True):
    """One start of a task in a terminal."""

    id: str
    task: str
    terminal: str = ""
    status: DispatchStatus = DispatchStatus.DISPATCHED
    injected: bool = True
    last_failure: str = ""


class Idle(Struct, frozen=True, kw_only=True):
    """How waiting for a terminal ended."""

    satisfied: bool
    blocked: str = ""  #: the orchestrator's word for what it waits at, such as `codex-trust-workspace`
    alive: bool = True


class Screen(Struct, frozen=True, kw_only=True):
    """What a terminal shows."""

    text: str
    alive: bool | None = None  #: None where the orchestrator does not know
    exit_code: int | None = None
    is_stream: bool = False  #: what was written one after another, not what stands on the screen
    blocked: str = ""  #: the orchestrator's word for what the program waits at
    changed_at: float | None = None  #: when something was last written, in seconds since the epoch; None if not known


class EventType(Enum):
    """Kinds of events that end or interrupt a wait."""

    WORKER_DONE = "worker_done"
    ESCALATION = "escalation"
    QUESTION = "question"
    OTHER = "other"


class Event(Struct, frozen=True, kw_only=True):
    """Something that an orchestrator has to tell of a worker. It is the worker's claim, and proves nothing."""

    id: str
    type: EventType
    task: str = ""
    dispatch: str = ""
    outcome: str = ""  #: `succeeded` or `failed`, where the event says so
    text: str = ""


class Batch(Struct, frozen=True, kw_only=True):
    """Events that are delivered together, and come again until they are acknowledged."""

    delivery: str = ""  #: what to acknowledge; empty when there is nothing
    events: tuple[Event, ...] = ()
    replayed: bool = False


WAKING = (EventType.WORKER_DONE, EventType.ESCALATION, EventType.QUESTION)


@runtime_checkable
class Lister(Protocol):
    """An orchestrator that can tell what it has dispatched, without being asked for each task."""

    def dispatches(self) -> Sequence[Dispatch]:
        """The newest dispatches that it knows, the newest first. Raises OrchestratorError."""


@runtime_checkable
class Reachable(Protocol):
    """An orchestrator that can be looked for before anything is spent on a dispatch."""

    def reach(self) -> None:
        """Raise OrchestratorError where its program is missing, or another one has its name. Nothing is changed."""


class Orchestrator(Protocol):
    """Tasks, terminals and events. Every method raises OrchestratorError when it cannot do what it says."""

    name: str

    def create_task(self, spec: str) -> str:
        """A task for a worker; its id."""

    def open_terminal(self, worktree: str, command: str) -> str:
        """A terminal in a worktree that runs a shell command; its handle."""

    def wait_idle(self, terminal: str, seconds: float) -> Idle:
        """Wait until a terminal's program has come to rest."""

    def inject(self, task: str, terminal: str) -> Dispatch:
        """Type a task into a terminal, once."""

    def dispatch_of(self, task: str) -> Dispatch | None:
        """The newest dispatch of a task; None when it has none, or there is no such task."""

    def screen(self, terminal: str) -> Screen:
        """What a terminal shows."""

    def wait(self, seconds: float, acknowledge: str = "") -> Batch:
        """The next events, or none when the time is over; what was delivered before is acknowledged first."""

    def probe_command(self, task: str) -> str:
        """The shell command by which a registration can look at the dispatch of a task."""

    def clean_up(self, task: str = "", terminal: str = "") -> Sequence[str]:
        """The commands by which a person ends what has been made so far."""
