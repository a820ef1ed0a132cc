import pytest
from tests.rules.calls import DENY, levels_of

from gatewright.model import EVIDENCE_FAILED, EVIDENCE_MISSING, MASTER_CHECKOUT, Placement
from gatewright_rules import worker_placement


@pytest.mark.parametrize(
    ("placement", "found"),
    [
        (Placement(), []),
        (Placement(given=True, in_expected_worktree=True, is_master_checkout=False), []),
        (Placement(given=True, in_expected_worktree=True, is_master_checkout=True), [MASTER_CHECKOUT]),
        (Placement(given=True, in_expected_worktree=False, is_master_checkout=False), [EVIDENCE_FAILED]),
        (
            Placement(given=True, in_expected_worktree=False, is_master_checkout=True),
            [MASTER_CHECKOUT, EVIDENCE_FAILED],
        ),
        (Placement(given=True, problem="it is prose"), [EVIDENCE_MISSING]),
    ],
)
def test_where_a_worker_stood_is_judged_by_what_it_says(placement, found):
    assert levels_of(worker_placement, placement=placement) == [(code, DENY) for code in found]
