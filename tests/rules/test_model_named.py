"""Model named: a worker starts on a model that somebody chose."""

import pytest
from tests.rules.calls import DENY, codes_of, fires, levels_of

from gatewright.model import NO_MODEL
from gatewright_rules import model_named

#: Every character that Python's `str.strip` takes off.
BLANKS = [chr(code) for code in range(0x3001) if chr(code).isspace()]


@pytest.mark.acceptance("C05")
@pytest.mark.parametrize("model", [None, "", " ", "  ", "\t", "\n", " \r\n\t "])
def test_a_missing_empty_or_blank_model_is_denied(model):
    assert levels_of(model_named, model=model) == [(NO_MODEL, DENY)]
    assert fires(model_named, model=model)


@pytest.mark.parametrize("blank", BLANKS, ids=ascii)
def test_every_white_space_is_blank_alone_and_repeated(blank):
    for model in (blank, blank * 3, f" {blank} "):
        assert codes_of(model_named, model=model) == [NO_MODEL]
        assert fires(model_named, model=model)


@pytest.mark.parametrize(
    "model", ["x", "0", "!", "~", "~~~", "gpt-5.3-codex", " gpt-5.5", "gpt-5.5\u3000", "모델", "x" * 1_000_000]
)
def test_a_model_with_one_visible_character_is_named(model):
    assert codes_of(model_named, model=model) == []


def test_it_answers_for_a_model_of_another_kind():
    assert model_named.owns == ("model",)
