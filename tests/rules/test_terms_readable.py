from tests.rules.calls import DENY, findings_of, levels_of

from gatewright.model import CONTRACT_UNREADABLE, ContractTerms
from gatewright_rules import terms_readable


def test_a_contract_that_cannot_be_gone_by_is_denied_and_why_is_said():
    terms = ContractTerms(path="job.md", readable=False, error="it has no front matter")
    assert levels_of(terms_readable, terms=terms) == [(CONTRACT_UNREADABLE, DENY)]
    (finding,) = findings_of(terms_readable, terms=terms)
    assert finding.message == "contract `job.md` cannot be accepted by: it has no front matter"


def test_a_contract_that_can_be_gone_by_passes():
    assert levels_of(terms_readable, terms=ContractTerms(path="job.md", readable=True)) == []
