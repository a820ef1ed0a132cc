"""What looking a ledger over tells: one thing at a time, how well it is, and what to do about it."""

from enum import Enum

from msgspec import Struct

_DRIFT_SECONDS = 5.0


class Mark(Enum):
    """How well something is."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


class Symptom(Struct, frozen=True):
    """One thing that was looked at."""

    about: str
    mark: Mark
    told: str
    to_do: str = ""


def clocks(drift: float) -> Symptom:
    """How far ledger time is from the wall clock."""
    if abs(drift) <= _DRIFT_SECONDS:
        return Symptom("clock", Mark.OK, f"ledger time is the wall clock's, within {_DRIFT_SECONDS:g} s")
    way = "ahead of" if drift > 0 else "behind"
    to_do = "windows go by ledger time, which never goes back; it comes right with the next boot or the time"
    return Symptom("clock", Mark.WARNING, f"ledger time is {abs(drift):,.0f} s {way} the wall clock", to_do)
