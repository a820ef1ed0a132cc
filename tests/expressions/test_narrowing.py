"""Null is warned of where it would deny, and not where a guard in front keeps it out."""

import pytest
from tests.expressions.faults import marked

from gatewright.errors import Severity
from gatewright.expressions import checker, narrowing, parser
from gatewright.expressions.kinds import ANY, BOOLEAN, INTEGER, TEXT, Kind, Type
from gatewright.expressions.schema import Schema

NOTE = Type(Kind.TEXT, optional=True)
COUNT = Type(Kind.INTEGER, optional=True)
FLAG = Type(Kind.BOOLEAN, optional=True)
RECORD = Type(Kind.RECORD, optional=True, fields={"name": NOTE, "size": COUNT, "ready": BOOLEAN})
SCHEMA = Schema(
    names={
        "x": COUNT,
        "y": COUNT,
        "z": COUNT,
        "n": INTEGER,
        "note": NOTE,
        "flag": FLAG,
        "sure": BOOLEAN,
        "text": TEXT,
        "pool": Type(Kind.LIST, optional=True, of=TEXT),
        "notes": Type(Kind.LIST, of=NOTE),
        "labels": Type(Kind.MAP, optional=True, of=TEXT),
        "caps": Type(Kind.MAP, of=COUNT),
        "job": RECORD,
        "body": ANY,
    }
)


def warned(text, known=frozenset()):
    _, warnings = checker.checked(text, SCHEMA, known)
    assert {(warning.code, warning.severity) for warning in warnings} <= {("EXPR_NULL", Severity.WARNING)}
    return [marked(text, warning) for warning in warnings]


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("x > 1", ["x"]),
        ("1 < x", ["x"]),
        ("x < y", ["x", "y"]),
        ("x + 1 > n", ["x"]),
        ("-x < 1", ["x"]),
        ("flag", []),
        ("flag and sure", ["flag"]),
        ("sure or flag", ["flag"]),
        ("not flag", ["flag"]),
        ("len(note) > 1", ["note"]),
        ("lower(note) == text", ["note"]),
        ("starts_with(note, text)", ["note"]),
        ("contains(text, note)", ["note"]),
        ('matches(note, "^a")', ["note"]),
        ("text in pool", ["pool"]),
        ("text in labels", ["labels"]),
        ("labels.a == text", ["labels"]),
        ('labels["a"] == text', ["labels"]),
        ("labels[text] == text", ["labels"]),
        ("pool[0] == text", ["pool"]),
        ("pool[x] == text", ["pool", "x"]),
        ("caps[note] == 1", ["note"]),
        ("caps.a > 1", ["caps.a"]),
        ("notes[0] > text", ["notes[0]"]),
        ("job.ready", ["job"]),
        ("job.size > 1", ["job", "job.size"]),
        # equality, membership in literals and null itself take null as a value
        ("x == 1", []),
        ("note != text", []),
        ("note in pool", ["pool"]),
        ('note in ["a"]', []),
        ("x is null", []),
        ("x == null or y != null", []),
        ("null in [null]", []),
        ("has(job.size)", []),
        ("default(x, 1) > 1", []),
        ("default(x, null) > 1", ["default(x, null)"]),
        ("body > 1", []),
        ("body.x + 1 > body", []),
    ],
)
def test_what_may_be_null_is_warned_of_where_null_denies(text, paths):
    assert warned(text) == paths


@pytest.mark.parametrize(
    "text",
    [
        "x is not null and x > 1",
        "x is not None and x > 1",
        "x != null and x > 1",
        "x is null or x > 1",
        "x == null or x > 1",
        "not (x is null) and x > 1",
        "not (x == null or sure) and x > 1",
        "has(x) and x > 1",
        "not has(x) or x > 1",
        "x == 1 and x > 0",
        "x != 1 or x > 0",
        "x in [1, 2] and x > 0",
        "x not in [1, 2] or x > 0",
        "has(job.size) and job.size > 1",
        "has(job.size) and job.ready",
        'has(job["size"]) and job["size"] > 1',
        "job is not null and job.ready",
        "has(caps.a) and caps.a > 1",
        "has(caps[text]) and caps[text] > 1",
        "has(caps[ text ]) and caps[text] > 1",
        "has(notes[0]) and notes[0] > text",
        "has(labels) and text in labels",
        "sure and has(x) and x > 1",
        "has(x) and (sure or x > 1)",
        "has(x) and has(y) and x < y",
        "flag is not null and flag",
        "flag == true and not flag",
        "(has(x) and has(y)) and x + y > 1",
        "not (x is null or y is null) and x < y",
        "x is null or y is null or x < y",
    ],
)
def test_a_guard_in_front_silences_the_warning(text):
    assert warned(text) == []


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("x is null and x > 1", ["x"]),
        ("x is not null or x > 1", ["x"]),
        ("has(x) or x > 1", ["x"]),
        ("not has(x) and x > 1", ["x"]),
        ("x > 1 and has(x)", ["x"]),
        ("(has(x) or has(y)) and x > 1", ["x"]),
        ("not (has(x) and has(y)) and x > 1", ["x"]),
        ("x != 1 and x > 0", ["x"]),
        ("x == 1 or x > 0", ["x"]),
        ("x == y and x > 0", ["x"]),
        ("x in [1, null] and x > 0", ["x"]),
        ("x not in [1, 2] and x > 0", ["x"]),
        ("note in pool and note > text", ["pool", "note"]),
        ("has(job) and job.size > 1", ["job.size"]),
        ("has(caps.a) and caps.b > 1", ["caps.b"]),
        ("has(y) and x > 1", ["x"]),
    ],
)
def test_what_does_not_guard_silences_nothing(text, paths):
    assert warned(text) == paths


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("x > 1 and x < 9", ["x"]),
        ("x > 1 or x < 0", ["x"]),
        ("x < y and x + y > 1", ["x", "y"]),
    ],
)
def test_an_ordering_that_was_answered_has_met_no_null(text, paths):
    assert warned(text) == paths


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("not (1 < n < y) and y > 2", ["y", "y"]),
        ("1 < n < y or y > 2", ["y", "y"]),
        ("1 < n < y or n < 2 or y > 3", ["y", "y"]),
    ],
)
def test_a_chain_that_was_false_may_have_stopped_before_its_end(text, paths):
    assert warned(text) == paths


def test_a_middle_operand_is_warned_of_once():
    assert warned("1 < x < 9") == ["x"]


def test_paths_known_from_a_when_in_front_are_not_warned_of():
    known = narrowing.not_null(parser.parse("has(job.size)"), "has(job.size)", truth=True)
    assert known == {"job", "job.size"}
    assert warned("job.size > 1 and x > 1", known) == ["x"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("x", "x"),
        ("a . b", "a.b"),
        ('a["b"] [ 0 ]', 'a["b"][0]'),
        ("a[b.c]", "a[b.c]"),
        ("lower(a).b", None),
        ("lower(a)[0]", None),
        ("1", None),
        ("a + b", None),
    ],
)
def test_a_path_has_one_spelling(text, key):
    assert narrowing.key(parser.parse(text), text) == key


@pytest.mark.parametrize(
    "text", ["1", "x", "lower(x)", "x + 1", "1 is not null", "lower(x) != null", '"a" in x', "x in x"]
)
def test_what_tells_nothing_about_null_tells_nothing(text):
    assert narrowing.not_null(parser.parse(text), text, truth=True) == frozenset()


def test_the_hint_names_the_guard_and_the_default():
    _, (warning,) = checker.checked("x > 1", SCHEMA)
    assert "`x is not None and …`" in warning.hint
    assert "`default(x, …)`" in warning.hint
