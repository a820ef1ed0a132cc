"""The shipped fixtures: all of them pass, and they show every rule giving every code and narrowly not giving it."""

import os

import pytest
from tests.runner.gates import BUILT_IN

from gatewright.model import Outcome
from gatewright.model.mutations import Fate
from gatewright.policy import reader
from gatewright.policy.tree import plain
from gatewright.trials import coverage, fixtures, mutation
from gatewright.trials.runs import Runner, Trial
from gatewright_rules import RULES

ROOT = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", ".."))
FOLDER = os.path.join(ROOT, "fixtures")
FILES = sorted(name for name in os.listdir(FOLDER) if name.endswith(".yaml"))
CODES, FACTS = frozenset(BUILT_IN.reasons), frozenset(BUILT_IN.facts)
#: The rule and the code of each thing that a built-in rule may say.
SAID = [(rule.id, code) for rule in RULES for code in rule.codes]


def cases_of(name: str) -> tuple[fixtures.Case, ...]:
    path = os.path.join(FOLDER, name)
    with open(path, "rb") as file:
        return fixtures.load(file.read(), path, CODES, FACTS).cases


@pytest.fixture(scope="module")
def ran() -> tuple[Runner, list[Trial]]:
    """The runner, and the trial of every case."""
    runner = Runner(BUILT_IN, os.path.join(ROOT, "policies", "tiers.yaml"))
    return runner, [runner.run(case) for name in FILES for case in cases_of(name)]


@pytest.fixture(scope="module")
def runs(ran) -> list[Trial]:
    return ran[1]


def test_every_case_passes(runs):
    assert {run.case.id: (run.error, run.differences) for run in runs if not run.passed} == {}


def rows_of(runs, rule):
    """How a rule fared in each case: its outcome and codes."""
    for run in runs:
        for row in run.decision.rows:
            if row.rule == rule:
                yield run, row


def test_every_code_is_shown_and_narrowly_missed(runs):
    found = coverage.of_cases(coverage.shown_by(runs))
    assert [f"{use.where} {use.code}: {use.lacking}" for use in found.uncovered] == []
    assert {use.stage for use in found.codes} == {rule.stage.value for rule in RULES}
    assert found.percent == 100.0


def test_every_slip_in_a_shipped_policy_that_changes_a_decision_is_noticed(ran):
    found = mutation.of_trials(*ran, lambda _done, _total: None)
    assert [f"{each.place} {each.kind}: {each.after or each.before}" for each in found.alive] == []
    assert found.count(Fate.KILLED) >= 100


@pytest.mark.parametrize(("rule", "code"), SAID)
def test_some_case_shows_the_rule_giving_the_code(runs, rule, code):
    assert [run.case.id for run, row in rows_of(runs, rule) if code in row.codes]


@pytest.mark.parametrize(("rule", "code"), SAID)
def test_the_file_that_shows_the_code_shows_a_near_miss_as_well(runs, rule, code):
    shown = {run.case.place.file for run, row in rows_of(runs, rule) if code in row.codes}
    missed = {run.case.place.file for run, row in rows_of(runs, rule) if row.outcome is Outcome.PASSED}
    assert shown & missed


@pytest.mark.parametrize(
    ("rule", "fact", "denied", "allowed"),
    [
        ("dispatch-budget", "est_chars", 500_001, 500_000),
        ("runtime-routing", "agents", 2, 1),
        ("request-shape", "agents", 0, 1),
        ("request-shape", "est_chars", -1, 0),
        ("fan-out-cap", "agents", 5, 4),
    ],
)
def test_numbers_are_shown_on_both_sides_of_their_limit(runs, rule, fact, denied, allowed):
    found = [(run.case.request.get(fact), row.outcome) for run, row in rows_of(runs, rule)]
    assert (denied, Outcome.DENIED) in found
    assert (allowed, Outcome.PASSED) in found or (allowed, Outcome.WARNED) in found


@pytest.mark.parametrize("name", FILES)
def test_every_file_says_what_it_shows_and_is_about_the_shipped_policy(name):
    with open(os.path.join(FOLDER, name), "rb") as file:
        document = plain(reader.read(file.read(), name).tree)
    assert document["description"].endswith(".")
    stage = next((stage for stage in ("dispatch", "register", "deliver", "accept") if name.startswith(stage)), "check")
    assert document["policy"] == f"../policies/{stage}.yaml"


@pytest.mark.parametrize("name", FILES)
def test_every_case_is_named_by_a_claim_and_no_name_stands_twice(name):
    names = [case.name.partition("[")[0] for case in cases_of(name)]
    assert all(" " in each and not each.endswith(".") for each in names)


def test_the_tables_of_the_fixtures_are_no_fixtures():
    from gatewright.trials.collecting import is_fixture

    found = [
        os.path.relpath(os.path.join(folder, name), FOLDER)
        for folder, _, names in os.walk(FOLDER)
        for name in names
        if name.endswith((".yaml", ".yml")) and is_fixture(os.path.join(folder, name))
    ]
    assert sorted(found) == FILES


def test_every_table_of_the_fixtures_is_used():
    used = {os.path.basename(case.tiers) for name in FILES for case in cases_of(name) if case.tiers is not None}
    assert set(os.listdir(os.path.join(FOLDER, "tables"))) <= used
