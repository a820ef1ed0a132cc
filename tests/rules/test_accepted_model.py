import pytest
from tests.rules.calls import DENY, WARN, levels_of

from gatewright.model import MODEL_TIER_ESCALATION, MODEL_UNVERIFIED, ContractTerms, Registration
from gatewright_rules import accepted_model


@pytest.mark.parametrize(
    ("registration", "required", "found"),
    [
        (Registration(found=True, verified=True), True, []),
        (Registration(found=True, verified=False), False, [(MODEL_UNVERIFIED, WARN)]),
        (Registration(found=True, verified=False), True, [(MODEL_UNVERIFIED, DENY)]),
        (Registration(found=True, verified=True, escalated=True), False, [(MODEL_TIER_ESCALATION, DENY)]),
        (
            Registration(found=False, escalated=True),
            False,
            [(MODEL_TIER_ESCALATION, DENY), (MODEL_UNVERIFIED, WARN)],
        ),
        (Registration(found=False), True, [(MODEL_UNVERIFIED, DENY)]),
    ],
)
def test_what_the_ledger_says_of_the_model_is_told_or_denied(registration, required, found):
    terms = ContractTerms(path="job.md", readable=True, model_required=required)
    assert levels_of(accepted_model, job_id="j1", registration=registration, terms=terms) == found
