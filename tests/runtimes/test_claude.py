"""Claude Code: one answer in a file in JSON that is full of other things."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewright.runtimes.pretrust.claude import distrust, trust
from gatewright.runtimes.pretrust.homes import find
from gatewright.runtimes.pretrust.outcomes import Status, TrustError

ACCEPTED = "hasTrustDialogAccepted"
LAYOUTS = (
    "{}",
    "{ }\n",
    "{\n}\n",
    '{"a":1}',
    '{"a": 1, "b": [1, {"c": "}"}]}\n',
    '{\n  "numStartups": 3,\n  "tipsHistory": {}\n}\n',
    '{\r\n\t"a": 1.0,\r\n\t"b": 1e400\r\n}\r\n',
    '{"projects":{}}',
    '{"projects": {\n  }\n}',
    '{"projects":{"/q":{"hasTrustDialogAccepted":true}},"z":1}',
    '{\n  "projects": {\n    "/q": {\n      "hasTrustDialogAccepted": false\n    }\n  },\n  "last": null\n}\n',
    '{"projects": {"/p": {}}}',
    '{"projects": {"/p": {"allowedTools": [], "mcpServers": {}}, "/q": {}}}',
    '{"projects":{"/p":{"hasTrustDialogAccepted":false}}}',
    '{\n "projects": {\n  "\\u002fp": {\n   "hasTrustDialogAccepted": false,\n   "x": 12345678901234567\n  }\n }\n}\n',
    '{"projects":{"/p":{"a":"\\"}{","hasTrustDialogAccepted" : false , "b":2}}}',
)


def answered(text, key):
    document = json.loads(text)
    entry = document.setdefault("projects", {}).setdefault(key, {})
    entry[ACCEPTED] = True
    return document


@pytest.mark.acceptance("B15", "B19")
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "byte order mark"])
@pytest.mark.parametrize("text", LAYOUTS)
def test_only_the_answer_differs_afterwards_and_is_taken_out_to_the_byte(text, mark):
    before = (mark + text).encode()
    edit = trust(before, "/p", ".claude.json")
    assert json.loads(edit.after.decode("utf-8-sig")) == answered(text, "/p")
    assert trust(edit.after, "/p", ".claude.json").status is Status.ALREADY
    assert distrust(edit.after, "/p", ".claude.json").after == before


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
_entries = st.dictionaries(
    st.sampled_from(["/p", "/q", '/"', "/é"]),
    st.dictionaries(st.text(max_size=4), _json, max_size=3)
    | st.fixed_dictionaries({ACCEPTED: st.just(False), "x": _json}),
    max_size=3,
)


@pytest.mark.acceptance("B15", "B20")
@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(st.text(max_size=4), _json, max_size=3),
    st.none() | _entries,
    st.sampled_from([None, 0, 2, "\t"]),
    st.booleans(),
    st.sampled_from(["", "\n"]),
)
def test_any_file_keeps_all_else_and_comes_back_to_the_byte(others, entries, indent, ascii_only, end):
    document = others if entries is None else {**others, "projects": entries}
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_only) + end
    before = text.encode("utf-8", "surrogatepass")
    try:
        edit = trust(before, "/p", ".claude.json")
    except TrustError:
        assert "projects" in others or not text.isascii()
        return
    assert json.loads(edit.after) == answered(text, "/p")
    assert distrust(edit.after, "/p", ".claude.json").after == before


@pytest.mark.acceptance("B12")
@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "it is not valid JSON: expecting value (at line 1, column 1)"),
        (b'{"a": 1,}', "it is not valid JSON: "),
        (b"[]", "it holds no JSON object"),
        (b'{"a": NaN}', "it is not valid JSON: `NaN` is no value"),
        (b'{"a": "\xff"}', "it is no text in UTF-8"),
        (b'{"a": {"x": 1, "x": 2}}', 'it says "x" twice in one object'),
        (b'{"projects": {"/p": {}, "\\u002fp": {}}}', 'it says "/p" twice in one object'),
        (b'{"projects": []}', "`projects` is no object"),
        (b'{"projects": {"/p": true}}', "the entry of `/p` is no object"),
        (b'{"projects": {"/p": {"hasTrustDialogAccepted": "yes"}}}', "`hasTrustDialogAccepted` of `/p` is neither"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "it is nested too deep"),
    ],
)
def test_what_is_damaged_or_says_something_else_is_refused(data, problem):
    with pytest.raises(TrustError) as refused:
        trust(data, "/p", ".claude.json")
    assert refused.value.problem.startswith(problem)


@pytest.mark.acceptance("B19")
def test_the_file_is_made_where_there_is_none_and_removed_again(desk):
    assert desk.statuses("claude") == ["added"]
    file = desk.home / ".claude.json"
    assert json.loads(file.read_text()) == {"projects": {str(desk.worktree): {ACCEPTED: True}}}
    assert file.stat().st_mode & 0o777 == 0o600
    assert desk.statuses("claude") == ["already-trusted"]
    assert desk.statuses("claude", revoke=True) == ["revoked"]
    assert not file.exists()
    assert desk.statuses("claude", revoke=True) == ["not-there"]


def test_an_answer_that_somebody_gave_is_taken_back_to_what_is_there_before_anybody_answers():
    before = b'{"projects": {"/p": {"hasTrustDialogAccepted": true, "x": 1}}}'
    assert distrust(before, "/p", ".claude.json").after == before.replace(b"true", b"false")


def test_a_large_file_is_changed_in_one_place():
    history = json.dumps({"projects": {f"/{number}": {"history": ["x" * 500]} for number in range(4000)}}).encode()
    edit = trust(history, "/p", ".claude.json")
    assert edit.after.replace(b',"/p": { "hasTrustDialogAccepted": true }', b"") == history


def test_a_variable_moves_the_file():
    assert find({"HOME": "/h", "CLAUDE_CONFIG_DIR": "/c"}).claude_config == "/c"
    assert find({"HOME": "/h"}).claude_config is None
