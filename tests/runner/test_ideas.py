"""What no policy engine of another kind does, as whole claims on the shipped policies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, to_builtins
from tests.expressions.fuzzing import examples
from tests.runner.gates import gate_of, request, shipped_gate
from tests.runner.strategies import requests

from gatewright.app import App, Options
from gatewright.flows.ranking import RANKING
from gatewright.model import Outcome, Stage
from gatewright.runner.explain import explain
from gatewright.spec import REQUIRED
from gatewright.trials.given import BEGINNING, FINISHED, PROVEN, TAKEN

NOW = "2026-11-29T12:00:00Z"
RANKED = {name: request()[name] for name in ("tier_policy", "now")}
#: For each stage a request that its shipped policy allows.
ALLOWED = {
    Stage.DISPATCH: {
        **BEGINNING,
        **{name: request()[name] for name in ("runtime", "model", "est_chars", "tier_policy", "window", "now")},
    },
    Stage.CHECK: request(),
    Stage.REGISTER: {**PROVEN, **RANKED, "job_id": "ctx_1", "declared_model": "gpt-5.5", "cost_proxy": 1},
    Stage.DELIVER: dict(TAKEN),
    Stage.ACCEPT: {**FINISHED, "job_id": "ctx_1", "now": NOW},
}
APP = App(Options(), environ={})
GATES = {stage: APP.gate(stage) for stage in ALLOWED}


def decided(stage, facts):
    return GATES[stage].decide(facts, RANKING if stage is Stage.REGISTER else {})


@pytest.mark.acceptance("IDEA-02")
@given(facts=requests())
@examples(1000)
def test_every_rule_of_a_policy_accounts_for_itself_in_every_decision(facts):
    gate = shipped_gate()
    rows = gate.decide(facts).rows
    assert [row.rule for row in rows] == [rule.id for rule in gate.policy.rules]
    assert all(row.why for row in rows if row.outcome is Outcome.NOT_APPLICABLE)


@pytest.mark.acceptance("IDEA-02")
def test_a_rule_that_is_taken_out_takes_its_row_and_changes_the_digest():
    two = gate_of("- use: dispatch-budget\n- use: fan-out-cap\n").decide(request())
    one = gate_of("- use: dispatch-budget\n").decide(request())
    assert (len(two.rows), len(one.rows)) == (2, 1)
    assert two.policy.digest != one.policy.digest


@pytest.mark.parametrize("stage", ALLOWED, ids=lambda stage: stage.value)
def test_the_requests_from_which_something_is_removed_are_allowed(stage):
    assert decided(stage, ALLOWED[stage]).allow


@pytest.mark.acceptance("IDEA-03")
@pytest.mark.parametrize(
    ("stage", "name"),
    [(stage, name) for stage, facts in ALLOWED.items() for name in facts],
    ids=lambda part: getattr(part, "value", part),
)
def test_a_fact_that_is_removed_closes_the_gate_and_is_named_unless_it_is_optional(stage, name):
    gate = GATES[stage]
    decision = decided(stage, {other: held for other, held in ALLOWED[stage].items() if other != name})
    fact = APP.catalog.facts_of(stage)[name]
    if decision.allow:
        assert fact.default is not REQUIRED or name not in gate.needed, name
        return
    told = " ".join(f"{finding.message} {finding.hint}" for finding in decision.findings)
    assert f"`{name}`" in told or f"--{name.replace('_', '-')}" in told or fact.code in decision.reasons
    assert all(finding.where is not None for finding in decision.findings if finding.denies)


@pytest.mark.acceptance("IDEA-03")
@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("- {id: r, deny: 'labels.a == \"x\"'}\n", "EVAL_UNDEFINED", "labels.a"),
        ("- {id: r, deny: 'model > \"x\"'}\n", "EVAL_TYPE", "null"),
        ("- {id: r, deny: 'agents * 9223372036854775807 > 1'}\n", "EVAL_RANGE", "64 bits"),
    ],
)
def test_a_condition_without_an_answer_denies_with_the_place_and_the_path(text, code, part):
    decision = gate_of(text).decide(request(labels={}, model=None))
    (finding,) = (each for each in decision.findings if each.denies)
    assert (finding.code, finding.where is not None) == (code, True)
    assert part in finding.message


@pytest.mark.acceptance("IDEA-06")
@given(
    agents=st.integers(1, 60),
    est_chars=st.integers(0, 3_000_000),
    used=st.integers(0, 12),
    channel=st.sampled_from([None, "email", "orchestration"]),
)
@examples(300)
def test_what_a_denial_suggests_lets_its_rule_pass_and_one_more_does_not(agents, est_chars, used, channel):
    gate = shipped_gate()
    window = {"used": used, "cap": 8, "seconds": 86_400, "frees_at": None}
    facts = request(agents=agents, est_chars=est_chars, completion_channel=channel, window=window)
    admitted = gate.admit(facts)
    for rule in explain(gate, admitted).rules:
        for change in rule.changes:
            assert outcome_of(gate, {**facts, **plain(change.facts)}, rule.row.rule) is Outcome.PASSED
            name, sign, bound = change.text.partition(" <= ")
            if sign and bound.isdecimal():
                more = {**facts, name: int(bound) + 1}
                assert outcome_of(gate, more, rule.row.rule) is Outcome.DENIED, change.text


def outcome_of(gate, facts, rule):
    return next(row.outcome for row in gate.decide(facts).rows if row.rule == rule)


def plain(facts):
    return {name: to_builtins(value) if isinstance(value, Struct) else value for name, value in facts.items()}
