"""`gatewright backtest` as it is called: histories of every kind, its formats, its exit statuses."""

import csv
import gzip
import json

import pytest

from gatewright.app import Options
from gatewright.cli import histories
from gatewright.cli.histories import side
from gatewright.ledger import archives
from gatewright.ledger.archives import Archived
from gatewright.trials.backtest import backtest
from gatewright.trials.histories import entries

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

CAPS = {"top": 4, "low": 8, "unknown": 8}
TABLE = {"version": 2, "tiers": {"top": ["claude-opus-5"], "low": ["gpt-5.5"]}, "fanout_caps": CAPS}
GZIP = gzip.compress(b'{"id": 1}', mtime=0)  # the same in every process: it names tests
HOSTILE = "\x1b[2J|\u202eevil\n=1+1"


def row(hour, **more):
    found = {"decision": "ALLOW", "reason": "OK", "model": "gpt-5.5", "tier": "low", "n_agents": 4, "runtime": "codex"}
    found |= {"contract_sha": "a1" * 32, "est_chars": 10, "cost_proxy": 40, "completion_channel": "orchestration"}
    found |= {"tier_override": None}
    return {**found, "ts": 1_795_953_600 + 3600 * hour, **more}


def lines(*rows):
    return "".join(f"{json.dumps(each)}\n" for each in rows)


@pytest.fixture
def table(place):
    place.write("tiers.json", json.dumps(TABLE))
    return place.write("tight.json", json.dumps({**TABLE, "fanout_caps": {**CAPS, "low": 7}}))


def run(place, *words, history="h.jsonl"):
    return place.run("backtest", "--history", history, *words)


@pytest.mark.acceptance("IDEA-05")
def test_the_exit_status_tells_differences_none_and_nothing_to_judge_apart(place, table):
    place.write("h.jsonl", lines(row(0), row(1)))
    same, other = run(place, "--tier-policy", "tiers.json"), run(place, "--tier-policy", table)
    assert (same.code, same.stdout.splitlines()[-1]) == (0, "no difference in 2 checks")
    assert (other.code, other.stdout.splitlines()[-1]) == (1, "1 now denied of 2 checks")
    place.write("h.jsonl", "")
    nothing = run(place)
    assert (nothing.code, nothing.stderr) == (5, "gatewright: there is no check to replay\n")


def test_without_a_ledger_there_is_nothing_to_judge(place):
    result = place.run("backtest", "--ledger", "no.db")
    assert result.code == 5
    assert "there is no ledger at no.db" in result.stderr
    assert place.tree() == {}


def test_a_ledger_its_export_and_its_table_in_parquet_give_the_same(place, table):
    words = [word for word in place.request(agents="3", model="new-one") if word != "--no-record"]
    for _ in range(4):
        place.run(*words, "--ledger", "l.db", "--tier-policy", "tiers.json")
    place.run("ledger", "export", "--ledger", "l.db", "--out", "h.jsonl")
    rows = [json.loads(line) for line in (place.cwd / "h.jsonl").read_text().splitlines()]
    parquet.write_table(pa.Table.from_pylist(rows), place.cwd / "h.parquet")
    archive = [
        {"id": at, "line": json.dumps(each).encode(), "at": each["ts"], "taken_up": 0, "leaf": b"", "head": b""}
        for at, each in enumerate(rows, 1)
    ]
    parquet.write_table(pa.Table.from_pylist(archive), place.cwd / "archive.parquet")
    place.write("tight.json", json.dumps({**TABLE, "fanout_caps": {**CAPS, "unknown": 2}}))
    found = [run(place, "--tier-policy", "tight.json", "--json", history=name).json for name in HISTORIES]
    found.append(place.run("backtest", "--ledger", "l.db", "--tier-policy", "tight.json", "--json").json)
    assert [each.pop("source") for each in found] == [*HISTORIES, "l.db"]
    assert found[0] == found[1] == found[2] == found[3]
    assert found[0]["changed"] == {"now_denied": 2, "now_allowed": 0, "other_reasons": 0, "other_warnings": 0}


def both_ways(place, monkeypatch, name):
    """What is found row by row; the command has to find the same, and to leave nothing to that way."""
    pytest.importorskip("duckdb")
    history = histories.History(file=str(place.cwd / name))
    sides = [side(Options(), str(place.cwd / each)) for each in ("tight.json", "tiers.json")]
    slow = backtest(history.file, entries(history.file), *sides)
    monkeypatch.setattr(histories, "_FEW", 2)
    monkeypatch.setattr(histories, "backtest", None)
    assert history.backtest(Options(), *sides) == slow
    return slow


@pytest.mark.acceptance("IDEA-05")
@pytest.mark.parametrize("name", ["archive.parquet", "archive.jsonl.gz"])
def test_an_archive_goes_the_quick_way_as_well(place, table, monkeypatch, name):
    rows = [json.dumps(row(hour)).encode() for hour in range(5)]
    archived = [Archived(1_000 + at, line, 5.0 * at, 0, b"l", b"h") for at, line in enumerate(rows)]
    archives.write(str(place.cwd / name), archived)
    slow = both_ways(place, monkeypatch, name)
    assert [each.row for each in slow.flips[0].examples] == [1_001]


@pytest.mark.acceptance("IDEA-05")
@pytest.mark.parametrize("name", ["h.jsonl", "[1].jsonl", "h.parquet"])
def test_a_history_that_duckdb_reads_otherwise_goes_the_quick_way_once_it_is_read(place, table, monkeypatch, name):
    rows = [row(hour) for hour in range(5)]
    if name.endswith(".parquet"):  # the type of the number of agents is none of the usual ones
        agents = pa.array([4.0] * 5, pa.float32())
        parquet.write_table(
            pa.Table.from_pylist(rows).drop_columns("n_agents").append_column("n_agents", agents), place.cwd / name
        )
    else:
        place.write(name, lines(*rows[:3]) + "{torn\n[1]\n" + lines(*rows[3:]))
    slow = both_ways(place, monkeypatch, name)
    assert (slow.checks, slow.skipped) == (5, 0 if name.endswith(".parquet") else 2)


HISTORIES = ["h.jsonl", "h.parquet", "archive.parquet"]


def test_each_format_is_read_back_with_hostile_text(place, table):
    place.write(
        "h.jsonl",
        lines(row(0, model=HOSTILE, tier=HOSTILE, n_agents=9), row(1, runtime=HOSTILE, warnings=[HOSTILE, ""])),
    )
    result = run(
        place, "--tier-policy", table, "-f", "table", "-f", "json:b.json", "-f", "csv:b.csv", "-f", "markdown:b.md"
    )
    assert (result.code, result.stderr) == (1, "")
    assert "\x1b" not in result.stdout
    found = json.loads((place.cwd / "b.json").read_text())
    told = [one for each in found["flips"] for one in each["examples"]]
    assert HOSTILE in [one["model"] for one in told]
    assert {f"ALLOW with warning {HOSTILE}", "ALLOW with warning (empty)"} <= {one["before"] for one in told}
    with (place.cwd / "b.csv").open(newline="") as file:
        read = list(csv.DictReader(file))
    assert {each["change"] for each in read} == {each["change"] for each in found["flips"]}
    assert all(None not in each for each in read)
    page = (place.cwd / "b.md").read_text()
    assert "\x1b" not in page
    assert {line.count(" | ") for line in page.splitlines() if line.startswith(("| now", "| other"))} == {4}


WARNED = [
    ("ALLOW with warning BEFORE", "ALLOW without warning BEFORE", ""),
    ("ALLOW", "ALLOW with warning TIER_UNKNOWN_MODEL", "model `new-one` is in no tier"),
]


@pytest.mark.parametrize("way", [[], ["--since", "2000-01-01"]], ids=["quick", "row-by-row"])
def test_each_format_says_which_warning_came_and_which_went(place, way):
    place.write("p.yaml", "gatewright: 1\npolicy: p\nstage: check\nrules:\n  - use: unknown-model\n")
    place.write("tiers.json", json.dumps(TABLE))
    place.write("h.jsonl", lines(row(0, model="new-one", n_agents=1), row(1, warnings=["BEFORE"], n_agents=2)))
    words = [
        "--policy",
        "p.yaml",
        "--tier-policy",
        "tiers.json",
        "-f",
        "json",
        "-f",
        "csv:b.csv",
        "-f",
        "markdown:b.md",
    ]
    result = run(place, *words, *way)
    assert result.stderr == ""
    told = [one for each in result.json["flips"] for one in each["examples"]]
    assert [(one["before"], one["after"], one["message"]) for one in told] == WARNED
    texts = [f"{before}, now {after}" for before, after, _ in WARNED]
    with (place.cwd / "b.csv").open(newline="") as file:
        examples = [each["example"] for each in csv.DictReader(file)]
    page = [line for line in (place.cwd / "b.md").read_text().splitlines() if line.startswith("| other warnings")]
    for read in (examples, page):
        assert [text in each for text, each in zip(texts, read, strict=True)] == [True, True]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("h.parquet", b"not it", "it is no Parquet"),
        ("h.jsonl.gz", b"not it", "it is no archive"),
        ("h.jsonl.gz", GZIP[:20], "it is no archive"),
        ("h.jsonl.gz", GZIP[:15] + b"x" + GZIP[16:], "it is no archive"),
        ("h.jsonl.gz", GZIP, "it is no archive: line 1 is no row of one"),
        ("h.txt", b"", "it is no history"),
        ("folder.jsonl/x", b"", "it is a folder"),
    ],
)
def test_a_history_that_cannot_be_read_is_a_failure_with_a_reason(place, name, content, said):
    place.write(name, content)
    result = run(place, history=name.partition("/")[0])
    assert result.code == 1
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_a_table_in_parquet_without_decisions_is_none(place):
    parquet.write_table(pa.table({"x": [1]}), place.cwd / "h.parquet")
    result = run(place, history="h.parquet")
    assert (result.code, "no column `decision`" in result.stderr) == (1, True)


ARCHIVED = {"id": 1, "line": b"{}", "at": 1.0, "taken_up": 0, "leaf": b"", "head": b""}


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"id": 1, "line": b"{}", "at": 1.0}, "it is no archive: it has no column `taken_up`"),
        ({**ARCHIVED, "line": "{}"}, "it is no archive: its column `line` is of another kind"),
        ({**ARCHIVED, "at": "noon"}, "it is no archive: its column `at` is of another kind"),
    ],
)
def test_a_table_with_other_columns_than_an_archive_has_is_none(place, columns, said):
    parquet.write_table(pa.Table.from_pylist([columns]), place.cwd / "h.parquet")
    result = run(place, history="h.parquet")
    assert (result.code, result.stderr) == (1, f"gatewright: h.parquet: {said} (put it back from a copy)\n")


@pytest.mark.parametrize(
    "words", [["--ledger", "a.db", "--history", "h.jsonl"], ["--since", "never"], ["--tier-policy", "no.json"]]
)
def test_a_call_that_cannot_be_meant_is_one(place, words):
    assert place.run("backtest", *words).code == 64


def test_policies_are_compared_with_each_other(place):
    place.write("old.yaml", "gatewright: 1\npolicy: old\nstage: check\nrules:\n  - use: unknown-model\n")
    place.write(
        "new.yaml",
        "gatewright: 1\npolicy: new\nstage: check\nrules:\n  - use: dispatch-budget\n    with: {max_chars: 5}\n",
    )
    place.write("h.jsonl", lines(row(0, decision="DENY", reason="NO_MODEL")))
    found = run(place, "--policy", "new.yaml", "--against", "old.yaml", "--json")
    assert (found.code, found.json["against"]["id"], found.json["before"]["allowed"]) == (1, "old", 1)
    assert [(each["change"], each["code"]) for each in found.json["flips"]] == [("now denied", "BUDGET_EXCEEDED")]


@pytest.mark.parametrize(
    ("words", "tables"),
    [
        ([], ("tight.json", "tight.json")),
        (["--against-tier-policy", "tiers.json"], ("tight.json", "tiers.json")),
    ],
)
def test_policies_are_compared_under_one_table_unless_another_is_named(place, table, words, tables):
    place.write("p.yaml", "gatewright: 1\npolicy: p\nstage: check\nrules:\n  - use: fan-out-cap\n")
    place.write("h.jsonl", lines(row(0, n_agents=4), row(1, n_agents=4)))
    found = run(place, "--policy", "p.yaml", "--against", "p.yaml", "--tier-policy", table, *words, "--json")
    assert (found.json["tier_policy"]["path"], found.json["against_tier_policy"]["path"]) == tables
    assert found.code == (0 if tables[0] == tables[1] else 1)
    said = run(place, "--policy", "p.yaml", "--against", "p.yaml", "--tier-policy", table, *words)
    assert [line.split("tier table ")[1].split(",")[0] for line in said.stdout.splitlines()[:2]] == list(tables)
