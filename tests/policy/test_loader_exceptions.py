"""Exceptions and freeze: what they must say, and what is no exception."""

import datetime as dt

import pytest
from tests.runner.gates import HEAD, policy_of
from tests.runner.mistakes import mistakes_of, only_mistake

from gatewright.policy import keys

RULES = HEAD + "rules:\n  - {id: many, deny: agents > 8}\n"
EXCEPTION = {"id": "pilot", "code": "MANY", "until": "2026-12-31", "reason": "r", "owner": "o"}


def written(**changed):
    """The policy with one exception, in flow style on line 7; None leaves a key out."""
    pairs = {**EXCEPTION, **changed}
    inner = ", ".join(f"{key}: {value}" for key, value in pairs.items() if value is not None)
    return f"{RULES}exceptions:\n  - {{{inner}}}\n"


def test_an_exception_has_an_id_a_code_a_last_day_a_reason_and_an_owner():
    (found,) = policy_of(written().removeprefix(HEAD)).exceptions
    assert (found.id, found.code, found.until) == ("pilot", "MANY", dt.date(2026, 12, 31))
    assert (found.reason, found.owner, found.when) == ("r", "o", None)


@pytest.mark.parametrize("key", [name for name, key in keys.EXCEPTION.items() if key.required])
def test_each_part_of_an_exception_is_necessary(key):
    found = only_mistake(written(**{key: None}))
    assert (str(found.place), found.path) == ("p.yaml:7:5", "exceptions[0]")
    assert f"`{key}`" in found.message


@pytest.mark.parametrize("key", keys.EXCEPTION)
def test_each_part_that_is_misspelt_is_refused_and_the_right_one_is_named(key):
    wrong = key[:-1] + key[-1] * 2
    found = only_mistake(written(**{key: None, wrong: "agents > 9" if key == "when" else EXCEPTION[key]}))
    assert f"`{wrong}`" in found.message
    assert f"`{key}`" in found.hint


def test_an_exception_about_a_rule_that_has_a_mistake_itself_is_told_of_no_other():
    assert mistakes_of(written().replace("agents > 8", "agnts > 8")) == ["5:22 rules[0].deny"]


@pytest.mark.parametrize("key", ["expires", "ticket", "level", "override", "codes", "rule"])
def test_a_part_that_no_exception_has_is_refused(key):
    assert [each.split()[1] for each in mistakes_of(written(**{key: "x"}))] == ["exceptions[0]"]


@pytest.mark.parametrize("key", ["id", "code", "reason", "owner"])
@pytest.mark.parametrize("value", ["5", "''", "' '", "[a]", "null", "true"])
def test_each_part_is_a_text_that_is_not_blank(key, value):
    assert [each.split()[1] for each in mistakes_of(written(**{key: value}))] == [f"exceptions[0].{key}"]


@pytest.mark.parametrize("name", ["Pilot", "a b", "-a", "1"])
def test_the_id_of_an_exception_is_a_name(name):
    assert [each.split()[1] for each in mistakes_of(written(id=name))] == ["exceptions[0].id"]


NO_DAYS = [
    *("2026-02-30", "2026-13-01", "2025-02-29", "2026-1-1", "26-01-01", "20261231", "0000-01-01", "２０２６-12-31"),
    *("tomorrow", "never", "2026-12-31T00:00:00Z", "'2026-12-31 '", "' 2026-12-31'", "2026/12/31", "31-12-2026"),
]


@pytest.mark.parametrize("day", NO_DAYS)
def test_the_last_day_is_a_day_that_exists(day):
    assert [each.split()[1] for each in mistakes_of(written(until=day))] == ["exceptions[0].until"]


@pytest.mark.parametrize("day", ["2026-12-31", '"2026-12-31"', "2024-02-29", "0001-01-01", "9999-12-31"])
def test_a_day_may_be_quoted_and_may_be_any_day(day):
    assert mistakes_of(written(until=day)) == []


@pytest.mark.parametrize("code", ["MANYY", "NO_MODEL", "many", "RULE_ERROR", "FACT_UNAVAILABLE", "EVAL_TYPE", "OK"])
def test_a_code_that_no_rule_of_the_policy_gives_is_refused(code):
    assert mistakes_of(written(code=code)) == ["7:23 exceptions[0].code"]


@pytest.mark.parametrize("code", ["RULE_ERROR", "FACT_UNAVAILABLE", "POLICY_FROZEN", "LEDGER_UNAVAILABLE"])
def test_a_code_of_the_engine_has_no_exceptions_even_if_a_rule_has_its_name(code):
    name = code.lower().replace("_", "-")
    text = f"{HEAD}rules:\n  - {{id: {name}, deny: agents > 8}}\nexceptions:\n  - {{{_pairs(code=code)}}}\n"
    assert mistakes_of(text) != []


def _pairs(**changed):
    return ", ".join(f"{key}: {value}" for key, value in {**EXCEPTION, **changed}.items())


def test_two_exceptions_of_one_id_are_refused_and_both_lines_are_named():
    text = written() + f"  - {{{_pairs()}}}\n"
    found = only_mistake(text)
    assert str(found.place) == "p.yaml:8:5"
    assert "line 7" in found.message


@pytest.mark.parametrize("when", ["agnts > 9", "agents", "agents > 'x'", "5", "true", "''", "[agents > 9]"])
def test_the_condition_of_an_exception_is_checked(when):
    assert [each.split()[1] for each in mistakes_of(written(when=when))] == ["exceptions[0].when"]


@pytest.mark.parametrize("value", ["", " {}", " 5", " text", " null"])
def test_exceptions_are_a_list(value):
    assert [each.split()[1] for each in mistakes_of(f"{RULES}exceptions:{value}\n")] == ["exceptions"]


def test_no_exception_at_all_is_no_mistake():
    assert mistakes_of(f"{RULES}exceptions: []\n") == []


def test_a_locked_rule_has_no_exceptions():
    text = written().replace("deny: agents > 8", "deny: agents > 8, locked: true")
    assert mistakes_of(text) == ["7:23 exceptions[0].code"]


def test_a_code_that_an_unlocked_rule_gives_too_may_have_an_exception():
    text = written().replace(
        "{id: many, deny: agents > 8}",
        "{id: many, deny: agents > 8, locked: true}\n  - {id: b, deny: agents > 9, code: BUDGET_EXCEEDED}",
    )
    assert mistakes_of(text.replace("code: MANY", "code: BUDGET_EXCEEDED")) == []


# -- freeze --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("freeze", "path"),
    [
        ("{until: 2026-12-01, reason: r}", "freeze.until"),
        ("{until: 2026-12-01T08:00:00, reason: r}", "freeze.until"),
        ("{until: tomorrow, reason: r}", "freeze.until"),
        ("{until: 5, reason: r}", "freeze.until"),
        ("{until: '', reason: r}", "freeze.until"),
        ("{until: 2026-12-01T08:00:00Z, reason: ''}", "freeze.reason"),
        ("{until: 2026-12-01T08:00:00Z, reason: 5}", "freeze.reason"),
        ("{until: 2026-12-01T08:00:00Z}", "freeze"),
        ("{reason: r}", "freeze"),
        ("{until: 2026-12-01T08:00:00Z, reason: r, unless: x}", "freeze"),
        ("{untl: 2026-12-01T08:00:00Z, reason: r}", "freeze"),
        ("true", "freeze"),
        ("[]", "freeze"),
        ("", "freeze"),
    ],
)
def test_a_freeze_has_a_time_with_a_zone_and_a_reason(freeze, path):
    assert [each.split()[1] for each in mistakes_of(f"{RULES}freeze: {freeze}\n")] == [path]


def test_a_freeze_loads():
    text = "rules:\n  - {id: a, deny: agents > 8}\nfreeze: {until: 2026-12-01T09:00:00+01:00, reason: r}\n"
    found = policy_of(text).freeze
    assert found is not None
    assert (found.until.text, found.reason) == ("2026-12-01T08:00:00Z", "r")
