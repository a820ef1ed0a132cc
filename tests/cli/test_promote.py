"""`gatewright promote` as it is called: evidence, the change of the policy, and its exit statuses."""

import json

import pytest
from tests.cli.test_backtest import lines, row

POLICY = """\
gatewright: 1
policy: p
stage: check
rules:
  - id: small # for now
    warn: agents > 4
    code: TOO_MANY
  - use: unknown-model
"""
ROWS = lines(row(0, n_agents=5, warnings=["TOO_MANY"]), row(1), row(2, n_agents=6, warnings=["TOO_MANY"]))


@pytest.fixture
def policy(place):
    place.write("h.jsonl", ROWS)
    return place.write("p.yaml", POLICY)


def promote(place, *words):
    return place.run("promote", "small", "--policy", "p.yaml", "--history", "h.jsonl", *words)


@pytest.mark.acceptance("IDEA-16")
def test_a_step_lists_what_it_would_have_denied_and_fails_above_the_limit(place, policy):
    found = promote(place, "--to", "deny", "--json")
    assert (found.code, found.json["new_denials"], found.json["from"], found.json["to"]) == (0, 2, "warn", "deny")
    (denied,) = [each for each in found.json["backtest"]["flips"] if each["change"] == "now denied"]
    assert [each["row"] for each in denied["examples"]] == [1, 3]
    assert found.json["edit"].splitlines()[2:] == [
        "@@ -5,2 +5,3 @@",
        "   - id: small # for now",
        "+    level: deny",
        "     warn: agents > 4",
    ]
    assert [promote(place, "--to", "deny", "--max-new-denials", each).code for each in ("1", "2")] == [1, 0]
    assert (place.cwd / "p.yaml").read_text() == POLICY


def test_how_many_checks_nothing_is_known_of_is_said_with_what_the_others_show(place, policy):
    place.write("p.yaml", POLICY.replace("agents > 4", 'agents > 4 and default(labels.team, "") == ""'))
    place.write("h.jsonl", ROWS + lines(row(3, n_agents=9), row(4, n_agents=9, labels={"team": "x"})))
    sentence = promote(place, "--to", "deny", "--max-new-denials", "9").stdout.splitlines()[-1]
    assert sentence == (
        "rule small from warn to deny: it would have denied no more than now of 1 check; "
        "nothing is known of 4 that could not be replayed"
    )


@pytest.mark.acceptance("IDEA-16")
def test_the_evidence_is_of_the_span_that_was_asked_for(place, policy):
    since = ["--since", "2026-11-29T13:30:00Z"]
    assert promote(place, "--to", "deny", "--json", *since).json["new_denials"] == 1
    nothing = promote(place, "--to", "deny", "--since", "2030-01-01")
    assert (nothing.code, "no check could be replayed" in nothing.stderr) == (5, True)


def test_the_change_is_written_when_that_is_asked_for_and_the_limit_holds(place, policy):
    refused = promote(place, "--to", "deny", "--write", "--max-new-denials", "0")
    assert (refused.code, refused.stderr) == (1, "gatewright: p.yaml: not written\n")
    assert (place.cwd / "p.yaml").read_text() == POLICY
    result = promote(place, "--to", "deny", "--write")
    assert (result.code, result.stderr) == (0, "gatewright: p.yaml: written\n")
    assert (place.cwd / "p.yaml").read_text() == POLICY.replace("for now\n", "for now\n    level: deny\n")
    again = promote(place, "--to", "deny", "--json", "--write")
    assert (again.code, again.stderr, again.json["edit"], again.json["new_denials"]) == (0, "", "", 0)


def test_people_read_a_sentence_at_the_end(place, policy):
    assert promote(place, "--to", "deny").stdout.splitlines()[-1] == (
        "rule small from warn to deny: it would have denied 2 more checks of 3"
    )
    page = promote(place, "--to", "observe", "-f", "markdown").stdout
    assert "+    level: note" in page.splitlines()
    assert page.splitlines()[-1].startswith("rule small from warn to observe: it would have denied no more than now")


def test_a_step_that_the_policy_cannot_take_is_told_with_its_place(place):
    place.write("h.jsonl", ROWS)
    place.write("p.yaml", POLICY + "  - use: fan-out-cap\n    override: tier_override\n")
    result = place.run("promote", "fan-out-cap", "--policy", "p.yaml", "--history", "h.jsonl", "--to", "locked")
    assert (result.code, "p.yaml:12:5: rules[2].override" in result.stderr) == (1, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["promote", "smal", "--policy", "p.yaml", "--to", "deny"], "did you mean `small`?"),
        (["promote", "ledger-clock", "--to", "deny", "--write"], "ships with gatewright"),
        (["promote", "small", "--to", "block"], "block"),
    ],
)
def test_a_call_that_cannot_be_meant_is_one(place, policy, words, said):
    result = place.run(*words)
    assert (result.code, said in result.stderr) == (64, True)


def test_a_history_that_cannot_be_read_is_a_failure(place, policy):
    assert place.run("promote", "small", "--policy", "p.yaml", "--to", "deny", "--history", "no.jsonl").code == 1


def test_json_holds_the_whole_back_test(place, policy):
    found = json.loads(promote(place, "--to", "deny", "-f", "json").stdout)
    assert found["backtest"]["checks"] == 3
    assert found["backtest"]["against"]["id"] == "p"
