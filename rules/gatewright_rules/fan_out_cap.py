"""Fan-out cap: how many agents of one tier may start within a window of time."""

from gatewright.model import TIER_FANOUT_CAP, Findings, Window, deny
from gatewright.spec import rule


@rule(codes=[TIER_FANOUT_CAP], fires="window.cap is not None and window.used + agents > window.cap")
def fan_out_cap(agents: int, tier: str | None, window: Window) -> Findings:
    """Deny a request that would start more agents of its tier than the window has left.

    What: adds the agents asked for to those that allowed checks of the tier started within the window.
    Why: ten single workers cost what one request for ten does.
    Denies: `TIER_FANOUT_CAP` when the sum is above the tier's cap; a tier without a cap is not limited.
    """
    if window.cap is None:
        return
    if window.used is None or window.used + agents > window.cap:
        used = "unknown" if window.used is None else window.used
        left = max(window.cap - window.used, 0) if window.used is not None else 0
        yield deny(
            TIER_FANOUT_CAP,
            f"tier={tier} agents={agents} used={used} cap={window.cap} window_seconds={window.seconds}",
            hint=_hint(left, window),
            tier=tier,
            agents=agents,
            used=window.used,
            cap=window.cap,
            window_seconds=window.seconds,
            frees_at=window.frees_at,
        )


def _hint(left: int, window: Window) -> str:
    ways = [f"ask for at most {left}"] if left else []
    ways += ["wait until the window frees"] if window.used else []
    return ", ".join(ways) + (", or " if ways else "") + "give --tier-override with a reason"
