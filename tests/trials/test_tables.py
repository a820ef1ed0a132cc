"""Back-tests of tables in Parquet by DuckDB: columns of odd kinds count as they do row by row, or are left to that."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from tests.trials.replays import CAPPED, older, side
from tests.trials.test_grouped import OWN, at_once, both_ways

from gatewright.errors import FileError
from gatewright.trials import columns, histories

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
bench_backtest = pytest.importorskip("tests.benchmarks.bench_backtest")

RULES = (
    CAPPED
    + "  - use: known-roots\n"
    + "  - use: ledger-clock\n"
    + "  - {id: a, deny: est_chars is not None and est_chars > 300, code: A_CODE}\n"
    + "  - {id: b, warn: now.epoch > 1795960000.0, code: B_CODE}\n"
    + '  - {id: c, warn: \'default(labels.team, "") == "x"\', code: C_CODE}\n'
)
ROWS = [older(hour, n_agents=hour % 3 + 1, est_chars=100 * hour, warnings=["C_CODE"]) | OWN for hour in range(6)]
START = ROWS[0]["ts"]
NAMES = list(ROWS[0])


def table(**others):
    """The rows as a table, with other columns in the place of some; None leaves a column out."""
    held = {name: pa.array([row[name] for row in ROWS]) for name in NAMES} | others
    return pa.table({name: column for name, column in held.items() if column is not None})


def column(name, kind):
    return pa.array([row[name] for row in ROWS]).cast(kind, safe=False)


def compared(tmp_path, found):
    path = tmp_path / "h.parquet"
    parquet.write_table(found, path)
    return both_ways(path, lambda: (side(RULES, tmp_path, low=4), None))


LASTING = [{"contract": {"path": "c", "chars": timedelta(seconds=5)}, "known_roots": []}] * 6
TEAM = [[("team", "x"), ("team", "y")]] * 6
#: Made when they are asked for: the tests are collected without them.
KINDS = {
    "a text of large offsets": lambda: {"runtime": column("runtime", pa.large_string())},
    "a text by its number": lambda: {"model": column("model", pa.string()).dictionary_encode()},
    "a text without a kind": lambda: {"completion_channel": pa.nulls(6)},
    "a text as bytes": lambda: {"model": column("model", pa.binary())},
    "a text that is a list": lambda: {"model": pa.array([["gpt-5.5"]] * 6)},
    "a text that is a number": lambda: {"tier": pa.array([5] * 6)},
    "no runtime": lambda: {"runtime": None},
    "no time": lambda: {"ts": None},
    "no facts": lambda: {"facts": None},
    "another spelling": lambda: {"model": None, "MODEL": column("model", pa.string())},
    "both spellings": lambda: {"MODEL": pa.array(["claude-opus-5"] * 6)},
    "small agents": lambda: {"n_agents": column("n_agents", pa.uint8())},
    "vast agents": lambda: {"n_agents": pa.array([2**63 + 5] * 6, pa.uint64())},
    "agents as decimals": lambda: {"n_agents": pa.array([Decimal("2.0")] * 6)},
    "agents as fractions": lambda: {"n_agents": column("n_agents", pa.float64())},
    "characters as a duration": lambda: {"est_chars": pa.array([timedelta(seconds=5)] * 6)},
    "a duration within facts": lambda: {"facts": pa.array(LASTING)},
    "times as times": lambda: {"ts": pa.array([datetime(2026, 11, 29, 10, tzinfo=UTC)] * 6)},
    "times as text": lambda: {"ts": pa.array(["2026-11-29T10:00:00Z"] * 6)},
    "times as whole numbers": lambda: {"ts": column("ts", pa.int64())},
    "times that are no number": lambda: {"ts": pa.array([START, float("nan")] * 3)},
    "no ledger time": lambda: {"at": pa.array([START, None, float("nan"), float("inf"), 1e12, -1e300])},
    "ledger time of whole numbers": lambda: {"at": pa.array([int(START) + 9] * 6)},
    "vast ledger time": lambda: {"at": pa.array([2**62, -(2**63)] * 3)},
    "times ahead of the ledger's": lambda: {"at": pa.array([START] * 6), "ts": column("ts", pa.float64())[::-1]},
    "ledger time as text": lambda: {"at": pa.array(["1"] * 6)},
    "labels as a map": lambda: {"labels": pa.array(TEAM, pa.map_(pa.string(), pa.string()))},
    "labels of all": lambda: {"labels": pa.array([{"team": "x", "owner": None}] * 6)},
    "labels as text": lambda: {"labels": pa.array(['{"team": "x"}'] * 6)},
    "warnings as text": lambda: {"warnings": pa.array(["C_CODE"] * 6)},
    "warnings with nothing among them": lambda: {"warnings": pa.array([["C_CODE", None]] * 6)},
    "names that the query has": lambda: {
        name: pa.array([7] * 6) for name in ("number", "bits", "odd", "file_row_number")
    },
    "names of any text": lambda: {name: pa.array([7] * 6) for name in ("", 'a"b', "a'b", "x\ny")},
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_with_odd_columns_counts_as_it_does_row_by_row(tmp_path, kind):
    slow, quick = compared(tmp_path, table(**KINDS[kind]()))
    assert slow.checks == 6
    assert quick in (None, slow)


@pytest.mark.parametrize(
    "kind", ["a text of large offsets", "a text by its number", "no ledger time", "labels of all", "small agents"]
)
def test_columns_as_other_programs_write_them_go_the_quick_way(tmp_path, kind):
    slow, quick = compared(tmp_path, table(**KINDS[kind]()))
    assert quick == slow
    assert slow.flips


def test_times_that_lie_ahead_are_looked_for_row_by_row(tmp_path):
    slow, quick = compared(tmp_path, table(**KINDS["times ahead of the ledger's"]()))
    assert quick is None
    assert "LEDGER_CLOCK" in [each.code for each in slow.flips]


@pytest.mark.parametrize("name", ["model", "decision", "other"])
def test_a_table_with_two_columns_of_one_name_is_refused(tmp_path, name):
    found = table(other=pa.array([1] * 6))
    path = tmp_path / "h.parquet"
    parquet.write_table(pa.Table.from_arrays([*found.columns, found[name]], [*found.column_names, name]), path)
    with pytest.raises(FileError, match=f"more than one column `{name}`"):
        list(histories.entries(str(path)))
    with columns.opened(str(path)) as source:
        assert at_once(source, lambda: (side(RULES, tmp_path), None)) is None


@pytest.mark.parametrize("broken", [b"gpt-\xff.5", b"mo\xff\xff\xff"])
def test_a_table_with_text_that_is_not_utf_8_is_refused(tmp_path, broken):
    path = tmp_path / "h.parquet"
    whole = {b"gpt-\xff.5": b"gpt-5.5", b"mo\xff\xff\xff": b"model"}[broken]
    parquet.write_table(table(), path, compression="none", store_schema=False)
    path.write_bytes(path.read_bytes().replace(whole, broken))
    with pytest.raises(FileError, match="not UTF-8"):
        list(histories.entries(str(path)))


@pytest.mark.parametrize("groups", [None, 2])
def test_a_table_without_rows_or_row_groups_holds_no_checks(tmp_path, groups):
    path = tmp_path / "h.parquet"
    with parquet.ParquetWriter(path, table().schema) as writer:
        if groups:
            writer.write_table(table().slice(0, 0))
    slow, quick = both_ways(path, lambda: (side(RULES, tmp_path), None))
    assert slow.checks == 0
    assert quick in (None, slow)


def test_where_nothing_can_be_put_aside_a_history_is_read_row_by_row(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise FileNotFoundError(2, "no usable folder")

    path = tmp_path / "h.jsonl"
    path.write_text("")
    monkeypatch.setattr(columns, "TemporaryDirectory", refuse)
    with columns.opened(str(path)) as source:
        assert source is None


SPELLED = (
    '{"contract":{"path":"c","chars":5},"known_roots":[]}',
    '{ "contract": {"path": "c", "chars": 5}, "known_roots": ["/srv"] }',
    '{"contract":{"path":"c"},"known\\u005froots":["/srv"]}',
    '{"contract":{"path":"c"},"known_roots":null,"known_roots":[]}',
    '{"contract":{"mentions":{"paths":["/home/a"]}},"labels":{"team":"x"}}',
    "[1]",
    None,
)


@pytest.mark.parametrize("kind", ["JSON", "VARCHAR"])
def test_facts_that_stand_in_a_column_as_json_are_read_as_objects(tmp_path, kind):
    rows = [
        older(at, n_agents=at % 3 + 1, reasons='["A_CODE"]') | OWN | {"facts": SPELLED[at % len(SPELLED)]}
        for at in range(3 * len(SPELLED))
    ]
    given, path = pa.Table.from_pylist(rows), tmp_path / "h.parquet"
    with duckdb.connect() as connection:
        connection.register("given", given)
        connection.execute(f"COPY (SELECT * REPLACE (facts::{kind} AS facts) FROM given) TO '{path}' (FORMAT parquet)")
    slow, quick = both_ways(path, lambda: (side(RULES, tmp_path, low=4), None))
    assert quick == slow
    assert [entry.row.data.get("facts") for entry in histories.entries(str(path))][:2] == [
        {"contract": {"path": "c", "chars": 5}, "known_roots": roots} for roots in ([], ["/srv"])
    ]


@pytest.mark.parametrize("name", ["h.parquet", "h.jsonl", "shipped.parquet", "shipped.jsonl"])
def test_the_checks_of_the_benchmark_go_the_quick_way(tmp_path, name):
    for file, text in (("bench.yaml", bench_backtest.POLICY), ("tiers.yaml", bench_backtest.TIERS)):
        (tmp_path / file).write_text(text)
    bench_backtest.made(tmp_path, 500)
    slow, quick = both_ways(tmp_path / name, lambda: (bench_backtest.side(tmp_path, name), None))
    assert quick == slow
    assert quick.replayed == 500
