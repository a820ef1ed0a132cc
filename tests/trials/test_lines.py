"""Back-tests of JSON lines by DuckDB: lines of odd kinds count as they do row by row, or are left to that."""

import json
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.trials.replays import CAPPED, older, side
from tests.trials.test_grouped import OWN, POLICIES, SPANS, at_once, both_ways, rows, written

from gatewright.ledger.protocol import Entry
from gatewright.ledger.rows import read_line, row_of
from gatewright.trials import columns
from gatewright.trials.backtest import backtest
from gatewright.trials.views import Wanted

duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

RULES = CAPPED + '  - {id: c, deny: \'runtime in ["co/dex", "a"] and agents > 3\', code: C_CODE}\n'
WHOLE = json.dumps(older(1, n_agents=5) | OWN)


def with_(name, text):
    """The line with another value, written as it stands here."""
    held = json.dumps({**json.loads(WHOLE), name: "@"})
    return held.replace('"@"', text)


def more(text):
    """The line with more keys at its end."""
    return f"{WHOLE[:-1]}, {text}}}"


def compared(tmp_path, line):
    path = tmp_path / "h.jsonl"
    first, last = (json.dumps(older(hour) | OWN).encode() for hour in (0, 2))
    path.write_bytes(b"\n".join([first, line if isinstance(line, bytes) else line.encode(), last, b""]))
    return both_ways(path, lambda: (side(RULES, tmp_path, low=4), None))


@pytest.mark.parametrize(
    "line",
    [
        *(with_("n_agents", value) for value in ("5.0", "5e0", "-0", '"5"', "true", "null", "[5]", "-7")),
        *(with_("est_chars", value) for value in ("1e3", "1.0", "18446744073709551616", "-1", '"1"', "null")),
        *(with_("runtime", value) for value in ("5", "[1]", "null", '""', '"a\\nb"', '"\\u0063odex"', '"co\\/dex"')),
        *(with_("model", value) for value in ('"a\\u0000b"', '"\\u2028"', '"gpt-5.5\\n"', '"\\n"', "{}", "0")),
        *(with_("decision", value) for value in ("5", '["ALLOW"]', '"allow"', '""')),
        *(with_("facts", value) for value in ("[1]", "5", "null", '"{}"', '{"labels": 1}', '{"known_roots":[]}')),
        *(with_("tier", value) for value in ('"UNKNOWN"', '"Low"', "null", "7", '""')),
        *(more(f'"{name}": {value}') for name in ("kind", "job_id") for value in ("null", "5", '""', '"x"')),
        *(more(f'"{name}": null') for name in ("labels", "actor", "reasons", "rule", "tier_override")),
        more('"reasons": "x", "warnings": {"a": 1}'),
        more('"x": ' + "[" * 300 + "]" * 300),
        WHOLE.replace('"runtime"', '"Runtime"'),
        f"  {WHOLE}\r",
        "",
    ],
)
def test_a_line_of_odd_kinds_counts_as_it_does_row_by_row(tmp_path, line):
    slow, quick = compared(tmp_path, line)
    assert quick == slow


@pytest.mark.parametrize(
    "line",
    [
        *("{torn", '{"decision": "ALLOW"}', '{"ts": "2026-11-29", "decision": "ALLOW"}', "[1]", "\x00", "{}"),
        *(
            with_("n_agents", value)
            for value in ("99999999999999999999", "1e300", "NaN", "Infinity", "0x5", "+5", "05")
        ),
        *(with_("ts", value) for value in ('"5"', "1e300", "NaN", "null", "true")),
        *(more(text) for text in ('"n_agents": 1', '"model": null', '"decision": "DENY"', "")),
        with_("runtime", '"\\ud800"'),
        with_("runtime", '"a\tb"'),
        WHOLE + WHOLE,
        f"{WHOLE} // allowed",
        f"\ufeff{WHOLE}",
        WHOLE.replace('"decision"', "'decision'"),
        WHOLE.encode().replace(b"codex", b"co\xffdex"),
    ],
)
def test_a_line_that_two_readers_may_take_differently_is_left_to_the_reader_of_rows(tmp_path, line):
    slow, quick = compared(tmp_path, line)
    assert quick is None
    assert slow.checks >= 2


def test_a_line_that_goes_too_deep_for_some_versions_of_python_counts_as_it_does_row_by_row(tmp_path):
    slow, quick = compared(tmp_path, more('"x": ' + "[" * 5000 + "]" * 5000))
    assert quick in (None, slow)


def test_rows_have_the_numbers_of_their_lines(tmp_path):
    number = 150_000
    path = tmp_path / "h.jsonl"
    path.write_text("".join(f"{json.dumps(older(at / 1000) | OWN)}\n" for at in range(number)))
    with columns.opened(str(path)) as source:
        assert columns.history(source, Wanted(bits=("FALSE",), odd="FALSE")) is not None
        wrong = "SELECT count(*) FROM checks WHERE counts_at <> $1 + (number - 1) * 3.6"
        first = older(0)["ts"]
        connection = source.connection
        assert connection.execute(wrong, [first]).fetchone() == (0,)
        assert connection.execute("SELECT count(*), max(number) FROM checks").fetchone() == (number, number)


OLDER = older(1, n_agents=5, tier_override=None)
ALWAYS = {"runtime", "model", "n_agents", "est_chars", "completion_channel", "contract_sha"}  #: rows of ours have these
KEYS = {*OLDER, *OWN, "kind", "job_id", "labels", "actor", "rule", "reasons", "warnings", "request_id"} - {
    "ts",
    "decision",
}
RULE = "  - use: unknown-model\n    override: tier_override\n  - use: contract-readable\n"


@pytest.mark.parametrize(
    ("base", "key"),
    [*((OLDER, key) for key in sorted(KEYS)), *((OLDER | OWN, key) for key in sorted(KEYS - ALWAYS))],
    ids=lambda value: value if isinstance(value, str) else "ours" if "policy" in value else "older",
)
def test_a_key_that_is_not_there_and_one_that_is_null_are_kept_apart_where_they_differ(tmp_path, base, key):
    absent, null = {name: value for name, value in base.items() if name != key}, base | {key: None}
    found = [absent | {"ts": older(0)["ts"]}, null, absent, null, base]

    def sides():
        return side(CAPPED + RULE, tmp_path, low=4), None

    for several in (found, found[::-1]):
        slow, quick = both_ways(written(several, tmp_path, "h.jsonl"), sides)
        assert quick == slow
        entries = [
            Entry(id=at, row=read_line(json.dumps(row).encode()), at=row["ts"]) for at, row in enumerate(several, 1)
        ]
        slow, quick = spooled_too(entries, sides)
        assert quick == slow


def spooled_too(found, sides, span=(None, None)):
    """What is found row by row of the rows of a ledger, and what is found once they have been put into a file."""
    slow = backtest("ledger", found, *sides(), span=span)
    with columns.spooled("ledger", iter(found)) as file:
        return slow, at_once(file, sides, span)


@pytest.mark.acceptance("IDEA-05")
@examples(60)
@given(
    rules=POLICIES,
    found=rows(),
    behind=st.lists(st.sampled_from([0, 0, 0, 0.001, 4000]), min_size=14, max_size=14),
    span=SPANS,
)
def test_a_ledger_that_is_put_into_a_file_or_table_gives_what_it_gives_row_by_row(
    tmp_path_factory, rules, found, behind, span
):
    folder = tmp_path_factory.mktemp("ledger")
    text, newest, all_ = "".join(rules), 0.0, []
    for number, (row, less) in enumerate(zip(found, behind, strict=False), 1):
        newest = max(newest, row["ts"] - less)  # the ledger's time never goes back
        all_.append(Entry(id=number, row=read_line(json.dumps(row).encode()), at=newest))
    path = written([{**entry.row.data, "at": entry.at} for entry in all_], folder, "h.parquet")

    def sides():
        return side(text, folder, low=4), side(text, folder, low=9, top=2)

    for slow, quick in (spooled_too(all_, sides, span), both_ways(path, sides, span)):
        if quick is not None or "ledger-clock" not in text:
            assert quick == slow


@pytest.mark.acceptance("IDEA-05")
@pytest.mark.parametrize(
    "line", [b"{torn", b"", b"{}", b"null", b"[1]", WHOLE.encode() * 2, b"\x00" * 9, b'{"a":"\xff"}']
)
def test_what_is_no_row_of_a_ledger_is_counted_apart(tmp_path, line):
    lines = [WHOLE.encode(), line, json.dumps(older(2) | OWN).encode(), b'{"kind":"register","job_id":"j"}', line]
    all_ = [Entry(id=at, row=read_line(each), at=float(at)) for at, each in enumerate(lines, 7)]
    slow, quick = spooled_too(all_, lambda: (side(RULES, tmp_path, low=4), None))
    assert quick == slow
    assert (quick.checks, quick.skipped + quick.others) == (2, 3)


@pytest.mark.parametrize("value", [Decimal(4), b"gpt", date(2026, 11, 29), "\ud800", {1: 2}, 2**70])
def test_a_row_that_no_line_can_hold_is_left_to_the_slower_way(tmp_path, value):
    rows = [older(hour) | OWN | ({"more": value} if hour else {}) for hour in range(3)]
    all_ = [Entry(id=at, row=row_of(row, b""), at=row["ts"]) for at, row in enumerate(rows, 1)]
    slow, quick = spooled_too(all_, lambda: (side(RULES, tmp_path, low=2), None))
    assert quick in (None, slow)
    assert slow.checks == 3


@pytest.mark.acceptance("IDEA-05")
def test_rows_with_others_before_them_keep_their_numbers(tmp_path):
    found = [older(hour, n_agents=3) | OWN for hour in range(6)]
    all_ = [Entry(id=9_000 + at, row=read_line(json.dumps(row).encode()), at=row["ts"]) for at, row in enumerate(found)]
    slow, quick = spooled_too(all_, lambda: (side(RULES, tmp_path, low=8), None))
    assert quick == slow
    assert [one.row for one in slow.flips[0].examples] == [9_002, 9_003, 9_004]


def test_a_real_ledger_is_put_into_a_file_for_the_quick_way(post, tmp_path):
    for number in range(40):
        post.clock.pass_(3000)
        post.check(agents=number % 5, model=["gpt-5.5", "claude-opus-5", None][number % 3], est_chars=number * 40_000)
    slow, quick = spooled_too(list(post.ledger.rows()), lambda: (side(RULES, tmp_path, low=3), None))
    assert quick == slow
    assert len(slow.flips) > 0


@pytest.mark.parametrize("change", [{"id": 9}, {"row": read_line(b'{"ledger time": 1}')}])
def test_a_ledger_whose_rows_are_not_numbered_one_by_one_is_gone_through_row_by_row(change):
    entry = {"id": 7, "row": read_line(WHOLE.encode()), "at": 1.0}
    with columns.spooled("ledger", [Entry(**entry), Entry(**entry | {"id": 8} | change)]) as file:
        assert file is None
