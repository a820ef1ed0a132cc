"""`lint` and `test` for machines: SARIF, GitHub annotations and JUnit's XML, and how much a finding weighs."""

import json

import pytest
from tests.report import readers
from tests.report.readers import junit, outcomes, sarif

HEAD = "gatewright: 1\npolicy: few\nstage: check\n"
WRONG = """\
gatewright: 1
policy: few
stage: check
rules:
  - id: few
    deny: agnets = 3
    code: NO_MODEL
"""
WARNED = HEAD + "rules:\n  - id: few\n    deny: agents > 3 # or agents < 0\n    code: NO_MODEL\n"
SOUND = WARNED.replace(" # or agents < 0", "")


# -- SARIF -------------------------------------------------------------------------------------------------------------


def place_of(result):
    (location,) = result["locations"]
    return location["physicalLocation"]


def test_a_sarif_log_has_each_problem_with_its_place_and_its_rule(place):
    (result,) = sarif(place.run("lint", place.write("a.yaml", WRONG), "-f", "sarif").stdout)["results"]
    assert (result["ruleId"], result["level"]) == ("EXPR_SYNTAX", "error")
    assert result["message"]["text"] == "rules[0].deny: `=` does not compare (write `==`)"
    assert place_of(result) == {"artifactLocation": {"uri": "a.yaml"}, "region": {"startLine": 6, "startColumn": 18}}


def test_a_sarif_fix_put_into_the_file_takes_the_problem_away(place):
    place.write("a.yaml", WRONG)
    (result,) = sarif(place.run("lint", "a.yaml", "-f", "sarif").stdout)["results"]
    ((change,),) = (fix["artifactChanges"] for fix in result["fixes"])
    (replacement,) = change["replacements"]
    start, length = (replacement["deletedRegion"][name] for name in ("charOffset", "charLength"))
    text = replacement["insertedContent"]["text"]
    place.write("a.yaml", WRONG[:start] + text + WRONG[start + length :])
    assert (place.cwd / change["artifactLocation"]["uri"]).read_text() == WRONG.replace("agnets =", "agnets ==")


def test_a_sound_file_has_a_sarif_log_without_results(place):
    run = sarif(place.run("lint", place.write("a.yaml", SOUND), "-f", "sarif").stdout)
    assert (run["results"], run["tool"]["driver"]) == ([], {"name": "gatewright", "rules": []})


def test_a_path_in_a_sarif_log_is_a_uri(place):
    place.write("a b/ü%.yaml", WRONG)
    folders = (str(place.cwd / "a b"), "a b")
    logs = [sarif(place.run("lint", folder, "-f", "sarif").stdout)["results"][0] for folder in folders]
    absolute, relative = (place_of(each)["artifactLocation"]["uri"] for each in logs)
    assert relative == "a%20b/%C3%BC%25.yaml"
    assert absolute == (place.cwd / "a b" / "ü%.yaml").as_uri()


# -- annotations ------------------------------------------------------------------------------------------------------


def test_a_problem_is_an_annotation_beside_its_line(place):
    result = place.run("lint", place.write("a.yaml", WRONG), "-f", "github")
    command, _, message = result.stdout.rpartition("::")
    assert (result.code, command) == (1, "::error file=a.yaml,line=6,col=18,title=gatewright EXPR_SYNTAX")
    assert message == "rules[0].deny: `=` does not compare (write `==`)\n"


def test_signs_of_the_workflow_language_in_names_and_texts_are_escaped(place):
    place.write("a,b:100%\n.yaml", SOUND.replace("NO_MODEL", "50%\n"))
    out = place.run("lint", ".", "-f", "github").stdout
    assert out.startswith("::error file=./a%2Cb%3A100%25%0A.yaml,line=7,col=11,")
    assert "`50%25`" in out
    assert out.count("\n") == 1


@pytest.mark.parametrize(("level", "word"), [("note", "notice"), ("warning", "warning"), ("error", "error")])
def test_an_annotation_weighs_what_the_finding_does(place, level, word):
    place.write("a.yaml", WARNED)
    out = place.run("lint", "--level", f"comment-after-condition={level}", "a.yaml", "-f", "github").stdout
    assert out.startswith(f"::{word} file=a.yaml,line=6,")


# -- JUnit ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("flags", "warned"), [((), []), (("--strict",), ["failure"])], ids=["as they are", "strict"])
def test_a_test_report_has_a_case_for_each_problem_and_for_each_file_without_one(place, flags, warned):
    files = [place.write(name, text) for name, text in (("a.yaml", WRONG), ("b.yaml", SOUND), ("c.yaml", WARNED))]
    text = place.run("lint", *flags, *files, "-f", "junit").stdout
    assert outcomes(text) == [
        ("a.yaml", "a.yaml", "EXPR_SYNTAX 6:18", ["failure"]),
        ("b.yaml", "b.yaml", "lint", []),
        ("c.yaml", "c.yaml", "comment-after-condition 6:22", warned),
    ]
    failure = next(iter(junit(text)[0])).result[0]
    assert failure.text == failure.message == "a.yaml:6:18: rules[0].deny: `=` does not compare (write `==`)"
    assert failure.type == "EXPR_SYNTAX"


def test_a_test_report_can_hold_any_text(place):
    place.write('a<&"\x1b\ud800.yaml'.encode(errors="surrogatepass").decode("utf-8", "replace"), "a: [")
    assert [kinds for *_, kinds in outcomes(place.run("lint", ".", "-f", "junit").stdout)] == [["failure"]]


FIXTURE = """\
policy: a.yaml
defaults: {runtime: codex, est_chars: 1}
cases:
  - {name: three, request: {agents: 3}, expect: allow}
  - {name: "four, <too> many", request: {agents: 4}, expect: allow}
  - {name: no table, tiers: nowhere.json, request: {agents: 1}, expect: allow}
"""


def test_a_dry_run_is_a_test_report(place):
    place.write("a.yaml", SOUND)
    result = place.run("test", place.write("cases.yaml", FIXTURE), "-f", "junit")
    assert outcomes(result.stdout) == [
        ("a.yaml", "few", "cases.yaml::three", []),
        ("a.yaml", "few", "cases.yaml::four, <too> many", ["failure"]),
        ("a.yaml", "few", "cases.yaml::no table", []),
    ]
    failed = list(junit(result.stdout)[0])[1].result[0]
    assert (failed.type, failed.message) == ("NO_MODEL", "unexpected denial NO_MODEL")
    assert "expected ALLOW" in failed.text
    assert result.code == 1


@pytest.mark.parametrize("name", ["sarif", "tap", "csv", "markdown"])
def test_a_dry_run_has_the_other_formats_too(place, name):
    place.write("a.yaml", SOUND)
    result = place.run("test", place.write("cases.yaml", FIXTURE), "-f", name)
    assert (result.code, result.stderr) == (1, "")
    assert getattr(readers, name)(result.stdout)


@pytest.mark.parametrize("name", ["sarif", "junit", "tap", "github", "csv", "markdown"])
def test_a_denied_check_has_the_other_formats_too_and_says_on_standard_error_why(place, name):
    result = place.check("-f", name, agents="0")
    assert result.code == 2
    assert getattr(readers, name)(result.stdout)
    assert "INVALID_REQUEST" in result.stdout
    assert "INVALID_REQUEST" in result.stderr


@pytest.mark.parametrize("name", ["tap", "csv", "markdown"])
def test_lint_has_the_other_formats_too(place, name):
    result = place.run("lint", place.write("a.yaml", WRONG), "-f", name)
    assert (result.code, result.stderr) == (1, "")
    assert "EXPR_SYNTAX" in result.stdout
    assert getattr(readers, name)(result.stdout)


def test_a_dry_run_that_fails_is_an_annotation_of_its_case(place):
    place.write("a.yaml", SOUND)
    out = place.run("test", place.write("cases.yaml", FIXTURE), "-f", "github").stdout
    assert out.startswith("::error file=cases.yaml,line=5,col=5,title=four%2C <too> many::")
    assert "%0Aexpected ALLOW" in out
    assert out.count("\n") == 1


# -- levels -----------------------------------------------------------------------------------------------------------

CHECK = "comment-after-condition"


@pytest.mark.parametrize(
    ("level", "code", "severities"),
    [("error", 1, ["error"]), ("warning", 0, ["warning"]), ("note", 0, ["note"]), ("off", 0, [])],
)
def test_a_check_weighs_what_it_is_told_to(place, level, code, severities):
    place.write("a.yaml", WARNED)
    result = place.run("lint", "--level", f"{CHECK}={level}", "a.yaml", "-f", "json")
    assert (result.code, [each["severity"] for each in result.json]) == (code, severities)


def test_the_project_file_gives_levels_and_the_command_line_others(place):
    place.write("gatewright.toml", f'[lint]\nlevels = {{ {CHECK} = "error" }}\n')
    place.write("a.yaml", WARNED)
    assert place.run("lint", "a.yaml").code == 1
    assert place.run("lint", "--level", f"{CHECK}=note", "a.yaml").code == 0


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("coment-after-condition=off", "did you mean `comment-after-condition`?"),
        (f"{CHECK}=eror", "did you mean `error`?"),
        (CHECK, f"unknown level `` of `{CHECK}`"),
        ("yaml=off", "stops a file from loading"),
        ("EXPR_NAME=warning", "stops a file from loading"),
    ],
)
def test_a_level_that_cannot_be_is_refused_wherever_it_is_given(place, given, told):
    place.write("a.yaml", WARNED)
    result = place.run("lint", "--level", given, "a.yaml")
    assert (result.code, result.stdout) == (64, "")
    assert told in result.stderr
    check, _, level = given.partition("=")
    place.write("gatewright.toml", f'[lint.levels]\n{check} = "{level}"\n')
    in_file = place.run("lint", "a.yaml")
    assert (in_file.code, in_file.stdout) == (1, "")
    assert told in in_file.stderr


@pytest.mark.parametrize("text", ["lint = 1\n", "[lint]\nlevels = 1\n", "[lint]\nlevel = {}\n"])
def test_levels_are_a_table_of_their_own(place, text):
    place.write("gatewright.toml", text)
    result = place.run("lint", place.write("a.yaml", WARNED))
    assert (result.code, result.stdout) == (1, "")
    assert "levels" in result.stderr


def test_one_check_has_one_level(place):
    result = place.run("lint", "--level", f"{CHECK}=off", "--level", f"{CHECK}=note", place.write("a.yaml", WARNED))
    assert result.code == 64


FOUND = {
    "code-without-meaning": ("note", HEAD + "rules:\n  - {id: few, deny: agents > 3, code: TOO_MANY}\n"),
    "comment-after-condition": ("warning", WARNED),
    "constant-rule": ("warning", HEAD + "rules:\n  - {id: few, deny: agents > 3 and agents < 2, code: NO_MODEL}\n"),
    "shadowed-rule": (
        "warning",
        HEAD + "rules:\n  - {id: a, deny: agents > 3, code: NO_MODEL}\n  - {id: b, deny: agents > 4, code: NO_MODEL}\n",
    ),
    "contradicting-rules": (
        "warning",
        HEAD
        + "rules:\n  - {id: a, deny: agents > 3, code: NO_MODEL}\n  - {id: b, deny: agents <= 3, code: NO_MODEL}\n",
    ),
    "fixture-value": (
        "warning",
        "policy: few.yaml\ncases:\n  - {name: a, request: {agents: 1}, facts: {labels: text}, expect: allow}\n",
    ),
    "tier-order": ("warning", "version: 2\ntiers: {a: [x], b: [y]}\nfanout_caps: {}\n"),
    "EXPR_NULL": ("warning", HEAD + "rules:\n  - {id: few, deny: window.used > 3, code: NO_MODEL}\n"),
    "EXPR_TEXT": ("warning", HEAD + "rules:\n  - {id: few, deny: runtime == 'gpt-*', code: NO_MODEL}\n"),
}


def test_every_check_that_has_a_level_is_shown_here():
    from gatewright.policy.checks import CHECKS

    # Those of exceptions depend on the day and on what uses them: `test_exceptions` shows them.
    checks = {name: severity.value for name, (severity, _) in CHECKS.items() if not name.startswith("exception-")}
    assert checks == {name: severity for name, (severity, _) in FOUND.items()}


@pytest.mark.parametrize("check", FOUND)
def test_a_check_weighs_by_itself_what_is_told_of_it(place, check):
    severity, text = FOUND[check]
    place.write("few.yaml", HEAD + "rules:\n  - {id: few, deny: agents > 3, code: NO_MODEL}\n")
    found = json.loads(place.run("lint", place.write("a.yaml", text), "-f", "json").stdout)
    assert [(each["check"], each["severity"]) for each in found] == [(check, severity)]
