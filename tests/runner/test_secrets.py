"""Secrets: a fact that is declared secret is shown by its length, wherever a decision shows something."""

import json

import pytest
from tests.runner.gates import gate_of

from gatewright.model import deny
from gatewright.runner.explain import explain
from gatewright.spec import given, rule

SECRET = "hunter2hunter2"
TOKEN = given("token", str | None, "A token.", stages=("check",), default=None, secret=True)


@rule(codes=["MINE"])
def telling(token: str | None):
    """Deny and tell everything, as no rule should."""
    yield deny("MINE", f"the token is {token}", hint=f"not {token}!", token=token, nested=[{"t": token}])


@rule(codes=["MINE"])
def failing(token: str | None):
    """Fail with the secret in the error."""
    raise ValueError(token)


@rule(codes=["MINE"])
def strange(token: str | None):
    """Give the secret for a code."""
    yield deny(str(token), "m")


def shown(gate, facts):
    """Everything that a decision and its explanation show."""
    decision = gate.decide(facts)
    assert not decision.allow or decision.override
    explained = explain(gate, gate.admit(facts)).to_dict()
    return json.dumps([decision.to_dict(), explained], default=str)


@pytest.mark.parametrize("offered", [telling, failing, strange], ids=lambda each: each.id)
def test_a_registered_rule_does_not_get_a_secret_out(offered):
    assert SECRET not in shown(gate_of(f"- use: {offered.id}", offered, TOKEN), {"token": SECRET})


@pytest.mark.parametrize(
    "effect",
    [
        "deny: token != 'x'",
        "deny: token == 'hunter1hunter1' or token != 'x'",
        "require: token == 'x'",
        "require: token in ['a', 'b']",
        "deny: labels[default(token, 'x')] == 'x'",
        "deny: token is not None and lower(token) != 'x'",
        "deny: token is not None and starts_with(token, 'hunter') and len(token) > 3",
        "deny: token is not None and not matches(token, '^[0-9]+$')",
    ],
)
def test_an_expression_does_not_get_a_secret_out(effect):
    assert SECRET not in shown(gate_of(f"- id: a\n  {effect}", TOKEN), {"token": SECRET, "labels": {}})


def test_a_message_shows_a_secret_by_its_length():
    gate = gate_of("- {id: a, deny: token is not None, message: 'the token is {token}'}", TOKEN)
    assert gate.decide({"token": SECRET}).findings[0].message == "the token is <text, 14 chars>"


@pytest.mark.parametrize("token", [SECRET, "hunter2\nhunter2", 'hun"ter2\u202e', "hunter2 \x1b[2J"])
@pytest.mark.parametrize("before", ["", "x" * 150, "x" * 190, "x" * 197])
def test_a_secret_inside_another_fact_is_masked_before_it_is_escaped_or_cut(token, before):
    gate = gate_of("- {id: a, deny: token is not None, message: 'note: {labels.note}'}", TOKEN)
    message = gate.decide({"token": token, "labels": {"note": f"{before}{token}!"}}).findings[0].message
    assert message.startswith(f"note: {before}<te")
    assert "hun" not in message


def test_a_message_of_a_rule_shows_a_secret_by_its_length():
    finding = gate_of("- use: telling", telling, TOKEN).decide({"token": SECRET}).findings[0]
    assert finding.message == "the token is <text, 14 chars>"
    assert finding.hint == "not <text, 14 chars>!"


def test_a_secret_that_is_null_is_shown_as_null():
    gate = gate_of("- {id: a, deny: token is None, message: 'the token is {token}'}", TOKEN)
    assert gate.decide({}).findings[0].message == "the token is null"


@pytest.mark.parametrize("value", [5, [SECRET], {"token": SECRET}, SECRET.encode()], ids=["5", "list", "map", "bytes"])
def test_a_secret_of_another_kind_is_not_shown_either(value):
    gate = gate_of("- {id: a, deny: token == 'x'}", TOKEN)
    assert SECRET not in shown(gate, {"token": value})


def test_a_secret_that_overrides_is_not_written_down():
    gate = gate_of("- {id: a, deny: agents > 1, override: token}", TOKEN)
    assert gate.decide({"agents": 2, "token": SECRET}).allow
    assert SECRET not in shown(gate, {"agents": 2, "token": SECRET})


def test_other_values_are_shown():
    gate = gate_of("- {id: a, deny: agents > 1 and token is not None, message: '{agents} of {runtime}'}", TOKEN)
    decision = gate.decide({"agents": 2, "token": SECRET, "runtime": "codex"})
    assert decision.findings[0].message == "2 of codex"
