"""Completion channel: somebody must hear of the end, by a channel spelt as it is listed."""

import pytest
from tests.rules.calls import DENY, codes_of, findings_of, fires, levels_of

from gatewright.model import NO_COMPLETION_CHANNEL
from gatewright_rules import completion_channel


@pytest.mark.parametrize("channel", ["orchestration", "sentinel-log"])
def test_a_listed_channel_passes(channel):
    assert codes_of(completion_channel, completion_channel=channel) == []
    assert not fires(completion_channel, completion_channel=channel)


@pytest.mark.acceptance("C07")
@pytest.mark.parametrize(
    "channel",
    [
        None,
        "",
        " ",
        "email",
        "Orchestration",
        "ORCHESTRATION",
        "orchestration ",
        " orchestration",
        "orchestration\n",
        "orchestration\u00a0",
        "orchestratiоn",  # a Cyrillic o
        "sentinel",
        "sentinel_log",
        "orchestration,sentinel-log",
        "x" * 100_000,
    ],
)
def test_a_missing_or_other_channel_is_denied(channel):
    assert levels_of(completion_channel, completion_channel=channel) == [(NO_COMPLETION_CHANNEL, DENY)]
    assert fires(completion_channel, completion_channel=channel)


def test_the_channels_that_will_do_are_an_option():
    assert codes_of(completion_channel, completion_channel="mail", channels=("mail",)) == []
    assert codes_of(completion_channel, completion_channel="orchestration", channels=("mail",)) == [
        NO_COMPLETION_CHANNEL
    ]


@pytest.mark.parametrize("channel", ["orchestration", "", None])
def test_an_empty_list_of_channels_lets_nothing_pass(channel):
    assert codes_of(completion_channel, completion_channel=channel, channels=()) == [NO_COMPLETION_CHANNEL]
    assert fires(completion_channel, completion_channel=channel, channels=())


def test_the_denial_says_what_would_do():
    (finding,) = findings_of(completion_channel, completion_channel="email")
    assert "`email`" in finding.message
    assert "`orchestration` or `sentinel-log`" in finding.hint
