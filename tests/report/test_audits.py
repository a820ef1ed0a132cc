"""An audit as table, JSON, CSV and Markdown: the same numbers, and no text that is more than text."""

import csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.field.cases import data
from tests.ledger.desks import FakeClock, json_lines
from tests.report.found import FOUND, HOSTILE

from gatewright.flows.reporting import audit
from gatewright.model.audits import Audit, Denials, ModelUse, OverrideUse, Skipped
from gatewright.report import audits, older_audit
from gatewright.report.formats import as_json, inert

TEXT = """\
!!       checks of this span were judged under more than one policy: 2 tier tables
Ledger   ledger.db
Span     from 2026-11-29T12:00:00Z
Rows     13: 12 checks, 0 registrations, 1 other, 2026-11-29T12:00:00Z to 2026-11-29T12:01:00Z
Note     dispatches whose row has no cost: 2; it was computed from agents and characters

Models
MODEL    DISPATCHES    AGENTS    COST    COMPUTED
-------  ------------  --------  ------  ----------
gpt-5.5  5             17        12000   0
(none)   2             2         345     2
= total  7             19        12345   2

Denials
STAGE    CODE      RULE         COUNT    LAST SEEN             EXAMPLE
-------  --------  -----------  -------  --------------------  -------------
check    NO_MODEL  model-named  5        2026-11-29T12:00:00Z  contract 0123
= total                         5

Exceptions: none

Tier tables
PATH        SHA256        DECISIONS
----------  ------------  -----------
tiers.yaml  abababababab  11
tiers.yaml  (none)        1
= total                   12
"""


def csv_rows(text):
    assert text.count("\n") == text.count("\r\n")
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def cells(line):
    """The cells of a line of a Markdown table."""
    return re.split(r"(?<!\\)\|", line)[1:-1]


@pytest.mark.acceptance("P21", "V06")
def test_the_table_has_totals_that_close_and_a_banner_on_top():
    assert audits.text(FOUND, ("models", "denials", "exceptions", "tables")) == TEXT


@pytest.mark.acceptance("V10")
def test_every_format_has_the_same_numbers():
    plain = json.loads(as_json(audits.plain(FOUND)))
    table = csv_rows(audits.csv(FOUND))
    numbers = {(row[0], *row[1:5], row[5]): row[6] for row in table[1:]}
    for section in audits.sections(FOUND):
        rows = plain[section.name] if section.keys else [plain[section.name]]
        page = audits.markdown(FOUND, (section.name,)).partition("## ")[2]
        shown = audits.text(FOUND, (section.name,), width=400)
        for row in rows:
            key = tuple(inert(audits.NONE if row[name] is None else row[name]) for name in section.keys)
            for figure in section.figures:
                assert numbers[(section.name, *key, *[""] * (4 - len(key)), figure)] == str(row[figure])
                assert str(row[figure]) in page
                assert str(row[figure]) in shown
    assert [row[6] for row in table if row[0] == "remarks"] == plain["remarks"] == audits.remarks(FOUND)
    for name, value in audits.head(FOUND).items():
        assert plain[name] == value
        assert numbers[("totals", "", "", "", "", name)] == ("" if value is None else str(value))


@pytest.mark.acceptance("RE-01")
def test_a_text_of_a_row_stays_in_its_cell(tmp_path):
    (tmp_path / "ledger.jsonl").write_bytes(data("RE-01", "ledger.jsonl"))
    page = audits.markdown(audit(json_lines(tmp_path, FakeClock())), ("denials",))
    table = [line for line in page.partition("## Denials")[2].splitlines() if line]
    assert [len(cells(line)) for line in table] == [6, 6, 6, 6]
    assert [line.count("|") for line in table] == [7, 7, 7, 7]
    assert sum("TIER_FANOUT_CAP" in line for line in table) == 1
    assert "a&#124;b\\\\x0ac\\\\x1b\\[31mred\\`x\\`" in table[2]


texts = st.text(max_size=40) | st.sampled_from([HOSTILE, "=1+1", "-2", "+x", "@sum", "\tx", "\rx", "a,b", '"q"', "'"])


@pytest.mark.acceptance("RE-01")
@examples(200)
@given(texts, texts)
def test_no_text_draws_breaks_a_table_or_is_a_formula(name, reason):
    found = Audit(
        ledger=name,
        models=(ModelUse(model=name, dispatches=1, agents=1, cost=1, computed=0),),
        overrides=(OverrideUse(model=name, reason=reason, dispatches=1),),
        denials=(Denials(stage="check", code=name, rule=name, count=1, last_seen=None, example=reason),),
    )
    for text in (
        audits.text(found),
        audits.markdown(found),
        audits.csv(found).replace("\r\n", "\n"),
        older_audit.text(found),
    ):
        assert all(line.isprintable() for line in text.split("\n"))
    for section in ("models", "overrides", "denials"):
        table = audits.markdown(found, (section,)).partition("## ")[2].splitlines()[2:]
        assert len({len(cells(line)) for line in table}) == 1
    rows = csv_rows(audits.csv(found))
    assert {len(row) for row in rows} == {7}
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for row in rows for cell in row)
    assert all(len(line) <= 100 for line in audits.text(found, ("models", "overrides", "denials")).split("\n")[4:])


def test_sentences_are_wrapped_below_their_label():
    places = tuple(f"row {number} at byte {number * 1000}" for number in range(1, 21))
    found = Audit(ledger="some/long/path/" * 9, skipped=Skipped(lines=21, places=places))
    lines = audits.text(found, ("models",)).splitlines()
    assert lines[0] == "Ledger   " + "some/long/path/" * 9
    assert lines[3].startswith("Note     lines that are no rows: 21 (row 1 at byte 1000, row 2 at byte 2000,")
    assert all(line.startswith(" " * 9) for line in lines[4:-2])
    assert all(len(line) <= 100 for line in lines[1:])
    assert " ".join(line.strip() for line in lines[4:-2]).endswith("row 20 at byte 20000, …)")


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@x", "'@x"),
        ("\tx", "'\\x09x"),
        ("\rx", "'\\x0dx"),
        ("a=1", "a=1"),
        ("1", "1"),
        ("", ""),
    ],
)
def test_what_a_spreadsheet_takes_for_a_formula_is_made_a_text(cell, shown):
    assert inert(cell) == shown


@pytest.mark.parametrize("wanted", [(), ("tiers",), ("denials", "models")])
def test_only_the_sections_that_are_wanted_are_there(wanted):
    names = [section.name for section in audits.sections(FOUND, wanted)]
    assert names == [name for name in audits.SECTIONS if not wanted or name in wanted]
    assert set(audits.SECTIONS) & set(audits.plain(FOUND, wanted)) == set(names)


def test_a_time_beyond_the_calendar_is_shown_as_its_number():
    assert audits.time_of(9e11) == "900000000000.0"
    assert "9e+11" not in older_audit.text(Audit(ledger="x", first=9e11, last=9e11))


def test_the_older_report_keeps_its_lines():
    assert older_audit.text(FOUND).splitlines() == [
        "Dispatch gate report",
        "Scope: today (UTC)",
        "Skipped malformed: 0",
        "Time span: 2026-11-29T12:00:00Z to 2026-11-29T12:01:00Z",
        "Models:",
        "  gpt-5.5: dispatches=5 est_cost_proxy=12000",
        "Denials:",
        "  NO_MODEL: 5",
        "Tiers:",
        "  low: dispatches=5 agents=17",
        "  unknown: dispatches=2 agents=2  <- allowed without a known tier",
        "Tier policies:",
        "  tiers.yaml: sha256=abababababab decisions=11",
        "  tiers.yaml: sha256=<unrecorded> decisions=1",
        "Tier overrides:",
        "  gpt-5.5: reason=" + older_audit.printable(json.dumps(HOSTILE, ensure_ascii=False)) + " count=1",
    ]


def test_an_older_report_of_nothing_says_so():
    shown = older_audit.text(Audit(ledger="x"))
    assert "Scope: all ledger entries\n" in shown
    assert "Time span: none\n" in shown
    assert shown.count("  <none>\n") == 5
