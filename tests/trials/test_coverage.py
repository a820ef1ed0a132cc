"""Coverage of reason codes: what counts as shown, what as narrowly missed, and what is said of the rest."""

import pytest
from tests.runner.gates import BUILT_IN, CHECK

from gatewright.model.coverage import percent_of
from gatewright.trials import coverage, fixtures
from gatewright.trials.runs import Runner

CODES = frozenset(BUILT_IN.reasons) | {"TOO_MANY", "OTHER"}
FACTS = frozenset(BUILT_IN.facts)
DEFAULTS = "{runtime: codex, model: gpt-5.5, agents: 1, est_chars: 30, completion_channel: orchestration}"
MANY = "rules:\n  - id: too-many\n    deny: agents > 8\n"


@pytest.fixture
def covered(tmp_path):
    """The coverage of a policy of these rules by these cases, each `NAME: REQUEST`."""

    def run(rules, *requests, top=""):
        (tmp_path / "p.yaml").write_text(f"gatewright: 1\npolicy: p\nstage: check\n{rules}")
        cases = "".join(f"  - {{name: c{at}, {each}, expect: allow}}\n" for at, each in enumerate(requests))
        text = f"policy: p.yaml\ndefaults: {DEFAULTS}\n{top}cases:\n{cases}"
        found = fixtures.load(text.encode(), str(tmp_path / "f.yaml"), CODES, FACTS)
        runner = Runner(BUILT_IN, CHECK.replace("check.yaml", "tiers.yaml"))
        return coverage.of_cases([each for case in found.cases for each in runner.run(case).judged])

    return run


def counts(found, code="TOO_MANY"):
    (use,) = [use for use in found.codes if use.code == code]
    return use.fired, use.missed


@pytest.mark.parametrize(
    ("agents", "fired", "missed"),
    [([12], 1, 0), ([9], 1, 0), ([8], 0, 1), ([7], 0, 0), ([1, 12], 1, 0), ([8, 9], 1, 1), ([8, 8, 9, 10], 2, 2)],
)
def test_a_number_is_narrowly_missed_one_step_before_its_limit_and_no_further(covered, agents, fired, missed):
    assert counts(covered(MANY, *(f"request: {{agents: {each}}}" for each in agents))) == (fired, missed)


@pytest.mark.parametrize(
    ("condition", "request_", "missed"),
    [
        ('runtime == "fable"', "{}", 1),
        ('runtime == "fable" and agents > 1', "{}", 0),
        ('runtime == "fable" and agents > 1', "{agents: 2}", 1),
        ('runtime == "fable" and agents > 1', "{runtime: fable}", 1),
        ("model is None", "{}", 1),
        ("tier_ambiguous", "{}", 1),
        ('contract.mentions.mcp and runtime == "codex"', "{}", 1),
        ("contract.chars > 50", "{}", 0),
        ("len(known_roots) == 0", "{known_roots: [/srv]}", 1),
        ('"x" in labels', "{labels: {y: z}}", 0),
        ('labels.team == "core"', "{labels: {team: web}}", 1),
        ('now.weekday == "fri"', "{now: 2026-11-28T12:00:00Z}", 1),
        ('now.weekday == "fri"', "{now: 2026-11-29T12:00:00Z}", 0),
        ('now.time >= "18:00"', "{now: 2026-11-28T17:59:30Z}", 1),
        ('now.time >= "18:00"', "{now: 2026-11-28T17:30:00Z}", 0),
    ],
)
def test_a_case_misses_narrowly_what_one_smallest_change_would_make_fire(covered, condition, request_, missed):
    rules = f"rules:\n  - id: too-many\n    deny: '{condition}'\n"
    top = "now: 2026-11-28T12:00:00Z\n"
    key = "facts" if "now" in request_ or "known_roots" in request_ else "request"
    assert counts(covered(rules, f"{key}: {request_}", top=top)) == (0, missed)


def test_what_a_rule_of_python_reads_is_changed_by_the_same_steps(covered):
    rules = "rules: [{use: dispatch-budget}]\n"
    sizes = [f"request: {{est_chars: {each}}}" for each in (500_001, 500_000, 499_999)]
    assert counts(covered(rules, *sizes), "BUDGET_EXCEEDED") == (1, 1)


def test_a_count_that_is_only_missing_elsewhere_is_no_step_away_from_firing(covered):
    rules = "rules: [{use: fan-out-cap}]\n"
    windows = ["{used: null, cap: 4}", "{used: 1, cap: 4}"]
    many = "facts: {window: {used: 9, cap: 4}}"
    assert counts(covered(rules, *(f"facts: {{window: {each}}}" for each in windows), many), "TIER_FANOUT_CAP") == (
        2,
        0,
    )


def test_a_count_that_is_missing_wherever_a_rule_fires_is_one_step_from_any_that_is_there(covered):
    found = covered("rules: [{use: contract-size}]\n", "request: {est_chars: null}", "request: {}")
    assert counts(found, "CONTRACT_UNREADABLE") == (1, 1)


def test_a_rule_that_does_not_apply_is_no_near_miss(covered):
    rules = 'rules:\n  - id: too-many\n    when: runtime == "fable"\n    deny: agents > 8\n'
    (use,) = covered(rules, "request: {agents: 8}", "request: {agents: 9}").codes
    assert (use.fired, use.missed, use.not_applicable) == (0, 0, 2)


def test_outcomes_are_told_apart(covered):
    rules = (
        "rules:\n  - id: too-many\n    deny: agents > 8\n    override: tier_override\n"
        "  - id: other\n    deny: labels.x == 'y'\n"
        "exceptions:\n  - {id: e, code: TOO_MANY, until: 2026-01-01, reason: r, owner: o, when: 'runtime == \"a\"'}\n"
    )
    found = covered(
        rules,
        "request: {agents: 9, labels: {x: z}}",
        "request: {agents: 9, tier_override: because}",
        "request: {agents: 9, runtime: a}",
        "request: {agents: 8}",
        top="now: 2026-01-01T23:59:59Z\n",
    )
    many, other = found.codes
    assert (many.fired, many.overridden, many.excepted, many.missed, many.errored) == (1, 1, 1, 1, 0)
    assert (other.fired, other.missed, other.errored) == (0, 1, 3)
    assert [(each.exception, each.used) for each in found.exceptions] == [("e", 1)]


@pytest.mark.parametrize(
    ("agents", "lacking"),
    [
        ([12], ["negative: no case only just passes the rule, as one with agents 8 would"]),
        ([8], ["positive: no case makes the rule give it"]),
        (
            [1],
            ["positive: no case makes the rule give it", "negative: no case only just passes the rule"],
        ),
        ([8, 9], []),
    ],
)
def test_what_is_not_shown_is_said_in_words(covered, agents, lacking):
    (use,) = covered(MANY, *(f"request: {{agents: {each}}}" for each in agents)).codes
    assert list(use.lacking) == lacking
    assert percent_of([use]) == 50.0 * (2 - len(lacking))


def test_a_denial_that_is_always_let_through_is_not_shown(covered):
    rules = MANY + "    override: tier_override\n"
    (use,) = covered(rules, "request: {agents: 9, tier_override: x}", "request: {agents: 8}").codes
    assert use.lacking == ("positive: no case makes the rule give it, but only one in which it is let through",)


def test_a_code_that_is_switched_off_asks_for_nothing(covered):
    (use,) = covered(MANY + "    level: 'off'\n", "request: {agents: 8}").codes
    assert (use.level, use.wanted, use.lacking) == ("off", 0, ())


def test_coverage_of_several_fixtures_of_one_policy_adds_up(covered):
    found = covered(MANY, "request: {agents: 8}", "request: {agents: 9}", "request: {agents: 1}")
    assert (found.decisions, found.percent, found.uncovered) == (3, 100.0, ())
