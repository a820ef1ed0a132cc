"""Reason codes: each is explained, and what is said of it is fit to be read."""

import re

import pytest

from gatewright.model import codes
from gatewright.model.codes import ENGINE_CODES, OK
from gatewright.model.reasons import ALLOWED, REASONS, reason

NAMED = {name: value for name, value in vars(codes).items() if isinstance(value, str) and name.isupper()}


@pytest.mark.parametrize("name", sorted(NAMED))
def test_a_code_is_spelt_as_its_name(name):
    assert NAMED[name] == name


def test_every_code_is_explained_once_and_nothing_else_is():
    explained = [each.code for each in REASONS]
    assert len(explained) == len(set(explained))
    assert set(explained) == set(NAMED) - {OK}


def test_ok_is_no_reason_for_a_denial():
    assert OK not in ENGINE_CODES
    assert reason(OK) is ALLOWED
    assert ALLOWED not in REASONS


@pytest.mark.parametrize("each", REASONS, ids=lambda each: each.code)
def test_meaning_cause_and_action_are_clauses_without_a_full_stop(each):
    for text in (each.meaning, each.cause, each.action):
        assert re.fullmatch(r"[^\n]*[^\s.]", text)
        assert text == text.strip()
        assert not re.match(r"[A-Z][a-z]", text)


@pytest.mark.parametrize("each", REASONS, ids=lambda each: each.code)
def test_the_codes_of_the_engine_deny_at_every_stage_and_the_others_have_one(each):
    if each.code in ENGINE_CODES:
        assert (each.stages, each.level) == ((), "deny")
    else:
        assert each.stages
        assert each.level in ("deny", "warn", "note")


def test_the_reason_of_a_code_is_found_by_it_and_a_strange_code_has_none():
    found = reason("TIER_FANOUT_CAP")
    assert found is not None
    assert found.code == "TIER_FANOUT_CAP"
    assert reason("tier_fanout_cap") is None
