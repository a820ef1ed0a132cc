"""A decision: what it says, and the keys by which scripts read it."""

import json

import pytest

from gatewright.errors import Place
from gatewright.model import (
    Contract,
    Finding,
    FindingStatus,
    GateDecision,
    Level,
    Outcome,
    PolicyRef,
    RuleRow,
    Stage,
    deny,
    note,
    warn,
)
from gatewright.model.decisions import Verdict
from gatewright.model.refusals import refusal

REF = PolicyRef("check", "policies/check.yaml", "ab" * 32, "cd" * 32)
PLACE = Place("policies/check.yaml", 19, 10)


def decision(*findings, facts=None, rows=()):
    reasons = tuple(dict.fromkeys(finding.code for finding in findings if finding.denies))
    warnings = tuple(dict.fromkeys(finding.code for finding in findings if finding.level is Level.WARN))
    verdict = Verdict(stage=Stage.CHECK, policy=REF, findings=findings, rows=rows, reasons=reasons, warnings=warnings)
    return GateDecision(verdict, facts or {})


@pytest.mark.acceptance("C22")
def test_an_allowed_decision_has_the_older_keys_with_their_older_meaning():
    contract = Contract(path="job.md", readable=True, sha256="ef" * 32, chars=3000)
    plain = decision(facts={"contract": contract, "cost_proxy": 9000}).to_dict()
    older = {"allow": True, "reason": "OK", "warnings": [], "contract_sha": "ef" * 32, "cost_proxy": 9000}
    assert {key: plain[key] for key in older} == older
    assert "message" not in plain
    assert "tier_override" not in plain


@pytest.mark.acceptance("C22")
def test_a_denied_decision_says_why_in_the_older_keys():
    plain = decision(deny("NO_MODEL", "no model is given"), warn("TIER_UNKNOWN_MODEL", "in no tier")).to_dict()
    assert (plain["allow"], plain["reason"], plain["message"]) == (False, "NO_MODEL", "no model is given")
    assert plain["warnings"] == ["TIER_UNKNOWN_MODEL"]
    assert plain["contract_sha"] is None


def test_the_newer_keys_come_on_top():
    plain = decision(deny("A", "a"), deny("B", "b"), rows=(RuleRow("x", Outcome.DENIED, ("A",), PLACE),)).to_dict()
    assert set(plain) == {
        *("allow", "reason", "warnings", "contract_sha", "cost_proxy", "message"),
        *("reasons", "stage", "policy", "findings", "rules"),
    }
    assert plain["reasons"] == ["A", "B"]
    assert plain["stage"] == "check"
    assert plain["policy"] == {"id": "check", "path": "policies/check.yaml", "sha256": "ab" * 32, "digest": "cd" * 32}
    assert plain["rules"] == [{"rule": "x", "outcome": "denied", "codes": ["A"], "where": "policies/check.yaml:19:10"}]


def test_the_reason_is_the_first_denial_and_the_reasons_are_all_of_them_each_once():
    found = decision(warn("W", "w"), deny("B", "1"), deny("A", "2"), deny("B", "3"))
    assert (found.reason, found.reasons, found.warnings) == ("B", ("B", "A"), ("W",))
    assert found.denial is not None
    assert found.denial.message == "1"


@pytest.mark.parametrize("status", [FindingStatus.OVERRIDDEN, FindingStatus.EXCEPTED])
def test_a_denial_that_was_let_through_denies_nothing_and_stays_to_be_seen(status):
    found = decision(Finding(code="A", level=Level.DENY, message="a", status=status, by="pilot"))
    assert (found.allow, found.reason, found.denial) == (True, "OK", None)
    assert found.to_dict()["findings"] == [
        {"code": "A", "level": "deny", "message": "a", "rule": "", "where": None, "status": status.value, "by": "pilot"}
    ]


@pytest.mark.acceptance("C14")
def test_the_override_is_told_only_where_one_was_used():
    used = Finding(code="A", level=Level.DENY, message="a", status=FindingStatus.OVERRIDDEN, by="pilot")
    excepted = Finding(code="B", level=Level.DENY, message="b", status=FindingStatus.EXCEPTED, by="until-may")
    assert decision(used).to_dict()["tier_override"] == "pilot"
    assert "tier_override" not in decision(excepted).to_dict()


@pytest.mark.parametrize("make", [warn, note])
def test_warnings_and_notes_close_nothing(make):
    found = decision(make("A", "a"))
    assert found.allow
    assert found.reason == "OK"
    assert found.warnings == (("A",) if make is warn else ())


@pytest.mark.parametrize("facts", [{}, {"cost_proxy": None}, {"cost_proxy": "9"}, {"contract": None}, {"contract": 5}])
def test_what_is_not_known_of_contract_and_cost_is_null_and_0(facts):
    plain = decision(facts=facts).to_dict()
    assert (plain["contract_sha"], plain["cost_proxy"]) == (None, 0)


def test_a_finding_leaves_out_what_it_does_not_have():
    assert deny("A", "a").to_dict() == {
        "code": "A",
        "level": "deny",
        "message": "a",
        "rule": "",
        "where": None,
        "status": "active",
    }
    full = Finding(code="A", level=Level.WARN, message="a", hint="h", rule="r", where=PLACE, by="b", data={"n": 1})
    assert full.to_dict() == {
        "code": "A",
        "level": "warn",
        "message": "a",
        "hint": "h",
        "rule": "r",
        "where": "policies/check.yaml:19:10",
        "status": "active",
        "by": "b",
        "data": {"n": 1},
    }


def test_a_decision_is_plain_data():
    found = decision(deny("A", "a", hint="h", n=1, x=None), rows=(RuleRow("x", Outcome.NOT_APPLICABLE, why="y"),))
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()


def test_a_refusal_is_a_denial_that_no_rule_took_part_in():
    found = refusal(Stage.CHECK, "POLICY_UNAVAILABLE", "there is no such file", hint="look")
    assert (found.allow, found.reason, found.rows) == (False, "POLICY_UNAVAILABLE", ())
    assert found.to_dict()["message"] == "there is no such file"
    (finding,) = found.findings
    assert (finding.rule, finding.hint, finding.level) == ("engine", "look", Level.DENY)
