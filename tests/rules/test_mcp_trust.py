"""MCP trust: a contract that leads into a trust dialog says what to do about it."""

import pytest
from tests.rules.calls import WARN, fires, levels_of

from gatewright.model import MCP_TRUST_UNHANDLED, Contract, Mentions
from gatewright_rules import mcp_trust

WARNED = [(MCP_TRUST_UNHANDLED, WARN)]


@pytest.mark.acceptance("C26")
@pytest.mark.parametrize(
    ("mcp", "trust", "found"), [(True, False, WARNED), (True, True, []), (False, False, []), (False, True, [])]
)
def test_mcp_without_a_word_on_trust_is_warned_of(mcp, trust, found):
    contract = Contract(path="job.md", readable=True, mentions=Mentions(mcp=mcp, trust=trust))
    assert levels_of(mcp_trust, contract=contract) == found
    assert fires(mcp_trust, contract=contract) is bool(found)
