"""`report` as other programs meet it: formats, spans, ledgers that are missing or cannot be read."""

import csv
import json
import time
from datetime import UTC, datetime, timedelta

import pytest
from tests.cli.processes import DISPATCH_GATE, GATEWRIGHT
from tests.field.cases import data

PROGRAMS = [GATEWRIGHT, DISPATCH_GATE]
LEDGERS = {GATEWRIGHT: "ledger.jsonl", DISPATCH_GATE: ".dispatch-gate-ledger.jsonl"}


def row(**more):
    found = {"decision": "ALLOW", "reason": "OK", "model": "gpt-5.5", "tier": "low", "n_agents": 2, "cost_proxy": 10}
    return json.dumps({**found, "ts": 1_795_953_600, **more}) + "\n"


def report(place, *words, program=GATEWRIGHT, **env):
    ledger = ["--ledger", LEDGERS[program]] if program == GATEWRIGHT else []
    return place.run("report", *ledger, *words, program=program, **env)


@pytest.mark.acceptance("V10", "V03", "V11", "G01")
def test_a_recorded_check_is_in_the_report(place):
    for agents in ("3", "0"):
        place.run(*(word for word in place.request(agents=agents) if word != "--no-record"))
    found = place.run("report", "--json").json
    assert (found["dispatches"], found["agents"], found["checks"]) == (1, 3, 2)
    assert [(each["code"], each["rule"], each["count"]) for each in found["denials"]] == [
        ("INVALID_REQUEST", "request-shape", 1)
    ]
    assert found["ledger"].endswith(".gatewright/ledger.db")


def test_several_formats_come_from_one_reading(place):
    place.write("ledger.jsonl", row() + row(decision="DENY", reason="NO_MODEL", model=None))
    result = report(place, "-f", "table", "-f", "json:r.json", "-f", "csv:r.csv", "-f", "markdown:r.md")
    assert (result.code, result.stderr) == (0, "")
    assert json.loads((place.cwd / "r.json").read_text())["dispatches"] == 1
    with (place.cwd / "r.csv").open(newline="") as file:
        assert ["totals", "", "", "", "", "dispatches", "1"] in list(csv.reader(file))
    assert "| gpt-5.5 | 1 | 2 | 10 | 0 |" in (place.cwd / "r.md").read_text()
    assert "gpt-5.5  1             2         10      0" in result.stdout
    assert all(len(line) <= 100 for line in result.stdout.splitlines())


@pytest.mark.acceptance("V08")
@pytest.mark.parametrize("program", PROGRAMS)
def test_today_begins_at_midnight_in_utc(place, program):
    while True:
        day = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        times = [day - timedelta(seconds=1), day, day + timedelta(days=1), day + timedelta(hours=23, minutes=59)]
        place.write(LEDGERS[program], "".join(row(ts=each.timestamp()) for each in times))
        result = report(place, "--today", program=program)
        if datetime.now(UTC).date() == day.date():
            break
    assert (result.code, result.stderr) == (0, "")
    if program == DISPATCH_GATE:
        assert "Scope: today (UTC)\n" in result.stdout
        assert "  gpt-5.5: dispatches=2 est_cost_proxy=20\n" in result.stdout
    else:
        assert "gpt-5.5  2             4         20      0" in result.stdout


@pytest.mark.parametrize(
    ("words", "dispatches"),
    [
        ((), 4),
        (("--since", "2026-11-29"), 3),
        (("--since", "2026-11-29T00:00:01Z"), 2),
        (("--until", "2026-11-29"), 1),
        (("--since", "2026-11-29", "--until", "2026-11-30"), 2),
        (("--since", "2026-11-29T12:00:00+02:00", "--until", "2026-11-29T12:00:01Z"), 1),
        (("--until", "2020-01-01"), 0),
    ],
)
def test_a_span_has_its_first_moment_and_not_its_last(place, words, dispatches):
    times = ["2026-11-28T23:59:59Z", "2026-11-29T00:00:00Z", "2026-11-29T12:00:00Z", "2026-11-30T00:00:00Z"]
    place.write("ledger.jsonl", "".join(row(ts=ts) for ts in times))
    assert report(place, *words, "--json").json["dispatches"] == dispatches


def test_an_age_reaches_back_from_now(place):
    place.write("ledger.jsonl", row(ts=time.time() - 7000) + row(ts=time.time() - 7300))
    assert [report(place, "--since", age, "--json").json["dispatches"] for age in ("90m", "2h", "3h", "1w")] == [
        0,
        1,
        2,
        2,
    ]


@pytest.mark.parametrize(
    "words",
    [
        ("--since", "yesterday"),
        ("--since", "2026-11-29T12:00:00"),
        ("--until", "2026-02-30"),
        ("--since", "2026-11-30", "--until", "2026-11-29"),
        ("--today", "--since", "2026-11-29"),
        ("--by", "colour"),
        ("-f", "xml"),
        ("more",),
    ],
)
def test_a_span_that_is_none_is_wrong_usage(place, words):
    result = report(place, *words)
    assert (result.code, result.stdout) == (64, "")


def test_only_the_sections_that_are_asked_for_are_shown(place):
    place.write("ledger.jsonl", row())
    shown = report(place, "--by", "tiers", "--by", "overrides").stdout
    assert "Tiers\nTIER" in shown
    assert "Overrides: none" in shown
    assert "Models" not in shown


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_ledger_that_is_not_there_is_an_empty_report_and_a_word(place, program):
    result = report(place, program=program)
    assert result.code == 0
    assert "so the report is empty" in result.stderr
    assert ("0 checks" if program == GATEWRIGHT else "Time span: none") in result.stdout
    assert list(place.cwd.iterdir()) == []


@pytest.mark.acceptance("T24")
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_ledger_that_cannot_be_read_is_no_empty_ledger(place, program):
    place.write(LEDGERS[program], row())
    (place.cwd / LEDGERS[program]).chmod(0)
    words = ["--ledger", LEDGERS[program]] if program == GATEWRIGHT else []
    result = place.run("report", *words, program=program, held_to_modes=True)
    assert (result.code, result.stdout) == (1 if program == GATEWRIGHT else 2, "")
    assert "permission denied" in result.stderr
    assert program == GATEWRIGHT or "REPORT_UNAVAILABLE: " in result.stderr


@pytest.mark.parametrize("name", ["ledger.db", "sqlite:///ledger.db"])
def test_a_file_of_something_else_is_no_ledger(place, name):
    place.write("ledger.db", "no database, but long enough to be looked at as one" * 99)
    result = place.run("report", "--ledger", name)
    assert (result.code, result.stdout) == (1, "")
    assert "not a database" in result.stderr


@pytest.mark.acceptance("T21", "LE-03", "LE-07")
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(("case", "rows", "skipped"), [("LE-03", 2, 5), ("LE-07", 4, 0)])
def test_lines_that_are_no_rows_end_nothing(place, program, case, rows, skipped):
    place.write(LEDGERS[program], data(case, "ledger.jsonl"))
    result = report(place, program=program)
    assert (result.code, result.stderr) == (0, "")
    if program == GATEWRIGHT:
        assert f"Rows     {rows}: {rows} checks" in result.stdout
        assert (f"lines that are no rows: {skipped} (row 2 at byte 154" in result.stdout) == bool(skipped)
    else:
        assert f"Skipped malformed: {skipped}\n" in result.stdout
        assert f"dispatches={rows}" in result.stdout


@pytest.mark.acceptance("V04", "V05", "V06", "V07", "P20", "V11")
def test_the_older_report_has_the_older_lines(place):
    table = {"tier_policy_path": "p.json", "tier_policy_sha256": "ab" * 32}
    place.write(
        ".dispatch-gate-ledger.jsonl",
        row(**table, tier="unknown", tier_override='say "so"')
        + row(**table, model="claude-opus-5", tier="top")
        + row(**table, decision="DENY", reason="TIER_FANOUT_CAP")
        + row(decision="DENY", reason="MODEL_TIER_ESCALATION", job_id="j1")
        + row(job_id="j2", model=None)
        + "[]\n",
    )
    assert report(place, program=DISPATCH_GATE).stdout.splitlines() == [
        "Dispatch gate report",
        "Scope: all ledger entries",
        "Skipped malformed: 1",
        "Time span: 2026-11-29T12:00:00Z to 2026-11-29T12:00:00Z",
        "Models:",
        "  claude-opus-5: dispatches=1 est_cost_proxy=10",
        "  gpt-5.5: dispatches=1 est_cost_proxy=10",
        "Denials:",
        "  MODEL_TIER_ESCALATION: 1",
        "  TIER_FANOUT_CAP: 1",
        "Tiers:",
        "  top: dispatches=1 agents=2",
        "  unknown: dispatches=1 agents=2  <- allowed without a known tier",
        "Tier policies:",
        "  p.json: sha256=abababababab decisions=3",
        "Tier overrides:",
        '  gpt-5.5: reason="say \\"so\\"" count=1',
    ]
