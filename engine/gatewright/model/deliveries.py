"""What the rules of the stage `deliver` know a screen, a transcript and a worker by, and what a delivery is."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Struct, defstruct

from gatewright.model.nouns import said
from gatewright.model.screens import DeliveryClass, GateKind, PaneClass

if TYPE_CHECKING:

    class _Classed(Struct, frozen=True, kw_only=True):
        """A screen with its class."""

else:
    # Facts have a field `class`, and that is no name that the body of a Python class can declare.
    _Classed = defstruct(
        "_Classed",
        [("class", Annotated[str, said("hook-trust, limit, busy, prepared-prompt or unknown")])],
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )


class ShownScreen(_Classed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a worker's screen shows."""

    gate_kind: Annotated[
        str | None, said("what exactly it shows: trust, login, approval, quota, service, dead, advisory and others")
    ] = None
    reset_at: Annotated[str | None, said("when a limit ends, in RFC 3339; null where the screen does not say")] = None

    @property
    def pane_class(self) -> str:
        """The class, under a name that Python has."""
        return str(getattr(self, "class"))

    @classmethod
    def of(cls, pane_class: PaneClass, kind: GateKind | None = None, reset_at: str | None = None) -> "ShownScreen":
        """A screen of a class."""
        given: dict[str, str | None] = {"class": pane_class.value, "reset_at": reset_at}
        return cls(**given, gate_kind=kind.value if kind is not None else None)


class WorkerTranscript(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the worker itself wrote down."""

    confirms: Annotated[bool, said("whether the task's own words stand in it")] = False


class Worker(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The worker's process."""

    alive: Annotated[bool | None, said("whether it runs; null where nobody knows")] = None


_GATES = {PaneClass.HOOK_TRUST.value: DeliveryClass.HOOK_TRUST, PaneClass.LIMIT.value: DeliveryClass.LIMIT}
_TAKEN = (PaneClass.BUSY.value, PaneClass.UNKNOWN.value)
#: What says that something other than the agent's work took the prompt's place.
_NO_START = (GateKind.DEAD.value, GateKind.SERVICE.value, GateKind.ADVISORY.value)


def by_screens(before: ShownScreen | None, after: ShownScreen, worker: Worker) -> DeliveryClass:
    """What two screens say became of a task.

    A gate that stands there after it wins over everything. A prompt that was there and is gone is a start, unless
    nobody is there any more.
    """
    if after.pane_class in _GATES:
        return _GATES[after.pane_class]
    was_prepared = before is not None and before.pane_class == PaneClass.PREPARED_PROMPT.value
    is_taken = after.pane_class in _TAKEN and after.gate_kind not in _NO_START
    started = was_prepared and is_taken and worker.alive is not False
    return DeliveryClass.AGENT_STARTED if started else DeliveryClass.UNKNOWN


def delivered(
    before: ShownScreen | None, after: ShownScreen, transcript: WorkerTranscript, worker: Worker
) -> DeliveryClass:
    """What became of a task; the worker's own transcript turns what the screens leave unknown into a start."""
    found = by_screens(before, after, worker)
    return DeliveryClass.AGENT_STARTED if found is DeliveryClass.UNKNOWN and transcript.confirms else found
