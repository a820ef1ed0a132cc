"""A fact that cannot be had: who denies for it, with which code, and that nobody lets it pass."""

import pytest
from tests.runner.gates import gate_of, outcomes, own_rule, request, shipped_gate, without

from gatewright.model import Moment, deny
from gatewright.spec import derived, given, rule

UNREADABLE = {"path": "job.md", "readable": False, "error": "no such file"}
UNLOADED = {"path": "t.json", "loaded": False, "error": "no such file"}
READABLE = {"path": "job.md", "readable": True}


# -- the rule that owns a fact denies with the code that the fact carries ------------------------------------------


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("runtime", "INVALID_REQUEST"),
        ("agents", "INVALID_REQUEST"),
        ("est_chars", "INVALID_REQUEST"),
        ("tier_override", "INVALID_REQUEST"),
        ("model", "NO_MODEL"),
        ("completion_channel", "NO_COMPLETION_CHANNEL"),
        ("contract", "CONTRACT_UNREADABLE"),
        ("tier_policy", "TIER_POLICY_UNAVAILABLE"),
    ],
)
def test_a_fact_of_another_kind_is_denied_by_the_rule_that_owns_it_with_its_code(name, code):
    decision = shipped_gate().decide(request(**{name: object()}))
    assert decision.reason == code
    assert "FACT_UNAVAILABLE" not in decision.reasons


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("runtime", "INVALID_REQUEST"),
        ("agents", "INVALID_REQUEST"),
        ("contract", "CONTRACT_UNREADABLE"),
        ("tier_policy", "TIER_POLICY_UNAVAILABLE"),
        ("est_chars", "CONTRACT_UNREADABLE"),
        ("model", "NO_MODEL"),
        ("completion_channel", "NO_COMPLETION_CHANNEL"),
    ],
)
def test_a_fact_that_was_not_given_is_denied_by_the_rule_that_owns_it(name, code):
    assert shipped_gate().decide(without(request(), name)).reasons == (code,)


@pytest.mark.parametrize(
    ("changed", "code", "dependent"),
    [
        ({"contract": UNREADABLE}, "CONTRACT_UNREADABLE", ["mcp-trust", "known-roots", "worktree-root"]),
        ({"tier_policy": UNLOADED}, "TIER_POLICY_UNAVAILABLE", ["model-tier"]),
        ({"est_chars": None}, "CONTRACT_UNREADABLE", ["dispatch-budget"]),
    ],
)
def test_rules_that_only_depend_on_it_do_not_apply_and_say_what_they_need(changed, code, dependent):
    decision = shipped_gate().decide(request(**changed))
    assert decision.reasons == (code,)
    rows = {row.rule: row for row in decision.rows}
    for rule_ in dependent:
        assert rows[rule_].outcome.value == "not applicable"
        assert rows[rule_].why.startswith("needs ")
    if "contract" in changed:
        assert rows["mcp-trust"].why == "needs contract"


# -- where no active rule owns it the decision itself denies --------------------------------------------------------


@pytest.mark.parametrize("facts", [{}, {"agents": None}, {"agents": "9"}, {"agents": True}, {"agents": 2**63}])
@pytest.mark.parametrize("effect", ["deny", "warn", "require"])
def test_a_fact_that_nobody_owns_denies_the_decision(effect, facts):
    decision = gate_of(f"- {{id: many, {effect}: agents > 8}}").decide(facts)
    assert decision.reasons in (("INVALID_REQUEST",), ("FACT_UNAVAILABLE",))
    assert not decision.allow
    assert outcomes(decision) == {"many": "not applicable"}


def test_a_fact_that_nobody_owns_is_told_once_and_names_the_rules_that_need_it():
    decision = gate_of("- {id: a, deny: window.used > 8}\n- {id: b, warn: window.cap == 1}\n").decide({})
    (finding,) = decision.findings
    assert (finding.code, finding.rule) == ("FACT_UNAVAILABLE", "engine")
    assert "`window`" in finding.message
    assert "`a`, `b`" in finding.hint


@pytest.mark.parametrize("contract", [UNREADABLE, None, "job.md", {"readable": True}])
def test_a_contract_that_nobody_owns_denies_the_decision(contract):
    gate = gate_of("- {id: a, deny: contract.mentions.mcp}")
    assert gate.decide({"contract": READABLE}).allow
    assert not gate.decide({"contract": contract}).allow


@pytest.mark.parametrize("table", [UNLOADED, None, "t.json", {"path": "t.json"}])
def test_a_tier_table_that_nobody_owns_denies_the_decision(table):
    gate = gate_of("- {id: a, deny: tier_policy.version == 1}")
    assert gate.decide({"tier_policy": {"path": "t", "loaded": True, "version": 2}}).allow
    assert not gate.decide({"tier_policy": table}).allow


def test_null_for_a_parameter_that_is_not_optional_counts_as_unavailable():
    decision = gate_of("- use: dispatch-budget").decide({"agents": 1, "est_chars": None})
    assert decision.reasons == ("FACT_UNAVAILABLE",)
    assert outcomes(decision) == {"dispatch-budget": "not applicable"}


def test_a_derived_fact_is_owned_by_who_owns_what_it_lacks():
    gate = gate_of("- use: tier-policy-loaded\n- {id: a, require: tier_ambiguous == false}")
    assert gate.decide({"model": "x", "tier_policy": None}).reasons == ("TIER_POLICY_UNAVAILABLE",)


@derived(stages=("check",))
def volume(agents: int, est_chars: int | None) -> int:
    """Agents times characters, beyond the range of integers too."""
    return agents * (est_chars or 0)


def test_a_derived_fact_that_fails_for_a_reason_of_its_own_is_owned_by_nobody():
    gate = gate_of("- use: request-shape\n- use: contract-size\n- {id: large, deny: volume > 9}", volume)
    decision = gate.decide(request(agents=2**62, est_chars=2**62))
    assert decision.reasons == ("FACT_UNAVAILABLE",)
    assert outcomes(decision)["large"] == "not applicable"


def test_an_owner_that_is_off_owns_nothing():
    gate = gate_of("- {use: contract-size, level: off}\n- use: dispatch-budget")
    assert gate.decide({"agents": 1, "est_chars": None}).reasons == ("FACT_UNAVAILABLE",)


# -- an owner that does not deny leaves nobody who does --------------------------------------------------------------


@pytest.mark.parametrize("level", ["warn", "note"])
def test_an_owner_in_a_shadow_run_does_not_let_an_undecided_rule_through(level):
    gate = gate_of(f"- {{use: contract-size, level: {level}}}\n- use: dispatch-budget")
    assert not gate.decide({"agents": 1, "est_chars": None}).allow


@pytest.mark.parametrize("level", ["warn", "note"])
def test_a_table_that_is_only_warned_of_does_not_let_a_version_1_rule_through(level):
    gate = gate_of(f"- {{use: tier-policy-loaded, level: {level}}}\n- use: model-tier")
    assert not gate.decide({"model": "x", "tier_policy": UNLOADED}).allow


def test_an_owner_whose_when_is_false_does_not_let_an_undecided_rule_through():
    gate = gate_of("- {use: contract-size, when: runtime == 'codex'}\n- use: dispatch-budget")
    assert gate.decide({"runtime": "codex", "agents": 1, "est_chars": None}).reasons == ("CONTRACT_UNREADABLE",)
    assert not gate.decide({"runtime": "claude", "agents": 1, "est_chars": None}).allow


def test_an_owner_that_does_not_ask_for_its_fact_does_not_let_an_undecided_rule_through():
    gate = gate_of("- use: request-shape\n- {id: approved, require: top_approved is not None}")
    assert gate.decide(request(top_approved="pilot")).allow
    assert gate.decide(request(top_approved=None)).reasons == ("APPROVED",)
    assert not gate.decide(request(top_approved=5)).allow


def test_an_owner_that_does_not_declare_the_code_of_its_fact_does_not_let_it_pass():
    @rule(codes=["LATE"], owns=["now"])
    def on_time(now: Moment):
        """Deny what comes late."""
        if now.epoch > 1:
            yield deny("LATE", "late")

    gate = gate_of("- use: on-time", on_time)
    assert gate.decide({"now": 0}).allow
    assert gate.decide({"now": 5}).reasons == ("LATE",)
    assert not gate.decide({"now": "noon"}).allow
    assert not gate.decide({}).allow


@pytest.mark.parametrize("est_chars", ["3000", True, 1.5, []])
def test_a_built_in_owner_that_cannot_give_the_code_of_its_fact_does_not_let_it_pass(est_chars):
    assert not gate_of("- use: contract-size").decide({"est_chars": est_chars}).allow


def test_an_owner_whose_code_for_the_fact_is_off_does_not_let_it_pass():
    size = given("size", int, "A size.", stages=("check",), code="NO_SIZE")

    @rule(codes=["NO_SIZE", "BIG"], owns=["size"])
    def big(size: int):
        """Deny what is big."""
        if size > 8:
            yield deny("BIG", "big")

    gate = gate_of("- {use: big, levels: {NO_SIZE: off}}", big, size)
    assert gate.decide({"size": 1}).allow
    assert not gate.decide({}).allow


# -- a rule that asks for the very lack of a noun answers for it, if it does deny -----------------------------------


@pytest.mark.parametrize("condition", ["require: contract.readable", "deny: not contract.readable"])
def test_a_rule_that_asks_whether_a_contract_could_be_read_decides_that_itself(condition):
    gate = gate_of(f"- {{id: a, {condition}}}\n- {{id: b, deny: contract.mentions.mcp}}")
    assert gate.decide({"contract": READABLE}).allow
    assert gate.decide({"contract": UNREADABLE}).reasons == ("A",)


@pytest.mark.parametrize("contract", [None, "job.md", {"path": "job.md"}, {"path": "job.md", "readable": "yes"}])
@pytest.mark.parametrize("condition", ["require: contract.readable", "deny: not contract.readable"])
def test_a_rule_that_asks_whether_a_contract_could_be_read_does_not_let_the_lack_of_it_pass(condition, contract):
    gate = gate_of(f"- {{id: a, {condition}}}")
    assert not gate.decide({"contract": contract}).allow
    assert not gate.decide({}).allow


@pytest.mark.parametrize(
    "asking",
    [
        "{id: a, warn: not contract.readable}",
        "{id: a, require: contract.readable, level: warn}",
        "{id: a, when: runtime == 'claude', require: contract.readable}",
        "{id: a, deny: not contract.readable and runtime == 'claude'}",
        "{id: a, deny: contract.readable and runtime == 'claude'}",
    ],
)
def test_a_rule_that_asks_and_does_not_deny_does_not_let_another_rule_go_undecided(asking):
    gate = gate_of(f"- {asking}\n- {{id: b, deny: contract.mentions.mcp}}")
    assert gate.decide({"runtime": "codex", "contract": READABLE}).allow
    assert not gate.decide({"runtime": "codex", "contract": UNREADABLE}).allow


def test_a_when_that_reads_a_noun_that_could_not_be_had_cannot_be_decided():
    gate = gate_of("- {id: a, when: contract.mentions.mcp, deny: agents > 1}")
    assert gate.decide({"agents": 2, "contract": READABLE}).allow
    assert not gate.decide({"agents": 2, "contract": UNREADABLE}).allow


@pytest.mark.parametrize("labels", [None, 5, {"team": 5}])
@pytest.mark.parametrize(
    "rule_", ["{id: a, when: has(labels.team), deny: agents > 1}", "{use: model-named, when: has(labels.x)}"]
)
def test_a_when_whose_fact_cannot_be_had_denies(rule_, labels):
    gate = gate_of(f"- {rule_}")
    assert gate.decide({"agents": 1, "model": "x", "labels": {}}).allow
    assert gate.decide({"agents": 1, "model": "x", "labels": labels}).reasons == ("FACT_UNAVAILABLE",)


@pytest.mark.parametrize("agents", [1, 2])
def test_a_when_may_ask_for_the_lack_of_a_noun(agents):
    gate = gate_of("- {id: a, when: not contract.readable, deny: agents > 1}")
    assert gate.decide({"agents": agents, "contract": UNREADABLE}).allow is (agents == 1)
    assert gate.decide({"agents": agents, "contract": READABLE}).allow


def test_a_fact_that_only_a_message_reads_denies_nothing_by_its_lack():
    gate = gate_of('- {id: a, deny: agents > 8, message: "{window.used}"}')
    assert gate.decide({"agents": 1}).allow


def test_a_fact_that_is_not_read_may_be_anything():
    gate = gate_of("- {id: a, deny: agents > 8}")
    assert gate.decide({"agents": 1, "runtime": object(), "labels": 5, "nonsense": {1, 2}}).allow


def test_a_rule_of_a_plugin_whose_null_fact_it_does_not_take_is_not_asked():
    maybe = given("maybe", str | None, "Perhaps.", stages=("check",), default=None)

    @rule(codes=["MINE"])
    def certain(maybe: str):
        """Deny what is not certain."""
        yield deny("MINE", maybe.upper())

    decision = gate_of("- use: certain", certain, maybe).decide({"maybe": None})
    assert decision.reasons == ("FACT_UNAVAILABLE",)
    assert gate_of("- use: certain", certain, maybe).decide({"maybe": "x"}).reasons == ("MINE",)


def test_a_rule_that_needs_nothing_is_asked_all_the_same():
    @rule(codes=["MINE"])
    def always():
        """Deny always."""
        yield deny("MINE", "always")

    assert gate_of("- use: always", always).decide({}).reasons == ("MINE",)


def test_own_rules_that_lack_a_fact_deny():
    assert not gate_of("- use: mine", own_rule(lambda _: [])).decide({}).allow
