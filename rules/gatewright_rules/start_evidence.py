"""Start evidence: a task that was sent is not a task that was taken."""

from gatewright.model import DELIVERY_UNVERIFIED, Findings, warn
from gatewright.model.deliveries import ShownScreen
from gatewright.spec import rule


@rule(codes=[DELIVERY_UNVERIFIED], stage="deliver", fires='delivery == "unknown"')
def start_evidence(delivery: str, before: ShownScreen | None, after: ShownScreen) -> Findings:
    """Warn of a delivery that nothing shows to have begun.

    What: looks for a prompt that was there before and is gone, or for the task in the worker's own transcript.
    Why: bytes that change and a terminal that is idle look the same whether a worker works or waits.
    Warns: `DELIVERY_UNVERIFIED` when neither is there, and neither a question nor a limit.
    """
    if delivery == "unknown":
        was = before.pane_class if before is not None else "not read"
        yield warn(
            DELIVERY_UNVERIFIED,
            f"the screen was `{was}` before and is `{after.pane_class}` now, which shows no start",
            hint="read the terminal; do not send the task again, since it may have arrived",
        )
