"""MCP trust: a contract that leads into a trust dialog should say what to do about it."""

from gatewright.model import MCP_TRUST_UNHANDLED, Contract, Findings, warn
from gatewright.spec import rule


@rule(codes=[MCP_TRUST_UNHANDLED], fires="contract.mentions.mcp and not contract.mentions.trust")
def mcp_trust(contract: Contract) -> Findings:
    """Warn of a contract that uses MCP and says nothing of trust.

    What: looks for MCP, `mcp__` tools or `code-review-graph` in the contract, and for a word on trust.
    Why: a new MCP server stops the worker at a trust dialog that nobody answers.
    Warns: `MCP_TRUST_UNHANDLED` when the one is there without the other.
    """
    if contract.mentions.mcp and not contract.mentions.trust:
        yield warn(
            MCP_TRUST_UNHANDLED,
            "the contract uses MCP and says nothing of trust",
            hint="say in the contract how the trust dialog is handled, or trust the server beforehand",
        )
