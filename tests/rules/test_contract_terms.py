"""Contract terms: somebody should be able to tell by program whether the work is what was asked for."""

import pytest
from tests.rules.calls import WARN, fires, levels_of

from gatewright.model import CONTRACT_WITHOUT_TERMS
from gatewright_rules import contract_terms


@pytest.mark.parametrize(("there", "found"), [(True, []), (False, [(CONTRACT_WITHOUT_TERMS, WARN)])])
def test_a_contract_without_front_matter_is_warned_of(there, found):
    assert levels_of(contract_terms, front_matter=there) == found
    assert fires(contract_terms, front_matter=there) is bool(found)
