"""Open question: a program that asks its user something takes no task."""

from gatewright.model import DELIVERY_BLOCKED, Findings, deny
from gatewright.model.deliveries import ShownScreen
from gatewright.spec import rule


@rule(codes=[DELIVERY_BLOCKED], stage="deliver", fires='delivery == "hook-trust"')
def open_question(delivery: str, after: ShownScreen) -> Findings:
    """Deny a delivery in whose way a question stands.

    What: looks at what the screen shows after the task was typed in.
    Why: a question about trust, a sign-in or a permission swallows what is typed; the task was never read.
    Denies: `DELIVERY_BLOCKED` for a question that waits, whatever the screen showed before.
    """
    if delivery == "hook-trust":
        kind = after.gate_kind or "unknown"
        yield deny(
            DELIVERY_BLOCKED,
            f"a question of kind `{kind}` stands on the screen",
            hint="answer it at the terminal before the next dispatch; never type a task into it",
            gate_kind=after.gate_kind,
        )
