"""`gatewright coverage`: what it prints in each format, and when it fails."""

import csv
import io
import json
from xml.etree import ElementTree as ET

import pytest

POLICY = "gatewright: 1\npolicy: team\nstage: check\nrules:\n  - id: too-many\n    deny: agents > 8\n"
HEAD = "policy: p.yaml\ndefaults: {runtime: codex, model: gpt-5.5, completion_channel: orchestration}\ncases:\n"
DENIED = "  - {name: twelve, request: {agents: 12}, expect: {deny: [TOO_MANY]}}\n"
JUST_BELOW = "  - {name: eight, request: {agents: 8}, expect: allow}\n"
FAR_BELOW = "  - {name: one, request: {agents: 1}, expect: allow}\n"


@pytest.fixture
def coverage(place):
    """The command on a policy and these cases."""

    def run(cases, *more, policy=POLICY):
        place.write("p.yaml", policy)
        place.write("c.yaml", HEAD + cases)
        return place.run("coverage", "c.yaml", *more)

    return run


@pytest.mark.acceptance("IDEA-01")
def test_a_rule_with_a_denying_case_only_wants_a_negative_one_whatever_the_layout(coverage):
    for cases in (DENIED, DENIED + FAR_BELOW):
        lacking = coverage(cases, "--fail-under", "100")
        assert lacking.code == 1
        (line,) = [line for line in lacking.stdout.splitlines() if "negative" in line]
        assert line.startswith("p.yaml:6:11: too-many: TOO_MANY: negative: ")
        assert "agents 8" in line
    assert coverage(DENIED + JUST_BELOW, "--fail-under", "100").code == 0
    other_layout = "gatewright: 1\npolicy: team\nstage: check\nrules: [{deny: 'agents\n  >   8', id: too-many}]\n"
    for cases in (DENIED, DENIED + JUST_BELOW):
        before, after = (coverage(cases, "--json", policy=each).json for each in (POLICY, other_layout))
        for each in (before, after):
            each["files"]["p.yaml"]["rules"]["too-many"].pop("where")
        assert before == after


@pytest.mark.parametrize(
    ("cases", "under", "code"),
    [(DENIED, "50", 0), (DENIED, "50.1", 1), (DENIED + JUST_BELOW, "100", 0), (FAR_BELOW, "0", 0)],
)
def test_less_than_what_is_asked_for_fails(coverage, cases, under, code):
    assert coverage(cases, "--fail-under", under).code == code


def test_without_a_bound_it_is_only_told(coverage):
    assert coverage(DENIED).code == 0


def test_a_case_that_does_not_pass_shows_nothing(coverage):
    wrong = coverage(DENIED.replace("TOO_MANY", "NO_MODEL") + JUST_BELOW)
    assert wrong.code == 1
    assert "c.yaml::twelve does not pass" in wrong.stderr


@pytest.mark.parametrize("bound", ["101", "-1", "nan", "x"])
def test_a_bound_that_is_no_percentage_is_a_wrong_call(coverage, bound):
    assert coverage(DENIED, "--fail-under", bound).code == 64


def test_no_case_is_nothing_to_judge(place):
    place.write("empty/p.yaml", POLICY)
    assert place.run("coverage", "empty").code == 5


def test_each_format_can_be_read_back(coverage):
    found = coverage(DENIED + FAR_BELOW, "--json").json
    use = found["files"]["p.yaml"]["rules"]["too-many"]["codes"]["TOO_MANY"]
    assert (found["percent"], use["fired"], use["missed"], use["fired_by"]) == (50.0, 1, 0, "c.yaml::twelve")
    assert use["lacking"][0].startswith("negative")

    (line,) = csv.DictReader(io.StringIO(coverage(DENIED + FAR_BELOW, "-f", "csv").stdout))
    assert (line["rule"], line["code"], line["line"], line["fired"], line["missed"]) == (
        *("too-many", "TOO_MANY", "6"),
        *("1", "0"),
    )
    suites = ET.fromstring(coverage(DENIED + FAR_BELOW, "-f", "junit").stdout)
    (failure,) = suites.iter("failure")
    assert ("negative" in (failure.text or ""), failure.get("type")) == (True, "TOO_MANY")
    assert [case.get("classname") for case in suites.iter("testcase")] == ["too-many"]
    (result,) = coverage(DENIED + FAR_BELOW, "-f", "sarif").json["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("TOO_MANY", "warning")
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"], place["region"]) == ({"uri": "p.yaml"}, {"startLine": 6, "startColumn": 11})
    (note,) = coverage(DENIED + FAR_BELOW, "-f", "github").stdout.splitlines()
    assert note.startswith("::warning file=p.yaml,line=6,col=11,")
    page = coverage(DENIED + FAR_BELOW, "-f", "markdown").stdout
    assert page.startswith("# Coverage\n\ncoverage 50.0 %: 1 of 2 outcomes of 1 code shown by 2 decisions.\n")


def test_text_of_a_case_breaks_no_format(coverage):
    cases = DENIED.replace("name: twelve", 'name: "=|a|b`c`,]]>&<é\\n::error::x"') + FAR_BELOW
    assert json.loads(coverage(cases, "--json").stdout)
    for wanted in ("table", "markdown", "csv", "junit", "github"):
        shown = coverage(cases, "-f", wanted)
        assert shown.code == 0
        assert not any(line.startswith("::error") for line in shown.stdout.splitlines())
    (line,) = csv.DictReader(io.StringIO(coverage(cases, "-f", "csv").stdout))
    assert "::=|a|b" in line["fired_by"]


def test_the_shipped_fixtures_show_every_code_of_the_policies_in_force(place):
    found = place.run("coverage", "--fail-under", "100", "--json")
    assert found.code == 0
    assert {each["stage"] for each in found.json["files"].values()} >= {"check", "register", "deliver", "accept"}


def test_recorded_checks_show_what_production_has_met(place):
    place.write("p.yaml", POLICY)
    place.write("job.md", "Work.\n")
    words = ["check", "--policy", "p.yaml", "--ledger", "l.db", "--runtime", "codex", "--contract", "job.md"]
    for agents in ("8", "12"):
        place.run(*words, "--agents", agents)
    found = place.run("coverage", "--policy", "p.yaml", "--ledger", "l.db", "--json", "--fail-under", "100")
    use = found.json["files"]["p.yaml"]["rules"]["too-many"]["codes"]["TOO_MANY"]
    assert (found.code, use["fired"], use["missed"], use["fired_by"]) == (0, 1, 1, "row 2")
    assert place.run("coverage", "--policy", "p.yaml", "--ledger", "l.db", "--until", "2020-01-01").code == 5
    assert place.run("coverage", "c.yaml", "--ledger", "l.db").code == 64
    assert place.run("coverage", "--policy", "p.yaml", "--ledger", "none.db").code == 5
