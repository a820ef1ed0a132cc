"""`gatewright test`: dry runs of policies, told as pytest tells its tests."""

import pytest
from tests.trials.texts import POLICY

CASES = """\
policy: policy.yaml
defaults: {runtime: codex, agents: 1}
cases:
  - name: three are allowed
    request: {agents: 3}
    expect: allow
  - name: four are denied
    request: {agents: 4}
    expect: {deny: [TOO_MANY]}
"""
DENIED_UNEXPECTEDLY = "  - name: five should pass\n    request: {agents: 5}\n    expect: allow\n"
NOT_DENIED = "  - name: two should not\n    request: {agents: 2}\n    expect: {deny: [TOO_MANY]}\n"
WARNED_UNEXPECTEDLY = "  - name: fable is quiet\n    request: {runtime: fable}\n    expect: allow\n"
NOT_WARNED = "  - name: codex is costly\n    expect: {allow: true, warn: [HIGH_COST_RUNTIME]}\n"


def _cases(place, *more):
    place.write("policy.yaml", POLICY)
    return place.write("cases.yaml", CASES + "".join(more))


def test_cases_that_come_out_as_expected_pass(place):
    result = place.run("test", _cases(place))
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[0] == "cases.yaml .."
    assert result.stdout.splitlines()[-1].strip("= ") == "2 passed"


@pytest.mark.parametrize(
    ("case", "difference"),
    [
        (DENIED_UNEXPECTEDLY, "unexpected denial TOO_MANY"),
        (NOT_DENIED, "expected denial TOO_MANY was not given"),
        (WARNED_UNEXPECTEDLY, "unexpected warning HIGH_COST_RUNTIME"),
        (NOT_WARNED, "expected warning HIGH_COST_RUNTIME was not given"),
    ],
)
def test_an_expectation_is_exact_in_both_directions(place, case, difference):
    result = place.run("test", _cases(place, case))
    assert result.code == 1
    assert f"E   {difference}" in result.stdout.splitlines()
    assert result.stdout.splitlines()[0] == "cases.yaml ..F"
    assert result.stdout.splitlines()[-1].strip("= ") == "1 failed, 2 passed"


def test_a_failure_shows_what_came_the_condition_and_its_values(place):
    lines = place.run("test", _cases(place, DENIED_UNEXPECTEDLY)).stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if "cases.yaml::five should pass" in line)
    assert lines[at] == lines[at].center(78, "_") == " cases.yaml::five should pass ".center(78, "_")
    assert lines[at + 2] == "cases.yaml:10:5"
    assert [line.split() for line in lines[at + 3 : at + 5]] == [["expected", "ALLOW"], ["got", "DENY", "TOO_MANY"]]
    after = [line.strip() for line in lines[at:]]
    assert "DENY TOO_MANY  few  policy.yaml:8:11" in after
    condition = after.index("agents > params.most")
    assert after[condition + 1].split() == ["5", ">", "3", "true"]


def test_the_table_of_denials_lists_each_denial_of_each_case(place):
    result = place.run("test", _cases(place, DENIED_UNEXPECTEDLY), "-f", "table:github")
    rows = [line for line in result.stdout.splitlines() if line.startswith("| cases.yaml::")]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert cells == [
        ["cases.yaml::four are denied", "TOO_MANY", "few", "policy.yaml:8", "4 agents"],
        ["cases.yaml::five should pass", "TOO_MANY", "few", "policy.yaml:8", "5 agents"],
    ]


def test_verbose_has_a_line_a_case_and_x_stops_at_the_first_failure(place):
    result = place.run("test", "-v", "-x", _cases(place, DENIED_UNEXPECTEDLY, NOT_DENIED))
    assert result.stdout.splitlines()[:3] == [
        "cases.yaml::three are allowed PASSED  ALLOW",
        "cases.yaml::four are denied PASSED  DENY TOO_MANY",
        "cases.yaml::five should pass FAILED  DENY TOO_MANY",
    ]
    assert "two should not" not in result.stdout
    assert result.code == 1


@pytest.mark.parametrize(
    ("keyword", "names"),
    [
        ("four", ["four are denied"]),
        ("FOUR or five", ["four are denied", "five should pass"]),
        ("not are", ["five should pass"]),
        ("(three or five) and not denied", ["three are allowed", "five should pass"]),
        ("cases.yaml and allowed", ["three are allowed"]),
    ],
)
def test_a_keyword_chooses_cases(place, keyword, names):
    result = place.run("test", "--collect-only", "-k", keyword, _cases(place, DENIED_UNEXPECTEDLY))
    assert result.stdout.splitlines() == [f"cases.yaml::{name}" for name in names]
    assert result.code == 0


def test_what_was_not_chosen_is_counted(place):
    result = place.run("test", "-k", "four", _cases(place))
    assert result.stdout.splitlines()[-1].strip("= ") == "1 passed, 1 deselected"


@pytest.mark.parametrize("keyword", ["", "and", "four or", "(four", "four five", "not", ")"])
def test_a_keyword_that_cannot_be_read_is_a_wrong_call(place, keyword):
    result = place.run("test", "-k", keyword, _cases(place))
    assert (result.code, result.stdout) == (64, "")


@pytest.mark.parametrize("what", ["keyword", "folder", "project"])
def test_no_case_at_all_is_never_green(place, what):
    (place.cwd / "empty").mkdir()
    words = {"keyword": ["-k", "nothing", _cases(place)], "folder": ["empty"], "project": []}[what]
    if what == "project":
        place.write("gatewright.toml", "")
        (place.cwd / "fixtures").mkdir()
    result = place.run("test", *words)
    assert (result.code, result.stdout) == (5, "")
    assert " case" in result.stderr


@pytest.mark.parametrize("option", [["--collect-only"], ["-v"], []])
@pytest.mark.parametrize(
    ("text", "line", "hint"),
    [
        (CASES.replace("expect: allow", "expcet: allow"), 6, "did you mean `expect`?"),
        (CASES.replace("TOO_MANY", "TOO_MANNY"), 9, "did you mean `TOO_MANY`?"),
        (CASES.replace("request: {agents: 4}", "request: {agnets: 4}"), 8, "did you mean `agents`?"),
        ("policy: policy.yaml\ncases: []\n", 2, "no case"),
        (CASES.replace("four are denied", "three are allowed"), 7, "three are allowed"),
    ],
)
def test_a_mistake_in_a_fixture_is_an_error_with_its_place(place, text, line, hint, option):
    place.write("policy.yaml", POLICY)
    result = place.run("test", place.write("cases.yaml", text), *option)
    assert (result.code, result.stdout) == (1, "")
    assert f"gatewright: cases.yaml:{line}:" in result.stderr
    assert hint in result.stderr


def test_a_case_that_cannot_be_run_is_an_error_and_the_others_run(place):
    place.write("other.yaml", "policy: missing.yaml\ncases:\n  - {name: lost, expect: allow}\n")
    result = place.run("test", "other.yaml", _cases(place))
    assert result.code == 1
    assert result.stdout.splitlines()[:2] == ["other.yaml E", "cases.yaml .."]
    assert result.stdout.splitlines()[-1].strip("= ") == "2 passed, 1 error"


def test_json_has_every_case_with_its_result_and_the_counts(place):
    result = place.run("test", _cases(place, NOT_DENIED), "--json")
    assert result.code == 1
    assert result.json["summary"] == {"total": 3, "pass": 2, "fail": 1, "error": 0, "skip": 0, "xfail": 0}
    assert [(each["id"], each["result"], each["where"]) for each in result.json["cases"]] == [
        ("cases.yaml::three are allowed", "pass", "cases.yaml:4:5"),
        ("cases.yaml::four are denied", "pass", "cases.yaml:7:5"),
        ("cases.yaml::two should not", "fail", "cases.yaml:10:5"),
    ]
    assert result.json["cases"][2]["differences"] == ["expected denial TOO_MANY was not given"]


SKIPPED = "  - {name: later, skip: not agreed, request: {agents: 9}, expect: allow}\n"
KNOWN = "  - {name: known, xfail: not built, request: {agents: 9}, expect: allow}\n"
PASSES = "  - {name: passes, xfail: not built, expect: allow}\n"


def test_a_case_may_be_skipped_or_known_to_come_out_otherwise(place):
    file = _cases(place, SKIPPED, KNOWN)
    result = place.run("test", file)
    assert (result.code, result.stdout.splitlines()[0]) == (0, "cases.yaml ..sx")
    assert result.stdout.splitlines()[-1].strip("= ") == "2 passed, 1 skipped, 1 xfailed"
    assert place.run("test", "-v", file).stdout.splitlines()[2:4] == [
        "cases.yaml::later SKIPPED  (not agreed)",
        "cases.yaml::known XFAIL  DENY TOO_MANY  (not built)",
    ]
    told = [(each["result"], each["why"]) for each in place.run("test", file, "--json").json["cases"]]
    assert told == [("pass", ""), ("pass", ""), ("skip", "not agreed"), ("xfail", "not built")]


def test_a_case_that_is_known_to_come_out_otherwise_and_does_not_fails(place):
    result = place.run("test", _cases(place, PASSES))
    assert result.code == 1
    assert "E   it comes out as expected, and is marked `xfail`: not built" in result.stdout.splitlines()


def test_a_case_that_cannot_be_run_is_no_known_failure(place):
    result = place.run("test", _cases(place, KNOWN.replace("xfail", "params: {lots: 1}, xfail")))
    assert (result.code, result.stdout.splitlines()[0]) == (1, "cases.yaml ..E")


def test_nothing_was_judged_where_every_case_is_skipped(place):
    result = place.run("test", _cases(place, SKIPPED), "-k", "later")
    assert (result.code, result.stderr) == (5, "gatewright: every case is skipped\n")


def test_a_policy_with_a_mistake_is_told_by_each_case_and_its_codes_by_none(place):
    file = _cases(place)
    place.write("policy.yaml", POLICY.replace("agents >", "agnets >"))
    result = place.run("test", file)
    assert (result.code, result.stdout.splitlines()[0]) == (1, "cases.yaml EE")
    assert result.stdout.count("E   policy.yaml:8:11: rules[0].deny: unknown name `agnets` (did you mean") == 2


@pytest.mark.acceptance("P13")
@pytest.mark.parametrize(("agents", "expect"), [(3, "{allow: true, warn: [W]}"), (4, "{deny: [C], warn: [W]}")])
def test_a_cap_is_reached_by_what_the_window_holds_and_what_is_asked_for(place, agents, expect):
    expect = expect.replace("[W]", "[TIER_UNKNOWN_MODEL]").replace("[C]", "[TIER_FANOUT_CAP]")
    place.write(
        "gate.yaml", "gatewright: 1\npolicy: gate\nstage: check\nrules: [{use: fan-out-cap}, {use: unknown-model}]\n"
    )
    place.write("tiers.yaml", "version: 2\ntiers: {low: [gpt-5.5]}\nfanout_caps: {unknown: 8}\n")
    fixture = place.write(
        "cases.yaml",
        "policy: gate.yaml\ntiers: tiers.yaml\nledger: [{at: -1h, model: some-model, agents: 5}]\ncases:\n"
        f"  - {{name: one, request: {{model: new-model, agents: {agents}}}, expect: {expect}}}\n",
    )
    assert place.run("test", fixture).code == 0


def test_a_param_of_the_command_line_takes_the_place_of_the_policys_own(place):
    result = place.run("test", "--param", "most=4", _cases(place))
    assert result.code == 1
    assert "E   expected denial TOO_MANY was not given" in result.stdout


def test_the_shipped_fixtures_pass(place):
    assert place.run("test").code == 0


def test_the_fixtures_of_the_project_are_the_default(place):
    place.write("gatewright.toml", "")
    place.write("fixtures/policy.yaml", POLICY)
    place.write("fixtures/deep/cases.yaml", CASES.replace("policy.yaml", "../policy.yaml"))
    result = place.run("test", "-v")
    assert result.stdout.count("PASSED") == 2


def test_neither_clock_nor_environment_decides_a_case(place):
    place.write(
        "gate.yaml",
        "gatewright: 1\npolicy: gate\nstage: check\n"
        'rules:\n  - {id: late, deny: now.date >= "2026-06-01", code: NO_MODEL}\n',
    )
    fixture = place.write(
        "cases.yaml",
        "policy: gate.yaml\ncases:\n  - {name: before, expect: allow}\n"
        "  - {name: after, now: 2026-06-01T00:00:00Z, expect: {deny: [NO_MODEL]}}\n",
    )
    for zone in ("UTC", "Pacific/Kiritimati", "America/Los_Angeles"):
        assert place.run("test", fixture, TZ=zone).code == 0
