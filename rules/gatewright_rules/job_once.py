"""Job once: one job settles one check."""

from gatewright.model import JOB_ALREADY_REGISTERED, Findings, deny
from gatewright.spec import rule


@rule(codes=[JOB_ALREADY_REGISTERED], stage="register", fires="job_registered")
def job_once(job_id: str, job_registered: bool) -> Findings:  # noqa: FBT001  a fact
    """Deny a job that is registered already.

    What: looks for the job's id among the registrations of the ledger.
    Why: one worker that is registered twice would use up an allowance that another was to have.
    Denies: `JOB_ALREADY_REGISTERED` when it is there.
    """
    if job_registered:
        yield deny(
            JOB_ALREADY_REGISTERED,
            f"job `{job_id}` was registered before",
            hint="give the job's own id; a registration that is sent again keeps its --request-id",
        )
