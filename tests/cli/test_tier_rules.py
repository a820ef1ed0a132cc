"""Tier rules of `check`: caps, models in no tier, version 1 tables, and tables that may not be used."""

import json
from pathlib import Path

import pytest
from tests.cli import tables
from tests.cli.decisions import decide

from gatewright.policy import tier_tables
from gatewright.shipped import shipped

V2 = {"version": 2, "tiers": {"top": ["gpt-5.5-pro"], "low": ["gpt-5.5"]}, "fanout_caps": {"low": 4}}
V1 = {"version": 1, "worker_allowed": ["gpt-5.5"], "worker_denied_tiers": ["claude-opus-5"], "unknown_model": "deny"}


def _cap(result):
    return next(each["data"] for each in result.json["findings"] if each["code"] == "TIER_FANOUT_CAP")


@pytest.mark.acceptance("P05")
@pytest.mark.parametrize(
    ("model", "tier"),
    [("gpt-5.5", "efficient"), ("GPT-5.5", "efficient"), ("Gpt-5.5-PRO", "top"), ("gpt-5", "unknown")],
)
def test_a_model_is_found_whatever_its_letter_case_and_only_as_a_whole(place, model, tier):
    table = tables.small(place, "{top: 0, efficient: 0, unknown: 0}")
    assert _cap(place.check(tier_policy=table, model=model))["tier"] == tier


@pytest.mark.acceptance("P06", "P07")
def test_a_model_in_no_tier_is_in_tier_unknown_and_only_warned_of(place):
    table = tables.small(place, "{top: 0}")
    result = place.check(tier_policy=table, model="newmodel-1", agents="50")
    assert (result.code, result.codes) == (0, ([], ["TIER_UNKNOWN_MODEL"]))


@pytest.mark.acceptance("P08")
@pytest.mark.parametrize(("agents", "reasons"), [("8", []), ("9", ["TIER_FANOUT_CAP"])])
def test_the_shipped_table_lets_eight_agents_of_unknown_models_start(place, agents, reasons):
    assert place.check(model="newmodel-1", agents=agents).json["reasons"] == reasons


@pytest.mark.acceptance("P10")
def test_the_shipped_table_does_not_limit_its_top_tier(place):
    assert place.check(model="gpt-5.6-sol", agents="10000", est_chars="10").code == 0


@pytest.mark.acceptance("P10", "P11")
def test_the_shipped_table_caps_models_in_no_tier_and_nothing_else():
    path = Path(shipped("policies")) / "tiers.yaml"
    table = tier_tables.load(path.read_bytes(), str(path)).table
    assert (dict(table.caps), table.window_seconds) == ({"unknown": 8}, 86400)


@pytest.mark.acceptance("P16")
def test_a_denial_by_a_cap_has_all_its_figures_in_words_and_as_data(place):
    result = place.check(tier_policy=tables.small(place, "{efficient: 4}"), agents="5")
    wanted = {"tier": "efficient", "agents": 5, "used": 0, "cap": 4, "window_seconds": 86400}
    assert {name: _cap(result)[name] for name in wanted} == wanted
    for name, value in wanted.items():
        assert f"{name}={value}" in result.json["message"]


@pytest.mark.acceptance("P17")
def test_an_expensive_model_without_a_cap_is_allowed(place):
    table = tables.small(place, "{efficient: 0}")
    assert place.check(tier_policy=table, model="claude-opus-5", agents="20").codes == ([], [])


@pytest.mark.acceptance("P22")
def test_a_cap_of_nothing_blocks_the_first_agent(place):
    result = place.check(tier_policy=tables.small(place, "{efficient: 0}"))
    assert (result.code, result.json["reason"]) == (2, "TIER_FANOUT_CAP")


@pytest.mark.acceptance("P18", "P19")
@pytest.mark.parametrize(
    ("model", "unknown", "denials", "warnings"),
    [
        ("gpt-5.5", "deny", [], []),
        ("GPT-5.5", "deny", [], []),
        ("claude-opus-5", "deny", ["TIER_POLICY"], []),
        ("Claude-Opus-5", "warn", ["TIER_POLICY"], []),
        ("newmodel-1", "deny", ["TIER_POLICY"], []),
        ("newmodel-1", "warn", [], ["TIER_POLICY"]),
    ],
)
def test_a_version_1_table_judges_models_by_name(place, model, unknown, denials, warnings):
    table = tables.by_model(place, unknown)
    assert place.check(tier_policy=table, model=model, agents="50").codes == (denials, warnings)


@pytest.mark.parametrize(
    ("make", "model"),
    [(lambda place: tables.small(place, "{efficient: 0}"), "gpt-5.5"), (tables.by_model, "claude-opus-5")],
)
def test_an_override_lets_one_request_pass_and_the_next_is_denied_again(place, make, model):
    table = make(place)
    let_through = place.check(tier_policy=table, model=model, tier_override="the owner agreed")
    assert (let_through.code, let_through.json["tier_override"]) == (0, "the owner agreed")
    assert place.check(tier_policy=table, model=model).code == 2


@pytest.mark.parametrize("code", ["BUDGET_EXCEEDED", "NO_COMPLETION_CHANNEL", "ROUTING_VIOLATION"])
def test_an_override_opens_tier_rules_only(place, code):
    flags = {
        "BUDGET_EXCEEDED": {"est_chars": "500001"},
        "NO_COMPLETION_CHANNEL": {"completion_channel": "email"},
        "ROUTING_VIOLATION": {"runtime": "fable", "agents": "2"},
    }[code]
    assert place.check(tier_override="the owner agreed", **flags).json["reasons"] == [code]


@pytest.mark.acceptance("P26")
@pytest.mark.parametrize(("order", "tier"), [(None, "low"), (["low", "high"], "low"), (["high", "low"], "high")])
def test_the_most_expensive_tier_is_the_first_of_the_order_or_else_of_the_table(place, order, tier):
    table = {
        "version": 2,
        "tiers": {"low": ["gpt-5.5-high"], "high": ["openai/gpt-5.5"]},
        "fanout_caps": {"low": 0, "high": 0},
        **({} if order is None else {"tier_order": order}),
    }
    result = place.check(tier_policy=place.write("t.json", json.dumps(table)), model="openai/gpt-5.5-high")
    assert _cap(result)["tier"] == tier
    assert "TIER_AMBIGUOUS_MODEL" in result.json["warnings"]


WRONG = {
    "an array": [],
    "no version": {"tiers": {"a": []}, "fanout_caps": {}},
    "version 3": {**V2, "version": 3},
    "version as text": {**V2, "version": "2"},
    "version true": {**V1, "version": True},
    "version 2.0": '{"version": 2.0, "tiers": {"a": []}, "fanout_caps": {}}',
    "no tiers": {"version": 2, "fanout_caps": {}},
    "empty tiers": {**V2, "tiers": {}, "fanout_caps": {}},
    "tiers a list": {**V2, "tiers": ["low"]},
    "no caps": {"version": 2, "tiers": V2["tiers"]},
    "caps null": {**V2, "fanout_caps": None},
    "unknown key": {**V2, "fanout_cap": {}},
    "padded name": {**V2, "tiers": {" low": ["gpt-5.5"]}, "fanout_caps": {}},
    "empty name": {**V2, "tiers": {"": ["gpt-5.5"]}, "fanout_caps": {}},
    "reserved name": {**V2, "tiers": {"unknown": ["gpt-5.5"]}, "fanout_caps": {}},
    "model in two tiers": {**V2, "tiers": {"low": ["gpt-5.5"], "top": ["GPT-5.5"]}},
    "padded model": {**V2, "tiers": {"low": ["gpt-5.5 "]}},
    "empty model": {**V2, "tiers": {"low": [""]}},
    "model a number": {**V2, "tiers": {"low": [5]}},
    "models null": {**V2, "tiers": {"low": None}},
    "cap of no tier": {**V2, "fanout_caps": {"lo": 4}},
    "cap negative": {**V2, "fanout_caps": {"low": -1}},
    "cap true": {**V2, "fanout_caps": {"low": True}},
    "cap fractional": {**V2, "fanout_caps": {"low": 1.5}},
    "cap as text": {**V2, "fanout_caps": {"low": "4"}},
    "cap null": {**V2, "fanout_caps": {"low": None}},
    "window zero": {**V2, "window_seconds": 0},
    "window negative": {**V2, "window_seconds": -5},
    "window true": {**V2, "window_seconds": True},
    "window fractional": {**V2, "window_seconds": 1.5},
    "window null": {**V2, "window_seconds": None},
    "order lacks a tier": {**V2, "tier_order": ["low"]},
    "order has a stranger": {**V2, "tier_order": ["top", "low", "mid"]},
    "order has one twice": {**V2, "tier_order": ["top", "low", "low"]},
    "lists overlap": {**V1, "worker_denied_tiers": ["Gpt-5.5"]},
    "unknown_model allow": {**V1, "unknown_model": "allow"},
    "no unknown_model": {name: value for name, value in V1.items() if name != "unknown_model"},
    "denied a text": {**V1, "worker_denied_tiers": "claude-opus-5"},
    "a key twice": '{"version": 2, "tiers": {"a": ["x"]}, "fanout_caps": {"a": 1}, "fanout_caps": {"a": 900}}',
    "not a number": '{"version": 2, "tiers": {"a": ["x"]}, "fanout_caps": {"a": NaN}}',
    "endless": '{"version": 2, "tiers": {"a": ["x"]}, "fanout_caps": {"a": 1e999}}',
    "beyond 64 bits": '{"version": 2, "tiers": {"a": ["x"]}, "fanout_caps": {"a": 99999999999999999999}}',
    "broken JSON": '{"version": 2,',
    "two documents": '{"version": 2, "tiers": {"a": ["x"]}, "fanout_caps": {}} {}',
}


@pytest.mark.acceptance("P03", "P04", "P23", "TM-09")
@pytest.mark.parametrize("kind", WRONG)
def test_a_table_that_breaks_a_rule_denies_and_is_named(place, kind):
    table = _wrong(place, kind)
    decision = decide(place, tier_policy=table)
    assert decision.reasons == ("TIER_POLICY_UNAVAILABLE",)
    assert f"tier_policy={table}: line " in decision.denial.message


@pytest.mark.acceptance("P03", "P04")
@pytest.mark.parametrize("kind", ["an array", "broken JSON", "version 3", "model in two tiers", "cap negative"])
def test_a_table_that_breaks_a_rule_is_a_denial_of_the_process(place, kind):
    result = place.check(tier_policy=_wrong(place, kind))
    assert (result.code, result.json["reason"]) == (2, "TIER_POLICY_UNAVAILABLE")


def test_lint_tells_what_is_wrong_with_each_table(place):
    files = {_wrong(place, kind): kind for kind in WRONG}
    told = {files[problem["file"]] for problem in place.run("lint", *files, "-f", "json").json}
    assert told == set(WRONG)


def _wrong(place, kind):
    held = WRONG[kind]
    path = place.cwd / place.write(f"{kind}.json", held if isinstance(held, str) else json.dumps(held))
    return str(path)


@pytest.mark.acceptance("P23")
@pytest.mark.parametrize(
    "more",
    [{"_comment": "ours"}, {"agents": {"codex": 3}}, {"consent": True}, {"window_seconds": 1}, {"fanout_caps": {}}],
)
def test_keys_that_others_keep_in_a_table_do_no_harm(place, more):
    table = place.write("table.json", json.dumps({**V2, **more}))
    assert place.check(tier_policy=table).codes == ([], [])
