"""Running a case: its facts, its window, and that anything but what was expected fails it."""

import os

import pytest
from tests.runner.gates import BUILT_IN, CHECK

from gatewright.trials import fixtures
from gatewright.trials.runs import Runner, selected

CODES, FACTS = frozenset(BUILT_IN.reasons), frozenset(BUILT_IN.facts)
TIERS = os.path.join(os.path.dirname(CHECK), "tiers.yaml")
DEFAULTS = "{runtime: codex, model: gpt-5.5, agents: 1, est_chars: 30, completion_channel: orchestration}"


def cases_of(cases, folder, *, policy=CHECK, top=""):
    text = f"policy: {policy}\ndefaults: {DEFAULTS}\n{top}cases:\n" + "".join(f"  - {{{each}}}\n" for each in cases)
    return fixtures.load(text.encode(), str(folder / "f.yaml"), CODES, FACTS).cases


@pytest.fixture
def run(tmp_path):
    """Run one case of the shipped policy, given as pairs; what it found."""

    def run_one(case, **more):
        (found,) = cases_of([f"name: one, {case}"], tmp_path, **more)
        return Runner(BUILT_IN, TIERS).run(found)

    return run_one


def test_a_decision_that_is_what_was_expected_passes(run):
    found = run("expect: allow")
    assert (found.passed, found.differences, found.explanation) == (True, (), None)


@pytest.mark.parametrize(
    ("case", "differences"),
    [
        ("expect: {deny: [NO_MODEL]}", ("expected denial NO_MODEL was not given",)),
        ("request: {model: null}, expect: allow", ("unexpected denial NO_MODEL",)),
        (
            "request: {model: null}, expect: {deny: [INVALID_REQUEST]}",
            ("expected denial INVALID_REQUEST was not given", "unexpected denial NO_MODEL"),
        ),
        ("request: {model: null, agents: 0}, expect: {deny: [NO_MODEL]}", ("unexpected denial INVALID_REQUEST",)),
        ("request: {model: new}, expect: allow", ("unexpected warning TIER_UNKNOWN_MODEL",)),
        (
            "expect: {allow: true, warn: [TIER_UNKNOWN_MODEL]}",
            ("expected warning TIER_UNKNOWN_MODEL was not given",),
        ),
        (
            "request: {model: new, agents: 9, tier_override: x}, expect: {allow: true, warn: [TIER_UNKNOWN_MODEL]}",
            ("unexpected override TIER_FANOUT_CAP",),
        ),
        ("expect: {allow: true, overridden: [TIER_FANOUT_CAP]}", ("expected override TIER_FANOUT_CAP was not given",)),
        ("expect: {allow: true, excepted: [TIER_FANOUT_CAP]}", ("expected exception TIER_FANOUT_CAP was not given",)),
        ("expect: {allow: true, note: [NO_MODEL]}", ("expected note NO_MODEL was not given",)),
    ],
)
def test_every_difference_in_either_direction_fails_a_case(run, case, differences):
    found = run(case)
    assert not found.passed
    assert found.differences == differences
    assert found.explanation is not None


def test_a_case_whose_policy_cannot_be_used_is_an_error(run, tmp_path):
    (tmp_path / "broken.yaml").write_text("gatewright: 1\n")
    for policy in ("broken.yaml", "missing.yaml"):
        found = run("expect: allow", policy=policy)
        assert not found.passed
        assert found.error


def test_a_param_that_the_policy_does_not_have_is_an_error(run):
    assert run("params: {max_char: 5}, expect: allow").error


def test_params_are_those_of_the_case(run):
    assert run("params: {max_chars: 10}, expect: {deny: [BUDGET_EXCEEDED]}").passed
    assert run("params: {max_chars: 30}, expect: allow").passed


def test_one_runner_keeps_the_params_of_its_cases_apart(tmp_path):
    cases = cases_of(
        [
            "name: a, params: {max_chars: 10}, expect: {deny: [BUDGET_EXCEEDED]}",
            "name: b, expect: allow",
            "name: c, params: {max_chars: 10}, expect: {deny: [BUDGET_EXCEEDED]}",
        ],
        tmp_path,
    )
    runner = Runner(BUILT_IN, TIERS)
    assert [runner.run(case).passed for case in cases] == [True] * 3


@pytest.mark.parametrize("name", ["HOME", "GATEWRIGHT_POLICY", "DISPATCH_TIER_POLICY", "GATEWRIGHT_LEDGER"])
def test_neither_environment_nor_working_directory_are_read(run, monkeypatch, tmp_path, name):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setenv(name, str(tmp_path / "missing"))
    assert run("expect: allow").passed


def test_a_tier_table_stands_beside_the_fixture(run, tmp_path):
    table = '{"version": 2, "tiers": {"only": ["gpt-5.5"]}, "fanout_caps": {"only": 1}}'
    (tmp_path / "own.json").write_text(table)
    assert run("tiers: own.json, expect: allow").passed
    assert run("tiers: own.json, request: {agents: 2}, expect: {deny: [TIER_FANOUT_CAP]}").passed
    assert run("tiers: missing.json, expect: {deny: [TIER_POLICY_UNAVAILABLE]}").passed


@pytest.mark.acceptance("P14", "P29", "WI-01")
@pytest.mark.parametrize(
    ("at", "counts"), [("-23h59m59s", True), ("-24h", True), ("-24h1s", False), ("+1h", True), ("-0s", True)]
)
def test_a_row_of_the_ledger_counts_while_it_is_no_older_than_the_window(run, at, counts):
    ledger = f"[{{at: {at}, model: new, agents: 8}}]"
    clock = ", LEDGER_CLOCK" if at.startswith("+") else ""
    expected = f"{{deny: [TIER_FANOUT_CAP], warn: [TIER_UNKNOWN_MODEL{clock}]}}"
    allowed = "{allow: true, warn: [TIER_UNKNOWN_MODEL]}"
    assert run(f"request: {{model: new}}, ledger: {ledger}, expect: {expected if counts else allowed}").passed


@pytest.mark.acceptance("P12")
@pytest.mark.parametrize(("rows", "allowed"), [([1] * 9, True), ([1] * 10, False), ([9], True), ([10], False)])
def test_ten_single_agents_use_as_much_as_ten_at_once(run, tmp_path, rows, allowed):
    table = '{"version": 2, "tiers": {"only": ["gpt-5.5"]}, "fanout_caps": {"only": 10}}'
    (tmp_path / "ten.json").write_text(table)
    ledger = ", ".join(f"{{at: -{at + 1}m, model: gpt-5.5, agents: {agents}}}" for at, agents in enumerate(rows))
    expected = "allow" if allowed else "{deny: [TIER_FANOUT_CAP]}"
    assert run(f"tiers: ten.json, ledger: [{ledger}], expect: {expected}").passed


@pytest.mark.acceptance("P08", "P10", "P17", "P28")
@pytest.mark.parametrize(
    ("model", "agents", "expected"),
    [
        ("new", 8, "{allow: true, warn: [TIER_UNKNOWN_MODEL]}"),
        ("new", 9, "{deny: [TIER_FANOUT_CAP], warn: [TIER_UNKNOWN_MODEL]}"),
        ("claude-fable-5", 10_000, "allow"),
        ("gpt-5.5", 10_000, "allow"),
    ],
)
def test_the_shipped_table_holds_back_unlisted_models_only(run, model, agents, expected):
    assert run(f"request: {{model: {model}, agents: {agents}, est_chars: 1}}, expect: {expected}").passed


def test_the_clock_of_a_case_moves_its_window(run):
    ledger = "[{at: '2026-11-29T12:00:00Z', model: new, agents: 8}]"
    for now, expected in [
        ("2026-11-30T12:00:00Z", "{deny: [TIER_FANOUT_CAP], warn: [TIER_UNKNOWN_MODEL]}"),
        ("2026-11-30T12:00:01Z", "{allow: true, warn: [TIER_UNKNOWN_MODEL]}"),
    ]:
        assert run(f"now: '{now}', request: {{model: new}}, ledger: {ledger}, expect: {expected}").passed


def test_facts_take_the_place_of_looking_them_up(run):
    assert run("facts: {window: {used: 1, cap: 1}}, expect: {deny: [TIER_FANOUT_CAP]}").passed
    assert run("facts: {tier: unknown}, expect: {allow: true, warn: [TIER_UNKNOWN_MODEL]}").passed


def test_some_fields_of_a_contract_leave_the_others_as_they_were(run):
    found = run("facts: {contract: {readable: false}}, expect: {deny: [CONTRACT_UNREADABLE]}")
    assert found.passed
    assert found.decision is not None
    assert found.decision.contract_sha is not None


# -- choosing cases ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keyword", "chosen"),
    [
        (None, ["alpha one", "alpha two", "beta one"]),
        ("alpha", ["alpha one", "alpha two"]),
        ("ALPHA", ["alpha one", "alpha two"]),
        ("alpha and one", ["alpha one"]),
        ("alpha or one", ["alpha one", "alpha two", "beta one"]),
        ("not alpha", ["beta one"]),
        ("not (alpha and one)", ["alpha two", "beta one"]),
        ("alpha and not one or beta", ["alpha two", "beta one"]),
        ("not not beta", ["beta one"]),
        ("f.yaml", ["alpha one", "alpha two", "beta one"]),
        ("gamma", []),
    ],
)
def test_cases_are_chosen_by_parts_of_their_names(tmp_path, keyword, chosen):
    names = ["alpha one", "alpha two", "beta one"]
    cases = list(cases_of([f"name: {name}, expect: allow" for name in names], tmp_path))
    assert [case.name for case in selected(cases, keyword)] == chosen


@pytest.mark.parametrize(
    "keyword", ["", "and", "alpha and", "or beta", "(alpha", "alpha)", "not", "alpha beta", "()", "( )"]
)
def test_an_expression_that_is_none_is_refused(keyword):
    from gatewright.errors import UsageError

    with pytest.raises(UsageError):
        selected([], keyword)
