import pytest
from tests.rules.calls import WARN, findings_of, levels_of

from gatewright.model import DELIVERY_UNVERIFIED
from gatewright.model.deliveries import ShownScreen
from gatewright.model.screens import PaneClass
from gatewright_rules import start_evidence

PROMPT = ShownScreen.of(PaneClass.PREPARED_PROMPT)


@pytest.mark.acceptance("D05")
@pytest.mark.parametrize(
    ("delivery", "found"),
    [("unknown", [(DELIVERY_UNVERIFIED, WARN)]), ("agent-started", []), ("hook-trust", []), ("limit", [])],
)
def test_a_delivery_that_nothing_shows_is_warned_of(delivery, found):
    assert levels_of(start_evidence, delivery=delivery, before=PROMPT, after=PROMPT) == found


@pytest.mark.parametrize(
    ("before", "message"),
    [
        (PROMPT, "the screen was `prepared-prompt` before and is `prepared-prompt` now, which shows no start"),
        (None, "the screen was `not read` before and is `prepared-prompt` now, which shows no start"),
    ],
)
def test_the_warning_says_what_stood_there(before, message):
    (finding,) = findings_of(start_evidence, delivery="unknown", before=before, after=PROMPT)
    assert finding.message == message
