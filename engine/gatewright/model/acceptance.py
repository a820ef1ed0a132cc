"""Structured facts of the stage `accept`: the contract's terms, the registration, and what became of the worktree."""

from typing import Annotated, ClassVar

from msgspec import Struct

from gatewright.model.nouns import said


class ContractTerms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The contract that work is held to, as far as it can be read."""

    MISSING: ClassVar[str] = "readable"

    path: Annotated[str, said("the path as given")]
    readable: Annotated[bool, said("whether its front matter could be read and has no mistakes")]
    sha256: Annotated[str | None, said("SHA-256 of the file's bytes, lower-case hex")] = None
    error: Annotated[str | None, said("why it cannot be read")] = None
    model_required: Annotated[bool, said("whether an unverified model is not accepted")] = False


class Registration(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the ledger knows of a job."""

    found: Annotated[bool, said("whether the job is registered")]
    contract_sha: Annotated[str | None, said("the hash of the contract that it was registered for")] = None
    task: Annotated[str | None, said("the orchestrator's task")] = None
    attempt: Annotated[int | None, said("it was the nth allowed check of its contract")] = None
    model: Annotated[str | None, said("the model that was declared")] = None
    verified: Annotated[bool, said("whether the worker was measured to run that model")] = False
    escalated: Annotated[bool, said("whether a registration was denied for a more expensive model")] = False


class Surface(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which paths the work has changed since its base."""

    known: Annotated[bool, said("whether it could be told at all")]
    problem: Annotated[str | None, said("why it could not")] = None
    changed: Annotated[tuple[str, ...], said("the paths that were changed, made or removed")] = ()
    outside: Annotated[tuple[str, ...], said("those that may not be, each with the reason")] = ()


class CommitRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the rules on commits, pushes and branches were kept."""

    violations: Annotated[tuple[str, ...], said("what was done against them")] = ()


class Placement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the worker says that it stood when it began."""

    given: Annotated[bool, said("whether there is such a report")] = False
    problem: Annotated[str | None, said("why the report is none")] = None
    in_expected_worktree: Annotated[bool | None, said("whether it stood where it was to work")] = None
    is_master_checkout: Annotated[bool | None, said("whether that was the master's own checkout")] = None
    branch: Annotated[str | None, said("the branch that it was on")] = None


class Account(Struct, frozen=True, kw_only=True):
    """What there is to say of work beside the decision: what it is fixed to, and three lists."""

    verdict: str  #: `ACCEPTED` or `REFUSED`
    job_id: str | None
    contract_sha: str | None  #: as it was registered
    task: str | None
    attempt: int | None
    passed: tuple[str, ...]
    not_run: tuple[str, ...]
    remaining_risk: tuple[str, ...]
