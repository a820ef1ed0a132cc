"""What the reason codes of the stage `deliver` mean."""

from gatewright.model import codes
from gatewright.model.reason import Reason

DELIVER = ("deliver",)

DELIVERY: tuple[Reason, ...] = (
    Reason(
        codes.DELIVERY_BLOCKED,
        DELIVER,
        "deny",
        "a question stands on the worker's screen, and the task was not read",
        "the program asks about trust, hooks, a sign-in, a permission or an update before it takes a task",
        "answer the question at the terminal, or see that it does not come, and then dispatch anew; never type into it",
    ),
    Reason(
        codes.DELIVERY_LIMITED,
        DELIVER,
        "deny",
        "a limit stands on the worker's screen, and the task was not worked on",
        "a quota, a rate or the credits of the account are used up",
        "dispatch to another runtime or account, or wait until the limit ends",
    ),
    Reason(
        codes.WORKER_GONE,
        DELIVER,
        "warn",
        "there is no worker behind the screen",
        "its process has ended, or a shell stands where the agent should be",
        "read the terminal to see why it ended, such as a command that is not found or a model that it does not know",
    ),
    Reason(
        codes.DELIVERY_UNVERIFIED,
        DELIVER,
        "warn",
        "nothing shows that the worker has started on its task",
        "its prompt is still there, there was none before, or the screen shows nothing that is known",
        "read the terminal itself, such as with `orca terminal read`; do not send the task again, it may be there",
    ),
)
