"""Fixtures of policies as tests of pytest: collected where a project asks for it, chosen, told and counted as tests."""

import json
import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest
from tests.testing.conftest import FAILING
from tests.trials.texts import POLICY

IDS = [f"fixtures/few.yaml::{name}" for name in ("three are allowed", "four are denied", "fable is told")]


def chosen(project, *words, **more):
    """The ids of the tests that these words choose."""
    lines = project.run("--collect-only", "-q", *words, **more).outlines
    return [line for line in lines if "::" in line]


# -- what is collected ------------------------------------------------------------------------------------------------


def test_each_case_is_a_test_with_an_id(project):
    project.cases()
    assert chosen(project) == IDS


@pytest.mark.parametrize(
    "ini",
    [
        "gatewright_fixtures = fixtures",
        "gatewright_fixtures = fixtures/",
        "gatewright_fixtures = other fixtures/*.yaml",
        "gatewright_fixtures = **/few.yaml",
        "gatewright_fixtures = fixtures/**/*.yaml",
        "gatewright_fixtures = fixtures/few.yaml",
    ],
)
def test_folders_files_and_patterns_name_fixtures(project, ini):
    project.cases()
    project.write("other/data.yaml", "a: 1\n")
    assert chosen(project, ini=ini) == IDS


@pytest.mark.parametrize("ini", ["", "gatewright_fixtures = tests", "gatewright_fixtures = *.cases.yaml"])
def test_nothing_is_collected_that_the_project_does_not_name(project, ini):
    project.cases()
    project.write("tests/test_one.py", "def test_one(): pass\n")
    result = project.run(ini=ini)
    result.assert_outcomes(passed=1)
    assert result.ret == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("fixtures/compose.yaml", "services: {web: {image: nginx}}\n"),
        ("fixtures/tiers.yaml", "version: 2\ntiers: {top: [x]}\n"),
        ("fixtures/policy.yaml", POLICY),
        ("fixtures/list.yaml", "- a\n- b\n"),
        ("fixtures/notes.md", "policy: cases:\n"),
        ("fixtures/data.json", '{"policy": "x", "cases": []}'),
    ],
)
def test_yaml_that_is_no_fixture_is_left_alone(project, name, text):
    project.cases()
    project.write(name, text)
    assert chosen(project) == IDS


def test_a_folder_that_leads_back_to_itself_is_not_walked_again(project):
    project.cases()
    (project.path / "fixtures" / "again").symlink_to(".")
    assert chosen(project) == IDS


@pytest.mark.parametrize("ini", ["gatewright_fixtures = .", "gatewright_fixtures = ./fixtures"])
def test_a_path_may_be_spelt_from_here(project, ini):
    project.cases()
    assert chosen(project, ini=ini) == IDS


def test_the_command_line_names_fixtures_in_the_place_of_the_ini_file(project):
    project.cases()
    project.cases(name="more/few.yaml")
    found = chosen(project, "--gatewright-fixtures", "more")
    assert found == [each.replace("fixtures/", "more/") for each in IDS]


def test_how_many_cases_there_are_is_told_none_too(project):
    project.cases()
    project.run().stdout.fnmatch_lines(["gatewright: 3 cases in 1 fixture file"])
    project.run("policy.yaml", ini="gatewright_fixtures = nothing*").stdout.fnmatch_lines(
        ["gatewright: 0 cases in 0 fixture files"]
    )


@pytest.mark.parametrize(
    ("whole", "broken", "told"),
    [
        (0, 1, "0 cases in 1 fixture file, 1 of which could not be collected"),
        (1, 1, "3 cases in 2 fixture files, 1 of which could not be collected"),
        (1, 2, "3 cases in 3 fixture files, 2 of which could not be collected"),
    ],
)
def test_files_with_a_mistake_are_told_beside_how_many_cases_there_are(project, whole, broken, told):
    project.cases()
    if not whole:
        (project.path / "fixtures" / "few.yaml").unlink()
    for number, text in enumerate(["policy: ../policy.yaml\ncases: []\n", "cases: [\n"][:broken]):
        project.write(f"fixtures/broken{number}.yaml", text)
    project.run().stdout.fnmatch_lines([f"gatewright: {told}"])


def test_a_folder_that_is_not_there_is_a_wrong_call(project):
    project.cases()
    result = project.run(ini="gatewright_fixtures = fixturs")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: gatewright: there is no `fixturs`, which is to hold fixtures"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("policy: ../policy.yaml\ncases: [\n", "fixtures/few.yaml:3:1: error: *"),
        (
            "policy: ../policy.yaml\ncases:\n  - {name: x, expct: allow}\n",
            "*unknown key `expct` (did you mean `expect`?)",
        ),
        ("policy: ../policy.yaml\ncases: []\n", "*there is no case*"),
        ("policy: ../policy.yaml\ncases:\n  - {name: x, expect: {deny: [TOO_MAN]}}\n", "*did you mean `TOO_MANY`?*"),
    ],
)
def test_a_fixture_with_a_mistake_is_an_error_with_its_place_and_no_traceback(project, text, told):
    project.write("fixtures/few.yaml", text)
    result = project.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([told])
    assert "Traceback" not in result.stdout.str()


# -- what is told -----------------------------------------------------------------------------------------------------


def test_a_case_that_fails_is_told_as_the_command_tells_it(project, monkeypatch):
    project.cases(FAILING)
    result = project.run()
    result.assert_outcomes(passed=3, failed=1)
    words = [sys.executable, "-m", "gatewright", "test", "fixtures/few.yaml"]
    told = subprocess.run(words, cwd=project.path, capture_output=True, text=True, check=False).stdout
    body = told.partition("\nfixtures/few.yaml:15:5\n")[2].partition("\n\n====")[0]
    assert "agents > params.most" in body
    assert body in result.stdout.str()
    result.stdout.fnmatch_lines(["FAILED fixtures/few.yaml::five pass - unexpected denial TOO_MANY"])


def test_a_case_whose_policy_cannot_be_used_fails_with_every_mistake(project):
    project.cases()
    project.write("policy.yaml", POLICY.replace("agents >", "agnets >"))
    result = project.run()
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["E   policy.yaml:8:11: rules?0?.deny: unknown name `agnets` *"] * 3)


def test_a_report_for_ci_says_what_was_decided_and_under_which_policy(project):
    project.cases(FAILING)
    project.run("--junitxml=out.xml", "-k", "four or five")
    cases = list(ET.parse(project.path / "out.xml").iter("testcase"))
    found = [{each.attrib["name"]: each.attrib["value"] for each in case.iter("property")} for case in cases]
    digests = {each.pop("policy_digest") for each in found}
    shared = {"decision": "DENY TOO_MANY", "reason": "TOO_MANY", "policy": "policy.yaml"}
    assert found == [{"expected": "DENY TOO_MANY", **shared}, {"expected": "ALLOW", **shared}]
    assert [len(digest) for digest in digests] == [64]
    assert [child.tag for case in cases for child in case if child.tag != "properties"] == ["failure"]


@pytest.mark.parametrize("name", ["a::b", "a b\u00e9", "one[x=1]", "]]>", "ü/..", "-k"])
def test_a_case_of_any_name_can_be_chosen_by_its_id(project, name):
    project.write(
        "fixtures/few.yaml", f"policy: ../policy.yaml\ncases:\n  - name: {json.dumps(name)}\n    expect: allow\n"
    )
    (found,) = chosen(project)
    assert found.isprintable()
    result = project.run(found)
    assert "1 failed" in result.stdout.str()  # its request is empty
    assert result.ret == 1


def test_the_codes_of_steps_choose_a_timeline(project):
    project.write(
        "fixtures/few.yaml",
        "policy: ../policy.yaml\ndefaults: {runtime: codex}\nnow: 2026-11-29T12:00:00Z\ncases:\n"
        "  - name: twice\n    steps:\n"
        "      - {at: 0s, request: {agents: 1}, expect: allow}\n"
        "      - {at: 1h, request: {agents: 4}, expect: {deny: [TOO_MANY]}}\n",
    )
    assert chosen(project, "-m", "TOO_MANY and few") == ["fixtures/few.yaml::twice"]
    project.run().assert_outcomes(passed=1)


# -- what is chosen ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        (["-k", "four or fable"], [1, 2]),
        (["-k", "few.yaml and not denied"], [0, 2]),
        (["-m", "edge"], [1]),
        (["-m", "fleet"], [0, 1, 2]),
        (["-m", "TOO_MANY"], [1]),
        (["-m", "costly or few"], [1, 2]),
        (["-m", "check and not edge"], [0, 2]),
        (["-m", "gatewright"], [0, 1, 2]),
        (["-m", "not gatewright"], []),
        (["-m", "HIGH_COST_RUNTIME", "-k", "four"], []),
        (["fixtures/few.yaml::four are denied"], [1]),
    ],
)
def test_names_ids_tags_codes_rules_and_stages_choose_cases(project, words, ids):
    project.cases()
    assert chosen(project, "--strict-markers", *words) == [IDS[at] for at in ids]


@pytest.mark.parametrize(
    ("words", "outcomes"),
    [
        ([], {"passed": 1, "failed": 2}),
        (["--gatewright-param", "most=2"], {"passed": 1, "failed": 2}),
        (["--gatewright-policy", "strict.yaml"], {"passed": 1, "failed": 2}),
    ],
)
def test_a_policy_and_params_may_be_given_for_a_run(project, words, outcomes):
    project.cases()
    project.write("strict.yaml", POLICY.replace("most: 3", "most: 2"))
    result = project.run(*words, "-rA")
    if not words:
        result.assert_outcomes(passed=3)
    else:
        assert "FAILED fixtures/few.yaml::three are allowed - unexpected denial TOO_MANY" in result.stdout.str()
        result.assert_outcomes(passed=2, failed=1)


@pytest.mark.parametrize("given", ["most", "=3"])
def test_a_param_without_name_or_value_is_a_wrong_call(project, given):
    result = project.run("--gatewright-param", given)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: `--gatewright-param {given}` has no value: write NAME=VALUE"])


# -- cases that are not run, or known to fail --------------------------------------------------------------------------


def test_a_case_may_be_skipped_and_may_be_known_to_fail(project):
    project.cases(FAILING.replace("allow}", "allow, xfail: not yet}"), "  - {name: off, skip: later, expect: allow}\n")
    result = project.run("-rsx")
    result.assert_outcomes(passed=3, skipped=1, xfailed=1)
    result.stdout.fnmatch_lines(["SKIPPED * later", "XFAIL fixtures/few.yaml::five pass - not yet"])


def test_a_case_that_is_known_to_fail_and_does_not_fails(project):
    project.cases("  - {name: one, xfail: not yet, expect: allow}\n")
    result = project.run()
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["*XPASS(strict)* not yet"])


def test_a_case_that_cannot_be_run_is_no_known_failure(project):
    project.cases("  - {name: one, xfail: not yet, params: {lots: 1}, expect: allow}\n")
    project.run().assert_outcomes(passed=3, failed=1)


# -- beside others ----------------------------------------------------------------------------------------------------


def test_cases_run_in_several_processes_at_once(project):
    project.cases(FAILING, "  - {name: off, skip: later, expect: allow}\n")
    result = project.run("-p", "xdist.plugin", "-n", "2", "--junitxml=out.xml")
    result.assert_outcomes(passed=3, failed=1, skipped=1)
    result.stdout.fnmatch_lines(["E   unexpected denial TOO_MANY"])
    assert sum(1 for _ in ET.parse(project.path / "out.xml").iter("property")) > 0


def test_a_test_that_left_the_folder_disturbs_no_case(project):
    project.cases()
    project.write("a/test_away.py", "import os\ndef test_away(tmp_path):\n    os.chdir(tmp_path)\n")
    project.run("a", "fixtures").assert_outcomes(passed=4)


def test_rules_of_the_project_and_of_named_modules_are_known(project):
    rule = (
        "from gatewright import Findings, deny, rule\n\n\n"
        "@rule(codes=['ODD'])\ndef odd(agents: int) -> Findings:\n    '''Deny odd numbers.'''\n"
        "    if agents % 2:\n        yield deny('ODD', f'{agents} is odd')\n"
    )
    project.write("house/odd.py", rule)
    project.write("gatewright.toml", 'rules = "house"\n')
    project.write("odd.yaml", "gatewright: 1\npolicy: odd\nstage: check\nrules: [use: odd]\n")
    project.write(
        "fixtures/odd.yaml",
        "policy: ../odd.yaml\ncases:\n  - {name: one, request: {runtime: x, agents: 1}, expect: {deny: [ODD]}}\n",
    )
    project.run("-m", "odd").assert_outcomes(passed=1)


def test_the_gate_of_a_policy_is_a_fixture_of_tests(project):
    project.write(
        "test_gate.py",
        "def test_limit(gatewright_gate):\n"
        "    gate = gatewright_gate('policy.yaml', most=1)\n"
        "    assert gate.decide({'runtime': 'codex', 'agents': 2}).reasons == ('TOO_MANY',)\n",
    )
    project.run(ini="").assert_outcomes(passed=1)
