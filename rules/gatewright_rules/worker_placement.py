"""Worker placement: a worker stands in a worktree of its own."""

from gatewright.model import EVIDENCE_FAILED, EVIDENCE_MISSING, MASTER_CHECKOUT, Findings, Placement, deny
from gatewright.spec import rule


@rule(
    codes=[MASTER_CHECKOUT, EVIDENCE_MISSING, EVIDENCE_FAILED],
    stage="accept",
    fires="placement.given",
)
def worker_placement(placement: Placement) -> Findings:
    """Deny the work of a worker that says that it stood in the wrong place.

    What: reads the three lines in which a worker has said where it stands, where they are given.
    Why: in the master's checkout its changes mix with those that others have made.
    Denies: `MASTER_CHECKOUT` for `is_master_checkout: yes`, `EVIDENCE_FAILED` for `in_expected_worktree: no`,
    `EVIDENCE_MISSING` for a report of another form.
    """
    if not placement.given:
        return
    if placement.is_master_checkout:
        yield deny(MASTER_CHECKOUT, "the worker says that it stood in its master's checkout", hint="stop it at once")
    if placement.problem is not None:
        hint = "`in_expected_worktree: yes`, `is_master_checkout: no`, `branch: NAME`, a line each"
        yield deny(EVIDENCE_MISSING, f"the placement report cannot be read: {placement.problem}", hint=hint)
    elif not placement.in_expected_worktree:
        yield deny(EVIDENCE_FAILED, "the worker says that it did not stand in its worktree", hint="start it there")
