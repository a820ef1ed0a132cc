"""Fixture files are read as strictly as policies: a case that could not fail is a mistake."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.runner.gates import BUILT_IN

from gatewright.errors import PolicyError
from gatewright.trials import fixtures
from gatewright.trials.fixtures import Expectation, LedgerRow, load
from gatewright.trials.parts import duration

CODES, FACTS = frozenset(BUILT_IN.reasons), frozenset(BUILT_IN.facts)
HEAD = "policy: p.yaml\n"
ALLOWED = {"decision": "ALLOW", "reason": "OK", "model": "m", "n_agents": 2}
CASE = "cases:\n  - {name: one, expect: allow}\n"


def read(text):
    return load(text.encode(), "f.yaml", CODES, FACTS)


def problems_of(text):
    try:
        read(text)
    except PolicyError as error:
        return error.problems
    return ()


def places(text):
    return [f"{each.place.line}:{each.place.column} {each.path}".rstrip() for each in problems_of(text)]


def paths(text):
    return [each.path for each in problems_of(text)]


def case_of(more, top=""):
    """The one case with these pairs."""
    (found,) = read(f"{HEAD}{top}cases:\n  - {{name: one, expect: allow, {more}}}\n").cases
    return found


def expectation(text):
    (found,) = read(f"{HEAD}cases:\n  - name: one\n    expect: {text}\n").cases
    return found.expect


# -- keys ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "text"), [("policy", CASE), ("cases", HEAD)])
def test_a_fixture_names_its_policy_and_has_cases(key, text):
    (found,) = problems_of(text)
    assert f"`{key}`" in found.message


@pytest.mark.parametrize("key", ["name", "expect"])
def test_a_case_has_a_name_and_an_expectation(key):
    pairs = {"name": "one", "expect": "allow"}
    del pairs[key]
    inner = ", ".join(f"{name}: {value}" for name, value in pairs.items())
    (found,) = problems_of(f"{HEAD}cases:\n  - {{{inner}}}\n")
    assert (found.path, f"`{key}`" in found.message) == ("cases[0]", True)


@pytest.mark.parametrize("key", fixtures.FILE)
def test_each_key_of_a_file_that_is_misspelt_is_refused_and_the_right_one_is_named(key):
    wrong = key[:-1] + key[-1] * 2
    text = HEAD + CASE if key in ("policy", "cases") else f"{HEAD}{CASE}{key}: x\n"
    (found,) = problems_of(text.replace(f"{key}:", f"{wrong}:", 1))
    assert f"`{wrong}`" in found.message
    assert f"`{key}`" in found.hint


@pytest.mark.parametrize("key", [name for name in fixtures.CASE if name not in ("name", "expect")])
def test_each_key_of_a_case_that_is_misspelt_is_refused_and_the_right_one_is_named(key):
    wrong = key[:-1] + key[-1] * 2
    (found,) = problems_of(f"{HEAD}cases:\n  - {{name: one, expect: allow, {wrong}: x}}\n")
    assert f"`{wrong}`" in found.message
    assert f"`{key}`" in found.hint


@pytest.mark.parametrize("value", ["", " []", " {}", " 5", " null"])
def test_a_file_without_cases_is_refused(value):
    assert paths(f"{HEAD}cases:{value}\n") != []
    assert set(paths(f"{HEAD}cases:{value}\n")) == {"cases"}


@pytest.mark.parametrize("value", ["5", "null", "text", "[a]"])
def test_a_case_is_a_map(value):
    assert paths(f"{HEAD}cases:\n  - {value}\n") == ["cases[0]"]


@pytest.mark.parametrize("value", ["", "5", "''", "[a]", "null"])
def test_the_name_of_a_case_is_a_text(value):
    assert "cases[0].name" in paths(f"{HEAD}cases:\n  - {{name: {value}, expect: allow}}\n")


def test_two_cases_of_one_name_are_refused_and_both_lines_are_named():
    text = f"{HEAD}{CASE}  - {{name: one, expect: allow}}\n"
    (found,) = problems_of(text)
    assert str(found.place) == "f.yaml:4:5"
    assert "line 3" in found.message


# -- marks ---------------------------------------------------------------------------------------------------------


def test_a_case_has_the_tags_of_its_file_and_its_own_each_once():
    found = case_of("tags: [b, c]", top="tags: [a, b]\n")
    assert (found.tags, found.skip, found.xfail) == (("a", "b", "c"), "", "")


@pytest.mark.parametrize(
    "tag", ["a b", "1a", "_a", "''", "a.b", "and", "not", "None", "skip", "xfail", "ü", "a:b", "5"]
)
def test_a_tag_is_a_word_that_can_be_asked_for(tag):
    assert paths(f"{HEAD}cases:\n  - {{name: one, expect: allow, tags: [{tag}]}}\n") == ["cases[0].tags[0]"]


@pytest.mark.parametrize("key", ["skip", "xfail"])
def test_a_mark_has_a_reason_in_words(key):
    assert getattr(case_of(f"{key}: not agreed yet"), key) == "not agreed yet"
    for value in ("true", "''", "' '", "null", "[a]"):
        assert paths(f"{HEAD}cases:\n  - {{name: one, expect: allow, {key}: {value}}}\n") == [f"cases[0].{key}"]


# -- facts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["defaults", "facts"])
def test_a_fact_that_does_not_exist_is_refused_and_the_nearest_is_named(where):
    (found,) = problems_of(f"{HEAD}{where}: {{agnts: 1}}\n{CASE}")
    assert (str(found.place), found.path) == (f"f.yaml:2:{len(where) + 4}", where)
    assert "`agents`" in found.hint


@pytest.mark.parametrize("where", ["request", "facts", "each"])
def test_a_fact_of_a_case_that_does_not_exist_is_refused_and_the_nearest_is_named(where):
    value = "[1]" if where == "each" else "1"
    (found,) = problems_of(f"{HEAD}cases:\n  - {{name: one, expect: allow, {where}: {{agnts: {value}}}}}\n")
    assert found.path == f"cases[0].{where}"
    assert "`agents`" in found.hint


@pytest.mark.parametrize("where", ["request", "facts", "each", "params"])
@pytest.mark.parametrize("value", ["", "5", "text", "[]", "null"])
def test_request_facts_each_and_params_are_maps(where, value):
    assert set(paths(f"{HEAD}cases:\n  - {{name: one, expect: allow, {where}: {value}}}\n")) == {f"cases[0].{where}"}


@pytest.mark.parametrize("key", ["contract", "tiers", "now"])
@pytest.mark.parametrize("value", ["", "5", "[a]", "null", "''"])
def test_contract_tiers_and_now_are_texts(key, value):
    assert set(paths(f"{HEAD}cases:\n  - {{name: one, expect: allow, {key}: {value}}}\n")) == {f"cases[0].{key}"}


@pytest.mark.parametrize("value", ["", "5", "/home/ann", "[5]", "[null]", "null"])
def test_known_roots_are_a_list_of_texts(value):
    assert paths(f"{HEAD}cases:\n  - {{name: one, expect: allow, known_roots: {value}}}\n") != []


def test_a_case_goes_on_top_of_the_defaults():
    found = case_of("request: {agents: 2}", "defaults: {agents: 1, runtime: codex}\n")
    assert found.request == {"agents": 2, "runtime": "codex"}


@pytest.mark.parametrize("key", ["contract", "tiers"])
def test_what_a_case_says_goes_before_what_the_file_says(key):
    assert getattr(case_of(f"{key}: own", f"{key}: all\n"), key) == "own"
    assert getattr(case_of("request: {}", f"{key}: all\n"), key) == "all"


def test_params_and_facts_of_a_case_go_on_top_of_those_of_the_file():
    top = "params: {a: 1, b: 2}\nfacts: {agents: 1, runtime: codex}\n"
    found = case_of("params: {b: 3}, facts: {agents: 2}", top)
    assert (found.params, found.facts) == ({"a": 1, "b": 3}, {"agents": 2, "runtime": "codex"})


def test_what_a_case_does_not_say_does_not_come_from_outside():
    found = case_of("request: {}")
    assert (found.tiers, found.known_roots, found.ledger, found.params) == (None, (), (), {})
    assert found.now.text == "2026-01-01T00:00:00Z"
    assert found.contract.startswith("# Contract")


# -- each ----------------------------------------------------------------------------------------------------------


def test_each_makes_a_case_of_every_combination():
    text = f"{HEAD}cases:\n  - {{name: n, expect: allow, each: {{agents: [1, 2], runtime: [a, b]}}}}\n"
    found = read(text).cases
    assert [each.request for each in found] == [
        {"agents": agents, "runtime": runtime} for agents in (1, 2) for runtime in ("a", "b")
    ]
    assert found[0].id == 'f.yaml::n[agents=1,runtime="a"]'


@pytest.mark.parametrize("value", ["{agents: []}", "{agents: 1}", "{agents: }", "{agents: {a: 1}}"])
def test_each_has_at_least_one_value_a_name(value):
    assert paths(f"{HEAD}cases:\n  - {{name: n, expect: allow, each: {value}}}\n") != []


def test_a_value_that_stands_twice_makes_one_name_twice_and_is_refused():
    assert paths(f"{HEAD}cases:\n  - {{name: n, expect: allow, each: {{agents: [1, 1]}}}}\n") == ["cases"]


# -- time and ledger -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("now", ["noon", "2026-11-29", "2026-11-29T12:00:00", "2026-13-01T00:00:00Z"])
def test_the_time_is_one_with_a_zone(now):
    assert paths(f"{HEAD}cases:\n  - {{name: n, expect: allow, now: '{now}'}}\n") == ["cases[0].now"]


@pytest.mark.parametrize(
    ("at", "before"),
    [
        ("-1s", 1),
        ("-23h", 82800),
        ("-23h59m59s", 86399),
        ("-1d", 86400),
        ("-1d1s", 86401),
        ("+5m", -300),
        ("-0s", 0),
        ("2025-12-31T23:59:00Z", 60),
        ("-1.5s", 1.5),
    ],
)
def test_a_row_of_the_ledger_stands_at_a_time_or_so_long_before_now(at, before):
    now = 1_767_225_600
    found = case_of(f"ledger: [{{at: {at}, model: m, agents: 2}}]")
    assert found.ledger == (LedgerRow({"ts": now - before, **ALLOWED}),)


@pytest.mark.parametrize("at", ["23h", "-", "+", "-23", "-1h1d", "-1 h", "- 1h", "-1x", "yesterday", "--1h", "-h"])
def test_a_row_of_the_ledger_at_no_time_is_refused(at):
    text = f"{HEAD}cases:\n  - name: n\n    expect: allow\n    ledger:\n      - {{at: '{at}', model: m, agents: 1}}\n"
    assert paths(text) == ["cases[0].ledger[0].at"]


@pytest.mark.parametrize(
    ("row", "path"),
    [
        ("{model: m, agents: 1}", ""),
        ("{at: -1h, agents: 1}", ""),
        ("{at: -1h, model: m}", ""),
        ("{at: -1h, model: m, agents: 1, tier: top}", ""),
        ("{at: -1h, model: m, agents: 0}", ".agents"),
        ("{at: -1h, model: m, agents: -1}", ".agents"),
        ("{at: -1h, model: m, agents: true}", ".agents"),
        ("{at: -1h, model: m, agents: 1.0}", ".agents"),
        ("{at: -1h, model: m, agents: '1'}", ".agents"),
        ("{at: -1h, model: '', agents: 1}", ".model"),
        ("{at: 5, model: m, agents: 1}", ".at"),
        ("5", ""),
        ("null", ""),
    ],
)
def test_each_part_of_a_row_is_held(row, path):
    text = f"{HEAD}cases:\n  - name: n\n    expect: allow\n    ledger: [{row}]\n"
    assert paths(text) == [f"cases[0].ledger[0]{path}"]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0s", 0), ("1d2h3m4s", 93_784), ("90m", 5400), ("1.25s", 1.25), ("", None), ("5", None), ("s", None)],
)
def test_a_span_is_days_hours_minutes_and_seconds(text, seconds):
    assert duration(text) == seconds


# -- expectations --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("allow", Expectation()),
        ("{allow: true}", Expectation()),
        ("{deny: [NO_MODEL]}", Expectation(deny=frozenset(["NO_MODEL"]))),
        ("{allow: false, deny: [NO_MODEL]}", Expectation(deny=frozenset(["NO_MODEL"]))),
        ("{allow: true, warn: [TIER_UNKNOWN_MODEL]}", Expectation(warn=frozenset(["TIER_UNKNOWN_MODEL"]))),
        ("{allow: true, overridden: [TIER_POLICY]}", Expectation(overridden=frozenset(["TIER_POLICY"]))),
        ("{allow: true, excepted: [TIER_POLICY]}", Expectation(excepted=frozenset(["TIER_POLICY"]))),
        ("{allow: true, note: []}", Expectation(note=frozenset())),
    ],
)
def test_an_expectation_is_allow_or_the_codes(text, expected):
    assert expectation(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "deny",
        "allowed",
        "Allow",
        "true",
        "5",
        "null",
        "[NO_MODEL]",
        "{}",
        "{warn: [TIER_UNKNOWN_MODEL]}",
        "{deny: []}",
        "{allow: true, deny: [NO_MODEL]}",
        "{allow: false}",
        "{allow: yes}",
        "{allow: false, warn: [NO_MODEL]}",
        "''",
        "{deny: NO_MODEL}",
        "{deny: [5]}",
        "{deny: [NO_MODLE]}",
        "{denny: [NO_MODEL]}",
        "{deny: [no_model]}",
        "{allow: 1}",
        "{allow: true, warn: [X]}",
        "{allow: true, overridden: [X]}",
        "{allow: true, excepted: [X]}",
        "{overridden: []}",
        "",
    ],
)
def test_an_expectation_that_says_too_little_too_much_or_nothing_known_is_refused(text):
    found = paths(f"{HEAD}cases:\n  - name: one\n    expect: {text}\n")
    assert found != []
    assert all(each.startswith("cases[0]") for each in found)


def test_a_code_that_does_not_exist_is_told_with_the_nearest():
    (found,) = problems_of(f"{HEAD}cases:\n  - name: one\n    expect: {{deny: [NO_MODLE]}}\n")
    assert found.path == "cases[0].expect.deny[0]"
    assert "`NO_MODEL`" in found.hint


def test_every_mistake_of_a_file_is_told_in_its_order():
    text = """\
polcy: p.yaml
defaults: {agnts: 1}
cases:
  - name: one
    request: {modle: x}
    expect: deny
  - name: two
    expect: {deny: [NO_MODLE]}
    ledger: [{at: yesterday, model: m, agents: 0}]
    now: noon
"""
    assert places(text) == [
        "1:1",
        "2:12 defaults",
        "5:15 cases[0].request",
        "6:13 cases[0].expect",
        "8:21 cases[1].expect.deny[0]",
        "9:19 cases[1].ledger[0].at",
        "9:48 cases[1].ledger[0].agents",
        "10:10 cases[1].now",
    ]


@given(st.binary(max_size=150))
@examples(100)
def test_whatever_the_bytes_are_nothing_but_a_policy_error_leaves_the_loader(data):
    with pytest.raises(PolicyError):
        load(data, "f.yaml", CODES, FACTS)
