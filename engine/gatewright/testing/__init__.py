"""For who writes rules and tests them: what a rule finds, and whether it keeps its contract.

Each name is imported when it is first asked for, since pytest imports this room at every start.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gatewright.testing.rules import check_rule_contract as check_rule_contract
    from gatewright.testing.rules import codes_of as codes_of
    from gatewright.testing.rules import findings_of as findings_of

_NAMES = ("check_rule_contract", "codes_of", "findings_of")


def __getattr__(name: str) -> object:
    if name in _NAMES:
        from gatewright.testing import rules

        found: object = getattr(rules, name)
        globals()[name] = found
        return found
    raise AttributeError(f"module `gatewright.testing` has no attribute `{name}`")


def __dir__() -> list[str]:
    return sorted([*globals(), *_NAMES])
