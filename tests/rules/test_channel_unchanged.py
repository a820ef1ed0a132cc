import pytest
from tests.rules.calls import DENY, findings_of, levels_of

from gatewright.model import INVALID_REQUEST, TicketChoice
from gatewright_rules import channel_unchanged

CHANGED = [(INVALID_REQUEST, DENY)]


@pytest.mark.acceptance("R25")
@pytest.mark.parametrize(
    ("state", "channel", "expected", "found"),
    [
        ("one", "orchestration", "orchestration", []),
        ("one", None, None, []),
        ("one", "orchestration", "sentinel-log", CHANGED),
        ("expired", "orchestration", None, CHANGED),
        ("absent", None, "orchestration", CHANGED),
        ("none", None, "orchestration", []),
        ("several", None, "orchestration", []),
    ],
)
def test_what_is_settled_has_the_channel_that_the_proofs_were_for(state, channel, expected, found):
    ticket = TicketChoice(state=state)
    assert levels_of(channel_unchanged, ticket=ticket, channel=channel, expected_channel=expected) == found


def test_both_channels_are_told():
    (finding,) = findings_of(
        channel_unchanged, ticket=TicketChoice(state="one"), channel="orchestration", expected_channel=None
    )
    assert finding.message == "expected_completion_channel=<none> actual_completion_channel=orchestration"
