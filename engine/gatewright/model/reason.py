"""A reason code in words."""

from msgspec import Struct


class Reason(Struct, frozen=True):
    """A reason code in words."""

    code: str
    stages: tuple[str, ...]  #: empty for codes that the engine may give at any stage
    level: str  #: what it does by default: deny or warn
    meaning: str
    cause: str
    action: str
