"""Exceptions: one function says whether one holds, and everything that asks gets the same answer."""

from datetime import date, timedelta

import pytest
from tests.runner.gates import BUILT_IN, CHECK, gate_of

from gatewright.policy import standing
from gatewright.policy.loader import load
from gatewright.policy.standing import Standing
from gatewright.trials import coverage, fixtures
from gatewright.trials.runs import Runner

RULES = """
rules:
  - {id: many, deny: agents > 1}
  - {id: told, warn: agents > 5}
exceptions:
  - {id: pilot, code: MANY, until: 2026-12-31, reason: r, owner: platform}
"""
LAST, NEXT = "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"


def policy_of(text=RULES):
    return load(f"gatewright: 1\npolicy: small\nstage: check\n{text}".encode(), "p.yaml", BUILT_IN)


def tried(folder, now):
    """Whether a case of the exception is let through in a dry run, and how often coverage counts it as excepted."""
    (folder / "p.yaml").write_text(f"gatewright: 1\npolicy: small\nstage: check\n{RULES}")
    text = (
        f"policy: p.yaml\nnow: {now}\ndefaults: {{runtime: codex, agents: 2}}\n"
        "cases: [{name: one, expect: {allow: true, excepted: [MANY]}}]\n"
    )
    (case,) = fixtures.load(text.encode(), str(folder / "f.yaml"), None, frozenset(BUILT_IN.facts)).cases
    trial = Runner(BUILT_IN, CHECK.replace("check.yaml", "tiers.yaml")).run(case)
    assert not trial.error
    found = coverage.of_cases(trial.judged)
    return trial.passed, found.codes[0].excepted, found.exceptions[0].used


def everywhere(folder, now):
    """What a gate, a dry run, coverage and lint make of the exception at a moment."""
    decision = gate_of(RULES).decide({"agents": 2, "now": now})
    expired = [each.check for each in standing.problems(policy_of(), date.fromisoformat(now[:10]))]
    return decision.allow, *tried(folder, now), "exception-expired" not in expired


@pytest.mark.acceptance("IDEA-08")
def test_the_day_of_its_end_is_included_wherever_an_exception_is_looked_at(tmp_path):
    assert everywhere(tmp_path, LAST) == (True, True, 1, 1, True)
    assert everywhere(tmp_path, NEXT) == (False, False, 0, 0, False)


@pytest.mark.acceptance("IDEA-08")
@pytest.mark.parametrize("answer", [True, False])
def test_everything_that_asks_whether_an_exception_holds_asks_one_function(tmp_path, monkeypatch, answer):
    monkeypatch.setattr(standing, "is_live", lambda _exception, _today: answer)
    for now in (LAST, NEXT):
        assert everywhere(tmp_path, now) == (answer, answer, int(answer), int(answer), answer)


@pytest.mark.parametrize(
    ("days", "soon", "expected"),
    [
        (0, 14, Standing.ENDING),
        (13, 14, Standing.ENDING),
        (14, 14, Standing.LIVE),
        (-1, 14, Standing.EXPIRED),
        (0, 0, Standing.LIVE),
        (364, 365, Standing.ENDING),
    ],
)
def test_an_exception_is_soon_over_when_it_does_not_hold_so_many_days_from_now(days, soon, expected):
    (exception,) = policy_of().exceptions
    assert standing.standing_of(exception, exception.until - timedelta(days=days), soon) is expected


def test_the_last_day_of_the_calendar_has_no_day_after_it():
    (exception,) = policy_of(RULES.replace("2026-12-31", "9999-12-31")).exceptions
    assert standing.standing_of(exception, date.max) is Standing.ENDING


@pytest.mark.parametrize(
    ("level", "usable"),
    [
        ("", True),
        (", level: warn", False),
        (", level: note", False),
        (", level: 'off'", False),
        (", level: deny", True),
    ],
)
def test_an_exception_is_of_no_use_where_no_rule_denies_with_its_code(level, usable):
    policy = policy_of(RULES.replace("deny: agents > 1}", f"deny: agents > 1{level}}}"))
    (exception,) = policy.exceptions
    assert standing.can_be_used(policy, exception) is usable
    told = [each.check for each in standing.problems(policy, date(2026, 1, 1))]
    assert told == ([] if usable else ["exception-unused"])
