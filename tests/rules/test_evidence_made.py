import pytest
from tests.rules.calls import DENY, levels_of

from gatewright.model import EVIDENCE_FAILED, EVIDENCE_MISSING, ContractTerms
from gatewright_rules import evidence_made

TERMS = ContractTerms(path="job.md", readable=True)


@pytest.mark.parametrize(
    ("evidence", "found"),
    [
        ({"make test": "passed", "x": "passed"}, []),
        ({"make test": "failed", "x": "passed"}, [EVIDENCE_FAILED]),
        ({"make test": "passed", "x": "missing"}, [EVIDENCE_MISSING]),
        ({"make test": "not run"}, [EVIDENCE_MISSING]),
        ({"make test": "failed", "x": "missing"}, [EVIDENCE_FAILED, EVIDENCE_MISSING]),
        ({"make test": "something new"}, [EVIDENCE_MISSING]),
        ({}, [EVIDENCE_MISSING]),
    ],
)
def test_nothing_but_evidence_that_passed_passes(evidence, found):
    assert levels_of(evidence_made, evidence=evidence, terms=TERMS) == [(code, DENY) for code in found]
