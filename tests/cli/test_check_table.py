"""The rules of `check` as a caller meets them: one request a line, and what the decision says."""

import hashlib
import json
import os

import pytest
from tests.cli import tables
from tests.cli.processes import CONTRACT, DISPATCH_GATE, GATEWRIGHT

KEYS = {"allow", "reason", "reasons", "warnings", "contract_sha", "cost_proxy", "stage", "policy", "findings"}


@pytest.mark.acceptance("C01", "C03", "C05", "C06", "C07", "C12", "C15")
@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        ({}, "OK"),
        ({"runtime": "a"}, "OK"),
        ({"runtime": "a" * 32}, "OK"),
        ({"runtime": "9_-x"}, "OK"),
        ({"runtime": ""}, "INVALID_REQUEST"),
        ({"runtime": "Codex"}, "INVALID_REQUEST"),
        ({"runtime": "-x"}, "INVALID_REQUEST"),
        ({"runtime": "a" * 33}, "INVALID_REQUEST"),
        ({"runtime": "a b"}, "INVALID_REQUEST"),
        ({"runtime": "codex\n"}, "INVALID_REQUEST"),
        ({"runtime": "../x"}, "INVALID_REQUEST"),
        ({"runtime": "códex"}, "INVALID_REQUEST"),
        ({"agents": "1"}, "OK"),
        ({"agents": "0"}, "INVALID_REQUEST"),
        ({"agents": "-1"}, "INVALID_REQUEST"),
        ({"agents": "99999999999999999999"}, "INVALID_REQUEST"),
        ({"model": None}, "NO_MODEL"),
        ({"model": ""}, "NO_MODEL"),
        ({"model": "  "}, "NO_MODEL"),
        ({"model": "\u3000"}, "NO_MODEL"),
        ({"model": " gpt-5.5"}, "INVALID_REQUEST"),
        ({"model": "gpt-5.5\n"}, "INVALID_REQUEST"),
        ({"model": "gpt-5.5\u00a0"}, "INVALID_REQUEST"),
        ({"completion_channel": "sentinel-log"}, "OK"),
        ({"completion_channel": None}, "NO_COMPLETION_CHANNEL"),
        ({"completion_channel": ""}, "NO_COMPLETION_CHANNEL"),
        ({"completion_channel": "email"}, "NO_COMPLETION_CHANNEL"),
        ({"completion_channel": "Orchestration"}, "NO_COMPLETION_CHANNEL"),
        ({"est_chars": "0"}, "OK"),
        ({"est_chars": "-1"}, "INVALID_REQUEST"),
        ({"tier_override": "the owner agreed"}, "OK"),
        ({"tier_override": ""}, "INVALID_REQUEST"),
        ({"tier_override": " "}, "INVALID_REQUEST"),
        ({"tier_override": "\t\u00a0"}, "INVALID_REQUEST"),
    ],
)
def test_one_part_of_a_request_decides(place, flags, reason):
    result = place.check(**flags)
    assert result.json["reason"] == reason
    assert result.codes[0] == ([] if reason == "OK" else [reason])
    assert result.code == (0 if reason == "OK" else 2)


@pytest.mark.acceptance("C18", "C19")
@pytest.mark.parametrize(
    ("agents", "chars", "reason"),
    [
        ("1", "500000", "OK"),
        ("1", "500001", "BUDGET_EXCEEDED"),
        ("2", "500000", "OK"),
        ("3", "400000", "BUDGET_EXCEEDED"),
        ("1000000", "1", "OK"),
        ("1000001", "1", "BUDGET_EXCEEDED"),
        ("1", "9223372036854775807", "BUDGET_EXCEEDED"),
    ],
)
def test_a_limit_of_the_budget_is_itself_allowed(place, agents, chars, reason):
    assert place.check(agents=agents, est_chars=chars).json["reason"] == reason


@pytest.mark.parametrize(
    ("agents", "chars"),
    [("9223372036854775807", "500000"), ("3", "4611686018427387904"), ("9223372036854775807", "9223372036854775807")],
)
def test_a_cost_that_no_integer_holds_is_above_the_budget(place, agents, chars):
    result = place.check(agents=agents, est_chars=chars)
    assert (result.code, result.json["reason"]) == (2, "BUDGET_EXCEEDED")
    assert result.json["cost_proxy"] == 2**63 - 1


@pytest.mark.acceptance("C20", "C21")
@pytest.mark.parametrize(
    ("agents", "denials", "warnings"), [("1", [], ["HIGH_COST_RUNTIME"]), ("2", ["ROUTING_VIOLATION"], [])]
)
def test_a_high_cost_runtime_starts_one_agent_with_a_warning_and_never_two(place, agents, denials, warnings):
    assert place.check(runtime="fable", agents=agents).codes == (denials, warnings)


@pytest.mark.acceptance("C04")
def test_cost_is_agents_times_characters(place):
    assert place.check(agents="3", est_chars="3000").json["cost_proxy"] == 9000


@pytest.mark.acceptance("C08")
def test_characters_are_counted_and_not_bytes(place):
    contract = place.write("five.md", "한국어글자")
    assert place.check(contract=contract).json["cost_proxy"] == 5


def test_bytes_that_are_no_utf8_count_as_replacement_characters(place):
    contract = place.write("latin.md", b"caf\xe9 \xff\xfe")
    assert place.check(contract=contract).json["cost_proxy"] == 7


@pytest.mark.acceptance("C09")
@pytest.mark.parametrize("contract", ["contract.md", "missing.md"])
def test_without_a_channel_the_size_counts_as_nothing_and_the_channel_is_what_lacks(place, contract):
    place.write("contract.md", CONTRACT)
    decision = place.check(contract=contract, completion_channel=None).json
    assert (decision["reason"], decision["cost_proxy"]) == ("NO_COMPLETION_CHANNEL", 0)


@pytest.mark.acceptance("C10")
@pytest.mark.parametrize(
    "flags",
    [
        {},
        {"model": None},
        {"model": " padded "},
        {"completion_channel": "email"},
        {"runtime": "Codex", "agents": "0", "tier_policy": "missing.yaml"},
    ],
)
def test_a_size_that_cannot_be_measured_comes_before_everything_else(place, flags):
    assert place.check(contract="missing.md", **flags).json["reason"] == "CONTRACT_UNREADABLE"


@pytest.mark.acceptance("C11", "CO-03")
@pytest.mark.parametrize("chars", [None, "10"])
@pytest.mark.parametrize("kind", ["missing", "folder", "dangling", "loop", "forbidden", "empty", "pipe", "long"])
def test_a_contract_that_cannot_be_read_is_one_denial(place, kind, chars):
    path = _unreadable(place, kind)
    result = place.run(*place.request(contract=path, est_chars=chars), held_to_modes=True)
    assert (result.code, result.json["reason"], result.json["contract_sha"]) == (2, "CONTRACT_UNREADABLE", None)


def _unreadable(place, kind):
    path = place.cwd / "x"
    if kind == "folder":
        path.mkdir()
    elif kind in ("dangling", "loop"):
        path.symlink_to("nowhere" if kind == "dangling" else "x")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "forbidden":
        path.write_text("secret")
        path.chmod(0)
    elif kind == "long":
        return "a/" + "b" * 5000
    return "" if kind == "empty" else "x"


@pytest.mark.acceptance("C02", "CO-01")
def test_the_hash_is_that_of_the_bytes(place):
    shas = []
    for content in (b"# Job\n- edit\n", b"# Job\r\n- edit\r\n", b"# Job\n- edit.", b"\xff\xfe\x00", b""):
        decision = place.check(contract=place.write("job.md", content)).json
        assert decision["contract_sha"] == hashlib.sha256(content).hexdigest()
        shas.append(decision["contract_sha"])
    assert len(set(shas)) == len(shas)


@pytest.mark.acceptance("C22")
@pytest.mark.parametrize("program", ["gatewright", "dispatch-gate"])
def test_an_allowed_decision_has_the_keys_that_scripts_read(place, program):
    decision = place.check(program=program, agents="2", est_chars="3000").json
    assert decision.keys() >= KEYS
    told = {key: decision[key] for key in ("allow", "reason", "warnings", "contract_sha", "cost_proxy")}
    assert told == {
        "allow": True,
        "reason": "OK",
        "warnings": [],
        "contract_sha": hashlib.sha256(CONTRACT.encode()).hexdigest(),
        "cost_proxy": 6000,
    }
    assert not decision.keys() & {"message", "tier_override"}


def test_a_denied_decision_has_a_message_and_an_overridden_one_the_reason(place):
    table = tables.small(place, "{efficient: 0}")
    denied = place.check(tier_policy=table).json
    assert denied.keys() >= KEYS | {"message"}
    let_through = place.check(tier_policy=table, tier_override="the owner agreed").json
    assert (let_through["allow"], let_through["tier_override"]) == (True, "the owner agreed")
    assert [(each["code"], each["status"], each["by"]) for each in let_through["findings"]] == [
        ("TIER_FANOUT_CAP", "overridden", "the owner agreed")
    ]


def test_a_decision_is_compact_with_sorted_keys(place):
    result = place.check(runtime="fable", agents="2")
    assert result.stdout == json.dumps(result.json, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def test_a_denied_finding_names_code_level_rule_message_and_place(place):
    policy = place.write("own.yaml", "gatewright: 1\npolicy: own\nstage: check\nrules:\n  - use: model-named\n")
    (finding,) = place.check("--policy", policy, model=None).json["findings"]
    assert {key: finding[key] for key in ("code", "level", "rule", "where")} == {
        "code": "NO_MODEL",
        "level": "deny",
        "rule": "model-named",
        "where": "own.yaml:5:10",
    }
    assert finding["message"]


def test_the_decision_names_its_policy_by_path_and_hash(place):
    text = "gatewright: 1\npolicy: own\nstage: check\nrules:\n  - use: model-named\n"
    decision = place.check("--policy", place.write("own.yaml", text)).json
    assert (decision["stage"], decision["policy"]["id"]) == ("check", "own")
    assert decision["policy"]["path"] == "own.yaml"
    assert decision["policy"]["sha256"] == hashlib.sha256(text.encode()).hexdigest()


def test_a_policy_that_cannot_be_used_is_still_named(place):
    decision = place.check("--policy", "missing.yaml").json
    assert decision["reason"] == "POLICY_UNAVAILABLE"
    assert decision["policy"]["path"] == "missing.yaml"


def test_every_rule_of_the_policy_has_one_row(place):
    decision = place.check(model=None).json
    listed = next(each["rules"] for each in place.run("policies", "-f", "json").json if each["stage"] == "check")
    assert [row["rule"] for row in decision["rules"]] == [rule["id"] for rule in listed]
    assert {row["rule"]: row["outcome"] for row in decision["rules"]}["model-named"] == "denied"


@pytest.mark.acceptance("C07")
@pytest.mark.parametrize("program", [GATEWRIGHT, DISPATCH_GATE])
@pytest.mark.parametrize("channel", [None, "", "email", "Orchestration"])
def test_a_channel_that_is_none_is_a_denial_and_no_wrong_usage(place, program, channel):
    result = place.check(completion_channel=channel, program=program)
    assert (result.code, result.json["reason"]) == (2, "NO_COMPLETION_CHANNEL")
