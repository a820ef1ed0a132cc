"""`gatewright diff` as it is called: what a change means, and cases that show what it lets through."""

import json

import pytest
from tests.cli.test_backtest import lines, row

HEAD = "gatewright: 1\npolicy: p\nstage: check\nrules:\n"
CAP = "  - id: cap\n    deny: agents > {}\n    code: TOO_MANY\n"


def policies(place, old, new):
    place.write("old.yaml", HEAD + old)
    place.write("new.yaml", HEAD + new)


def diff(place, *words):
    return place.run("diff", "old.yaml", "new.yaml", *words)


@pytest.mark.acceptance("IDEA-05")
def test_what_is_let_through_has_a_case_that_the_old_policy_passes_and_the_new_one_fails(place):
    policies(place, CAP.format(8), CAP.format(9))
    found = diff(place, "--json")
    (change,) = found.json["changes"]
    assert (found.code, change["meaning"], change["keys"]) == (1, "loosened", ["deny"])
    assert change["loosened"]["request"] == "agents 9"
    assert (change["loosened"]["before"], change["loosened"]["after"]) == ("deny TOO_MANY", "allow")
    place.write("case.yaml", change["loosened"]["fixture"])
    assert place.run("test", "case.yaml").code == 0
    assert place.run("test", "case.yaml", "--policy", "new.yaml").code == 1


def test_the_exit_status_tells_a_difference_from_none(place):
    policies(place, CAP.format(8), "  # more words\n" + CAP.format(" 8 "))
    same = diff(place)
    assert (same.code, same.stdout) == (0, "no difference in meaning\n")
    assert place.run("diff", "old.yaml", "old.yaml").code == 0


def test_recorded_checks_are_replayed_under_both(place):
    policies(place, CAP.format(8), CAP.format(3))
    place.write("h.jsonl", lines(row(0), row(1, n_agents=2)))
    found = diff(place, "--history", "h.jsonl", "--json").json
    assert found["recorded"]["changed"]["now_denied"] == 1
    assert found["changes"][0]["meaning"] == "tightened"


def test_each_format_tells_the_same(place):
    policies(place, CAP.format(8) + "  - use: mcp-trust\n", CAP.format(9))
    result = diff(place, "-f", "table", "-f", "json:d.json", "-f", "markdown:d.md")
    assert result.code == 1
    assert result.stdout.splitlines()[-1] == "1 dropped, 1 loosened"
    assert "    request: {runtime: codex, model: gpt-5.6-sol, agents: 9" in "\n".join(
        line[4:] for line in result.stdout.splitlines()
    )
    assert [each["what"] for each in json.loads((place.cwd / "d.json").read_text())["changes"]] == [
        "rule cap",
        "rule mcp-trust",
    ]
    page = (place.cwd / "d.md").read_text().splitlines()
    assert page[2] == "**1 dropped, 1 loosened**"
    assert page.count("```yaml") == 1


def test_hostile_text_stays_text(place):
    policies(place, CAP.format(8), CAP.format(9).replace("deny:", 'message: "\\x1b[2J| ``` \\u2028"\n    deny:'))
    for name in ("table", "markdown", "json"):
        result = diff(place, "-f", name)
        assert (result.code, "\x1b" in result.stdout, "\u2028" in result.stdout) == (1, False, False)


def test_without_a_second_policy_the_one_in_force_is_meant(place):
    place.write("old.yaml", HEAD + CAP.format(8))
    found = place.run("diff", "old.yaml", "--json").json
    assert (found["new"]["id"], found["old"]["id"]) == ("check", "p")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["diff", "old.yaml", "no.yaml"], 64, "no.yaml: there is no such file"),
        (["diff", "old.yaml", "bad.yaml"], 1, "bad.yaml:"),
        (["diff", "old.yaml", "register.yaml"], 64, "compare two policies of one stage"),
        (["diff", "register.yaml", "register.yaml", "--history", "h.jsonl"], 64, "stage `check` only"),
        (["diff", "old.yaml", "new.yaml", "--history", "no.jsonl"], 1, "no.jsonl: there is no such file"),
    ],
)
def test_what_cannot_be_compared_is_told(place, words, code, said):
    policies(place, CAP.format(8), CAP.format(9))
    place.write("bad.yaml", "gatewright: 1\n")
    place.write("register.yaml", HEAD.replace("check", "register") + "  - use: job-proof\n")
    place.write("h.jsonl", "")
    result = place.run(*words)
    assert (result.code, said in result.stderr) == (code, True)
