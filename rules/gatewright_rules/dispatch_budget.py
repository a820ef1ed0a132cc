"""Dispatch budget: how much input one worker, and one request as a whole, may be given."""

from gatewright.model import BUDGET_EXCEEDED, Findings, deny
from gatewright.spec import rule


@rule(codes=[BUDGET_EXCEEDED], fires="est_chars > max_chars or cost_proxy > max_batch_chars")
def dispatch_budget(
    est_chars: int, cost_proxy: int, *, max_chars: int = 500_000, max_batch_chars: int = 1_000_000
) -> Findings:
    """Deny a request whose input is larger than the character budget.

    What: looks at the characters of one worker's input, and at the same times the number of agents.
    Why: input is what a dispatch costs before anyone can stop it.
    Denies: `BUDGET_EXCEEDED` above either limit; the limit itself is allowed, and 0 allows nothing.
    Options: `max_chars` for one worker, `max_batch_chars` for the request.
    """
    if est_chars > max_chars:
        yield deny(
            BUDGET_EXCEEDED,
            f"{est_chars} characters, {max_chars} allowed",
            hint="split the contract, or point to files instead of pasting them",
            est_chars=est_chars,
            max_chars=max_chars,
        )
    if cost_proxy > max_batch_chars:
        yield deny(
            BUDGET_EXCEEDED,
            f"{cost_proxy} characters over all agents, {max_batch_chars} allowed",
            hint="ask for fewer agents, or split the contract",
            cost_proxy=cost_proxy,
            max_batch_chars=max_batch_chars,
        )
