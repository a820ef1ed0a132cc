"""What holds for every built-in rule, so that no rule's own test has to."""

import inspect
import os
import re
import typing

import pytest

import gatewright_rules
from gatewright import catalog
from gatewright.model import Stage
from gatewright.model.codes import ENGINE_CODES
from gatewright.model.reasons import REASONS
from gatewright.plugins import built_in
from gatewright.policy import reader
from gatewright.policy.tree import plain
from gatewright_rules import FACTS, RULES, plugin

HERE = os.path.dirname(__file__)
POLICIES = os.path.join(HERE, "..", "..", "policies")
STAGES = (Stage.DISPATCH, Stage.CHECK, Stage.REGISTER, Stage.DELIVER, Stage.ACCEPT)
FACT = {(stage, fact.name): fact for fact in FACTS for stage in fact.stages}
MODULES = sorted(
    name.removesuffix(".py")
    for name in os.listdir(os.path.dirname(gatewright_rules.__file__))
    if name.endswith(".py") and not name.startswith("_")
)

every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)


@pytest.mark.parametrize("name", MODULES)
def test_every_module_of_rules_has_a_twin_among_the_tests(name):
    assert os.path.exists(os.path.join(HERE, f"test_{name}.py"))


@every_rule
def test_a_rule_stands_in_the_module_of_its_name(rule):
    assert rule.function.__module__ == f"gatewright_rules.{rule.id.replace('-', '_')}"


@every_rule
def test_the_docstring_starts_with_a_sentence_of_one_line(rule):
    first, _, rest = rule.doc.partition("\n")
    assert re.fullmatch(r"[A-Z][^.]*\.", first)
    assert not rest or rest.startswith("\n")


@every_rule
def test_the_docstring_says_what_why_and_each_code_with_its_level(rule):
    assert re.search(r"^What: \w", rule.doc, re.MULTILINE)
    assert re.search(r"^Why: \w", rule.doc, re.MULTILINE)
    assert re.search(r"^(?:Denies|Warns): ", rule.doc, re.MULTILINE)
    for code in rule.codes:
        assert f"`{code}`" in rule.doc


@every_rule
def test_the_docstring_names_each_option(rule):
    for option in rule.options:
        assert f"`{option.name}`" in rule.doc


@every_rule
def test_each_parameter_is_a_fact_with_the_fact_s_annotation_null_aside(rule):
    for wanted in rule.wants:
        same = FACT[rule.stage, wanted.name].annotation
        same = typing.get_args(same)[0] if typing.get_origin(same) is typing.Annotated else same
        optional = typing.Union[wanted.annotation, None]  # noqa: UP007  what the fact may be where the rule may not
        assert same in (wanted.annotation, optional), wanted.name


@every_rule
def test_each_option_has_a_default_of_its_own_kind(rule):
    for option in rule.options:
        assert isinstance(option.default, int | str | tuple)
        assert (type(option.default) is int) is (option.annotation is int)


@every_rule
def test_each_code_is_explained_and_is_none_of_the_engine_s(rule):
    explained = {reason.code for reason in REASONS}
    assert set(rule.codes) <= explained
    assert not ENGINE_CODES.intersection(rule.codes)


@every_rule
def test_a_rule_gives_a_code_of_its_own_choice_at_the_level_that_is_explained(rule):
    levels = {reason.code: reason.level for reason in REASONS}
    calls = set(re.findall(r"\b(deny|warn|note)\(\s*([A-Z_]+)", inspect.getsource(rule.function)))
    assert {code for _, code in calls} == set(rule.codes)
    for code in rule.codes:
        assert (levels[code], code) in calls


@every_rule
def test_a_rule_asks_for_each_fact_that_it_answers_for(rule):
    assert set(rule.owns) <= {wanted.name for wanted in rule.wants}


@every_rule
def test_a_rule_gives_the_code_of_each_fact_that_it_answers_for(rule):
    for name in rule.owns:
        assert FACT[rule.stage, name].code in rule.codes or name == "est_chars"


@pytest.mark.parametrize("fact", [fact for fact in FACTS if fact.code not in ENGINE_CODES], ids=lambda fact: fact.name)
def test_some_rule_answers_for_each_fact_that_carries_a_code_of_the_rules(fact):
    assert [rule.id for rule in RULES if fact.name in rule.owns and fact.code in rule.codes]


def test_the_built_in_rules_pass_the_checks_that_every_plugin_passes():
    found = catalog.build([built_in()], {reason.code: reason.meaning for reason in REASONS}, verify_built_in=True)
    assert list(found.rules) == [rule.id for rule in RULES]
    assert {(stage, name) for stage in Stage for name in found.facts_of(stage)} == set(FACT)


@pytest.mark.parametrize("stage", STAGES)
def test_the_shipped_policy_of_a_stage_uses_every_rule_once_and_in_the_order_of_the_package(stage):
    path = os.path.join(POLICIES, f"{stage.value}.yaml")
    with open(path, "rb") as file:
        document = plain(reader.read(file.read(), path).tree)
    assert document["stage"] == stage.value
    assert [rule["use"] for rule in document["rules"]] == [rule.id for rule in RULES if rule.stage is stage]


def test_the_rules_of_the_package_are_of_stages_with_a_shipped_policy():
    assert {rule.stage for rule in RULES} == set(STAGES)


@pytest.mark.acceptance("C25")
def test_the_order_of_the_rules_is_the_order_of_precedence():
    assert codes_of(Stage.CHECK) == [
        "CONTRACT_UNREADABLE",
        "NO_COMPLETION_CHANNEL",
        "NO_MODEL",
        "INVALID_REQUEST",
        "TIER_POLICY_UNAVAILABLE",
        "TIER_FANOUT_CAP",
        "TIER_POLICY",
        "TIER_UNKNOWN_MODEL",
        "TIER_AMBIGUOUS_MODEL",
        "MCP_TRUST_UNHANDLED",
        "PATH_OUTSIDE_KNOWN_ROOTS",
        "WORKTREE_AS_REPO_ROOT",
        "BUDGET_EXCEEDED",
        "ROUTING_VIOLATION",
        "HIGH_COST_RUNTIME",
        "LEDGER_CLOCK",
    ]


@pytest.mark.acceptance("R16", "R05", "R27", "R11", "R12")
def test_the_order_of_the_rules_of_a_registration_is_the_order_of_precedence():
    assert codes_of(Stage.REGISTER) == [
        "ORCHESTRATION_UNVERIFIED",
        "UNVERIFIED_JOB",
        "PROBE_NOT_CONTENT",
        "MODEL_TIER_ESCALATION",
        "MODEL_UNVERIFIED",
        "MODEL_PROBE_FAILED",
        "MODEL_MISMATCH",
        "TIER_UNKNOWN_MODEL",
        "INVALID_REQUEST",
        "AMBIGUOUS_TICKET",
        "NO_MATCHING_TICKET",
        "TICKET_EXPIRED",
        "TICKET_MISSING",
        "JOB_ALREADY_REGISTERED",
    ]


def test_the_order_of_the_rules_of_an_acceptance_is_the_order_of_precedence():
    assert codes_of(Stage.ACCEPT) == [
        "CONTRACT_UNREADABLE",
        "NO_REGISTRATION",
        "MODEL_TIER_ESCALATION",
        "MODEL_UNVERIFIED",
        "MASTER_CHECKOUT",
        "EVIDENCE_MISSING",
        "EVIDENCE_FAILED",
        "SURFACE_VIOLATION",
        "COMMIT_RULE_VIOLATION",
    ]


def codes_of(stage):
    """The codes of a stage's rules, each where it may first be given."""
    return list(dict.fromkeys(code for rule in RULES if rule.stage is stage for code in rule.codes))


def test_the_hooks_offer_the_rules_and_facts_of_the_package():
    assert tuple(plugin.gatewright_rules()) == RULES
    assert tuple(plugin.gatewright_facts()) == FACTS
