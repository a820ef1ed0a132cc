"""What two screens say of a delivery: one before the task was typed in, one after it."""

from gatewright.model.screens import Delivery, DeliveryClass, GateKind, Pane, PaneClass
from gatewright.runtimes.screens.lines import key_of

MARKER = 24  #: characters without blanks from which words are enough of a task to be known by
_GATES = {PaneClass.HOOK_TRUST: DeliveryClass.HOOK_TRUST, PaneClass.LIMIT: DeliveryClass.LIMIT}
_STARTED = (PaneClass.BUSY, PaneClass.UNKNOWN)
#: What says that something other than the agent's work took the prompt's place.
_NO_START = (GateKind.DEAD, GateKind.SERVICE, GateKind.ADVISORY)


def transition(
    before: Pane | None, after: Pane, *, transcript_confirms: bool = False, alive: bool | None = None
) -> Delivery:
    """What became of the task.

    A gate that stands there after it wins over everything. A prompt that was there and is gone is a start, unless
    nobody is there any more. The worker's own transcript may turn what nothing tells into a start.

    alive: whether the worker's process runs; None where nobody knows.
    """
    found, evidence = _by_screens(before, after, is_gone=alive is False), "screen"
    if found is DeliveryClass.UNKNOWN and transcript_confirms:
        found, evidence = DeliveryClass.AGENT_STARTED, "transcript"
    started = found is DeliveryClass.AGENT_STARTED
    return Delivery(delivery_class=found, before=before, after=after, evidence=evidence if started else None)


def _by_screens(before: Pane | None, after: Pane, *, is_gone: bool) -> DeliveryClass:
    if after.pane_class in _GATES:
        return _GATES[after.pane_class]
    was_prepared = before is not None and before.pane_class is PaneClass.PREPARED_PROMPT
    was_taken = was_prepared and after.pane_class in _STARTED and after.gate_kind not in _NO_START
    return DeliveryClass.AGENT_STARTED if was_taken and not is_gone else DeliveryClass.UNKNOWN


def confirms(transcript: str, task: str) -> bool:
    """Whether a task's own words stand in a transcript, as text or as JSON writes it.

    Too short a task is known by nothing, and confirmed by no transcript.
    """
    wanted = key_of(task)
    if len(wanted) < MARKER:
        return False
    import json

    written = key_of(json.dumps(task, ensure_ascii=False)[1:-1]), key_of(json.dumps(task)[1:-1])
    held = key_of(transcript)
    return any(each in held for each in (wanted, *written))
