"""Probe content: a proof reads what the job left behind, it does not repeat the question."""

from gatewright.model import PROBE_NOT_CONTENT, Findings, Job, warn
from gatewright.spec import rule


@rule(codes=[PROBE_NOT_CONTENT], stage="register", fires="job.proven and not job.content")
def probe_content(job: Job) -> Findings:
    """Warn of a job that was proven by a command which reads nothing.

    What: looks at the probe's command: whether it prints words of its own or names of files, or content.
    Why: an `echo` of the id always succeeds, and a file of the right name may be empty; such a proof is only a stamp.
    Warns: `PROBE_NOT_CONTENT` for such a command.
    """
    if job.proven and not job.content:
        yield warn(
            PROBE_NOT_CONTENT,
            "the probe prints the job's id without reading it from anything",
            hint="let the probe print content in which the id stands, such as the orchestrator's own answer",
        )
