"""Measurements: which model answered a worker, what that rests on, and how it agrees with what was declared."""

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct


class Grade(Enum):
    """What a measured model rests on."""

    SERVED = "served"  #: the provider's answer names it
    CONFIGURED = "configured"  #: the agent was set to it; who answered is not told
    UNAVAILABLE = "unavailable"  #: nothing tells a model


class Agreement(Enum):
    """How what was measured agrees with what is expected."""

    OK = "OK"
    DRIFT = "DRIFT"  #: another model, or a dearer one, was seen
    INFO = "INFO"  #: nothing is expected
    UNVERIFIED = "UNVERIFIED"  #: nothing was measured: neither met nor missed


class Discord(Enum):
    """Why a measurement does not meet what is expected, in the reason codes of a registration."""

    MISMATCH = "MODEL_MISMATCH"
    ESCALATION = "MODEL_TIER_ESCALATION"
    UNVERIFIED = "MODEL_UNVERIFIED"


class Seen(Struct, frozen=True, kw_only=True):
    """What a transcript tells of models; every count is of answers, or of turns where answers name no model."""

    format: str = ""  #: `claude`, `codex` or `generic`
    measured: str | None = None  #: the newest model of the main thread
    models: Mapping[str, int] = {}  #: of the main thread
    recent: Mapping[str, int] = {}  #: of its last answers, placeholders among them
    placeholders: Mapping[str, int] = {}  #: what stands where no model answered, such as `<synthetic>`
    subagents: Mapping[str, int] = {}
    requested: Mapping[str, int] = {}  #: what the main thread asked for, where that is told
    session: str | None = None  #: the id that the agent gave the session
    rows: int = 0  #: lines that hold a row
    skipped: int = 0  #: lines that hold none
    notes: tuple[str, ...] = ()  #: sentences on what a reader of the figures has to know


class Measurement(Struct, frozen=True, kw_only=True):
    """What was measured of a worker, and how it agrees with the declared model."""

    seen: Seen = Seen()
    grade: Grade = Grade.UNAVAILABLE
    judged: str | None = None  #: the most expensive model seen, sub-agents included
    declared: str | None = None
    agreement: Agreement = Agreement.UNVERIFIED
    reason: Discord | None = None
    transcript: str | None = None  #: the file that was read
    found_by: str = ""  #: how it was found
    looked_in: tuple[str, ...] = ()  #: the patterns of paths that were looked through
    problem: str | None = None  #: why nothing was measured

    @property
    def measured(self) -> str | None:
        """The newest model of the main thread."""
        return self.seen.measured

    @property
    def verified(self) -> bool:
        """Whether a model was declared, every answer of the main thread came from it, and nothing dearer was seen."""
        return self.agreement is Agreement.OK

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know, what stopped the measurement first."""
        return (*((self.problem,) if self.problem else ()), *self.seen.notes)

    def to_dict(self) -> dict[str, object]:
        """The measurement as plain data."""
        return {
            "agreement": self.agreement.value,
            "declared": self.declared,
            "distribution": dict(self.seen.recent),
            "format": self.seen.format,
            "found_by": self.found_by,
            "grade": self.grade.value,
            "judged": self.judged,
            "looked_in": list(self.looked_in),
            "measured": self.measured,
            "models_seen": dict(self.seen.models),
            "notes": list(self.notes),
            "placeholders": dict(self.seen.placeholders),
            "reason": self.reason.value if self.reason else None,
            "requested": dict(self.seen.requested),
            "rows": self.seen.rows,
            "session_id": self.seen.session,
            "skipped": self.seen.skipped,
            "subagents": dict(self.seen.subagents),
            "transcript": self.transcript,
            "verified": self.verified,
        }
