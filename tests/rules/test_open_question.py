import pytest
from tests.rules.calls import DENY, levels_of

from gatewright.model import DELIVERY_BLOCKED
from gatewright.model.deliveries import ShownScreen
from gatewright.model.screens import GateKind, PaneClass
from gatewright_rules import open_question

TRUST = ShownScreen.of(PaneClass.HOOK_TRUST, GateKind.TRUST)


@pytest.mark.acceptance("D03", "D16")
@pytest.mark.parametrize(
    ("delivery", "found"),
    [("hook-trust", [(DELIVERY_BLOCKED, DENY)]), ("limit", []), ("unknown", []), ("agent-started", [])],
)
def test_a_question_that_waits_is_denied(delivery, found):
    assert levels_of(open_question, delivery=delivery, after=TRUST) == found
