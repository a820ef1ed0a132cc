"""Exceptions: a denial that a policy lets through on purpose, through its last day in UTC and no longer."""

import pytest
from tests.runner.gates import finding_of, gate_of, outcomes, own_rule, without

from gatewright.model import FindingStatus, Moment, deny

RULES = """
rules:
  - {id: many, deny: agents > 1, hint: ask for fewer}
exceptions:
  - {id: pilot, code: MANY, until: 2026-12-31, reason: r, owner: platform}
"""
DURING = "2026-12-01T00:00:00Z"


def decided(text=RULES, **facts):
    return gate_of(text).decide({"agents": 2, "now": DURING, **facts})


def test_a_denial_that_is_excepted_is_let_through_and_kept():
    decision = decided()
    finding = finding_of(decision, "MANY")
    assert (decision.allow, finding.status, finding.by) == (True, FindingStatus.EXCEPTED, "pilot")
    assert outcomes(decision) == {"many": "excepted"}
    assert decision.rows[0].why == "pilot"


@pytest.mark.parametrize(
    ("now", "allowed"),
    [
        ("2026-12-30T23:59:59Z", True),
        ("2026-12-31T00:00:00Z", True),
        ("2026-12-31T23:59:59Z", True),
        ("2026-12-31T23:59:59.999Z", True),
        ("2027-01-01T00:00:00Z", False),
        ("2026-12-31T23:59:59-01:00", False),
        ("2027-01-01T00:59:59+01:00", True),
        ("2027-01-01T09:00:00+09:00", False),
        ("9999-12-31T00:00:00Z", False),
    ],
)
def test_the_last_day_is_included_and_is_a_day_in_utc(now, allowed):
    assert decided(now=now).allow is allowed


def test_past_its_last_day_the_denial_is_back_and_names_the_exception():
    decision = decided(now="2027-01-01T00:00:00Z")
    finding = finding_of(decision, "MANY")
    assert decision.reasons == ("MANY",)
    assert (finding.status, finding.by) == (FindingStatus.ACTIVE, "")
    assert "`pilot`" in finding.hint
    assert "platform" in finding.hint
    assert finding.hint.startswith("ask for fewer")


@pytest.mark.parametrize("now", [None, "yesterday", "2026-12-01T00:00:00", 1e300, True, [], float("nan")])
def test_an_exception_does_not_hold_while_the_time_is_not_known(now):
    assert decided(now=now).reasons == ("MANY",)


def test_an_exception_does_not_hold_where_no_time_was_given():
    assert gate_of(RULES).decide({"agents": 2}).reasons == ("MANY",)


@pytest.mark.parametrize("date", ["x", "", "2026-13-01", "tomorrow", "9999"])
def test_a_time_whose_day_cannot_be_read_lets_nothing_through(date):
    now = Moment(epoch=0.0, text=DURING, date=date, time="00:00", weekday="tue")
    assert decided(now=now).reasons == ("MANY",)


def test_an_exception_is_about_one_code():
    text = RULES.replace("rules:", "rules:\n  - {id: other, deny: agents > 1}")
    assert decided(text).reasons == ("OTHER",)


@pytest.mark.parametrize(
    ("labels", "allowed"), [({"project": "pilot"}, True), ({"project": "Pilot"}, False), ({"project": ""}, False)]
)
def test_an_exception_holds_where_its_when_is_true(labels, allowed):
    text = RULES.replace("reason: r", "when: labels.project == 'pilot', reason: r")
    assert decided(text, labels=labels).allow is allowed


@pytest.mark.parametrize("labels", [{}, {"other": "x"}, None, "pilot", {"project": 5}])
def test_an_exception_whose_when_cannot_be_decided_does_not_hold(labels):
    text = RULES.replace("reason: r", "when: labels.project == 'pilot', reason: r")
    assert decided(text, labels=labels).reasons == ("MANY",)


def test_an_exception_that_reads_a_noun_that_could_not_be_had_does_not_hold():
    text = RULES.replace("reason: r", "when: not contract.mentions.mcp, reason: r")
    assert decided(text, contract={"path": "x", "readable": True}).allow
    assert decided(text, contract={"path": "x", "readable": False}).reasons == ("MANY",)


def test_an_expired_exception_does_not_hide_one_that_holds():
    text = RULES.replace(
        "exceptions:", "exceptions:\n  - {id: old, code: MANY, until: 2020-01-01, reason: r, owner: o}"
    )
    decision = decided(text)
    assert decision.allow
    assert finding_of(decision, "MANY").by == "pilot"


def test_an_exception_that_is_about_other_requests_does_not_hide_one_that_holds():
    other = "{id: other, code: MANY, until: 2099-01-01, when: agents > 99, reason: r, owner: o}"
    decision = decided(RULES.replace("exceptions:", f"exceptions:\n  - {other}"))
    assert finding_of(decision, "MANY").by == "pilot"


def test_an_exception_lets_through_no_warning():
    text = RULES.replace("deny: agents > 1", "deny: agents > 1, level: warn")
    decision = decided(text)
    assert outcomes(decision) == {"many": "warned"}


def test_an_override_comes_before_an_exception():
    text = RULES.replace("deny: agents > 1", "deny: agents > 1, override: tier_override")
    decision = decided(text, tier_override="urgent")
    assert (outcomes(decision), decision.override) == ({"many": "overridden"}, "urgent")


def test_what_the_engine_denies_is_never_excepted():
    broken = own_rule(lambda agents: [deny("MINE", str(1 // (agents - 1)))])
    text = """
    rules:
      - use: mine
    exceptions:
      - {id: pilot, code: MINE, until: 2099-01-01, reason: r, owner: o}
    """
    decision = gate_of(text, broken).decide({"agents": 1, "now": DURING})
    assert decision.reasons == ("RULE_ERROR",)
    assert gate_of(text, broken).decide({"now": DURING}).reasons == ("FACT_UNAVAILABLE",)


def test_the_lack_of_a_time_denies_nothing_by_itself():
    assert gate_of(RULES).decide({"agents": 1}).allow
    assert gate_of(RULES).decide(without({"agents": 1, "now": DURING}, "now")).allow
