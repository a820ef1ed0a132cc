"""Runtime routing: a runtime that costs much is started one at a time."""

from gatewright.model import HIGH_COST_RUNTIME, ROUTING_VIOLATION, Findings, deny, warn
from gatewright.spec import rule


@rule(codes=[ROUTING_VIOLATION, HIGH_COST_RUNTIME], fires="runtime in high_cost")
def runtime_routing(runtime: str, agents: int, *, high_cost: tuple[str, ...] = ("fable",)) -> Findings:
    """Deny two or more agents on a high-cost runtime, and warn of one.

    What: looks at whether the runtime is on the list of high-cost runtimes.
    Why: fan-out multiplies the price of the runtime that can least bear it.
    Denies: `ROUTING_VIOLATION` for two or more agents on such a runtime; warns `HIGH_COST_RUNTIME` for one.
    Options: `high_cost`, the list.
    """
    if runtime in high_cost and agents > 1:
        yield deny(
            ROUTING_VIOLATION,
            f"{agents} agents on high-cost runtime `{runtime}`, at most 1 is allowed",
            hint="ask for one agent, or for another runtime",
        )
    elif runtime in high_cost:
        yield warn(HIGH_COST_RUNTIME, f"runtime `{runtime}` is a high-cost one", hint="use it where others will not do")
