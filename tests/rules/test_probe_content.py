import pytest
from tests.rules.calls import WARN, levels_of

from gatewright.model import PROBE_NOT_CONTENT, Job
from gatewright_rules import probe_content


@pytest.mark.parametrize(
    ("proven", "content", "found"),
    [(True, False, [(PROBE_NOT_CONTENT, WARN)]), (True, True, []), (False, False, []), (False, True, [])],
)
def test_a_proof_that_reads_nothing_is_warned_of(proven, content, found):
    assert levels_of(probe_content, job=Job(proven=proven, content=content)) == found
