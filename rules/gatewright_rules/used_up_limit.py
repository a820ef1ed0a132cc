"""Used-up limit: a worker without quota answers a task with one line."""

from gatewright.model import DELIVERY_LIMITED, Findings, deny
from gatewright.model.deliveries import ShownScreen
from gatewright.spec import rule


@rule(codes=[DELIVERY_LIMITED], stage="deliver", fires='delivery == "limit"')
def used_up_limit(delivery: str, after: ShownScreen) -> Findings:
    """Deny a delivery that a limit has answered.

    What: looks at what the screen shows after the task was typed in.
    Why: the prompt took the task, so it looks like a start; but nothing works on it.
    Denies: `DELIVERY_LIMITED` for a quota, a rate or credits that are used up.
    """
    if delivery == "limit":
        until = f", and ends at {after.reset_at}" if after.reset_at is not None else ""
        yield deny(
            DELIVERY_LIMITED,
            f"a limit stands on the screen{until}",
            hint="take another runtime or account, or wait until it ends",
            reset_at=after.reset_at,
        )
