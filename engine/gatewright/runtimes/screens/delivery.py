"""What two screens say of a delivery: one before the task was typed in, one after it."""

from gatewright.model.deliveries import ShownScreen, Worker, WorkerTranscript, by_screens, delivered
from gatewright.model.screens import Delivery, DeliveryClass, Pane
from gatewright.runtimes.screens.lines import key_of

MARKER = 24  #: characters without blanks from which words are enough of a task to be known by


def transition(
    before: Pane | None, after: Pane, *, transcript_confirms: bool = False, alive: bool | None = None
) -> Delivery:
    """What became of the task, and what shows it.

    alive: whether the worker's process runs; None where nobody knows.
    """
    was, now = None if before is None else _shown(before), _shown(after)
    transcript, worker = WorkerTranscript(confirms=transcript_confirms), Worker(alive=alive)
    found = delivered(was, now, transcript, worker)
    evidence = "screen" if by_screens(was, now, worker) is found else "transcript"
    started = found is DeliveryClass.AGENT_STARTED
    return Delivery(delivery_class=found, before=before, after=after, evidence=evidence if started else None)


def facts(
    before: Pane | None, after: Pane, *, transcript_confirms: bool = False, alive: bool | None = None
) -> dict[str, object]:
    """The same as facts of the stage `deliver`, for a gate to decide on."""
    return {
        "before": None if before is None else _shown(before),
        "after": _shown(after),
        "transcript": WorkerTranscript(confirms=transcript_confirms),
        "worker": Worker(alive=alive),
    }


def _shown(pane: Pane) -> ShownScreen:
    return ShownScreen.of(pane.pane_class, pane.gate_kind, pane.reset_at)


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
