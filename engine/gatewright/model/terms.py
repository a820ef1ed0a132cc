"""What a contract says of the work: where it is done, what may be edited, what it is accepted by."""

from msgspec import Struct


class Demand(Struct, frozen=True, kw_only=True):
    """One piece of evidence that a contract asks for: a command that has to succeed, or a file that has to be there."""

    name: str
    run: str | None = None  #: a line for the shell, run in the worktree
    seconds: int = 600  #: its time limit
    file: str | None = None  #: a path within the worktree


class Terms(Struct, frozen=True, kw_only=True):
    """The front matter of a contract."""

    repository: str
    checkout: str
    allow: tuple[str, ...]  #: patterns of paths that may be edited
    forbid: tuple[str, ...] = ()  #: patterns of paths that may not, whatever `allow` says
    acceptance: tuple[str, ...]  #: what the work is done by, in words
    evidence: tuple[Demand, ...]
    commit: bool = False  #: whether the worker may commit; without a word it may not
    push: bool = False
    branch: str | None = None  #: a pattern of the branch that the work has to be on
    model: str | None = None  #: `verified` where an unverified model is not accepted
    exclusions: tuple[str, ...] = ()
