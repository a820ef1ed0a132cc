"""Structured facts: what rules and expressions know a contract, a tier policy, a window and the time by.

Expressions see the fields that `HIDDEN` does not list. `MISSING` names the field that is false while the thing itself
could not be had; rules that only depend on it then do not apply.
"""

from datetime import UTC, datetime
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from gatewright.model.tiers import TierTable
from gatewright.model.times import seconds_of


def said(text: str = "", *, among: tuple[str, ...] = (), like: str = "") -> Meta:
    """The words beside a field; of a text, which texts there are, or how they are written."""
    return Meta(description=text or None, extra={"among": among, "like": like} if among or like else None)


class Mentions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What contract lint found in the text of a contract; the text itself is no fact."""

    mcp: Annotated[bool, said("the text names MCP, an `mcp__` tool or `code-review-graph`")] = False
    trust: Annotated[bool, said("the text speaks of trust or of a trust dialog")] = False
    worktree_as_root: Annotated[bool, said("a line gives a worktree as the root of the repository")] = False
    paths: Annotated[tuple[str, ...], said("the absolute paths that the text names")] = ()


class Contract(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file that tells a worker what to do, read once: hash, length and lint come from the same bytes."""

    MISSING: ClassVar[str] = "readable"

    path: Annotated[str, said("the path as given")]
    readable: Annotated[bool, said("whether the file could be read")]
    sha256: Annotated[str | None, said("SHA-256 of the bytes, lower-case hex")] = None
    chars: Annotated[int | None, said("characters of the text, decoded as UTF-8 with replacement")] = None
    mentions: Annotated[Mentions, said("what contract lint found")] = Mentions()
    error: Annotated[str | None, said("why it could not be read")] = None


class TierPolicy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table that says which model is in which tier, and how many agents a tier may start."""

    MISSING: ClassVar[str] = "loaded"
    HIDDEN: ClassVar[frozenset[str]] = frozenset({"table"})

    path: Annotated[str, said("the path of the file")]
    loaded: Annotated[bool, said("whether the file was read and follows its rules")]
    version: Annotated[int | None, said("1 (by model) or 2 (by tier)")] = None
    sha256: Annotated[str | None, said("SHA-256 of the file's bytes, lower-case hex")] = None
    error: Annotated[str | None, said("why it could not be loaded")] = None
    unknown_model: Annotated[str | None, said("version 1: what an unlisted model gets, `deny` or `warn`")] = None
    table: TierTable | None = None


class Window(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the tier of a request has used up within its time window."""

    used: Annotated[int | None, said("agents of allowed checks within the window")]
    cap: Annotated[int | None, said("agents that the tier may start within the window; null is no cap")]
    seconds: Annotated[int | None, said("length of the window")] = None
    frees_at: Annotated[
        float | None, said("when so much has left the window that the request fits, seconds since the epoch")
    ] = None
    odd_times: Annotated[int, said("counted rows with a time in the future, or none that can be read")] = 0


class TicketPath(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the ticket of an allowed check would be written."""

    inside: Annotated[bool, said("whether that place lies inside the ticket folder")]
    path: Annotated[str | None, said("the file, where tickets are files")] = None


class Job(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A job, as far as its probe has found it in an artifact."""

    proven: Annotated[bool, said("the probe exited with 0, and the job's id is a whole word of its output")]
    content: Annotated[bool, said("the probe reads something, as far as its command tells")] = True
    problem: Annotated[str | None, said("why the job is not proven")] = None


class Orchestration(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the orchestrator knows of the task that a job is said to belong to."""

    required: Annotated[bool, said("whether an orchestrator has to know the job")]
    failure: Annotated[str | None, said("why it does not, such as `task_not_found`; null where it does")] = None
    detail: Annotated[str | None, said("the same in words")] = None


class MeasuredModel(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The model that a worker was measured to run, and what that rests on."""

    measured: Annotated[str | None, said("the newest model that answered the worker itself")] = None
    judged: Annotated[str | None, said("the most expensive model that was seen, sub-agents included")] = None
    models: Annotated[tuple[str, ...], said("every model that answered the worker itself, where that is known")] = ()
    grade: Annotated[
        str, said("`served` where the provider says so, `configured` where only the setting is known, `unavailable`")
    ] = "unavailable"
    probe_given: Annotated[bool, said("whether there was a probe at all")] = False
    probe_failed: Annotated[bool, said("whether the probe did not work")] = False
    problem: Annotated[str | None, said("why it did not work")] = None

    @property
    def found(self) -> str | None:
        """The measured model; None for none, and for what stands where no model answered, such as `<synthetic>`."""
        name = (self.measured or "").strip()
        return None if not name or (name.startswith("<") and name.endswith(">")) else name


class TicketChoice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which ticket a registration takes."""

    state: Annotated[
        str,
        said("`one`; `expired` within its grace; `absent` where the check's row alone is there; `none`; `several`"),
    ]
    candidates: Annotated[tuple[str, ...], said("the hashes of the contracts that come into question")] = ()
    contract_sha: Annotated[str | None, said("the hash of the contract that is registered")] = None
    age: Annotated[float | None, said("seconds since the check that issued it")] = None


class PendingChecks(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Allowed checks that no registration was matched with, and that this one may settle."""

    count: Annotated[int, said("how many there are")]
    model: Annotated[str | None, said("the model that the newest of them was for")] = None


DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Moment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A point in time, in UTC."""

    epoch: Annotated[float, said("seconds since 1970-01-01T00:00:00Z")]
    text: Annotated[str, said("RFC 3339, such as 2026-11-29T18:02:11Z", like="2026-11-29T18:02:11Z")]
    date: Annotated[str, said("the day, such as 2026-11-29", like="2026-11-29")]
    time: Annotated[str, said("the time of day, such as 18:02", like="18:02")]
    weekday: Annotated[str, said("mon, tue, wed, thu, fri, sat or sun", among=DAYS)]

    @classmethod
    def at(cls, epoch: float) -> "Moment":
        """The moment that many seconds after the epoch. Raises ValueError beyond the years 1 to 9999."""
        try:
            when = datetime.fromtimestamp(epoch, UTC)
        except (OverflowError, OSError, ValueError) as error:
            raise ValueError("not a time between the years 1 and 9999") from error
        return cls(
            epoch=float(epoch),
            text=when.isoformat(timespec="seconds").replace("+00:00", "Z"),
            date=when.date().isoformat(),
            time=f"{when.hour:02}:{when.minute:02}",
            weekday=DAYS[when.weekday()],
        )

    @classmethod
    def parsed(cls, text: str) -> "Moment":
        """The moment that an RFC 3339 text names. Raises ValueError for another form or a text without a time zone."""
        return cls.at(seconds_of(text))
