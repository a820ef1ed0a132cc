"""The facts of the stage `deliver`: the screen before and after a task was typed in, and what else tells of it."""

from gatewright.model.deliveries import ShownScreen, Worker, WorkerTranscript, delivered
from gatewright.spec import collected, derived

DELIVER = ("deliver",)


@derived(stages=DELIVER)
def delivery(before: ShownScreen | None, after: ShownScreen, transcript: WorkerTranscript, worker: Worker) -> str:
    """What became of the task: `agent-started`, `hook-trust`, `limit` or `unknown`."""
    return delivered(before, after, transcript, worker).value


FACTS = (
    collected(
        "before",
        ShownScreen | None,
        "What the screen showed before the task was typed in; null where it was not read.",
        stages=DELIVER,
    ),
    collected("after", ShownScreen, "What the screen shows after it.", stages=DELIVER),
    collected("transcript", WorkerTranscript, "What the worker itself wrote down.", stages=DELIVER),
    collected("worker", Worker, "The worker's process.", stages=DELIVER),
    delivery,
)
