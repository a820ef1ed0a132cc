import pytest
from tests.rules.calls import DENY, levels_of

from gatewright.model import JOB_ALREADY_REGISTERED
from gatewright_rules import job_once


@pytest.mark.parametrize(("registered", "found"), [(True, [(JOB_ALREADY_REGISTERED, DENY)]), (False, [])])
def test_a_job_settles_one_check(registered, found):
    assert levels_of(job_once, job_id="j1", job_registered=registered) == found
