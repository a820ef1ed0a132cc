"""Denials come in the order of precedence: of two, the earlier is the reason, and both are listed."""

from itertools import combinations

import pytest
from tests.cli import tables
from tests.cli.decisions import decide

from gatewright import Gate
from gatewright.model import Contract, Moment, TicketPath, TierPolicy, Window
from gatewright.policy import tier_tables
from gatewright.shipped import shipped

#: In the order of precedence: what brings a denial about, and its code. No two set the same flag to different values
#: unless no request can fail both.
FLAGS = {
    "size unknown": ("CONTRACT_UNREADABLE", {"contract": "missing.md"}),
    "channel": ("NO_COMPLETION_CHANNEL", {"completion_channel": "email"}),
    "no model": ("NO_MODEL", {"model": ""}),
    "shape": ("INVALID_REQUEST", {"tier_override": " "}),
    "no table": ("TIER_POLICY_UNAVAILABLE", {"tier_policy": "missing.yaml"}),
    "cap": ("TIER_FANOUT_CAP", {"tier_policy": "tiers.yaml"}),
    "model tier": ("TIER_POLICY", {"tier_policy": "models.yaml", "model": "claude-opus-5"}),
    "unreadable": ("CONTRACT_UNREADABLE", {"contract": "missing.md", "est_chars": 3000}),
    "budget": ("BUDGET_EXCEEDED", {"est_chars": 500_001}),
    "routing": ("ROUTING_VIOLATION", {"runtime": "fable", "agents": 2}),
}
#: A model that is not named is in no tier, and a size that is not known exceeds nothing.
NEVER_BOTH = {
    ("size unknown", "budget"),
    ("size unknown", "unreadable"),
    ("no model", "cap"),
    ("no model", "model tier"),
}


def _pairs():
    for first, second in combinations(FLAGS, 2):
        one, other = FLAGS[first][1], FLAGS[second][1]
        if (first, second) not in NEVER_BOTH and "tier_policy" not in one.keys() & other.keys():
            yield first, second


@pytest.mark.acceptance("C25")
@pytest.mark.parametrize(("first", "second"), list(_pairs()))
def test_of_two_denials_the_earlier_is_the_reason_and_both_are_listed(place, first, second):
    (code, one), (later, other) = FLAGS[first], FLAGS[second]
    both = {**one, **other}
    if "tier_policy" in both:
        both["tier_policy"] = str(place.cwd / both["tier_policy"])
    tables.small(place, "{efficient: 0, unknown: 0}")
    tables.by_model(place)
    decision = decide(place, **both)
    assert decision.reason == code
    assert decision.reasons == (code, later)


@pytest.mark.acceptance("C25")
def test_all_denials_of_a_request_are_listed_in_order(place):
    tables.small(place, "{efficient: 0}")
    result = place.check(
        contract="missing.md",
        completion_channel="email",
        tier_override=" ",
        tier_policy="tiers.yaml",
        runtime="fable",
        agents="2",
    )
    assert result.json["reasons"] == [
        "CONTRACT_UNREADABLE",
        "NO_COMPLETION_CHANNEL",
        "INVALID_REQUEST",
        "TIER_FANOUT_CAP",
        "ROUTING_VIOLATION",
    ]


GOOD = {
    "runtime": "codex",
    "model": "gpt-5.5",
    "agents": 1,
    "est_chars": 10,
    "completion_channel": "orchestration",
    "contract": Contract(path="contract.md", readable=True, sha256="0" * 64, chars=10),
    "now": Moment.at(0),
    "known_roots": [],
    "window": Window(used=0, cap=None),
    "ticket_path": TicketPath(inside=False, path="../x"),
}


@pytest.fixture(scope="module")
def gate():
    return Gate.from_policy(f"{shipped('policies')}/check.yaml")


@pytest.fixture(scope="module")
def table():
    text = "version: 2\ntiers: {all: [gpt-5.5]}\nfanout_caps: {}\n"
    return TierPolicy(path="t.yaml", loaded=True, version=2, table=tier_tables.load(text.encode(), "t.yaml").table)


@pytest.mark.acceptance("C25")
@pytest.mark.parametrize(
    ("facts", "reasons"),
    [
        ({}, ["INVALID_REQUEST"]),
        ({"completion_channel": None}, ["NO_COMPLETION_CHANNEL", "INVALID_REQUEST"]),
        ({"model": None}, ["NO_MODEL", "INVALID_REQUEST"]),
        ({"window": Window(used=0, cap=0, seconds=60)}, ["TIER_FANOUT_CAP", "INVALID_REQUEST"]),
        ({"contract": Contract(path="x", readable=False)}, ["CONTRACT_UNREADABLE", "INVALID_REQUEST"]),
        ({"est_chars": 500_001}, ["INVALID_REQUEST", "BUDGET_EXCEEDED"]),
        ({"runtime": "fable", "agents": 2}, ["INVALID_REQUEST", "ROUTING_VIOLATION"]),
    ],
)
def test_a_ticket_outside_its_folder_comes_after_the_contract_and_before_the_budget(gate, table, facts, reasons):
    assert list(gate.decide({**GOOD, "tier_policy": table, **facts}).reasons) == reasons
