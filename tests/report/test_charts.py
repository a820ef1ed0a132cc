"""Charts: elements of a page that hold figures and names, and nothing that is more than that."""

import json
import os
import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest

from gatewright.report.charts import ALLOWED, DENIED, SERIES, Bars, Series, short, stacked, svg

pytest.importorskip("matplotlib")

HOSTILE = "a|b\n\x1b[31m<img src=x>\u202e ]]>\x00 $\\frac$ &amp; \"'"
STANDING = Bars(
    id="over-time",
    title="Denials over time",
    labels=("11-29", "11-30", "12-01"),
    series=(Series("NO_MODEL", (3, 0, 1), SERIES[0]), Series(HOSTILE, (0, 2, 0), SERIES[1])),
)
LYING = Bars(
    id="by-tier",
    title=HOSTILE,
    labels=("top", HOSTILE, "x" * 500, ""),
    series=(Series("allowed", (1200, 3, 0, 4), ALLOWED), Series("denied", (0, 0, 1, 0), DENIED)),
    lying=True,
)
SVG = "{http://www.w3.org/2000/svg}"
charts = pytest.mark.parametrize("chart", [STANDING, LYING], ids=lambda chart: chart.id)


@charts
def test_a_chart_is_one_element_of_a_page_with_a_name_for_who_cannot_see(chart):
    top = ET.fromstring(svg(chart))
    assert (top.tag, top.attrib["role"]) == (f"{SVG}svg", "img")
    assert top.attrib["aria-label"].isprintable()
    assert top.attrib["aria-label"]


@charts
def test_a_chart_loads_nothing_styles_nothing_else_and_runs_nothing(chart):
    top = ET.fromstring(svg(chart))
    tags = {each.tag.removeprefix(SVG) for each in top.iter()}
    assert tags <= {"svg", "g", "path", "defs", "use", "text", "clipPath", "rect", "tspan"}
    for each in top.iter():
        assert not any(name.startswith("on") for name in each.attrib)
        for name, value in each.attrib.items():
            assert not name.endswith("href") or value.startswith(f"#{chart.id}-")
            assert "url(" not in value or f"url(#{chart.id}-" in value


@charts
def test_the_names_in_a_chart_are_its_own_and_each_link_leads_to_one(chart):
    top = ET.fromstring(svg(chart))
    names = [each.attrib["id"] for each in top.iter() if "id" in each.attrib]
    links = {value.lstrip("#") for each in top.iter() for name, value in each.attrib.items() if name.endswith("href")}
    assert len(names) == len(set(names))
    assert all(name.startswith(f"{chart.id}-") for name in names)
    assert links <= set(names)


@charts
def test_every_colour_is_one_of_the_page(chart):
    text = svg(chart)
    assert "#0a0" not in text
    styles = [each.attrib["style"] for each in ET.fromstring(text).iter() if "style" in each.attrib]
    found = {part for style in styles for part in style.split(";") if part.strip().startswith(("fill:", "stroke:"))}
    assert {part.split(":")[1].strip() for part in found} <= {
        "none",
        *(f"var(--{name})" for name in ("ink", "line", "allowed", "denied", "series-1", "series-2")),
    }


def test_names_are_letters_cut_where_they_are_long_and_escaped_where_they_hide():
    words = [each.text or "" for each in ET.fromstring(svg(LYING)).iter(f"{SVG}text")]
    assert "top" in words
    assert f"{'x' * 25}…" in words
    assert any(word.startswith("a|b\\x0a\\x1b[31m<img src") for word in words)
    assert all(word.isprintable() for word in words)
    assert "1.2k" in words


_SCRIPT = """
import json, sys
from gatewright.report.charts import Bars, Series, svg
given = json.loads(sys.argv[1])
series = tuple(Series(name, tuple(figures), colour) for name, figures, colour in given["series"])
sys.stdout.buffer.write(svg(Bars(id="a", title="b", labels=tuple(given["labels"]), series=series)).encode())
"""


def test_the_same_figures_are_the_same_bytes_whatever_the_process_and_the_settings_beside_it(tmp_path):
    given = json.dumps({"labels": ["x", "y"], "series": [["one", [1, 2], SERIES[0]], ["two", [3, 0], SERIES[1]]]})
    (tmp_path / "matplotlibrc").write_text("axes.facecolor: red\nfont.size: 30\nsvg.fonttype: path\n")
    found = set()
    for seed, folder in (("1", tmp_path), ("2", os.path.dirname(tmp_path))):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-W", "error", "-c", _SCRIPT, given]
        run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
        assert run.stderr == b""
        found.add(run.stdout)
    assert len(found) == 1


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (1000, "1k"), (12_540, "12.5k"), (999_400, "999k"), (999_600, "1M"), (2**40, "1.1T")],
)
def test_a_number_of_an_axis_has_three_digits(number, text):
    assert short(number) == text


def test_series_are_ranked_and_those_without_a_colour_added_up():
    names = [f"c{number}" for number in range(9)]
    figures = [[number, 1] for number in range(9)]
    found = stacked(names, figures)
    assert [each.name for each in found] == ["c8", "c7", "c6", "c5", "c4", "c3", "others"]
    assert found[-1].figures == (0 + 1 + 2, 3)
    assert [sum(each) for each in zip(*(series.figures for series in found), strict=True)] == [36, 9]
    assert len({each.colour for each in found}) == 7


@pytest.mark.parametrize(("figures", "empty"), [((0, 0), True), ((), True), ((0, 1), False)])
def test_a_chart_without_figures_is_empty(figures, empty):
    assert Bars(id="a", title="b", labels=("x", "y"), series=(Series("s", figures, DENIED),)).empty is empty
