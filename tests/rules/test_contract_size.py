"""Contract size: the size of the work is known before anything else is judged."""

import pytest
from tests.rules.calls import DENY, codes_of, fires, levels_of

from gatewright.model import CONTRACT_UNREADABLE
from gatewright_rules import contract_size


@pytest.mark.acceptance("C10")
def test_a_size_that_is_not_known_is_denied():
    assert levels_of(contract_size, est_chars=None) == [(CONTRACT_UNREADABLE, DENY)]


@pytest.mark.parametrize("est_chars", [0, 1, -1, 500_001, 2**63 - 1])
def test_any_size_that_is_known_is_left_to_other_rules(est_chars):
    assert codes_of(contract_size, est_chars=est_chars) == []
    assert not fires(contract_size, est_chars=est_chars)


def test_it_answers_for_a_size_that_was_not_given_at_all():
    assert contract_size.owns == ("est_chars",)


def test_it_is_asked_where_the_size_is_not_known():
    assert fires(contract_size, est_chars=None)
