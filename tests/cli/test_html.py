"""Pages of HTML from the commands: one file, beside other formats, and a word where what draws them is not there."""

import pytest
from tests.report.documents import read
from tests.trials.texts import POLICY

CASES = """\
policy: ../policy.yaml
cases:
  - {name: <i>few</i>, request: {runtime: x, agents: 9}, expect: {deny: [TOO_MANY]}}
"""
ROW = '{"decision":"DENY","reason":"<b>","model":"<i>","tier":"low","runtime":"codex","n_agents":2,"ts":1795953600}\n'


@pytest.fixture
def project(place):
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    place.write("policy.yaml", POLICY)
    place.write("fixtures/few.yaml", CASES)
    place.write("ledger.jsonl", ROW)
    return place


def titles(text):
    return [each.text for each in read(text).all("h1", "h2")]


def test_a_report_is_a_page_beside_other_formats(project):
    result = project.run("report", "--ledger", "ledger.jsonl", "-f", "html:page.html", "-f", "json")
    assert (result.code, result.stderr, result.json["checks"]) == (0, "", 1)
    text = (project.cwd / "page.html").read_text()
    assert titles(text)[:3] == ["What was asked, allowed and denied", "Charts", "Models"]
    assert "&lt;b&gt;" in text


def test_a_report_shows_what_fixtures_cover(project):
    result = project.run("report", "--ledger", "ledger.jsonl", "-f", "html", "--fixtures", "fixtures")
    assert (result.code, result.stderr) == (0, "")
    assert titles(result.stdout)[-1] == "Coverage of policy.yaml"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--fixtures", "fixtures"], "--fixtures is for a page of HTML (add `-f html:FILE`)"),
        (["-f", "html", "--fixtures", "empty"], "--fixtures: no case was found (give fixture files or folders)"),
        (["-f", "html", "--fixtures", "nowhere"], "there is no `nowhere` (give fixture files or folders)"),
    ],
)
def test_fixtures_that_show_nothing_are_a_wrong_call(project, words, told):
    (project.cwd / "empty").mkdir()
    result = project.run("report", "--ledger", "ledger.jsonl", *words)
    assert (result.code, result.stdout, result.stderr) == (64, "", f"gatewright: {told}\n")


def test_dry_runs_are_a_page(project):
    result = project.run("test", "fixtures", "--coverage", "-f", "html")
    assert (result.code, result.stderr) == (0, "")
    assert titles(result.stdout) == ["Dry runs of policies", "Charts", "Cases", "Denials", "Coverage of policy.yaml"]
    assert "<i>few" not in result.stdout


def test_a_report_of_nothing_is_a_page_too(project):
    project.write("empty.jsonl", "")
    result = project.run("report", "--ledger", "empty.jsonl", "-f", "html")
    assert titles(result.stdout)[:2] == ["What was asked, allowed and denied", "Models"]


@pytest.mark.parametrize("command", [["report", "--ledger", "ledger.jsonl"], ["test", "fixtures"]])
@pytest.mark.parametrize("missing", [["jinja2"], ["matplotlib"], ["jinja2", "matplotlib"]])
def test_without_what_draws_a_page_the_line_that_installs_it_is_told_and_nothing_is_done(place, command, missing):
    place.write("site/sitecustomize.py", f"import sys\nsys.modules.update(dict.fromkeys({missing}))\n")
    place.write("ledger.jsonl", ROW)
    result = place.run(*command, "-f", "html:page.html", "-f", "json", PYTHONPATH="site")
    names = " and ".join(f"`{name}`" for name in missing)
    hint = "install gatewright with its extra: `pip install 'gatewright[html]'`"
    assert (result.code, result.stdout) == (64, "")
    assert result.stderr == f"gatewright: a page of HTML needs {names} ({hint})\n"
    assert not (place.cwd / "page.html").exists()
