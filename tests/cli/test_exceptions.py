"""Exceptions as users meet them: listed, linted, counted in a report, and left out for once."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta

import pytest

TODAY = datetime.now(UTC).date()


def policy(until="9999-12-31", more=""):
    return (
        "gatewright: 1\npolicy: team\nstage: check\nrules:\n  - {id: too-many, deny: agents > 8}\nexceptions:\n"
        f"  - {{id: pilot, code: TOO_MANY, until: {until}, reason: 'a |b', owner: platform{more}}}\n"
    )


HEAD = "policy: p.yaml\ndefaults: {runtime: codex, agents: 9}\nnow: 2020-01-01T00:00:00Z\ncases:\n"
USED = "  - {name: used, expect: {allow: true, excepted: [TOO_MANY]}}\n"
UNUSED = "  - {name: not used, request: {agents: 8}, expect: allow}\n"


@pytest.mark.acceptance("IDEA-08")
@pytest.mark.parametrize(("cases", "code"), [(UNUSED, 1), (USED + UNUSED, 0)])
def test_an_exception_that_no_case_uses_fails_a_strict_lint(place, cases, code):
    place.write("p.yaml", policy())
    place.write("c.yaml", HEAD + cases)
    strict = place.run("lint", "--strict", "p.yaml", "c.yaml")
    assert strict.code == code
    assert ("no case uses exception `pilot` of platform" in strict.stdout) is bool(code)
    assert place.run("lint", "p.yaml", "c.yaml").code == 0


def test_without_cases_lint_says_nothing_of_use(place):
    place.write("p.yaml", policy())
    assert place.run("lint", "--strict", "p.yaml").code == 0


@pytest.mark.parametrize(
    ("days", "code", "said"), [(-1, 1, "has expired after"), (0, 0, "ends after"), (13, 0, "ends after"), (400, 0, "")]
)
def test_lint_tells_of_exceptions_that_have_ended_or_soon_will(place, days, code, said):
    place.write("p.yaml", policy((TODAY + timedelta(days=days)).isoformat()))
    strict = place.run("lint", "--strict", "p.yaml")
    assert strict.code == code
    assert said in strict.stdout
    assert place.run("lint", "p.yaml").code == 0


@pytest.mark.parametrize("until", ["soon", "2026-02-30", "2026-13-01", "''", "2026-12-31T00:00:00Z"])
def test_a_day_that_is_none_closes_the_gate(place, until):
    place.write("p.yaml", policy(until))
    denied = place.check("--policy", "p.yaml", agents="9")
    assert (denied.code, denied.json["reasons"]) == (2, ["POLICY_UNAVAILABLE"])
    assert place.run("lint", "p.yaml").code == 1


@pytest.mark.acceptance("IDEA-08")
def test_without_exceptions_the_raw_verdict_is_shown(place):
    place.write("p.yaml", policy())
    place.write("c.yaml", HEAD + USED)
    assert place.check("--policy", "p.yaml", agents="9").code == 0
    raw = place.check("--policy", "p.yaml", "--no-exceptions", agents="9")
    assert (raw.code, raw.json["reasons"]) == (2, ["TOO_MANY"])
    assert place.run("test", "c.yaml").code == 0
    assert "unexpected denial TOO_MANY" in place.run("test", "c.yaml", "--no-exceptions").stdout
    shown = place.run("coverage", "c.yaml", "--json")
    assert shown.json["exceptions"][0]["used"] == 1


def test_a_verdict_without_exceptions_is_never_recorded(place):
    place.write("p.yaml", policy())
    place.write("job.md", "Work.\n")
    words = ["--policy", "p.yaml", "--runtime", "codex", "--contract", "job.md", "--agents", "9", "--no-exceptions"]
    assert place.run("check", *words).code == 64


def test_exceptions_are_listed_with_their_owner_end_and_use(place):
    place.write("p.yaml", policy())
    place.write("job.md", "Work.\n")
    words = ["--policy", "p.yaml", "--ledger", "l.db", "--contract", "job.md", "--runtime", "codex"]
    assert place.run("check", *words, "--agents", "9").code == 0
    (found,) = place.run("exceptions", "--policy", "p.yaml", "--ledger", "l.db", "--json").json
    assert (found["exception"], found["owner"], found["until"], found["standing"], found["used"]) == (
        *("pilot", "platform", "9999-12-31", "live"),
        1,
    )
    assert place.run("exceptions", "--policy", "p.yaml", "--json").json[0]["used"] is None
    (line,) = csv.DictReader(io.StringIO(place.run("exceptions", "--policy", "p.yaml", "-f", "csv").stdout))
    assert (line["where"], line["reason"]) == ("p.yaml:7:5", "a |b")
    assert "| a &#124;b |" in place.run("exceptions", "--policy", "p.yaml", "-f", "markdown").stdout
    reported = json.loads(place.run("report", "--ledger", "l.db", "--json", GATEWRIGHT_POLICY="p.yaml").stdout)
    assert [(each["exception"], each["standing"]) for each in reported["exceptions"]] == [("pilot", "live")]


@pytest.mark.parametrize(
    ("until", "more", "words", "code"),
    [
        ("9999-12-31", "", ["--strict"], 0),
        ("2020-01-01", "", [], 0),
        ("2020-01-01", "", ["--strict"], 1),
        ("9999-12-31", "", ["--strict", "--ledger", "none.db"], 1),
        ("9999-12-31", "", ["--soon", "-1"], 64),
    ],
)
def test_what_has_expired_or_is_not_used_fails_where_that_is_asked_for(place, until, more, words, code):
    place.write("p.yaml", policy(until, more))
    assert place.run("exceptions", "--policy", "p.yaml", *words).code == code


def test_policies_without_exceptions_have_none_to_list(place):
    assert place.run("exceptions").code == 5
