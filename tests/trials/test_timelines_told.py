"""Timelines that fail, as people read them: what was expected, what came, and what would have passed."""

import pytest
from tests.runner.gates import BUILT_IN, CHECK

from gatewright.report.trials import told
from gatewright.trials import fixtures
from gatewright.trials.runs import Runner
from gatewright.trials.telling import run_of

TIERS = "version: 2\ntiers: {top: [m]}\ntier_order: [top]\nfanout_caps: {top: 4}\n"
FIRST = "  - {at: 0s, times: 4, expect: allow}\n"


def ran(folder, *steps):
    """A timeline of these steps, as reports see it."""
    (folder / "p.yaml").write_text(
        "gatewright: 1\npolicy: p\nstage: check\nrules: [{use: request-shape}, {use: fan-out-cap}]\n"
    )
    (folder / "tiers.yaml").write_text(TIERS)
    top = "policy: p.yaml\ntiers: tiers.yaml\ndefaults: {runtime: codex, model: m, agents: 1}\n"
    text = f"{top}now: 2028-02-28T12:00:00Z\ntimeline:\n" + "".join(steps)
    (case,) = fixtures.load(text.encode(), str(folder / "f.yaml"), None, frozenset(BUILT_IN.facts)).cases
    return run_of(Runner(BUILT_IN, CHECK).run(case))


@pytest.mark.parametrize("stage", ["", "stage: check, "])
def test_a_step_has_the_defaults_whether_it_names_the_stage_of_its_policy_or_not(tmp_path, stage):
    first = f"  - {{at: 0s, {stage}request: {{agents: 3}}, expect: allow}}\n"
    full = f"  - {{at: 1s, {stage}times: 2, expect: allow}}\n"
    assert ran(tmp_path, first).differences == ()
    assert ran(tmp_path, first, full).differences == ("step 3 at 1s: unexpected denial TIER_FANOUT_CAP",)


def lines_of(folder, *steps):
    """The lines about a timeline of these steps, which fails."""
    return [line.strip() for line in told(ran(folder, *steps)).splitlines()]


def test_what_a_step_lacks_is_owed_by_the_rule_that_may_give_it(tmp_path):
    run = ran(tmp_path, "  - {at: 0s, expect: {deny: [TIER_FANOUT_CAP]}}\n")
    owing = run.owed["TIER_FANOUT_CAP"]
    assert (owing.rule, owing.place.line) == ("fan-out-cap", 4)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (["  - {at: 0s, report: {checks: 1}}\n"], "expected   what its 1 step says"),
        ([FIRST, "  - {at: 1s, expect: allow}\n"], "expected   what its 5 steps say"),
    ],
)
def test_a_timeline_is_expected_to_do_what_its_steps_say(tmp_path, steps, expected):
    assert expected in lines_of(tmp_path, *steps)


@pytest.mark.parametrize(
    ("agents", "would"),
    [
        (1, "would pass after 2028-02-29T12:00:00Z"),
        (2, "would pass with agents <= 1, or after 2028-02-29T12:00:00Z"),
    ],
)
def test_a_full_window_says_what_would_pass_and_when(tmp_path, agents, would):
    used = 5 - agents
    steps = [
        f"  - {{at: {at}s, request: {{agents: {count}}}, expect: allow}}\n" for at, count in enumerate((used, agents))
    ]
    assert would in lines_of(tmp_path, *steps)
