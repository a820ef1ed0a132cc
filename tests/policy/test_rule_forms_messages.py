"""The code, message and hint of a rule that is an expression."""

import pytest
from tests.runner.gates import HEAD, gate_of, policy_of
from tests.runner.mistakes import mistakes_of, only_mistake

from gatewright.model.codes import ENGINE_CODES


def written(more, name="many"):
    return f"{HEAD}rules:\n  - id: {name}\n    deny: agents > 8\n    {more}\n"


def paths(more):
    return [each.split()[1] for each in mistakes_of(written(more))]


def message_of(text, **facts):
    gate = gate_of(written(f"message: {text}").removeprefix(HEAD))
    return gate.decide({"agents": 9, **facts}).findings[0].message


# -- codes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "code"), [("many", "MANY"), ("too-many", "TOO_MANY"), ("too_many-2", "TOO_MANY_2")])
def test_without_a_code_the_id_is_the_code_in_capitals(name, code):
    assert policy_of(written("hint: h", name).removeprefix(HEAD)).rules[0].code == code


@pytest.mark.parametrize("code", sorted(ENGINE_CODES))
def test_a_code_of_the_engine_is_given_by_no_rule(code):
    assert paths(f"code: {code}") == ["rules[0].code"]


@pytest.mark.parametrize("code", sorted(ENGINE_CODES))
def test_a_code_of_the_engine_is_given_by_no_id_either(code):
    assert mistakes_of(written("hint: h", code.lower().replace("_", "-"))) != []


def test_ok_is_no_reason_for_a_denial():
    assert paths("code: OK") == ["rules[0].code"]
    assert mistakes_of(written("hint: h", "ok")) != []


@pytest.mark.parametrize("code", ["NO_MODEL", "BUDGET_EXCEEDED"])
def test_a_known_code_may_be_given(code):
    assert paths(f"code: {code}") == []


def test_a_code_that_is_nearly_a_known_one_is_refused_and_that_one_is_named():
    found = only_mistake(written("code: NO_MODLE"))
    assert (str(found.place), "`NO_MODEL`" in found.hint) == ("p.yaml:7:11", True)


@pytest.mark.parametrize("code", ["late", "Late", "TOO-LATE", "5", "''", "[LATE]", "null"])
def test_a_code_is_in_capitals(code):
    assert paths(f"code: {code}") == ["rules[0].code"]


def test_a_code_without_a_meaning_loads_with_a_note():
    policy = policy_of(written("code: TOO_LATE_TODAY").removeprefix(HEAD))
    assert [each.check for each in policy.warnings] == ["code-without-meaning"]
    declared = written("code: TOO_LATE_TODAY").removeprefix(HEAD) + "codes: {TOO_LATE_TODAY: m}\n"
    assert policy_of(declared).warnings == ()


# -- messages ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("plain", "plain"),
        ("'{agents} agents'", "9 agents"),
        ("'{agents}{agents}'", "99"),
        ("'{{agents}}'", "{agents}"),
        ("'{{{agents}}}'", "{9}"),
        ("'100 % of {agents}'", "100 % of 9"),
        ("'%s {agents} %(agents)s'", "%s 9 %(agents)s"),
        ("'$agents {agents!}'", None),
        ("'{ agents }'", "9"),
        ("'{labels.team}'", "core"),
        ("'{window.cap}'", "8"),
        ("'{now.text}'", "2026-01-01T00:00:00Z"),
    ],
)
def test_a_message_holds_names_of_facts_in_braces(text, message):
    if message is None:
        assert paths(f"message: {text}") == ["rules[0].message"]
    else:
        facts = {"labels": {"team": "core"}, "window": {"used": 1, "cap": 8}, "now": "2026-01-01T00:00:00Z"}
        assert message_of(text, **facts) == message


@pytest.mark.parametrize(
    "text",
    [
        "'{agnts}'",
        "'{window.usd}'",
        "'{request.owner.name}'",
        "'{agents + 1}'",
        "'{len(runtime)}'",
        "'{known_roots[0]}'",
        "\"{labels['team']}\"",
        "'{5}'",
        "\"{'x'}\"",
        "'{}'",
        "'{ }'",
        "'{contract}'",
        "'{params}'",
        "'{agents:>5}'",
        "'{agents!r}'",
        "'{agents.__class__}'",
        "'{__builtins__}'",
        "'{'",
        "'}'",
        "'{agents'",
        "'agents}'",
        "'{{agents}'",
        "'{a{agents}}'",
        "'{\\x61gents}'",
    ],
)
def test_anything_else_in_braces_is_refused(text):
    assert set(paths(f"message: {text}")) == {"rules[0].message"}


@pytest.mark.parametrize("key", ["message", "hint"])
@pytest.mark.parametrize("value", ["", "''", "' '", "5", "true", "null", "[a]", "{a: b}"])
def test_message_and_hint_are_texts_that_are_not_blank(key, value):
    assert paths(f"{key}: {value}") == [f"rules[0].{key}"]


def test_a_hint_is_told_as_it_stands():
    gate = gate_of(written("hint: 'ask for {fewer} agents'").removeprefix(HEAD))
    assert gate.decide({"agents": 9}).findings[0].hint == "ask for {fewer} agents"


def test_every_mistake_of_a_message_is_told():
    found = mistakes_of(written("message: '{agnts} and {runtim} and {agents}'"))
    assert found == ["7:16 rules[0].message", "7:28 rules[0].message"]


@pytest.mark.parametrize(
    ("field", "at", "hint"),
    [
        ("{agents!r}", "!", "names only: `{agents}`"),
        ("{agents:>3}", ":", "names only: `{agents}`"),
        ("{labels.team | upper}", "|", "names only: `{labels.team}`"),
        ("{$agents}", "$", "names only: `{agents}`"),
        ("{}", "}", "names only"),
    ],
)
def test_a_format_of_another_language_is_no_name_of_a_fact(field, at, hint):
    text = written(f'message: "ask {field}"')
    found = only_mistake(text)
    assert text.splitlines()[found.place.line - 1][found.place.column - 1 :].startswith(at)
    assert (found.message, hint in found.hint) == (f"`{field}` is no name of a fact", True)


@pytest.mark.parametrize("key", ["message", "hint"])
@pytest.mark.parametrize(
    ("behind", "columns"), [("see #42", [14]), ("see # 42", []), ('"see #42"', []), ("see#42", [])]
)
def test_a_comment_that_cuts_a_text_and_begins_as_none_does_is_told(key, behind, columns):
    policy = policy_of(written(f"{key}: {behind}").removeprefix(HEAD))
    told = [each for each in policy.warnings if each.check == "comment-after-condition"]
    assert [each.place.column - len(key) + 3 for each in told] == columns
