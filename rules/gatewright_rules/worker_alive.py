"""Worker alive: a screen is only as good as the program behind it."""

from gatewright.model import WORKER_GONE, Findings, warn
from gatewright.model.deliveries import ShownScreen, Worker
from gatewright.spec import rule


@rule(
    codes=[WORKER_GONE],
    stage="deliver",
    fires='after.gate_kind == "dead" or (worker.alive is not None and not worker.alive)',
)
def worker_alive(after: ShownScreen, worker: Worker) -> Findings:
    """Warn of a worker that is gone.

    What: looks at the worker's process, and for a shell where the agent should be.
    Why: a prompt that is gone because the program has ended is no start.
    Warns: `WORKER_GONE` when the process has ended, or the screen shows that no agent is there.
    """
    if worker.alive is False:
        yield warn(WORKER_GONE, "the worker's process has ended", hint="read its terminal to see why")
    elif after.gate_kind == "dead":
        message = "a shell, or a model that is not known, stands where the agent should be"
        yield warn(WORKER_GONE, message, hint="check the launch command and the model's id")
