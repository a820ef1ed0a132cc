"""`gatewright lint`: every mistake of a file at once, each with its place, and what a script reads of it."""

import json
import os

import pytest

MISTAKES = """\
gatewright: 2
policy: Twelve Mistakes
stage: chekc
descripton: a misspelt key
params:
  limit: [1, "a"]
rules:
  - use: dispatch-budgit
  - use: dispatch-budget
    with: {max_char: 5}
  - id: named
    deny: agnets > 3
  - id: single-sign
    deny: agents = 3
  - id: kinds
    deny: agents > "3"
  - id: effects
    warn: agents > 1
    deny: agents > 2
  - id: signs
    deny: agents > 1 && agents < 3
  - id: named
    deny: agents > 3
    level: denny
exceptions:
  - {id: pilot, code: NOPE, until: 2026-02-30, reason: a pilot, owner: us}
"""
#: Line, column and a word that the message or hint has to have.
PLACES = [
    (1, 13, "version"),
    (2, 9, "Twelve Mistakes"),
    (3, 8, "did you mean `check`?"),
    (4, 1, "did you mean `description`?"),
    (6, 10, "list"),
    (8, 10, "did you mean `dispatch-budget`?"),
    (10, 12, "did you mean `max_chars`?"),
    (12, 11, "did you mean `agents`?"),
    (14, 18, "write `==`"),
    (16, 11, "text"),
    (18, 5, "one effect"),
    (21, 22, "write `and`"),
    (22, 9, "named"),
    (24, 12, "did you mean `deny`?"),
    (26, 23, "NOPE"),
    (26, 36, "2026-02-30"),
]
GOOD = "gatewright: 1\npolicy: few\nstage: check\nrules:\n  - {id: few, deny: agents > 3, code: BUDGET_EXCEEDED}\n"
WARNED = """\
gatewright: 1
policy: few
stage: check
rules:
  - id: few
    deny: agents > 3 # or agents < 0
    code: NO_MODEL
"""


def test_all_mistakes_of_a_policy_are_told_at_once_with_exact_places(place):
    result = place.run("lint", place.write("twelve.yaml", MISTAKES), "-f", "json")
    assert result.code == 1
    assert [(each["line"], each["column"]) for each in result.json] == [(line, column) for line, column, _ in PLACES]
    for each, (_, _, word) in zip(result.json, PLACES, strict=True):
        assert word in f"{each['message']} {each['hint']}"
        assert (each["file"], each["severity"]) == ("twelve.yaml", "error")


def test_for_people_each_mistake_has_its_line_and_a_caret_below(place):
    result = place.run("lint", place.write("twelve.yaml", MISTAKES))
    lines = result.stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("twelve.yaml:14:18: error: "))
    assert lines[at + 1] == "        deny: agents = 3"
    assert lines[at + 2] == "                     ^"
    assert lines[-1] == f"1 file: {len(PLACES)} errors"
    assert result.stderr == ""


@pytest.mark.parametrize("arguments", [(), ("--syntax",)])
def test_a_sound_policy_has_an_empty_list(place, arguments):
    result = place.run("lint", *arguments, place.write("few.yaml", GOOD), "-f", "json")
    assert (result.code, result.json) == (0, [])


def test_syntax_alone_asks_nothing_of_the_keys(place):
    result = place.run("lint", "--syntax", place.write("twelve.yaml", MISTAKES), "-f", "json")
    assert (result.code, result.json) == (0, [])


@pytest.mark.parametrize(
    ("name", "text", "line", "column"),
    [
        ("a.yaml", "a: 1\na: 2\n", 2, 1),
        ("a.yaml", "a:\n  - [1, 2\n", 3, 1),
        ("a.yaml", "a: &x 1\n", 1, 4),
        ("a.yaml", "a: 0o10\n", 1, 4),
        ("a.json", '{"a": 1,\n "a": 2}', 2, 2),
        ("a.json", '{"a": NaN}', 1, 7),
        ("a.json", '{"a": }', 1, 7),
    ],
)
def test_syntax_reports_file_line_column_message_hint_and_severity(place, name, text, line, column):
    result = place.run("lint", "--syntax", place.write(name, text), "-f", "json")
    (problem,) = result.json
    assert result.code == 1
    assert problem.keys() >= {"file", "line", "column", "message", "hint", "severity"}
    found = {key: problem[key] for key in ("file", "line", "column", "severity")}
    assert found == {"file": name, "line": line, "column": column, "severity": "error"}
    assert problem["message"]


def test_a_warning_fails_only_when_strict(place):
    file = place.write("few.yaml", WARNED)
    lenient, strict = place.run("lint", file, "-f", "json"), place.run("lint", "--strict", file, "-f", "json")
    assert (lenient.code, strict.code) == (0, 1)
    assert lenient.json == strict.json
    assert [(each["line"], each["severity"]) for each in lenient.json] == [(6, "warning")]


def test_a_table_without_an_order_is_warned_of(place):
    table = place.write("t.json", '{"version": 2, "tiers": {"a": ["x"], "b": ["y"]}, "fanout_caps": {}}')
    assert [each["check"] for each in place.run("lint", table, "--json").json] == ["tier-order"]


def test_without_paths_the_policy_and_the_table_in_force_are_looked_at(place):
    place.write("gatewright.toml", '[policies]\ncheck = "few.yaml"\n')
    place.write("few.yaml", GOOD.replace("agents", "agnets"))
    place.write("config/model-tier-policy.json", "{}")
    result = place.run("lint", "-f", "json")
    assert result.code == 1
    assert {each["file"].rsplit("/", 1)[-1] for each in result.json} == {"few.yaml", "model-tier-policy.json"}


def test_the_shipped_policies_and_table_have_no_problem(place):
    result = place.run("lint", "--strict")
    assert (result.code, result.stdout) == (0, "6 files: no problems\n")


def test_a_folder_stands_for_what_is_below_it(place):
    place.write("all/a.yaml", GOOD)
    place.write("all/deep/b.yml", GOOD.replace("agents", "agnets"))
    place.write("all/t.yaml", "version: 2\ntiers: {a: [x]}\nfanout_caps: {b: 1}\n")
    place.write("all/notes.txt", "not a policy")
    result = place.run("lint", "all", "-f", "json")
    assert [each["file"] for each in result.json] == ["all/t.yaml", "all/deep/b.yml"]


def test_a_list_of_runtimes_is_looked_at_as_one(place):
    place.write("all/r.yaml", "runtimes: {codex: {lanch: [codex]}}\n")
    (problem,) = place.run("lint", "all", "-f", "json").json
    assert (problem["check"], problem["column"], problem["hint"]) == ("runtimes", 20, "did you mean `launch`?")


def test_a_file_of_a_folder_that_is_somebody_elses_is_passed_over_and_one_that_is_named_is_not(place):
    place.write("all/workflow.yaml", "on: push\njobs: {}\n")
    place.write("all/a.yaml", GOOD)
    assert place.run("lint", "all").stdout == "1 file: no problems\n"
    assert place.run("lint", "all/workflow.yaml").code == 1


def test_a_folder_without_a_file_is_nothing_to_judge(place):
    (place.cwd / "empty").mkdir()
    result = place.run("lint", "empty")
    assert (result.code, result.stdout) == (5, "")


def test_a_fixture_may_expect_the_codes_of_its_own_policy(place):
    place.write(
        "few.yaml", GOOD.replace("rules:", "codes: {TOO_MANY: too many}\nrules:").replace("BUDGET_EXCEEDED", "TOO_MANY")
    )
    case = "{name: four, request: {agents: 4}, expect: {deny: [TOO_MANY]}}"
    fixture = place.write("cases.yaml", f"policy: few.yaml\ncases:\n  - {case}\n")
    assert place.run("test", fixture).code == 0
    assert place.run("lint", fixture, "-f", "json").json == []


def test_the_mistakes_of_several_files_are_told_in_one_list(place):
    files = [place.write(f"{name}.yaml", GOOD.replace("agents", "agnets")) for name in ("a", "b")]
    assert [each["file"] for each in place.run("lint", *files, "-f", "json").json] == files


@pytest.mark.parametrize("kind", ["folder", "pipe", "dangling", "binary"])
def test_a_file_that_cannot_be_read_is_a_problem_among_others(place, kind):
    path = place.cwd / "x.yaml"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "dangling":
        path.symlink_to("nowhere")
    elif kind == "binary":
        path.write_bytes(bytes(range(256)))
    else:
        (place.cwd / "folder").mkdir()
        path.symlink_to("folder")
    result = place.run("lint", "x.yaml", place.write("b.yaml", GOOD.replace("agents", "agnets")), "-f", "json")
    if kind == "folder":
        assert [each["file"] for each in result.json] == ["b.yaml"]
    else:
        assert [each["file"] for each in result.json] == ["x.yaml", "b.yaml"]
    assert result.code == 1


def test_the_text_of_a_problem_is_json_whatever_the_file_is_called(place):
    name = b"caf\xe9\x1b.yaml"
    (place.cwd / "d").mkdir()
    with open(bytes(place.cwd / "d") + b"/" + name, "w") as file:
        file.write("a: [")
    result = place.run("lint", "d", "-f", "json")
    assert json.loads(result.stdout)[0]["line"] == 1
