import pytest
from tests.rules.calls import DENY, findings_of, levels_of

from gatewright.model import DELIVERY_LIMITED
from gatewright.model.deliveries import ShownScreen
from gatewright.model.screens import GateKind, PaneClass
from gatewright_rules import used_up_limit

LIMIT = ShownScreen.of(PaneClass.LIMIT, GateKind.QUOTA)


@pytest.mark.acceptance("D04", "D16")
@pytest.mark.parametrize(
    ("delivery", "found"),
    [("limit", [(DELIVERY_LIMITED, DENY)]), ("hook-trust", []), ("unknown", []), ("agent-started", [])],
)
def test_a_limit_is_denied(delivery, found):
    assert levels_of(used_up_limit, delivery=delivery, after=LIMIT) == found


@pytest.mark.acceptance("D15")
@pytest.mark.parametrize(
    ("reset_at", "message"),
    [
        (None, "a limit stands on the screen"),
        ("2026-11-28T20:00:00Z", "a limit stands on the screen, and ends at 2026-11-28T20:00:00Z"),
    ],
)
def test_the_denial_says_when_the_limit_ends(reset_at, message):
    after = ShownScreen.of(PaneClass.LIMIT, GateKind.QUOTA, reset_at)
    (finding,) = findings_of(used_up_limit, delivery="limit", after=after)
    assert (finding.message, finding.data["reset_at"]) == (message, reset_at)
