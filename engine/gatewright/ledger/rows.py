"""Rows of the ledger: one JSON object each, with the keys of the older gate, and what can be read from any such object.

A row's line is kept as it is, byte for byte; everything else is derived from it and can be derived again.
"""

from collections.abc import Mapping
from enum import Enum
from math import isfinite

import msgspec
from msgspec import Struct

from gatewright.model.times import seconds_of

Plain = Mapping[str, object]
NOT_STARTED = "not_started"  #: the kind that a closing row says, which older gates pass over
BEYOND = 10**12  #: seconds since the epoch that lie beyond any calendar
MAX_AGENTS = 2**40  #: what one row counts at most, so that eight million of them still add up within 64 bits


class RowKind(Enum):
    """What a row is about."""

    CHECK = "check"
    REGISTRATION = "registration"
    CLOSING = "closing"  # of an allowed check whose dispatch was not started
    AUDIT = "audit"
    SKIPPED = "skipped"  #: a line that is no row: torn, glued, foreign, or empty of values


class Row(Struct, frozen=True, kw_only=True):
    """What the ledger makes of a line: who, what, when, and whether it counts."""

    line: bytes  #: the text without its line end, as it stands
    kind: RowKind
    ts: float | None = None  #: the row's own time, seconds since the epoch; None when it has none that can be read
    decision: str = ""
    reason: str = ""
    agents: int | None = None  #: None when it is no whole number of at least 1
    tier: str = ""
    model: str = ""
    contract_sha: str | None = None
    runtime: str = ""
    job_id: str | None = None
    request_id: str | None = None
    data: Plain = {}

    @property
    def allowed_check(self) -> bool:
        """Whether the row is a check that was allowed; only those can use a window up."""
        return self.kind is RowKind.CHECK and self.decision == "ALLOW"

    @property
    def settles(self) -> bool:
        """Whether the row settles one allowed check: a registration that was allowed, or the end of a failed start."""
        return (self.kind is RowKind.REGISTRATION and self.decision == "ALLOW") or self.kind is RowKind.CLOSING

    @property
    def account(self) -> str | None:
        """The account that the row is booked to: its tier, or where it has none its model; None if it does not count.

        Letter case makes no difference. Rows without a tier are booked by model, so that the table in force can say
        which tier that model is in.
        """
        if not self.allowed_check or self.agents is None:
            return None
        return f"tier:{self.tier.casefold()}" if self.tier else f"model:{self.model.strip().casefold()}"


def line_of(data: object) -> str:
    """The canonical line of a row or of a value in it: compact JSON, sorted keys, ASCII, as the older gate has it."""
    import json  # a dry run writes no row

    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def row_of(data: Plain, line: bytes | None = None) -> Row:
    """The row that an object is. Never raises for what it holds: what cannot be read is None or empty."""
    agents = data.get("n_agents")
    return Row(
        line=line_of(data).encode() if line is None else line,
        kind=_kind(data),
        ts=time_of(data.get("ts")),
        decision=_text(data.get("decision")),
        reason=_text(data.get("reason")),
        agents=min(agents, MAX_AGENTS) if type(agents) is int and agents >= 1 else None,
        tier=_text(data.get("tier")),
        model=_text(data.get("model")),
        contract_sha=_text(data.get("contract_sha")).lower() or None,
        runtime=_text(data.get("runtime")),
        job_id=_text(data.get("job_id")) or None,
        request_id=_text(data.get("request_id")) or None,
        data=data,
    )


def read_line(line: bytes) -> Row:
    """The row in a line, of kind `skipped` for one that is no row.

    A byte order mark, a carriage return at the end, NULs in front that a crash has left, and single bytes that are not
    UTF-8 do not make a row unreadable.
    """
    data = _read(line)
    return Row(line=line, kind=RowKind.SKIPPED) if data is None else row_of(data, line)


def kind_of(line: bytes) -> RowKind:
    """The kind of the row in a line, as `read_line` has it."""
    data = _read(line)
    return RowKind.SKIPPED if data is None else _kind(data)


def _read(line: bytes) -> Plain | None:
    """The object in a line; None where there is none, or one without a key."""
    try:
        data = msgspec.json.decode(line)  # several times as fast, and more particular
    except (msgspec.MsgspecError, ValueError, RecursionError):
        data = _read_patiently(line)
    return data if isinstance(data, dict) and data else None


def _read_patiently(line: bytes) -> object:
    import json

    try:
        return json.loads(line.decode("utf-8", "replace").strip("\ufeff\r\n\t \0"))
    except (ValueError, RecursionError):
        return None


def _kind(data: Plain) -> RowKind:
    # Null is as not there: older gates take it so, and tables that are written as lines name all of their columns.
    if data.get("job_id") is not None or (data.get("kind") == "registration" and data.get("decision") == "DENY"):
        return RowKind.REGISTRATION
    if data.get("kind") == NOT_STARTED and _text(data.get("contract_sha")):
        return RowKind.CLOSING
    if data.get("kind") is None and data.get("decision") in ("ALLOW", "DENY"):
        return RowKind.CHECK
    return RowKind.AUDIT


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def sound(text: str) -> str:
    """A text that a database takes: the half of a surrogate pair, which JSON can spell, becomes U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def time_of(value: object) -> float | None:
    """Seconds since the epoch of a number or an RFC 3339 text; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) < BEYOND and isfinite(value) else None
    if isinstance(value, str):
        try:
            return seconds_of(value)
        except ValueError:
            return None
    return None
