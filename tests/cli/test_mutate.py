"""`gatewright mutate`: what it prints in each format, and when it fails."""

import csv
import io
from xml.etree import ElementTree as ET

import pytest

POLICY = "gatewright: 1\npolicy: team\nstage: check\nrules:\n  - id: too-many\n    deny: agents > 8\n"
HEAD = "policy: p.yaml\ndefaults: {runtime: codex, model: gpt-5.5, completion_channel: orchestration}\ncases:\n"
FAR = "  - {name: twenty, request: {agents: 20}, expect: {deny: [TOO_MANY]}}\n"
EDGE = (
    "  - {name: nine, request: {agents: 9}, expect: {deny: [TOO_MANY]}}\n"
    "  - {name: eight, request: {agents: 8}, expect: allow}\n"
)


@pytest.fixture
def mutate(place):
    """The command on a policy and these cases."""

    def run(cases, *more, policy=POLICY):
        place.write("p.yaml", policy)
        place.write("c.yaml", HEAD + cases)
        return place.run("mutate", "c.yaml", *more)

    return run


@pytest.mark.acceptance("IDEA-10")
def test_a_mutant_that_lives_is_told_with_its_line_the_change_and_the_case_that_would_kill_it(mutate, place):
    lives = mutate(FAR)
    assert lives.code == 1
    assert (
        "\np.yaml:6:18: too-many: operator survived\n    - deny: agents > 8\n    + deny: agents >= 8\n" in lives.stdout
    )
    assert lives.stdout.endswith("\nmutation 40.0 %: 2 of 5 mutants killed by 1 case\n")
    assert mutate(FAR + EDGE).code == 0
    (proposed,) = [
        each["case"] for each in mutate(FAR, "--json").json["mutants"] if each["after"] == "deny: agents >= 8"
    ]
    pasted = mutate(FAR + "".join(f"  {line}\n" for line in proposed.splitlines()), "--json").json
    (after,) = [each["fate"] for each in pasted["mutants"] if each["after"] == "deny: agents >= 8"]
    assert after == "killed"


def test_files_stay_as_they_are(mutate, place):
    place.write("p.yaml", POLICY)
    place.write("c.yaml", HEAD + FAR)
    before = place.tree()
    place.run("mutate", "c.yaml")
    assert place.tree() == before


@pytest.mark.parametrize(
    ("words", "code"),
    [(["--only", "too-many"], 0), (["--only", "no-such"], 5), (["--no-such"], 64), (["nowhere.yaml"], 64)],
)
def test_what_is_judged_is_what_was_asked_for(mutate, words, code):
    assert mutate(FAR + EDGE, *words).code == code


def test_a_case_that_does_not_pass_is_mended_first(mutate):
    wrong = mutate(FAR.replace("TOO_MANY", "NO_MODEL"))
    assert (wrong.code, wrong.stdout) == (1, "")
    assert "c.yaml::twenty does not pass" in wrong.stderr


def test_no_case_is_nothing_to_judge(place):
    place.write("empty/p.yaml", POLICY)
    assert place.run("mutate", "empty").code == 5


def test_each_format_can_be_read_back(mutate):
    found = mutate(FAR, "--json").json
    alive = [each for each in found["mutants"] if each["fate"] in ("survived", "undecided")]
    assert found["summary"]["survived"] + found["summary"]["undecided"] == len(alive) > 0
    lines = list(csv.DictReader(io.StringIO(mutate(FAR, "-f", "csv").stdout)))
    assert [line["fate"] for line in lines] == [each["fate"] for each in found["mutants"]]
    suites = ET.fromstring(mutate(FAR, "-f", "junit").stdout)
    assert [failure.get("type") for failure in suites.iter("failure")] == [each["kind"] for each in alive]
    assert [case.get("classname") for case in suites.iter("testcase")] == [each["subject"] for each in found["mutants"]]
    results = mutate(FAR, "-f", "sarif").json["runs"][0]["results"]
    assert [each["ruleId"] for each in results] == [each["kind"] for each in alive]
    notes = mutate(FAR, "-f", "github").stdout.splitlines()
    assert len(notes) == len(alive)
    assert all(note.startswith("::warning file=p.yaml,line=6,col=") for note in notes)
    assert mutate(FAR, "-f", "markdown").stdout.count("\n## ") == len(alive)


def test_text_of_a_policy_breaks_no_format(mutate):
    hostile = POLICY.replace("agents > 8", "'agents > 8 and runtime != \"|`]]><&,=é\"'")
    for wanted in ("table", "markdown", "csv", "junit", "github", "json"):
        shown = mutate(FAR, "-f", wanted, policy=hostile)
        assert shown.code == 1
        assert "]]>" in shown.stdout or "]]&gt;" in shown.stdout or "\\]\\]" in shown.stdout
    assert list(ET.fromstring(mutate(FAR, "-f", "junit", policy=hostile).stdout).iter("failure"))
