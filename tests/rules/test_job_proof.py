import pytest
from tests.rules.calls import DENY, findings_of, levels_of

from gatewright.model import UNVERIFIED_JOB, Job
from gatewright_rules import job_proof


@pytest.mark.parametrize("job_id", ["j1", ""])
def test_a_job_that_is_not_proven_is_denied_and_why_is_said(job_id):
    job = Job(proven=False, problem="the probe exited with 1")
    assert levels_of(job_proof, job_id=job_id, job=job) == [(UNVERIFIED_JOB, DENY)]
    (finding,) = findings_of(job_proof, job_id=job_id, job=job)
    assert finding.message == f"job `{job_id}` is not proven: the probe exited with 1"


def test_a_job_that_is_proven_passes():
    assert levels_of(job_proof, job_id="j1", job=Job(proven=True)) == []
