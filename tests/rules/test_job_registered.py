import pytest
from tests.rules.calls import DENY, levels_of

from gatewright.model import NO_REGISTRATION, ContractTerms, Registration
from gatewright_rules import job_registered


@pytest.mark.parametrize(
    ("registration", "found"),
    [
        (Registration(found=True, contract_sha="a1"), []),
        (Registration(found=True, contract_sha="b2"), [(NO_REGISTRATION, DENY)]),
        (Registration(found=True), [(NO_REGISTRATION, DENY)]),
        (Registration(found=False), [(NO_REGISTRATION, DENY)]),
    ],
)
def test_work_is_accepted_for_the_contract_that_its_job_is_registered_for(registration, found):
    terms = ContractTerms(path="job.md", readable=True, sha256="a1")
    assert levels_of(job_registered, job_id="j1", registration=registration, terms=terms) == found
