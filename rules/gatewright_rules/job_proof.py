"""Job proof: a job is there when an artifact says so."""

from gatewright.model import UNVERIFIED_JOB, Findings, Job, deny
from gatewright.spec import rule


@rule(codes=[UNVERIFIED_JOB], stage="register", fires="not job.proven", owns=["job_id", "job"])
def job_proof(job_id: str, job: Job) -> Findings:
    """Deny a registration whose job the probe has not found.

    What: looks at whether the probe exited with 0 and its standard output holds the job's id as a whole word.
    Why: what a worker or its starter says of itself proves nothing.
    Denies: `UNVERIFIED_JOB` when either is not so, when the probe was over its time, and for a job without an id.
    """
    if not job.proven:
        yield deny(
            UNVERIFIED_JOB,
            f"job `{job_id}` is not proven: {job.problem or 'the probe did not find it'}",
            hint="give a probe that reads an artifact in which the job's id stands, and exits with 0",
        )
