"""Back-tests of JSON lines by DuckDB: lines of odd kinds count as they do row by row, or are left to that."""

import json

import pytest
from tests.trials.replays import CAPPED, older, side
from tests.trials.test_grouped import OWN, both_ways

from gatewright.trials import columns
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
        more('"x": ' + "[" * 5000 + "]" * 5000),
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


def test_rows_have_the_numbers_of_their_lines(tmp_path):
    number = 150_000
    path = tmp_path / "h.jsonl"
    path.write_text("".join(f"{json.dumps(older(at / 1000) | OWN)}\n" for at in range(number)))
    with columns.opened(str(path)) as source:
        history = source.history(Wanted(bits=("FALSE",), odd="FALSE"))
        wrong = "SELECT count(*) FROM checks WHERE counts_at <> $1 + (number - 1) * 3.6"
        first = older(0)["ts"]
        assert history.connection.execute(wrong, [first]).fetchone() == (0,)
        assert history.connection.execute("SELECT count(*), max(number) FROM checks").fetchone() == (number, number)
