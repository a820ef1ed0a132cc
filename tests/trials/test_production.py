"""Coverage in production: recorded checks, judged again on the facts that their rows hold."""

import pytest
from tests.runner.gates import BUILT_IN, CHECK, gate_of

from gatewright.flows import recording
from gatewright.flows.check import CheckRequest, Outside
from gatewright.ledger.memory import MemoryLedger
from gatewright.model.coverage import percent_of
from gatewright.probes.contract import contract_of
from gatewright.probes.tiers import read_tier_policy
from gatewright.runner import Gate
from gatewright.trials import coverage, production
from gatewright.trials.replaying import Side
from gatewright.trials.timelines import SetClock

TIERS = CHECK.replace("check.yaml", "tiers.yaml")
RULES = """
rules:
  - {id: many, deny: agents > 8, override: tier_override}
  - {id: full, deny: window.cap is not None and window.used + agents > window.cap}
exceptions:
  - {id: pilot, code: MANY, when: 'actor == "pilot"', until: 9999-12-31, reason: r, owner: o}
"""
START = 1_795_953_600.0


@pytest.fixture
def ledger():
    held = MemoryLedger(SetClock(START))
    yield held
    held.close()


def check(ledger, gate: Gate, at, **asked):
    """Record a check at a moment."""
    ledger.clock.epoch = START + at
    given = {"runtime": "codex", "model": "gpt-5.5", "agents": 1, "completion_channel": "orchestration", **asked}
    outside = Outside(contract=contract_of("c.md", b"Work.\n"), tier_policy=read_tier_policy(TIERS), known_roots=[])
    return recording.check_with(gate, CheckRequest(contract="c.md", **given), outside, ledger).decision


def found_in(ledger, gate, since=None):
    return production.of_rows("l.db", ledger.rows(), Side(gate, read_tier_policy(TIERS)), since)


def counts(found, code):
    (use,) = [use for use in found.coverage.codes if use.code == code]
    return use.fired, use.missed, use.overridden, use.excepted


def test_recorded_checks_show_codes_as_cases_do(ledger):
    gate = gate_of(RULES)
    for agents in (1, 8, 9, 12):
        check(ledger, gate, 0, agents=agents)
    check(ledger, gate, 0, agents=9, tier_override="hotfix")
    check(ledger, gate, 0, agents=9, actor="pilot")
    found = found_in(ledger, gate)
    assert (found.lacking, found.coverage.decisions) == (0, 6)
    assert counts(found, "MANY") == (2, 1, 1, 1)
    assert [each.used for each in found.coverage.exceptions] == [1]


def test_the_window_is_what_recorded_verdicts_have_left_in_it(ledger):
    gate = gate_of(RULES)
    for at in (0, 1, 2):
        check(ledger, gate, at, model="new", agents=4)
    check(ledger, gate, 90_000, model="new", agents=8)
    assert counts(found_in(ledger, gate), "FULL") == (1, 2, 0, 0)


def test_checks_before_the_span_are_counted_and_not_judged(ledger):
    gate = gate_of(RULES)
    check(ledger, gate, 0, model="new", agents=8)
    check(ledger, gate, 10, model="new", agents=1)
    found = found_in(ledger, gate, START + 5)
    assert (found.coverage.decisions, counts(found, "FULL")) == (1, (1, 0, 0, 0))


def test_a_row_that_does_not_tell_what_a_rule_needs_is_not_judged(ledger):
    ledger.take_up([{"ts": START, "decision": "ALLOW", "reason": "OK", "model": "gpt-5.5"}])
    found = found_in(ledger, gate_of(RULES))
    assert (found.lacking, found.coverage.decisions) == (1, 0)
    assert found.coverage.percent == 0.0


def test_no_rows_show_nothing(ledger):
    found = found_in(ledger, gate_of(RULES))
    assert (found.coverage.decisions, percent_of(found.coverage.codes)) == (0, 0.0)


@pytest.mark.parametrize("at_once", [1, 2, 3])
def test_many_rows_are_judged_in_lots_that_add_up(ledger, monkeypatch, at_once):
    gate = gate_of(RULES)
    for agents in (12, 1, 8, 9, 8):
        check(ledger, gate, 0, agents=agents)
    whole = found_in(ledger, gate).coverage
    monkeypatch.setattr(production, "_AT_ONCE", at_once)
    assert found_in(ledger, gate).coverage == whole
    assert coverage.of_cases([], [gate]).percent == 0.0
    assert BUILT_IN
