"""Timelines: steps against one ledger, carried out by the flows themselves while the clock moves."""

import json
import os
import subprocess
import sys

import pytest
from tests.runner.gates import BUILT_IN, CHECK

from gatewright.errors import PolicyError
from gatewright.trials import fixtures
from gatewright.trials.runs import Runner

POLICIES = os.path.dirname(CHECK)
CODES, FACTS = frozenset(BUILT_IN.reasons), frozenset(BUILT_IN.facts)
DEFAULTS = "{runtime: codex, model: new, agents: 1, est_chars: 30, completion_channel: orchestration}"
TOLD = "{allow: true, warn: [TIER_UNKNOWN_MODEL]}"
FULL = "{deny: [TIER_FANOUT_CAP], warn: [TIER_UNKNOWN_MODEL]}"


def load(steps, folder, *, policy=CHECK, top="", defaults=DEFAULTS):
    lines = "".join(f"  - {{{each}}}\n" for each in steps)
    text = f"policy: {policy}\nnow: 2026-11-29T12:00:00Z\ndefaults: {defaults}\n{top}timeline:\n{lines}"
    (found,) = fixtures.load(text.encode(), str(folder / "f.yaml"), CODES, FACTS).cases
    return found


@pytest.fixture
def run(tmp_path):
    """Run one timeline, given as steps; what it found."""

    def run_all(*steps, **more):
        return Runner(BUILT_IN, os.path.join(POLICIES, "tiers.yaml")).run(load(steps, tmp_path, **more))

    return run_all


def wrong(found):
    return found.error or found.differences


# -- the window --------------------------------------------------------------------------------------------------------


@pytest.mark.acceptance("IDEA-04", "P12")
@pytest.mark.parametrize(
    "uses",
    [
        "at: 0s, times: 7, expect: {told}|at: 1h, request: {{agents: 1}}, expect: {told}",
        "at: 0s, request: {{agents: 8}}, expect: {told}",
        "at: 0s, request: {{agents: 3}}, expect: {told}|at: 2h, request: {{agents: 5}}, expect: {told}",
    ],
)
def test_single_agents_and_one_request_for_all_reach_the_same_cap(run, uses):
    steps = uses.format(told=TOLD).split("|")
    assert not wrong(run(*steps, f"at: 3h, expect: {FULL}"))


def test_ten_dispatches_of_one_and_one_of_ten_reach_a_cap_of_ten(run, tmp_path):
    (tmp_path / "ten.json").write_text('{"version": 2, "tiers": {"only": ["m"]}, "fanout_caps": {"only": 10}}')
    asked = "request: {model: m}"
    denied = f"at: 1h, {asked}, expect: {{deny: [TIER_FANOUT_CAP]}}"
    for uses in (
        f"at: 0s, times: 10, {asked}, expect: allow",
        "at: 0s, request: {model: m, agents: 10}, expect: allow",
    ):
        assert not wrong(run(uses, denied, top="tiers: ten.json\n"))
    assert not wrong(
        run(
            f"at: 0s, times: 9, {asked}, expect: allow",
            denied.replace("{deny: [TIER_FANOUT_CAP]}", "allow"),
            top="tiers: ten.json\n",
        )
    )


@pytest.mark.acceptance("IDEA-04", "WI-01", "P14")
@pytest.mark.parametrize(("at", "counts"), [("23h59m59s", True), ("24h", True), ("24h1s", False)])
def test_a_dispatch_exactly_as_old_as_the_window_still_counts(run, at, counts):
    assert not wrong(
        run(f"at: 0s, request: {{agents: 8}}, expect: {TOLD}", f"at: {at}, expect: {FULL if counts else TOLD}")
    )


def test_a_denied_request_uses_up_nothing(run):
    assert not wrong(
        run(
            f"at: 0s, times: 3, request: {{agents: 9}}, expect: {FULL}",
            f"at: 1s, request: {{agents: 8}}, expect: {TOLD}",
            f"at: 2s, expect: {FULL}",
            "at: 3s, report: {checks: 5, dispatches: 1, agents: 8, denials: 4}",
        )
    )


@pytest.mark.acceptance("WI-07")
def test_of_requests_at_one_moment_only_as_many_pass_as_there_is_room_for(run):
    assert not wrong(
        run(
            f"at: 0s, request: {{agents: 7}}, expect: {TOLD}",
            f"at: 1h, expect: {TOLD}",
            f"at: 1h, times: 7, expect: {FULL}",
            "at: 1h, report: {dispatches: 2, denials: 7}",
        )
    )


@pytest.mark.acceptance("WI-03")
def test_a_row_from_the_future_counts_and_leaves_no_later_than_a_window_from_now(run):
    ledger = "ledger: [{at: +3h, model: new, agents: 8}]\n"
    denied = "{deny: [TIER_FANOUT_CAP], warn: [TIER_UNKNOWN_MODEL, LEDGER_CLOCK]}"
    assert not wrong(
        run(f"at: 0s, expect: {denied}", f"at: 24h, expect: {FULL}", f"at: 24h1s, expect: {TOLD}", top=ledger)
    )


def test_a_clock_that_is_set_back_frees_no_window(run):
    assert not wrong(
        run(
            f"at: 20h, request: {{agents: 8}}, expect: {TOLD}",
            f"at: 2h, expect: {FULL}",
            f"at: 43h59m59s, expect: {FULL}",
            f"at: 44h1s, expect: {TOLD}",
        )
    )


@pytest.mark.acceptance("WI-05")
def test_one_moment_in_several_spellings_is_one_moment(run):
    times = [
        ("2026-11-28T13:00:00Z", 1),
        ("2026-11-28T13:00:00.123456Z", 1),
        ("2026-11-28T15:00:00+01:00", 1),
        ("2026-11-28T21:30:00+09:00", 2),
        ("2026-11-28T20:59:59+09:00", 4),
        ("2026-11-28T08:30:00-05:00", 2),
    ]
    rows = ", ".join(f"{{at: '{at}', model: new, agents: {agents}}}" for at, agents in times)
    assert not wrong(run(f"at: 0s, expect: {TOLD}", f"at: 1s, expect: {FULL}", top=f"ledger: [{rows}]\n"))


@pytest.mark.acceptance("WI-09")
def test_rows_that_another_program_wrote_count_for_the_tier_of_their_model(run, tmp_path):
    (tmp_path / "t.json").write_text('{"version": 2, "tiers": {"high": ["opus"]}, "fanout_caps": {"high": 4}}')
    spelt = ["model: Opus, tier: high", "model: opus, tier: HIGH"]
    rows = ", ".join(
        f"{{at: -{at}h, row: {{decision: ALLOW, n_agents: 2, {each}}}}}" for at, each in enumerate(spelt, 1)
    )
    denied = "at: 0s, request: {model: opus}, expect: {deny: [TIER_FANOUT_CAP]}"
    assert not wrong(run(denied, top=f"tiers: t.json\nledger: [{rows}]\n"))


# -- the other stages --------------------------------------------------------------------------------------------------


def test_a_job_is_checked_registered_delivered_and_accepted_on_one_ledger(run):
    register = "at: 5m, stage: register, request: {job_id: ctx_1, declared_model: new}"
    measured = "facts: {model: {measured: new, models: [new], grade: served}}"
    assert not wrong(
        run(
            f"at: 0s, expect: {TOLD}",
            "at: 1m, stage: deliver, expect: allow",
            f"{register}, {measured}, expect: allow",
            f"{register}, {measured}, expect: {{deny: [NO_MATCHING_TICKET, JOB_ALREADY_REGISTERED]}}",
            "at: 1h, stage: accept, request: {job_id: ctx_1}, expect: allow",
            "at: 1h, stage: accept, request: {job_id: x}, expect: {deny: [NO_REGISTRATION], warn: [MODEL_UNVERIFIED]}",
            "at: 1h, report: {dispatches: 1, jobs: 1, attempts: 1, verified: 1, refused: 1}",
        )
    )


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("10m", "{allow: true, warn: [MODEL_UNVERIFIED]}"),
        ("10m1s", "{deny: [NO_MATCHING_TICKET], warn: [MODEL_UNVERIFIED]}"),
    ],
)
def test_a_ticket_is_good_for_its_time_and_no_longer(run, at, expected):
    assert not wrong(
        run(f"at: 0s, expect: {TOLD}", f"at: {at}, stage: register, request: {{job_id: j}}, expect: {expected}")
    )


def test_a_contract_chooses_the_check_that_is_registered(run):
    checks = [f"at: 0s, contract: '{each}', expect: {TOLD}" for each in ("One.", "Two.")]
    either = (
        "at: 1m, stage: register, request: {job_id: j}, expect: {deny: [AMBIGUOUS_TICKET], warn: [MODEL_UNVERIFIED]}"
    )
    one = (
        "at: 1m, stage: register, contract: One., request: {job_id: j}, expect: {allow: true, warn: [MODEL_UNVERIFIED]}"
    )
    assert not wrong(run(*checks, either, one))


@pytest.mark.acceptance("RE-03")
def test_two_attempts_of_one_job_are_one_job(run):
    rows = [
        "decision: ALLOW, reason: OK, model: new, n_agents: 1",
        "event: registered, job_id: d1, attempt: 1, model_verified: false",
        "event: registered, job_id: d1, attempt: 2, model_verified: true",
    ]
    ledger = ", ".join(f"{{at: -1h, row: {{{each}}}}}" for each in rows)
    assert not wrong(
        run("at: 0s, report: {jobs: 1, attempts: 2, dispatches: 1, verified: 1}", top=f"ledger: [{ledger}]\n")
    )


@pytest.mark.acceptance("RE-05", "RE-07")
def test_rows_without_a_model_a_tier_or_a_table_are_a_group_of_their_own(run):
    rows = [
        f"model: a, tier: high, tier_policy_path: p, tier_policy_sha256: {'a' * 64}",
        f"model: null, tier_policy_path: p, tier_policy_sha256: {'b' * 64}",
        "model: '', tier: unknown",
    ]
    ledger = ", ".join(f"{{at: -1h, row: {{decision: ALLOW, n_agents: 1, {each}}}}}" for each in rows)
    step = "at: 0s, report: {dispatches: 3, models: 2, tiers: 3, tables: 3}"
    assert not wrong(run(step, top=f"ledger: [{ledger}]\n"))


def test_a_policy_of_another_stage_stands_beside_the_fixture(run, tmp_path):
    (tmp_path / "strict.yaml").write_text(
        "gatewright: 1\npolicy: r\nstage: register\nrules: [{use: model-match, levels: {MODEL_UNVERIFIED: deny}}]\n"
    )
    steps = [
        f"at: 0s, expect: {TOLD}",
        "at: 1m, stage: register, request: {job_id: j}, expect: {deny: [MODEL_UNVERIFIED]}",
    ]
    assert not wrong(run(*steps, top="policies: {register: strict.yaml}\n"))
    assert "one of stage `accept` is due" in wrong(
        run("at: 0s, stage: accept, expect: allow", top="policies: {accept: strict.yaml}\n")
    )


def test_a_request_id_that_comes_again_is_answered_as_before_and_counts_once(run):
    again = f"at: 0s, times: 3, request: {{agents: 8, request_id: r}}, expect: {TOLD}"
    assert not wrong(run(again, "at: 1s, report: {dispatches: 1, agents: 8}"))


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("agents: x", "{deny: [INVALID_REQUEST], warn: [TIER_UNKNOWN_MODEL]}"),
        ("agents: null", "{deny: [INVALID_REQUEST], warn: [TIER_UNKNOWN_MODEL]}"),
        ("runtime: 5", "{deny: [INVALID_REQUEST], warn: [TIER_UNKNOWN_MODEL]}"),
        ("completion_channel: 5", "{deny: [NO_COMPLETION_CHANNEL], warn: [TIER_UNKNOWN_MODEL]}"),
        ("labels: {a: 1}", "{allow: true, warn: [TIER_UNKNOWN_MODEL]}"),
        ("labels: [a], actor: {a: [b]}", "{allow: true, warn: [TIER_UNKNOWN_MODEL]}"),
    ],
)
def test_values_of_another_kind_are_denied_as_in_any_case(run, tmp_path, request_, expected):
    assert not wrong(run(f"at: 0s, request: {{{request_}}}, expect: {expected}"))
    only = f"{{name: one, request: {{{request_}}}, expect: {expected}}}"
    text = f"policy: {CHECK}\ndefaults: {DEFAULTS}\ncases: [{only}]\n"
    (case,) = fixtures.load(text.encode(), str(tmp_path / "f.yaml"), CODES, FACTS).cases
    assert not wrong(Runner(BUILT_IN, os.path.join(POLICIES, "tiers.yaml")).run(case))


def test_steps_of_any_values_are_decided_and_never_break_the_run(run):
    odd = [
        "at: 0001-01-01T00:00:00Z, expect: allow",
        "at: 9999-12-31T23:59:59Z, expect: allow",
        "at: 0s, request: {labels: {a: [1]}, agents: 9223372036854775807, tier_override: {}}, expect: allow",
        "at: 1s, stage: register, request: {job_id: 5, contract_sha: {}}, facts: {model: 5}, expect: allow",
        "at: 0s, stage: register, request: {job_id: j}, facts: {job: {proven: maybe}, ticket: 3}, expect: allow",
        "at: 0s, stage: accept, request: {job_id: null}, facts: {terms: 3, registration: x}, expect: allow",
        "at: 0s, stage: deliver, facts: {after: 3}, expect: allow",
        "at: 0s, report: {rows: 0}",
    ]
    rows = (
        "ledger: [{at: -1h, row: {ts: x, decision: ALLOW, n_agents: many, model: [1]}}, {at: -1h, row: {a: {b: []}}}]\n"
    )
    found = run(*odd, top=rows)
    assert found.error == ""
    assert len(found.judged) == len(odd) - 1
    assert all(any(each.startswith(f"step {at} ") for each in found.differences) for at in (1, 3, 4, 5, 6, 7, 8))


# -- what is told ------------------------------------------------------------------------------------------------------


def test_a_step_that_comes_out_otherwise_is_named_with_its_time(run):
    found = run(
        f"at: 0s, request: {{agents: 8}}, expect: {TOLD}",
        f"at: 23h59m59s, expect: {TOLD}",
        f"at: 24h1s, expect: {FULL}",
        "at: 25h, report: {dispatches: 3}",
    )
    assert found.differences == (
        "step 2 at 23h59m59s: unexpected denial TIER_FANOUT_CAP",
        "step 3 at 24h1s: expected denial TIER_FANOUT_CAP was not given",
        "step 4 at 25h: `dispatches` of the report is 2, and 3 was expected",
    )
    assert found.decision is not None
    assert found.decision.reason == "TIER_FANOUT_CAP"
    assert found.explanation is not None


def test_steps_of_a_case_take_its_request_and_each_of_its_values(tmp_path):
    text = (
        f"policy: {CHECK}\ndefaults: {DEFAULTS}\ncases:\n  - name: one\n    request: {{agents: 8}}\n"
        f"    each: {{model: [new, newer]}}\n    steps: [{{at: 0s, expect: {TOLD}}}, {{at: 1h, expect: {FULL}}}]\n"
    )
    cases = fixtures.load(text.encode(), str(tmp_path / "f.yaml"), CODES, FACTS).cases
    runner = Runner(BUILT_IN, os.path.join(POLICIES, "tiers.yaml"))
    assert [case.name for case in cases] == ['one[model="new"]', 'one[model="newer"]']
    assert [wrong(runner.run(case)) for case in cases] == [(), ()]


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        ("at: 0s", "neither `expect` nor `report`"),
        ("at: 0s, expect: allow, report: {rows: 1}", "both `expect` and `report`"),
        ("expect: allow", "required key `at` is missing"),
        ("at: soon, expect: allow", "`soon` is not a time"),
        ("at: '', expect: allow", "a time is empty"),
        ("at: --1h, expect: allow", "`--1h` is not a time"),
        ("at: 0s, stage: chekc, expect: allow", "unknown stage `chekc`"),
        ("at: 0s, times: 0, expect: allow", "the least is 1"),
        ("at: 0s, times: 10001, expect: allow", "more than 10,000 by now"),
        ("at: 0s, times: 9000000000000000000, expect: allow", "more than 10,000 by now"),
        ("at: 9999999d, expect: allow", "`9999999d` is not a time"),
        (f"at: {'9' * 400}d, expect: allow", "is not a time"),
        ("at: 0s, report: {}", "a report without figures shows nothing"),
        ("at: 0s, report: {dispatchs: 1}", "unknown figure `dispatchs`"),
        ("at: 0s, report: {rows: -1}", "the least is 0"),
        ("at: 0s, report: {rows: 1}, request: {agents: 1}", "a report has no `request`"),
        ("at: 0s, request: {agnets: 1}, expect: allow", "unknown fact `agnets`"),
    ],
)
def test_a_mistake_in_a_step_is_told(tmp_path, step, problem):
    with pytest.raises(PolicyError) as told:
        load([step], tmp_path)
    assert any(problem in each.message for each in told.value.problems)


@pytest.mark.parametrize(
    ("top", "problem"),
    [
        ("timeline: []\n", "there is no step"),
        ("cases: [{name: a, steps: [], expect: allow}]\n", "expects something of each step"),
        ("cases: [{name: a}]\n", "required key `expect` is missing"),
        ("policies: {chekc: x}\ntimeline: [{at: 0s, expect: allow}]\n", "unknown stage `chekc`"),
        ("ledger: [{at: 0s, row: {}, model: m}]\ntimeline: [{at: 0s, expect: allow}]\n", "has no `model` beside it"),
        ("ledger: [{at: 0s, agents: 1}]\ntimeline: [{at: 0s, expect: allow}]\n", "required key `model` is missing"),
    ],
)
def test_a_mistake_around_the_steps_is_told(tmp_path, top, problem):
    with pytest.raises(PolicyError) as told:
        fixtures.load(f"policy: p\n{top}".encode(), str(tmp_path / "f.yaml"), CODES, FACTS)
    assert any(problem in each.message for each in told.value.problems)


# -- time zones and leap days ------------------------------------------------------------------------------------------

_ZONED = """
policy: {policy}
defaults: {defaults}
now: {now}
timeline:
  - {{at: 0s, request: {{agents: 8}}, expect: {told}}}
  - {{at: 23h59m59s, expect: {full}}}
  - {{at: 24h, expect: {full}}}
  - {{at: 24h1s, expect: {told}}}
  - {{at: 1d2s, report: {{checks: 4, dispatches: 2}}}}
"""


@pytest.mark.acceptance("IDEA-04")
def test_time_zones_and_leap_days_change_no_decision(tmp_path):
    nows = ["2028-02-28T12:00:00Z", "2028-02-29T00:30:00+09:00", "2026-03-29T00:30:00Z", "2026-11-01T05:30:00Z"]
    files = []
    for at, now in enumerate(nows):
        file = tmp_path / f"f{at}.yaml"
        file.write_text(_ZONED.format(policy=CHECK, defaults=DEFAULTS, now=now, told=TOLD, full=FULL))
        files.append(str(file))
    decided = []
    for zone in ("UTC", "Asia/Tokyo", "America/New_York", "Pacific/Kiritimati", "Europe/Berlin"):
        done = subprocess.run(
            [sys.executable, "-m", "gatewright", "test", "--json", *files],
            env={**os.environ, "TZ": zone},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout.decode()
        decided.append(json.loads(done.stdout))
    assert all(each == decided[0] for each in decided)
