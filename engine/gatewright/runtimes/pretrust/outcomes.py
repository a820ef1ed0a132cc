"""What became of the trust files of an agent: one entry a file, and a line that sums up."""

from enum import Enum

from msgspec import Struct

from gatewright.errors import FileError


class Status(Enum):
    """What became of one file."""

    ADDED = "added"
    UPDATED = "updated"
    ALREADY = "already-trusted"
    REVOKED = "revoked"
    ABSENT = "not-there"
    SKIPPED = "skipped"


class TrustError(FileError):
    """A trust file, or a worktree, that is left as it is, and why."""


class Edit(Struct, frozen=True):
    """A file before and after; equal bytes where nothing has to change, None where there is no file."""

    status: Status
    before: bytes | None
    after: bytes | None

    @property
    def changes(self) -> bool:
        """Whether there is something to write."""
        return self.before != self.after


class Entry(Struct, frozen=True, kw_only=True):
    """One file of one account."""

    file: str
    status: Status
    keys: tuple[str, ...] = ()  #: under which the agent looks the worktree up
    problem: str = ""  #: why it was skipped
    hint: str = ""
    edit: Edit | None = None  #: None when it was skipped


class Outcome(Struct, frozen=True, kw_only=True):
    """What became of all files of an agent."""

    runtime: str
    worktree: str  #: as the agent sees it
    entries: tuple[Entry, ...]
    notes: tuple[str, ...] = ()
    revoked: bool = False  #: whether trust was to be taken back
    dry_run: bool = False  #: whether nothing was written

    def count(self, status: Status) -> int:
        """How many files came out so."""
        return sum(entry.status is status for entry in self.entries)

    @property
    def succeeded(self) -> bool:
        """Whether the agent will start without a question, or ask again where trust was taken back."""
        return not self.count(Status.SKIPPED)

    @property
    def summary(self) -> str:
        """The line that scripts read."""
        skipped = self.count(Status.SKIPPED)
        if skipped:
            first = next(entry for entry in self.entries if entry.status is Status.SKIPPED)
            return f"Summary: skipped — {skipped} of {len(self.entries)}: {first.problem}"
        if self.revoked:
            return f"Summary: {self.count(Status.REVOKED)} revoked, {self.count(Status.ABSENT)} not there"
        counts = (self.count(status) for status in (Status.ADDED, Status.UPDATED, Status.ALREADY))
        return "Summary: {} added, {} updated, {} already trusted".format(*counts)


def refusal(runtime: str, worktree: str, refused: TrustError) -> Outcome:
    """The outcome when the worktree itself is refused, and no file was looked at."""
    entry = Entry(file=refused.path, status=Status.SKIPPED, problem=refused.problem, hint=refused.hint)
    return Outcome(runtime=runtime, worktree=worktree, entries=(entry,))
