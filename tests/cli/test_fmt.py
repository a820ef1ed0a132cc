"""`gatewright fmt`: which files it takes, what it writes, what it leaves alone, and how it exits."""

import os
import stat

import pytest

LAID_OUT = (
    "gatewright: 1\npolicy: few\nstage: check\nrules:\n  - id: few\n    deny: agents > 3\n    code: BUDGET_EXCEEDED\n"
)
LOOSE = LAID_OUT.replace("    deny:", "    deny:  ").replace("stage", "\n\nstage")
AFTER = LAID_OUT.replace("stage", "\nstage")
BROKEN = "gatewright: 1\npolicy: [\n"


def held(place, name: str) -> str:
    return (place.cwd / name).read_text()


def test_a_file_is_laid_out_and_named(place):
    result = place.run("fmt", place.write("a.yaml", LOOSE))
    assert (result.code, result.stdout, held(place, "a.yaml")) == (0, "a.yaml\n1 file: 1 changed\n", AFTER)


def test_a_file_that_is_laid_out_already_is_not_touched(place):
    place.write("a.yaml", LAID_OUT)
    before = place.tree()
    result = place.run("fmt", "a.yaml")
    assert (result.code, result.stdout, place.tree()) == (0, "1 file: none changed\n", before)


@pytest.mark.parametrize(
    ("text", "code", "shown"),
    [(LOOSE, 1, "a.yaml\n1 file: 1 would change\n"), (LAID_OUT, 0, "1 file: none would change\n")],
)
def test_check_writes_nothing_and_fails_where_something_would_change(place, text, code, shown):
    place.write("a.yaml", text)
    before = place.tree()
    result = place.run("fmt", "--check", "a.yaml")
    assert (result.code, result.stdout, place.tree()) == (code, shown, before)


def test_a_difference_is_shown_line_by_line_and_nothing_is_written(place):
    place.write("a.yaml", LOOSE.rstrip("\n"))
    before = place.tree()
    result = place.run("fmt", "--diff", "a.yaml")
    assert (result.code, place.tree()) == (0, before)
    lines = result.stdout.splitlines()
    assert lines[:2] == ["--- a.yaml", "+++ a.yaml (formatted)"]
    assert "-    deny:   agents > 3" in lines
    assert "+    deny: agents > 3" in lines
    assert "\\ no newline at the end of the file" in lines


def test_a_difference_fails_only_together_with_check(place):
    place.write("a.yaml", LOOSE)
    assert place.run("fmt", "--diff", "--check", "a.yaml").code == 1


def test_standard_input_comes_out_laid_out(place):
    result = place.run("fmt", "-", stdin=LOOSE.encode())
    assert (result.code, result.stdout, result.stderr) == (0, AFTER, "")


def test_standard_input_with_a_mistake_comes_out_as_nothing(place):
    result = place.run("fmt", "-", stdin=BROKEN.encode())
    assert (result.code, result.stdout) == (1, "")
    assert "<stdin>:3:1: error: " in result.stderr


def test_standard_input_stands_alone(place):
    place.write("a.yaml", LOOSE)
    result = place.run("fmt", "-", "a.yaml")
    assert (result.code, held(place, "a.yaml")) == (64, LOOSE)


def test_a_file_with_a_mistake_is_left_alone_and_the_others_are_laid_out(place):
    place.write("a.yaml", BROKEN)
    place.write("b.yaml", LOOSE)
    result = place.run("fmt", "a.yaml", "b.yaml")
    assert (result.code, held(place, "a.yaml"), held(place, "b.yaml")) == (1, BROKEN, AFTER)
    assert "a.yaml:3:1: error: " in result.stderr


def test_the_mode_of_a_file_stays(place):
    place.write("a.yaml", LOOSE)
    os.chmod(place.cwd / "a.yaml", 0o640)
    place.run("fmt", "a.yaml")
    assert (stat.S_IMODE((place.cwd / "a.yaml").stat().st_mode), held(place, "a.yaml")) == (0o640, AFTER)


def test_a_link_stays_a_link_and_its_target_is_laid_out(place):
    place.write("real/a.yaml", LOOSE)
    (place.cwd / "a.yaml").symlink_to("real/a.yaml")
    assert place.run("fmt", "a.yaml").code == 0
    assert (os.readlink(place.cwd / "a.yaml"), held(place, "real/a.yaml")) == ("real/a.yaml", AFTER)


def test_nothing_is_left_beside_a_file(place):
    place.write("a.yaml", LOOSE)
    place.run("fmt", "a.yaml")
    assert os.listdir(place.cwd) == ["a.yaml"]


def test_a_file_that_cannot_be_replaced_stays_as_it_is(place):
    place.write("closed/a.yaml", LOOSE)
    os.chmod(place.cwd / "closed", 0o555)
    result = place.run("fmt", "closed/a.yaml", held_to_modes=True)
    os.chmod(place.cwd / "closed", 0o755)
    assert (result.code, result.stdout, held(place, "closed/a.yaml")) == (1, "0 files: none changed\n", LOOSE)
    assert "closed/a.yaml: permission denied" in result.stderr


def test_of_a_folder_only_our_kinds_of_files_are_taken(place):
    foreign = "on:   push\njobs: {a:  1}\n"
    place.write("all/policy.yaml", LOOSE)
    place.write("all/deep/cases.yml", "policy:   ../policy.yaml\ncases: [{name: a,  expect: allow}]\n")
    place.write("all/tiers.yaml", "version:  2\ntiers: {a: [x]}\nfanout_caps: {}\n")
    place.write("all/workflow.yaml", foreign)
    place.write("all/table.json", '{"version":  2}')
    result = place.run("fmt", "all")
    assert result.stdout.splitlines() == [
        "all/policy.yaml",
        "all/tiers.yaml",
        "all/deep/cases.yml",
        "3 files: 3 changed",
    ]
    assert held(place, "all/workflow.yaml") == foreign


def test_a_json_table_is_left_to_json_tools(place):
    place.write("t.json", "{}")
    result = place.run("fmt", "t.json")
    assert (result.code, held(place, "t.json")) == (1, "{}")
    assert "t.json: it is JSON" in result.stderr


def test_without_paths_the_projects_own_files_are_laid_out(place):
    place.write("gatewright.toml", 'tiers = "t.yaml"\n[policies]\ncheck = "p.yaml"\n')
    place.write("t.yaml", "version:  2\ntiers: {a: [x]}\nfanout_caps: {}\n")
    place.write("p.yaml", LOOSE)
    place.write("fixtures/few.yaml", "policy:  ../p.yaml\ncases: [{name: a, expect: allow}]\n")
    place.write("other.yaml", LOOSE)
    result = place.run("fmt")
    assert result.stdout.splitlines() == ["p.yaml", "t.yaml", "fixtures/few.yaml", "3 files: 3 changed"]
    assert held(place, "other.yaml") == LOOSE


@pytest.mark.parametrize(("arguments", "code"), [((), 5), (("nowhere.yaml",), 64)])
def test_nothing_to_lay_out_is_no_success(place, arguments, code):
    assert place.run("fmt", *arguments).code == code
