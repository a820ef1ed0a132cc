"""Dispatch budget: how much input one worker, and one request as a whole, may be given."""

import pytest
from tests.rules.calls import DENY, codes_of, findings_of, fires, levels_of

from gatewright.model import BUDGET_EXCEEDED
from gatewright_rules import dispatch_budget


@pytest.mark.acceptance("C18")
@pytest.mark.parametrize(("chars", "codes"), [(0, []), (499_999, []), (500_000, []), (500_001, [BUDGET_EXCEEDED])])
def test_the_limit_of_one_worker_itself_is_allowed(chars, codes):
    assert codes_of(dispatch_budget, est_chars=chars, cost_proxy=chars) == codes
    assert fires(dispatch_budget, est_chars=chars, cost_proxy=chars) is bool(codes)


@pytest.mark.acceptance("C19")
@pytest.mark.parametrize(
    ("chars", "agents", "codes"),
    [(500_000, 2, []), (333_333, 3, []), (333_334, 3, [BUDGET_EXCEEDED]), (400_000, 3, [BUDGET_EXCEEDED])],
)
def test_the_limit_of_a_request_itself_is_allowed(chars, agents, codes):
    assert codes_of(dispatch_budget, est_chars=chars, cost_proxy=chars * agents) == codes
    assert fires(dispatch_budget, est_chars=chars, cost_proxy=chars * agents) is bool(codes)


def test_both_limits_are_told_each_with_its_figures():
    found = findings_of(dispatch_budget, est_chars=500_001, cost_proxy=1_000_002)
    assert [(each.code, each.level) for each in found] == [(BUDGET_EXCEEDED, DENY)] * 2
    assert [dict(each.data) for each in found] == [
        {"est_chars": 500_001, "max_chars": 500_000},
        {"cost_proxy": 1_000_002, "max_batch_chars": 1_000_000},
    ]


@pytest.mark.parametrize(("chars", "codes"), [(10, []), (11, [BUDGET_EXCEEDED])])
def test_the_limit_of_one_worker_is_an_option(chars, codes):
    assert codes_of(dispatch_budget, est_chars=chars, cost_proxy=chars, max_chars=10) == codes


@pytest.mark.parametrize(("cost", "codes"), [(10, []), (11, [BUDGET_EXCEEDED])])
def test_the_limit_of_a_request_is_an_option(cost, codes):
    assert codes_of(dispatch_budget, est_chars=1, cost_proxy=cost, max_batch_chars=10) == codes


@pytest.mark.acceptance("BU-01")
@pytest.mark.parametrize("limit", ["max_chars", "max_batch_chars"])
def test_a_limit_of_0_allows_nothing_but_nothing(limit):
    assert levels_of(dispatch_budget, est_chars=1, cost_proxy=1, **{limit: 0}) == [(BUDGET_EXCEEDED, DENY)]
    assert codes_of(dispatch_budget, est_chars=0, cost_proxy=0, **{limit: 0}) == []
    assert fires(dispatch_budget, est_chars=1, cost_proxy=1, **{limit: 0})
