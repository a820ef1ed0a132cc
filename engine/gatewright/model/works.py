"""Works: what was allowed, what was started of it, and where that is."""

from enum import Enum

from msgspec import Struct


class WorkState(Enum):
    """Where a work is."""

    PENDING = "pending"  #: allowed and not dispatched, as far as is proven: no job was registered for it
    UNRECORDED = "unrecorded"  #: the orchestrator has dispatched it, and no registration names it
    ACTIVE = "active"  #: registered, and its dispatch has not ended
    STALLED = "stalled"  #: the same, and the worker has written nothing for too long
    COMPLETED = "completed"  #: its dispatch has ended well, which is the worker's or its program's own word
    FAILED = "failed"  #: its dispatch has failed, or was given up
    UNKNOWN = "unknown"  #: the orchestrator does not know its task, or cannot be asked
    NON_ORCHESTRATED = "non-orchestrated"  #: registered for a sentinel log: no orchestrator knows of it, nor ever will
    NOT_STARTED = "not-started"  #: allowed, and its start has failed


class Work(Struct, frozen=True, kw_only=True):
    """A check that was allowed, a job that was registered, or a dispatch that only its orchestrator knows of."""

    state: WorkState
    job: str | None = None
    task: str | None = None
    contract_sha: str | None = None
    runtime: str | None = None
    model: str | None = None
    attempt: int | None = None  #: it is the nth start of its contract
    at: float | None = None  #: when it was allowed or registered, in seconds since the epoch
    detail: str = ""  #: why it is in its state
