"""`gatewright eval`: an expression on facts, or a batch of them."""

import json

import pytest


@pytest.mark.parametrize(
    ("expression", "facts", "answer"),
    [
        ("agents > 8", {"agents": 9}, True),
        ("agents > 8", {"agents": 8}, False),
        ('labels.team == "x"', {"labels": {"team": "x"}}, True),
        ('default(labels.team, "none") == "none"', {"labels": {}}, True),
        ("has(labels.team)", {"labels": {}}, False),
        ('runtime in ["codex", "claude"]', {"runtime": "codex"}, True),
        ("model is None", {"model": None}, True),
    ],
)
def test_an_expression_is_true_or_false(place, expression, facts, answer):
    file = place.write("facts.json", json.dumps(facts))
    result = place.run("eval", expression, "--facts", file, "-f", "json")
    assert (result.code, result.json, result.stderr) == (0, {"result": answer}, "")


def test_people_get_the_answer_in_a_word(place):
    result = place.run("eval", "agents > 8", "--facts", place.write("facts.json", '{"agents": 9}'))
    assert (result.code, result.stdout) == (0, "true\n")


def test_facts_may_come_from_standard_input(place):
    assert place.run("eval", "agents > 8", "--facts", "-", stdin=b'{"agents": 9}').stdout == "true\n"


def test_an_answer_of_another_kind_is_taken_when_it_is_asked_for(place):
    words = ["agents + 1", "--facts", place.write("facts.json", '{"agents": 9}')]
    refused, taken = place.run("eval", *words, "--json"), place.run("eval", "--value", *words, "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "EXPR_KIND")
    assert (taken.code, taken.json) == (0, {"result": 10})


@pytest.mark.parametrize(
    ("expression", "facts", "code", "column"),
    [
        ("agents = 8", {"agents": 1}, "EXPR_SYNTAX", 8),
        ("agents > ", {"agents": 1}, "EXPR_SYNTAX", 10),
        ("agnets > 1", {"agents": 1}, "EXPR_NAME", 1),
        ('agents > "1"', {"agents": 1}, "EXPR_KIND", 1),
        ('1 < 2 or labels.team == "x"', {"labels": {}}, None, 0),
        ('agents > 1 and labels.team == "x"', {"agents": 2, "labels": {}}, "EVAL_UNDEFINED", 16),
        ("agents * agents > 1", {"agents": 9223372036854775807}, "EVAL_RANGE", 1),
        ("", {}, "EXPR_SYNTAX", 1),
        ("().__class__", {}, "EXPR_SYNTAX", 1),
    ],
)
def test_what_has_no_answer_says_why_and_where(place, expression, facts, code, column):
    file = place.write("facts.json", json.dumps(facts))
    result = place.run("eval", expression, "--facts", file, "-f", "json")
    if code is None:
        assert (result.code, result.json) == (0, {"result": True})
        return
    error = result.json["error"]
    assert (result.code, error["code"], error["line"]) == (1, code, 1)
    assert error.keys() == {"code", "line", "column", "message", "hint"}
    if expression != "().__class__":
        assert error["column"] == column


def test_people_get_a_caret_below_the_place(place):
    result = place.run("eval", "agents = 8", "--facts", place.write("facts.json", '{"agents": 1}'))
    assert result.stdout == "1:8: EXPR_SYNTAX: `=` does not compare (write `==`)\n    agents = 8\n           ^\n"
    assert result.code == 1


@pytest.mark.parametrize(
    "held",
    [
        b'{"agents": NaN}',
        b'{"agents": Infinity}',
        b'{"agents": 1e999}',
        b'{"agents": 99999999999999999999}',
        b'{"agents": 1, "agents": 9}',
        b'{"agents": "\xff"}',
        b"\xff\xfe{\x00}\x00",
        b"[1]",
        b"null",
        b"{",
        b"",
        b'{"a": ' + b"[" * 10_000 + b"]" * 10_000 + b"}",
    ],
)
def test_facts_that_are_no_plain_data_are_refused(place, held):
    result = place.run("eval", "agents > 8", "--facts", place.write("facts.json", held), "-f", "json")
    assert (result.code, result.json["error"]["code"]) == (1, "REQUEST_REFUSED")


def test_half_a_character_in_a_fact_is_compared_and_shown_as_an_escape(place):
    facts = place.write("facts.json", '{"runtime": "\\ud800"}')
    assert place.run("eval", 'runtime == "x"', "--facts", facts).stdout == "false\n"
    assert "\\ud800" in place.run("eval", "--value", "runtime", "--facts", facts).stdout
    assert place.run("eval", "--value", "runtime", "--facts", facts, "--json").json == {"result": "\ud800"}


BATCH = """\
{"expr": "agents > 8", "context": {"agents": 9}}
{"expr": "agents > 8", "context": {"agents": 1}}
{"expr": "agents > ", "context": {"agents": 1}}
{"expr": "agents > 8", "context": {"agents": NaN}}
{"expr": 5}
nonsense
{"expr": "x in many", "context": {"x": 1, "many": [1]}}
"""


@pytest.mark.parametrize("source", ["file", "stdin"])
def test_a_batch_answers_line_by_line(place, source):
    if source == "file":
        result = place.run("eval", "--batch", place.write("rows.jsonl", BATCH))
    else:
        result = place.run("eval", "--batch", "-", stdin=BATCH.encode())
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row.get("result", row.get("error", {}).get("code")) for row in rows] == [
        True,
        False,
        "EXPR_SYNTAX",
        "REQUEST_REFUSED",
        "REQUEST_REFUSED",
        "REQUEST_REFUSED",
        True,
    ]
    for row in rows:
        assert row.keys() in ({"result"}, {"error"})
        assert row.get("error", {}).keys() in (set(), {"code", "line", "column", "message", "hint"})
    assert (result.code, result.stderr) == (1, "")


def test_a_batch_without_a_fault_is_green(place):
    assert place.run("eval", "--batch", "-", stdin=BATCH.splitlines()[0].encode()).code == 0


def test_a_batch_without_a_line_is_never_green(place):
    assert place.run("eval", "--batch", place.write("rows.jsonl", "")).code == 5


@pytest.mark.parametrize("more", [["--facts", "facts.json"], ["-f", "json:out.json"]])
def test_an_option_that_a_batch_does_not_heed_is_a_wrong_call(place, more):
    place.write("facts.json", "{}")
    result = place.run("eval", "--batch", place.write("rows.jsonl", BATCH), *more)
    assert (result.code, result.stdout) == (64, "")


@pytest.mark.parametrize("option", ["--facts", "--batch"])
def test_a_file_that_cannot_be_read_is_a_wrong_call(place, option):
    words = ["true"] if option == "--facts" else []
    for name in ("missing", "."):
        result = place.run("eval", *words, option, name)
        assert (result.code, result.stdout) == (64, "")
        assert name in result.stderr
