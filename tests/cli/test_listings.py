"""`rules`, `facts` and `policies`: what there is, for people and for scripts."""

import hashlib
import re

import pytest

from gatewright.model import Stage
from gatewright_rules import FACTS, RULES

CONTRACT_SIZE = """\
contract-size   stage check, from built in

Deny a request whose size could not be measured.

What: looks at the estimated characters of one worker's input.
Why: an unknown size would pass every budget as if it were nothing.
Denies: `CONTRACT_UNREADABLE` when the size is unknown, since it is counted from the contract.

codes    CONTRACT_UNREADABLE
facts    est_chars
fires    est_chars is None
"""
POLICY = """\
gatewright: 1
policy: own
stage: check
description: May it start?
params: {most: 3}
rules:
  - use: fan-out-cap
    override: tier_override
  - id: few
    deny: agents > params.most
    code: BUDGET_EXCEEDED
    locked: true
exceptions:
  - {id: pilot, code: TIER_FANOUT_CAP, until: 2099-12-31, reason: the pilot, owner: platform}
"""


def test_the_page_of_a_rule(place):
    result = place.run("rules", "contract-size")
    assert (result.code, result.stdout, result.stderr) == (0, CONTRACT_SIZE, "")


def test_every_registered_rule_is_listed_with_what_a_policy_may_say_of_it(place):
    listed = place.run("rules", "-f", "json").json
    assert [each["id"] for each in listed] == [rule.id for rule in RULES]
    for each, rule in zip(listed, RULES, strict=True):
        assert each["codes"] == list(rule.codes)
        assert each["facts"] == [wanted.name for wanted in rule.wants]
        assert {option["name"]: option["default"] for option in each["options"]} == {
            option.name: list(option.default) if isinstance(option.default, tuple) else option.default
            for option in rule.options
        }
        assert each["doc"]


def test_the_table_of_rules_has_a_row_a_rule(place):
    rows = place.run("rules", "-f", "table:github").stdout.splitlines()
    assert [row.split("|")[1].strip() for row in rows[2:]] == [rule.id for rule in RULES]


@pytest.mark.parametrize(("word", "meant"), [("contract-sise", "contract-size"), ("model_named", "model-named")])
def test_a_misspelt_rule_is_told_the_nearest(place, word, meant):
    result = place.run("rules", word)
    assert (result.code, result.stdout) == (64, "")
    assert f"did you mean `{meant}`?" in result.stderr


@pytest.mark.parametrize("command", ["rules", "facts"])
def test_a_stage_that_nothing_is_registered_for_is_nothing_to_list_and_says_so(place, command):
    result = place.run(command, "--stage", "settle")
    assert result.code == 5
    assert f"stage `settle` has no {command}" in result.stderr


@pytest.mark.parametrize("stage", [Stage.CHECK, Stage.REGISTER, Stage.DELIVER, Stage.ACCEPT])
def test_every_fact_is_listed_with_type_null_source_and_words(place, stage):
    listed = {each["name"]: each for each in place.run("facts", "--stage", stage.value, "--json").json}
    facts = [fact for fact in FACTS if stage in fact.stages]
    assert listed.keys() >= {fact.name for fact in facts}
    for fact in facts:
        assert listed[fact.name]["null"] is fact.type.optional
        assert listed[fact.name]["source"] == fact.source.value
    assert all(each["description"] for each in listed.values())


def test_the_names_that_policies_may_rely_on_are_there(place):
    names = {
        *("runtime", "model", "agents", "est_chars", "completion_channel", "tier_override", "top_approved"),
        *("request_id", "labels", "now", "cost_proxy", "tier", "vendor"),
        *(f"contract.{name}" for name in ("path", "readable", "sha256", "chars", "mentions")),
        *(f"tier_policy.{name}" for name in ("loaded", "version", "path", "sha256", "error")),
        *(f"window.{name}" for name in ("used", "cap", "seconds", "frees_at")),
    }
    assert {each["name"] for each in place.run("facts", "--json").json} >= names


def test_the_text_of_the_contract_is_no_fact(place):
    names = {each["name"] for each in place.run("facts", "--json").json}
    assert not {name for name in names if name.startswith("contract.") and name.endswith(("text", "content", "bytes"))}


def test_the_shipped_policies_are_in_force_where_none_is_named(place):
    found = place.run("policies", "--json").json
    stages = ["dispatch", "check", "register", "deliver", "accept"]
    assert [(policy["id"], policy["stage"]) for policy in found] == [(stage, stage) for stage in stages]
    assert [rule["id"] for policy in found for rule in policy["rules"]] == [rule.id for rule in RULES]


def test_a_policy_is_shown_rule_by_rule(place):
    (policy,) = place.run("policies", place.write("own.yaml", POLICY), "--json").json
    assert policy["sha256"] == hashlib.sha256(POLICY.encode()).hexdigest()
    assert (policy["path"], policy["description"], policy["params"]) == ("own.yaml", "May it start?", {"most": 3})
    assert [
        (rule["id"], rule["kind"], rule["overrides"], rule["locked"], rule["where"]) for rule in policy["rules"]
    ] == [
        ("fan-out-cap", "use fan-out-cap", {"TIER_FANOUT_CAP": "tier_override"}, False, "own.yaml:7:10"),
        ("few", "deny", {}, True, "own.yaml:10:11"),
    ]
    assert [(each["id"], each["until"], each["owner"]) for each in policy["exceptions"]] == [
        ("pilot", "2099-12-31", "platform")
    ]


def test_a_param_of_the_command_line_is_shown_and_changes_the_digest_and_not_the_hash(place):
    file = place.write("own.yaml", POLICY)
    (own,), (given,) = (place.run("policies", file, *more, "--json").json for more in ([], ["--param", "most=4"]))
    assert given["params"] == {"most": 4}
    assert own["sha256"] == given["sha256"]
    assert own["digest"] != given["digest"]


@pytest.mark.parametrize(("file", "code"), [("missing.yaml", 64), ("broken.yaml", 1)])
def test_a_policy_that_cannot_be_used_is_no_list(place, file, code):
    place.write("broken.yaml", POLICY.replace("agents", "agnets"))
    result = place.run("policies", file)
    assert (result.code, result.stdout) == (code, "")
    assert file in result.stderr


def test_people_see_a_row_a_policy_and_a_row_a_rule(place):
    file = place.write("own.yaml", POLICY)
    overview = place.run("policies", "--policy", file, "-f", "table:github").stdout.splitlines()[-1]
    assert [cell.strip() for cell in overview.strip("|").split("|")] == [
        "own", "check", "2", "2", "1", hashlib.sha256(POLICY.encode()).hexdigest()[:12], "own.yaml",
    ]  # fmt: skip
    tables = place.run("policies", file, "-f", "table:github").stdout.split("\n\n")[1:]
    assert [[cell.strip() for cell in row.split("|")[1:3]] for part in tables for row in part.splitlines()[2:]] == [
        ["fan-out-cap", "use fan-out-cap"],
        ["few", "deny"],
        ["most", "3"],
        ["pilot", "TIER_FANOUT_CAP"],
    ]


def test_a_freeze_and_what_narrows_a_rule_or_an_exception_is_shown(place):
    text = POLICY.replace("until: 2099-12-31,", 'until: 2099-12-31, when: runtime == "codex",')
    text = text.replace("    locked: true\n", "    locked: true\n    when: has(actor)\n")
    file = place.write("own.yaml", text + "freeze: {until: 2026-12-01T08:00:00Z, reason: the release is being cut}\n")
    (policy,) = place.run("policies", file, "--json").json
    assert policy["freeze"] == {"until": "2026-12-01T08:00:00Z", "reason": "the release is being cut"}
    assert policy["exceptions"][0]["when"] == 'runtime == "codex"'
    page = place.run("policies", file, "-f", "table:plain").stdout
    assert "\nfrozen until 2026-12-01T08:00:00Z: the release is being cut\n" in page
    assert "agents > params.most, when has(actor)" in page
    assert re.search(r"^pilot .*platform  runtime == \"codex\"  the pilot$", page, flags=re.MULTILINE)
