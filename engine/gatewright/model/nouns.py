"""Structured facts: what rules and expressions know a contract, a tier policy, a window and the time by.

Expressions see the fields that `HIDDEN` does not list. `MISSING` names the field that is false while the thing itself
could not be had; rules that only depend on it then do not apply.
"""

from datetime import UTC, datetime
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from gatewright.model.tiers import TierTable


def said(text: str) -> Meta:
    """The words beside a field."""
    return Meta(description=text)


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


class Moment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A point in time, in UTC."""

    epoch: Annotated[float, said("seconds since 1970-01-01T00:00:00Z")]
    text: Annotated[str, said("RFC 3339, such as 2026-11-29T18:02:11Z")]
    date: Annotated[str, said("the day, such as 2026-11-29")]
    time: Annotated[str, said("the time of day, such as 18:02")]
    weekday: Annotated[str, said("mon, tue, wed, thu, fri, sat or sun")]

    @classmethod
    def at(cls, epoch: float) -> "Moment":
        """The moment that many seconds after the epoch. Raises ValueError beyond the years 1 to 9999."""
        try:
            when = datetime.fromtimestamp(epoch, UTC)
        except (OverflowError, OSError, ValueError) as error:
            raise ValueError("not a time between the years 1 and 9999") from error
        days = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
        return cls(
            epoch=float(epoch),
            text=when.isoformat(timespec="seconds").replace("+00:00", "Z"),
            date=when.date().isoformat(),
            time=f"{when.hour:02}:{when.minute:02}",
            weekday=days[when.weekday()],
        )

    @classmethod
    def parsed(cls, text: str) -> "Moment":
        """The moment that an RFC 3339 text names. Raises ValueError for another form or a text without a time zone."""
        when = datetime.fromisoformat(text)
        if when.tzinfo is None:
            raise ValueError("a time needs a time zone: end it with `Z`")
        return cls.at(when.timestamp())
