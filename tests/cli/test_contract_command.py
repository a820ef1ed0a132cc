"""`gatewright contract lint`: files in, mistakes with their places out."""

import json

import pytest
from tests.policy.test_contracts import contract


@pytest.mark.acceptance("A01")
def test_a_missing_key_fails_and_is_told_with_its_place(place):
    place.write("job.md", contract(repository=None))
    result = place.run("contract", "lint", "job.md")
    assert result.code == 1
    assert "job.md:2:1: error: required key `repository` is missing" in result.stdout
    assert result.stdout.endswith("1 file: 1 error\n")


@pytest.mark.acceptance("A07")
def test_without_paths_the_contracts_of_the_folder_are_looked_at(place):
    assert place.run("contract", "lint").code == 5
    place.write("contracts/a.md", contract())
    place.write("contracts/deep/b.md", contract(allow=None))
    place.write("contracts/notes.txt", "no contract")
    result = place.run("contract", "lint", "--json")
    assert result.code == 1
    assert [(each["file"], each["line"]) for each in json.loads(result.stdout)] == [("contracts/deep/b.md", 2)]


def test_a_contract_without_front_matter_is_a_warning_which_may_be_made_to_fail(place):
    place.write("job.md", "# Job\n")
    assert place.run("contract", "lint", "job.md").code == 0
    assert place.run("contract", "lint", "--strict", "job.md").code == 1


@pytest.mark.parametrize("kind", ["sarif", "github", "junit"])
def test_machines_get_what_lint_gives_them(place, kind):
    place.write("job.md", contract(forbid=None))
    result = place.run("contract", "lint", "-f", kind, "job.md")
    assert result.code == 1
    assert "required key `forbid` is missing" in result.stdout


def test_what_is_no_file_is_a_problem_and_no_traceback(place):
    (place.cwd / "gone.md").symlink_to("nowhere.md")
    result = place.run("contract", "lint", "gone.md")
    assert (result.code, "there is no such file" in result.stdout) == (1, True)
    assert place.run("contract", "lint", "missing.md").code == 64


def test_the_schema_holds_what_the_reader_knows(place):
    schema = json.loads(place.run("schema", "contract").stdout)
    assert schema["required"] == ["repository", "checkout", "allow", "forbid", "acceptance", "evidence", "exclusions"]
    assert schema["additionalProperties"] is False
