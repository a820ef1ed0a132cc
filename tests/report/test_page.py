"""A page of HTML: one file that loads nothing, is read without eyes and without a mouse, and shows text as text."""

import json
import re
from base64 import b64encode
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.report.documents import read
from tests.report.found import FOUND, HOSTILE

from gatewright.errors import Place
from gatewright.model.audits import Audit, Denials, ModelUse, OverrideUse
from gatewright.model.coverage import CodeUse, Coverage
from gatewright.report import audit_page, audits, page, trials_page
from gatewright.report.formats import as_json
from gatewright.report.page import MAX_ROWS, Cell, Figure, Page, Sum, Table, number_cell, shown_rows, text_cell
from gatewright.report.trials import Result, Run
from gatewright.text import printable

pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")

HERE = Place("policies/few.yaml", 7, 5)
USE = {"policy": "policies/few.yaml", "stage": "check", "rule": "few", "code": "TOO_MANY", "level": "deny"}
SHOWN = Coverage(source="fixtures", decisions=3, codes=(CodeUse(**USE, where=HERE, fired=2, lacking=(HOSTILE,)),))
RUN = Run(
    id="few.yaml::one",
    name=HOSTILE,
    file="few.yaml",
    where="few.yaml:3:5",
    line=3,
    column=5,
    result=Result.FAIL,
    expected="ALLOW",
    differences=(HOSTILE,),
    error="",
    decision=None,
    explanation=None,
)
PAGES = {
    "an audit": audit_page.page(FOUND, (), SHOWN),
    "an audit of nothing": audit_page.page(Audit(ledger="x")),
    "dry runs": trials_page.page([RUN], SHOWN),
}


@pytest.fixture(scope="module")
def pages():
    return {name: page.html(each) for name, each in PAGES.items()}


@pytest.fixture(params=PAGES)
def found(request, pages):
    """The tree of a page."""
    return read(pages[request.param])


# -- what a page is ----------------------------------------------------------------------------------------------------


def test_a_page_loads_nothing_and_lets_nothing_be_loaded(found):
    linked = [
        each.attributes[name]
        for each in found.all()
        for name in ("href", "src", "xlink:href")
        if name in each.attributes
    ]
    assert all(link.startswith("#") for link in linked)
    assert {each.tag for each in found.all()}.isdisjoint({"link", "img", "iframe", "object", "embed", "form", "base"})
    (policy,) = [each.attributes["content"] for each in found.all("meta") if "http-equiv" in each.attributes]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules.pop("style-src") == "'unsafe-inline'"
    scripts = [each.text for each in found.all("script")]
    digests = [f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts]
    assert [rules.pop("script-src")] == digests
    assert set(rules) == {"default-src", "base-uri", "form-action"}
    assert set(rules.values()) == {"'none'"}


def test_no_style_of_a_page_loads_anything(pages):
    assert all("@import" not in text and "url(" not in text.partition("</style>")[0] for text in pages.values())


def test_every_name_stands_once_and_every_link_leads_to_one(found):
    names = [each.attributes["id"] for each in found.all() if "id" in each.attributes]
    assert len(names) == len(set(names))
    wanted = [each.attributes["href"][1:] for each in found.all("a")]
    wanted += [each.attributes["aria-labelledby"] for each in found.all() if "aria-labelledby" in each.attributes]
    assert set(wanted) <= set(names)


def test_a_page_can_be_walked_by_keyboard_and_ear(found):
    assert found.attributes["lang"] == "en"
    body = next(found.all("body"))
    first = next(body.all("a"))
    assert (body.children[0], first.attributes["href"]) == (first, "#content")
    assert next(each.tag for each in body.all("h1", "h2")) == "h1"
    assert sum(1 for _ in body.all("h1")) == sum(1 for _ in body.all("main")) == 1
    for table in body.all("table"):
        assert table.parent.attributes["tabindex"] == "0"
        assert all(head.attributes["scope"] in ("col", "row") for head in table.all("th"))
        columns = len(list(next(table.all("thead")).all("th")))
        assert {len(row.children) for row in table.all("tr")} == {columns}
    for drawing in body.all("svg"):
        assert drawing.attributes["role"] == "img"


def test_a_page_is_made_for_any_width_for_the_dark_and_for_paper(pages, found):
    assert any(each.attributes.get("name") == "viewport" for each in found.all("meta"))
    style = next(found.all("style")).text
    assert "@media screen and (prefers-color-scheme: dark)" in style
    assert "@media print" in style
    used = set(re.findall(r"var\((--[\w-]+)\)", "".join(pages.values())))
    dark = style.partition("prefers-color-scheme: dark")[2].partition("}\n}")[0]
    assert {name for name in used if f"{name}:" not in dark} == set()


def test_the_same_values_are_the_same_page(pages):
    assert page.html(PAGES["an audit"]) == pages["an audit"]


# -- what it shows -----------------------------------------------------------------------------------------------------


def rows_of(found, name):
    """The cells of a table's rows, the total apart."""
    section = next(each for each in found.all("section") if each.attributes.get("id") == name)
    body = [[cell.text for cell in row.children] for part in section.all("tbody") for row in part.all("tr")]
    total = [[cell.text for cell in row.children] for part in section.all("tfoot") for row in part.all("tr")]
    return body, total


@pytest.mark.acceptance("V10", "P21")
def test_a_page_has_the_sections_and_the_numbers_of_the_other_formats(pages):
    found = read(pages["an audit"])
    plain = json.loads(as_json(audits.plain(FOUND)))
    for section in audits.sections(FOUND):
        body, total = rows_of(found, section.name)
        rows = plain[section.name] if section.keys else [plain[section.name]]
        numbers = [[f"{row[figure]:,}" for figure in section.figures if type(row[figure]) is int] for row in rows]
        assert [[cell for cell in row if re.fullmatch(r"[\d,]+", cell)] for row in body] == numbers
        shown = [f"{cell:,}" for cell in section.total if cell is not None] if rows else []
        assert [cell for row in total for cell in row if re.fullmatch(r"[\d,]+", cell)] == shown
    banners = [each.text for each in found.all("p") if each.attributes.get("class") == "banner"]
    assert banners == [f"Mixed: {each}" for each in FOUND.mixed]


def test_totals_close_and_are_seen_to(pages):
    sums = [each for each in read(pages["an audit"]).all("ul") if each.attributes.get("class") == "sums"]
    assert [each.text.strip() for each in sums[0].all("li")] == [
        "✓ 13 rows = 12 checks + 0 registrations + 1 other",
        "✓ 12 checks = 7 allowed + 5 denied",
        "✓ 5 denials by reason = 5 of checks + 0 of registrations",
    ]


def test_a_total_that_does_not_close_is_told_in_words_and_not_by_colour_alone():
    found = read(page.html(Page(title="x", facts=(), sums=(Sum((3, "rows"), ((1, "a"), (1, "b"))),))))
    (told,) = [each.text.strip() for each in found.all("li") if each.attributes.get("class") == "bad"]
    assert told == "✗ 3 rows are not 1 a + 1 b"


def test_coverage_is_a_matrix_of_rules_and_codes_with_signs_beside_colours(pages):
    body, _ = rows_of(read(pages["an audit"]), "coverage-1")
    assert body == [["few", "TOO_MANY", "deny", "✓ 2", "✗ 0", "0", "0", "0", "0", printable(HOSTILE)]]


def test_only_what_is_wanted_is_on_the_page():
    found = audit_page.page(FOUND, ("tiers", "denials"))
    assert [table.id for table in found.tables] == ["tiers", "denials"]
    assert [chart.id for chart in found.charts] == ["by-reason", "by-tier"]


def test_the_chart_over_time_has_a_bar_for_each_period_quiet_ones_too():
    (chart,) = [each for each in audit_page.page(FOUND).charts if each.id == "over-time"]
    assert chart.labels == ("11-29 12:00", "11-29 13:00", "11-29 14:00")
    assert [(series.name, series.figures) for series in chart.series] == [("NO_MODEL", (1, 0, 4))]


def test_a_very_long_table_is_cut_and_its_total_is_not():
    rows, told = shown_rows([(text_cell("x"),)] * (MAX_ROWS + 1234))
    assert (len(rows), told) == (MAX_ROWS, "1,234 more rows are in the other formats; the total has them all")
    models = [ModelUse(model=f"m{at:05}", dispatches=1, agents=1, cost=1, computed=0) for at in range(MAX_ROWS + 1)]
    found = audit_page.page(Audit(ledger="x", models=tuple(models), dispatches=MAX_ROWS + 1), ("models",))
    (table,) = found.tables
    assert (len(table.rows), table.total[1].text, table.left_out != "") == (MAX_ROWS, "501", True)


@pytest.mark.parametrize(
    ("cell", "text", "kind"),
    [
        (text_cell(None), "(none)", ""),
        (text_cell("x" * 300), "x" * 300, "broken long"),
        (text_cell("x" * 301), "x" * 300 + "… (301 characters)", "broken long"),
        (number_cell(1234567), "1,234,567", "number"),
        (Cell("✗ 0", mark="bad", number=True), "✗ 0", "bad number"),
    ],
)
def test_a_cell_is_cut_marked_and_laid_out_by_what_is_in_it(cell, text, kind):
    assert (cell.text, cell.kind) == (text, kind)


# -- hostile text ------------------------------------------------------------------------------------------------------


def with_text(text):
    """A page that has a text in every place that can hold one."""
    table = Table(id="t", title=text, columns=(text,), rows=((text_cell(text),),), total=(Cell(text),), left_out=text)
    return Page(
        title=text,
        facts=((text, text),),
        banners=(text,),
        figures=(Figure(text, text, text),),
        sums=(Sum((1, text), ((1, text),)),),
        notes=(text,),
        tables=(table,),
        version=text,
    )


def tags(found):
    return [each.tag for each in found.all()]


PLAIN = tags(read(page.html(with_text("plain"))))
ODD = [
    "</script><script>x()</script>",
    "{{ 7 * 7 }}{% raw %}",
    "]]>",
    "<!--",
    "' onload='x",
    "\x00",
    "&lt;",
    "</title>",
]
texts = st.text(min_size=1, max_size=60) | st.sampled_from([HOSTILE, *ODD])


@examples(100)
@given(texts)
def test_no_text_is_more_than_text(text):
    found = read(page.html(with_text(text)))
    assert tags(found) == PLAIN
    words = "".join(each.words for each in found.all() if each.tag not in ("style", "script"))
    assert all(char.isprintable() or char == "\n" for char in words)
    assert next(found.all("title")).text == printable(text)
    assert all(each.text == printable(text) for each in found.all("h1", "dt", "th", "td"))


def test_hostile_rows_of_a_ledger_are_text_in_tables_and_charts():
    found = Audit(
        ledger=HOSTILE,
        rows=2,
        checks=2,
        models=(ModelUse(model=HOSTILE, dispatches=1, agents=1, cost=1, computed=0),),
        overrides=(OverrideUse(model=HOSTILE, reason=HOSTILE, dispatches=1),),
        denials=(Denials(stage="check", code=HOSTILE, rule=HOSTILE, count=1, last_seen=9e11, example=HOSTILE),),
    )
    tree = read(page.html(audit_page.page(found)))
    assert [each.tag for each in tree.all("script", "img")] == ["script"]
    assert rows_of(tree, "overrides")[0] == [[printable(HOSTILE), printable(HOSTILE), "1"]]
