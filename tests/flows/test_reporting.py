"""What the rows of a span add up to: nothing twice, nothing left out, and every part of a total in some group."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.field.cases import data
from tests.ledger.desks import KINDS, START, FakeClock, Post, json_lines

from gatewright.flows.reporting import audit, day_of
from gatewright.model.audits import Denials, Registrations
from gatewright.report import audits

ROW = {
    "decision": "ALLOW",
    "reason": "OK",
    "model": "gpt-5.5",
    "tier": "low",
    "n_agents": 2,
    "cost_proxy": 10,
    "ts": START,
}


@pytest.fixture
def ledger(tmp_path):
    return json_lines(tmp_path, FakeClock())


def given_rows(ledger, *rows):
    """A file of the older tool with these rows; a text is a line as it stands."""
    lines = [row if isinstance(row, str) else json.dumps({**ROW, **row}) for row in rows]
    with open(ledger.path, "w") as file:
        file.write("".join(f"{line}\n" for line in lines))


def given_case(ledger, name):
    with open(ledger.path, "wb") as file:
        file.write(data(name, "ledger.jsonl"))


def by(uses, name):
    """The groups by their names."""
    return {getattr(use, name): use for use in uses}


# -- checks of our own -------------------------------------------------------------------------------------------------


@pytest.mark.acceptance("V03", "V05", "V06", "P25")
def test_what_checks_recorded_comes_back_as_figures(post):
    post.check(agents=2, est_chars=100)
    post.check(agents=3, est_chars=100)
    post.check(model="claude-opus-5", est_chars=7)
    post.check(agents=9)
    found = audit(post.ledger)
    assert (found.rows, found.checks, found.dispatches, found.agents, found.cost) == (4, 4, 3, 6, 507)
    assert (found.models[1].model, found.models[1].dispatches, found.models[1].cost) == ("gpt-5.5", 2, 500)
    assert {tier: (use.dispatches, use.agents) for tier, use in by(found.tiers, "tier").items()} == {
        "low": (2, 5),
        "top": (1, 1),
    }
    (table,) = found.tables
    assert (table.path, table.decisions) == (str(post.folder / "tiers.json"), 4)
    (policy,) = found.policies
    assert (policy.policy, policy.digest, policy.decisions) == ("check", post.gate.ref.digest, 4)
    assert found.mixed == ()


@pytest.mark.acceptance("V04")
def test_a_denial_has_its_code_its_rule_its_number_its_time_and_an_example(post):
    post.check(agents=9)
    post.clock.pass_(60)
    decision = post.check(agents=9)
    post.check(model=None)
    assert audit(post.ledger).denials == (
        Denials(
            stage="check",
            code="NO_MODEL",
            rule="model-named",
            count=1,
            last_seen=START + 60,
            example=f"contract {decision.facts['contract'].sha256[:12]}",
        ),
        Denials(
            stage="check",
            code="TIER_FANOUT_CAP",
            rule="fan-out-cap",
            count=2,
            last_seen=START + 60,
            example=f"contract {decision.facts['contract'].sha256[:12]}",
        ),
    )


@pytest.mark.acceptance("V07")
def test_overrides_are_listed_by_model_and_reason(post):
    for model, reason in [
        ("gpt-5.5", "urgent"),
        ("gpt-5.5", "urgent"),
        ("gpt-5.5", "asked"),
        ("claude-opus-5", "urgent"),
    ]:
        assert post.check(agents=9, model=model, tier_override=reason).allow
    post.check(model="never-heard-of", tier_override="not needed")
    assert [(use.model, use.reason, use.dispatches) for use in audit(post.ledger).overrides] == [
        ("claude-opus-5", "urgent", 1),
        ("gpt-5.5", "asked", 1),
        ("gpt-5.5", "urgent", 2),
    ]


@pytest.mark.acceptance("P21", "V06")
def test_a_tier_table_that_was_changed_is_told(post):
    post.check()
    assert audit(post.ledger).mixed == ()
    (post.folder / "tiers.json").write_text((post.folder / "tiers.json").read_text() + "\n")
    post.check()
    found = audit(post.ledger)
    assert [use.decisions for use in found.tables] == [1, 1]
    assert found.mixed == ("checks of this span were judged under more than one policy: 2 tier tables",)


@pytest.mark.acceptance("IDEA-14")
def test_a_policy_that_was_changed_is_told(ledger):
    given_rows(ledger, {"policy": "check", "policy_digest": "a" * 64})
    assert audit(ledger).mixed == ()
    given_rows(
        ledger,
        {"policy": "check", "policy_digest": "a" * 64},
        {"policy": "check", "policy_digest": "b" * 64},
        {"policy": "register", "policy_digest": "c" * 64, "job_id": "j1"},
    )
    found = audit(ledger)
    assert [(use.stage, use.digest[:1], use.decisions) for use in found.policies] == [
        ("check", "a", 1),
        ("check", "b", 1),
        ("register", "c", 1),
    ]
    assert found.mixed == ("decisions of stage check were made under more than one policy: 2 of them",)


@pytest.mark.acceptance("WI-01")
def test_a_report_of_the_window_agrees_with_the_check(post):
    post.check(agents=3)
    post.clock.pass_(1)
    post.check(agents=2)
    for later in (86_399, 86_400, 86_401, 86_402):
        now = START + later
        post.clock.now, post.clock.since_boot = now, 1000.0 + later
        used = {"low": 0} | {use.tier: use.agents for use in audit(post.ledger, now - 86_400).tiers}
        assert post.look(agents=8 - used["low"]).allow
        assert not post.look(agents=9 - used["low"]).allow
        assert used["low"] == {86_399: 5, 86_400: 5, 86_401: 2, 86_402: 0}[later]


@pytest.mark.acceptance("WI-01")
def test_a_row_exactly_as_old_as_the_window_still_counts_in_both(tmp_path, check_gate):
    clock = FakeClock()
    place = Post(json_lines(tmp_path, clock), clock, tmp_path, check_gate)
    place.table({"version": 2, "tiers": {"top": ["claude-opus-5"]}, "fanout_caps": {"unknown": 8}})
    given_case(place.ledger, "WI-01")
    for late, reason, agents in [(-1, "TIER_FANOUT_CAP", 8), (0, "TIER_FANOUT_CAP", 8), (1, "OK", 0)]:
        clock.now = START + late
        assert place.look(model="mystery-9").reason == reason
        assert audit(place.ledger, clock.now - 86_400).agents == agents


# -- rows of others ----------------------------------------------------------------------------------------------------


@pytest.mark.acceptance("V11", "P25", "RE-03")
def test_a_check_and_its_registration_are_one_dispatch(ledger):
    given_rows(
        ledger, {}, {"job_id": "j1", "model_verified": True}, {"job_id": "j1"}, {"job_id": "j2", "decision": "DENY"}
    )
    found = audit(ledger)
    assert (found.rows, found.checks, found.dispatches, found.agents) == (4, 1, 1, 2)
    assert found.registrations == Registrations(jobs=1, attempts=2, verified=1, denied=1, non_orchestrated=2)
    given_case(ledger, "RE-03")
    found = audit(ledger)
    assert (found.registrations.jobs, found.registrations.attempts, found.dispatches) == (1, 2, 1)
    assert found.registrations.verified == 1


@pytest.mark.acceptance("RE-05")
def test_rows_without_model_or_tier_have_a_group_of_their_own(ledger):
    given_case(ledger, "RE-05")
    found = audit(ledger)
    assert found.dispatches == 4
    assert {use.model: use.dispatches for use in found.models} == {"gpt-5.6-sol": 1, "mystery-9": 1, None: 2}
    assert {use.tier: use.dispatches for use in found.tiers} == {"high": 1, "unknown": 2, None: 1}


@pytest.mark.acceptance("RE-07", "P21")
def test_a_row_without_a_tier_table_is_judged_under_another_one(ledger):
    given_case(ledger, "RE-07")
    found = audit(ledger)
    assert [(use.path, use.decisions) for use in found.tables] == [("p.yaml", 1), ("p.yaml", 1), (None, 1)]
    assert "more than one policy" in found.mixed[0]


@pytest.mark.acceptance("T21", "V09", "LE-03", "LE-07")
@pytest.mark.parametrize(("name", "rows", "skipped"), [("LE-03", 2, 5), ("LE-07", 4, 0)])
def test_lines_that_are_no_rows_are_counted_with_their_places_and_stop_nothing(ledger, name, rows, skipped):
    given_case(ledger, name)
    found = audit(ledger)
    assert (found.rows, found.dispatches, found.skipped.lines) == (rows, rows, skipped)
    places = ("row 2 at byte 154", "row 3 at byte 157", "row 4 at byte 160", "row 5 at byte 165", "row 6 at byte 172")
    assert found.skipped.places == places[:skipped]


@pytest.mark.acceptance("T21")
def test_a_torn_last_line_is_counted(ledger):
    given_rows(ledger, {}, '{"decision":"ALL')
    assert (audit(ledger).dispatches, audit(ledger).skipped.lines) == (1, 1)


@pytest.mark.acceptance("WI-09")
def test_spellings_of_a_model_or_tier_are_one(tmp_path, check_gate, ledger):
    given_case(ledger, "WI-09")
    place = Post(ledger, ledger.clock, tmp_path, check_gate)
    place.table({"version": 2, "tiers": {"high": ["claude-opus-4-8"]}, "fanout_caps": {"high": 4}})
    assert place.look(model="claude-opus-4-8").reason == "TIER_FANOUT_CAP"
    found = audit(ledger)
    assert [(use.model, use.agents) for use in found.models] == [("Claude-Opus-4-8", 4)]
    assert [(use.tier, use.agents) for use in found.tiers] == [("high", 4)]


@pytest.mark.acceptance("V08")
def test_today_is_the_day_in_utc(ledger):
    times = ["2026-11-28T23:59:59Z", "2026-11-29T00:00:00Z", "2026-11-29T23:59:59.999Z", "2026-11-30T00:00:00Z"]
    given_rows(ledger, *({"ts": ts} for ts in [*times, "2026-11-30T00:30:00+01:00"]))
    found = audit(ledger, *day_of(START))
    assert found.dispatches == 3
    assert day_of(START) == (START - 43_200, START + 43_200)


@pytest.mark.acceptance("V09")
@pytest.mark.parametrize("ts", [None, "yesterday", True, 1e300, "2026-11-29T12:00:00", [1]])
def test_a_row_without_a_time_is_told_and_in_no_span(ledger, ts):
    given_rows(ledger, {}, {"ts": ts})
    whole, day = audit(ledger), audit(ledger, *day_of(START))
    assert (whole.dispatches, whole.without_time, whole.first, whole.last) == (2, 1, START, START)
    assert (day.dispatches, day.rows, day.without_time) == (1, 1, 1)


@pytest.mark.parametrize(
    ("row", "cost", "computed"),
    [
        ({"cost_proxy": 7}, 7, 0),
        ({"cost_proxy": 0, "est_chars": 9}, 0, 0),
        ({"cost_proxy": -7}, 0, 0),
        ({"cost_proxy": "7"}, 0, 0),
        ({"cost_proxy": True}, 0, 0),
        ({"est_chars": 9}, 18, 1),
        ({"est_chars": None}, 0, 1),
        ({"est_chars": -9}, 0, 1),
        ({}, 0, 1),
    ],
)
@pytest.mark.acceptance("V03")
def test_a_row_without_a_cost_gets_one_and_says_so(ledger, row, cost, computed):
    given_rows(ledger, json.dumps({"decision": "ALLOW", "model": "m", "n_agents": 2, "ts": START, **row}))
    found = audit(ledger)
    assert (found.cost, found.computed, found.models[0].cost, found.models[0].computed) == (
        cost,
        computed,
        cost,
        computed,
    )


@pytest.mark.parametrize("agents", [None, 0, -1, 1.5, "2", True])
def test_a_dispatch_of_nobody_knows_how_many_counts_as_none_and_is_told(ledger, agents):
    given_rows(ledger, {"n_agents": agents}, {})
    found = audit(ledger)
    assert (found.dispatches, found.agents, found.without_agents) == (2, 2, 1)
    assert any("number of agents" in remark for remark in audits.remarks(found))


def test_exceptions_that_were_used_are_counted(ledger):
    waived = [{"code": "TIER_POLICY", "status": "excepted", "by": "ex-1"}]
    other = [{"code": "TIER_FANOUT_CAP", "status": "overridden", "by": "why"}]
    given_rows(ledger, {"waived": waived}, {"waived": waived, "decision": "DENY"}, {"waived": other}, {"waived": "x"})
    assert [(use.exception, use.code, use.decisions) for use in audit(ledger).exceptions] == [
        ("ex-1", "TIER_POLICY", 2)
    ]


def test_what_a_row_says_of_itself_is_its_example(ledger):
    given_case(ledger, "RE-01")
    (denials,) = audit(ledger).denials
    assert denials.example == "a|b\nc\x1b[31mred`x`"


# -- parts and totals --------------------------------------------------------------------------------------------------

words = st.sampled_from(["gpt-5.5", "GPT-5.5", "claude-opus-5", "", " ", "unknown", "(none)", "= total"])
anything = st.none() | st.booleans() | st.integers(-5, 2**70) | st.floats() | words | st.lists(words, max_size=2)
hostile = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(["model", "tier", "reason", "tier_override", "tier_policy_path", "tier_policy_sha256"], words),
        **dict.fromkeys(
            ["policy", "policy_digest", "rule", "model_verified", "waived", "kind", "contract_sha"], anything
        ),
        **dict.fromkeys(["n_agents", "cost_proxy", "est_chars"], anything),
        "decision": st.sampled_from(["ALLOW", "DENY", "MAYBE"]),
        "ts": anything | st.integers(0, 2_000_000_000),
        "job_id": words,
    },
)


@examples(150)
@given(st.lists(hostile, max_size=12))
def test_the_parts_of_a_report_add_up_to_its_totals(tmp_path_factory, rows):
    ledger = json_lines(tmp_path_factory.mktemp("report"), FakeClock())
    given_rows(ledger, *map(json.dumps, rows))
    found = audit(ledger)
    registered = found.registrations.attempts + found.registrations.denied
    denied = {
        stage: sum(each.count for each in found.denials if each.stage == stage) for stage in ("check", "register")
    }
    assert found.rows == found.checks + registered + found.other_rows
    assert found.rows + found.skipped.lines == len(rows)
    assert found.checks == found.dispatches + denied["check"] == sum(use.decisions for use in found.tables)
    assert found.registrations.denied == denied["register"]
    assert found.checks + registered == sum(use.decisions for use in found.policies)
    for name in ("dispatches", "agents", "cost", "computed"):
        assert getattr(found, name) == sum(getattr(use, name) for use in found.models)
    for name in ("dispatches", "agents"):
        assert getattr(found, name) == sum(getattr(use, name) for use in found.tiers)
    assert sum(use.dispatches for use in found.overrides) <= found.dispatches
    assert found.registrations.verified <= found.registrations.jobs <= found.registrations.attempts


@examples(40)
@given(st.lists(hostile, max_size=8))
def test_a_ledger_in_a_database_gives_the_same_report(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("report")
    found = []
    for kind in ("sqlite", "jsonl"):
        ledger = KINDS[kind](folder, FakeClock())
        with ledger.writing() as session:
            for row in rows:
                session.append({**row, "row": 1}, {"beside": 1})
        found.append(audits.plain(audit(ledger)) | {"ledger": "", "skipped_places": [], "remarks": []})
    assert found[0] == found[1]


def test_dispatches_that_were_not_started_are_counted_and_told(post):
    sha = post.check(agents=2).contract_sha
    with post.ledger.writing() as session:
        session.append({"ts": session.wall, "kind": "not_started", "contract_sha": sha, "runtime": "codex"}, {})
    found = audit(post.ledger)
    assert (found.rows, found.dispatches, found.agents, found.other_rows, found.not_started) == (2, 1, 2, 1, 1)
    assert "dispatches that were allowed and not started: 1" in audits.plain(found)["remarks"][0]
