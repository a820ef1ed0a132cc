"""Field cases on expressions: none of them opens the gate."""

import pytest
from tests.field.cases import expected, values

from gatewright.app import Gate, catalog_of
from gatewright.catalog import Plugin
from gatewright.errors import PolicyError
from gatewright.model import Moment
from gatewright.policy.loader import load
from gatewright.spec import given

APPROVED = given("approved", bool, "Whether the owner approved.", stages=("check",))


def _gate(rule, **more):
    """A gate with one rule: what the case allows is required, what it denies is denied."""
    found = catalog_of([Plugin(name="cases", origin="a case", facts=(APPROVED,))])
    lines = [f"{name}: '{text}'" for name, text in {**rule, **more}.items()]
    text = "gatewright: 1\npolicy: case\nstage: check\nrules:\n  - id: case\n    code: ROUTING_VIOLATION\n    "
    return Gate(load((text + "\n    ".join(lines) + "\n").encode(), "case.yaml", found), found)


def _rule(name, expression=None):
    effect = "require" if values(name)["rule_effect"] == "allow" else "deny"
    return {effect: expression or values(name)["expression"]}


def _decide(gate, request):
    return gate.decide({"now": Moment.at(0), "labels": {}, **request})


@pytest.mark.acceptance("EX-01")
def test_not_equal_on_a_missing_field_is_no_permission():
    decision = _decide(_gate(_rule("EX-01")), values("EX-01")["request"])
    assert decision.allow is expected("EX-01")["allow"]
    assert decision.reasons == ("EVAL_UNDEFINED",)
    assert expected("EX-01")["error_mentions"] in decision.findings[0].message


@pytest.mark.acceptance("EX-03")
def test_a_message_with_a_name_that_does_not_exist_is_refused_at_load(place):
    with pytest.raises(PolicyError) as error:
        _gate(_rule("EX-03"), message=values("EX-03")["message"])
    assert [problem.path for problem in error.value.problems] == ["rules[0].message"]
    policy = place.write(
        "policy.yaml",
        "gatewright: 1\npolicy: case\nstage: check\nrules:\n"
        f'  - {{id: case, deny: {values("EX-03")["expression"]}, message: "{values("EX-03")["message"]}"}}\n',
    )
    result = place.check("--policy", policy, agents=str(values("EX-03")["request"]["agents"]))
    assert (result.code, result.json["allow"]) == (expected("EX-03")["exit"], expected("EX-03")["allow"])


@pytest.mark.acceptance("EX-03")
def test_a_message_that_cannot_be_filled_does_not_hide_the_denial():
    gate = _gate(_rule("EX-03"), message="too many agents for {labels.owner}")
    decision = _decide(gate, values("EX-03")["request"])
    assert decision.reasons == ("ROUTING_VIOLATION",)


@pytest.mark.acceptance("EX-05")
def test_a_boolean_written_as_text_is_no_approval():
    gate = _gate(_rule("EX-05"))
    assert _decide(gate, values("EX-05")["request"]).allow is expected("EX-05")["allow"]
    assert _decide(gate, {"approved": "true"}).allow is False
    assert _decide(gate, {"approved": 1}).allow is False
    assert _decide(gate, {}).allow is False
    assert _decide(gate, {"approved": True}).allow is True


@pytest.mark.acceptance("EX-05")
def test_a_label_is_text_and_never_compares_with_true():
    with pytest.raises(PolicyError):
        _gate(_rule("EX-05", "labels.approved == true"))


@pytest.mark.acceptance("EX-07")
def test_power_and_repetition_are_refused_at_load_and_never_computed(place):
    with pytest.raises(PolicyError) as error:
        _gate(_rule("EX-07"))
    assert all(problem.path == "rules[0].deny" for problem in error.value.problems)
    quoted = values("EX-07")["expression"].replace("'", "''")
    text = f"gatewright: 1\npolicy: case\nstage: check\nrules:\n  - {{id: case, deny: '{quoted}'}}\n"
    result = place.check("--policy", place.write("policy.yaml", text))
    assert (result.code, result.json["reason"]) == (2, "POLICY_UNAVAILABLE")


@pytest.mark.acceptance("EX-09")
def test_membership_looks_into_lists_and_not_into_text():
    with pytest.raises(PolicyError) as error:
        _gate(_rule("EX-09"))
    assert "[" in error.value.problems[0].hint
    assert _decide(_gate(_rule("EX-09", 'model in ["claude-opus-4-8"]')), values("EX-09")["request"]).allow


@pytest.mark.acceptance("EX-09")
def test_membership_in_an_empty_list_is_told_at_load():
    (also,) = values("EX-09")["also"]
    with pytest.raises(PolicyError) as error:
        _gate(_rule("EX-09", also["expression"]))
    assert [problem.path for problem in error.value.problems] == ["rules[0].deny"]
