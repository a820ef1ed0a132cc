"""`gatewright explain`: what a code means, and what a decision says."""

import json

import pytest

from gatewright.cli import gatewright, status
from gatewright.model.reasons import REASONS

FAN_OUT = """\
TIER_FANOUT_CAP   deny, stage check

meaning  the tier of the model has no room left for this many agents
cause    the agents of allowed checks within the window, and those asked for, are more than the tier's cap
to do    ask for fewer agents, wait until the window frees, or give `--tier-override` with a reason
given by fan-out-cap
"""


def test_the_page_of_a_code(place):
    result = place.run("explain", "TIER_FANOUT_CAP")
    assert (result.code, result.stdout, result.stderr) == (0, FAN_OUT, "")


@pytest.mark.parametrize("word", ["tier_fanout_cap", "Tier_Fanout_Cap"])
def test_letter_case_makes_no_difference(place, word):
    assert place.run("explain", word).stdout == FAN_OUT


@pytest.mark.parametrize("code", [reason.code for reason in REASONS])
def test_every_code_has_a_meaning_a_cause_and_an_action(capfd, code):
    assert status(gatewright, "gatewright", ["explain", code, "--json"]) == 0
    (page,) = json.loads(capfd.readouterr().out)
    assert (page["code"], page["level"] in ("deny", "warn", "note")) == (code, True)
    assert all(page[part] for part in ("meaning", "cause", "action"))
    assert bool(page["rules"]) is (bool(page["stages"]) and code != "REQUEST_REPLAYED")


@pytest.mark.parametrize(("word", "hint"), [("TIER_FANOUT", "TIER_FANOUT_CAP"), ("NO_MODLE", "NO_MODEL")])
def test_a_misspelt_code_is_told_the_nearest(place, word, hint):
    result = place.run("explain", word)
    assert (result.code, result.stdout) == (64, "")
    assert f"did you mean `{hint}`?" in result.stderr


def test_the_code_of_an_allowed_decision_can_be_asked_for_too(place):
    result = place.run("explain", place.check().json["reason"])
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout.startswith("OK ")


def test_a_code_of_a_plugin_is_explained_with_its_rule(place):
    place.write(
        "own.py",
        "from gatewright import deny, hookimpl, rule\n\n\n@rule(codes=['OWN_LIMIT'])\ndef own_limit(agents: int):\n"
        '    """Deny six or more agents."""\n    yield deny("OWN_LIMIT", "too many")\n\n\n'
        "@hookimpl\ndef gatewright_rules():\n    return [own_limit]\n\n\n"
        "@hookimpl\ndef gatewright_reasons():\n    return {'OWN_LIMIT': 'more agents than we can watch'}\n",
    )
    (page,) = place.run("explain", "OWN_LIMIT", "-p", "own", "--json", PYTHONPATH=".").json
    assert (page["meaning"], page["rules"]) == ("more agents than we can watch", ["own-limit"])


OWN = """\
gatewright: 1
policy: own
stage: check
codes: {AT_NIGHT: workers are not started at night}
rules:
  - id: few
    require: agents <= 3
    hint: ask for fewer
    level: warn
  - id: night
    deny: now.time >= "22:00"
    code: AT_NIGHT
"""


@pytest.mark.parametrize(
    ("code", "level", "meaning", "cause", "action", "rule"),
    [
        ("FEW", "warn", "rule `few` of policy `own` has something against the request",
         "own.yaml:7:14: `agents <= 3` is not true", "ask for fewer", "few"),
        ("AT_NIGHT", "deny", "workers are not started at night",
         'own.yaml:11:11: `now.time >= "22:00"` is true', "look at the rule in the policy", "night"),
    ],
)  # fmt: skip
def test_a_code_of_the_policy_in_force_is_explained_with_its_rule(place, code, level, meaning, cause, action, rule):
    place.write("own.yaml", OWN)
    (page,) = place.run("explain", code, "--policy", "own.yaml", "--json").json
    assert (page["level"], page["meaning"], page["cause"], page["action"], page["rules"]) == (
        level, meaning, cause, action, [rule],
    )  # fmt: skip


def test_a_misspelt_code_of_the_policy_in_force_is_told_the_nearest(place):
    result = place.run("explain", "AT_NIHGT", "--policy", place.write("own.yaml", OWN))
    assert (result.code, "did you mean `AT_NIGHT`?" in result.stderr) == (64, True)


def test_a_policy_with_a_mistake_is_no_reason_not_to_explain_a_code(place):
    file = place.write("own.yaml", OWN.replace("agents", "agnets"))
    assert place.run("explain", "TIER_FANOUT_CAP", "--policy", file).stdout == FAN_OUT
    assert "there is no reason code `FEW`" in place.run("explain", "FEW", "--policy", file).stderr


DENIED = {"model": "brand-new-model", "agents": "9", "runtime": "fable"}


@pytest.mark.parametrize("source", ["file", "stdin"])
def test_a_decision_is_explained_code_by_code(place, source):
    decision = place.check(**DENIED).stdout
    if source == "file":
        result = place.run("explain", place.write("decision.json", decision))
    else:
        result = place.run("explain", "-", stdin=decision.encode())
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[0] == "DENY TIER_FANOUT_CAP"
    assert FAN_OUT in result.stdout
    assert "9 agents on high-cost runtime `fable`" in result.stdout


def test_as_json_a_decision_gives_the_pages_of_its_codes(place):
    decision = place.write("decision.json", place.check(**DENIED).stdout)
    pages = place.run("explain", decision, "-f", "json").json
    assert [page["code"] for page in pages] == ["TIER_FANOUT_CAP", "ROUTING_VIOLATION", "TIER_UNKNOWN_MODEL"]


def test_what_was_let_through_is_told_with_what_let_it_through(place):
    decision = place.check(model="brand-new-model", agents="9", **{"tier-override": "hotfix 12"}).stdout
    lines = place.run("explain", place.write("decision.json", decision)).stdout.splitlines()
    assert lines[:2] == ["ALLOW with warnings: TIER_UNKNOWN_MODEL", ""]
    assert lines[2].startswith("OVERRIDDEN TIER_FANOUT_CAP  fan-out-cap  ")
    assert lines[3] == "    tier=unknown agents=9 used=0 cap=8 window_seconds=86400"
    assert lines[4] == "    let through by: hotfix 12"


def test_an_allowed_decision_has_nothing_to_explain(place):
    decision = place.write("decision.json", place.check().stdout)
    assert place.run("explain", decision).stdout.strip() == "ALLOW"


@pytest.mark.parametrize(
    "held",
    [
        "",
        "{",
        "[]",
        "5",
        "{}",
        '{"allow": "yes"}',
        '{"allow": null, "reason": null}',
        '{"allow": false}',
        '{"allow": false, "reason": "NO_MODEL", "findings": [{"code": null}]}',
        '{"allow": false, "reason": 5, "reasons": {}, "findings": 5}',
        "[" * 100_000,
    ],
)
def test_a_file_that_holds_no_decision_is_a_wrong_call(place, held):
    result = place.run("explain", place.write("decision.json", held))
    assert (result.code, result.stdout) == (64, "")
    assert "decision.json" in result.stderr


def test_hostile_text_in_a_decision_is_shown_as_escapes(place):
    decision = json.loads(place.check(**DENIED).stdout)
    decision["findings"][0] |= {"message": "\x1b]0;owned\x07\u202e\ud800", "rule": "a\nb", "code": "\x9b31m"}
    result = place.run("explain", place.write("decision.json", json.dumps(decision)))
    assert result.code == 0
    assert all(line.isprintable() for line in result.stdout.splitlines())
