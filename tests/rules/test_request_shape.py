"""Request shape: a request that contradicts itself is not judged any further."""

import pytest
from tests.rules.calls import DENY, codes_of, fires, levels_of
from tests.rules.test_model_named import BLANKS

from gatewright.model import INVALID_REQUEST
from gatewright_rules import request_shape

GOOD = {"runtime": "codex", "model": "gpt-5.3-codex", "agents": 1, "est_chars": 3000, "tier_override": None}
REFUSED = [(INVALID_REQUEST, DENY)]


def levels(**changed):
    found = levels_of(request_shape, **{**GOOD, **changed})
    assert fires(request_shape, **{**GOOD, **changed}) or not found, "the plain form would pass over it"
    return found


def codes(**changed):
    return codes_of(request_shape, **{**GOOD, **changed})


def test_a_request_that_can_be_meant_passes_and_is_not_asked():
    assert codes() == []
    assert not fires(request_shape, **GOOD)


# -- the model -----------------------------------------------------------------------------------------------------


@pytest.mark.acceptance("C06")
@pytest.mark.parametrize("model", [" gpt-5.5", "gpt-5.5 ", "\tgpt-5.5", "gpt-5.5\n", "\r\ngpt-5.5\r\n"])
def test_a_model_with_white_space_around_it_is_denied(model):
    assert levels(model=model) == REFUSED


@pytest.mark.parametrize("blank", BLANKS, ids=ascii)
def test_every_white_space_around_a_model_is_denied(blank):
    assert levels(model=f"gpt-5.5{blank}") == REFUSED
    assert levels(model=f"{blank}gpt-5.5") == REFUSED


@pytest.mark.parametrize("model", [None, "", " ", "\u3000"])
def test_a_missing_or_blank_model_is_left_to_the_rule_for_that(model):
    assert codes(model=model) == []


@pytest.mark.parametrize("model", ["gpt-5.6-sol xhigh", "a\u00a0b", "모델", "é", "x" * 1_000_000])
def test_a_model_with_odd_characters_inside_is_no_fault_of_its_shape(model):
    assert codes(model=model) == []


# -- the override --------------------------------------------------------------------------------------------------


@pytest.mark.acceptance("C15")
@pytest.mark.parametrize("text", ["", " ", "\t\n", *BLANKS], ids=ascii)
def test_an_override_that_is_blank_is_denied(text):
    assert levels(tier_override=text) == REFUSED


@pytest.mark.parametrize("text", [None, "x", "~", " pilot ", "시험", "x" * 1_000_000])
def test_an_override_with_a_reason_or_none_at_all_passes(text):
    assert codes(tier_override=text) == []


# -- the runtime ---------------------------------------------------------------------------------------------------


@pytest.mark.acceptance("C01")
@pytest.mark.parametrize("runtime", ["a", "0", "codex", "a-b_c", "a-", "a_", "a" * 32])
def test_a_runtime_that_is_a_name_passes(runtime):
    assert codes(runtime=runtime) == []
    assert not fires(request_shape, **{**GOOD, "runtime": runtime})


@pytest.mark.acceptance("C01")
@pytest.mark.parametrize(
    "runtime",
    [
        "",
        "Codex",
        "-x",
        "_x",
        "a" * 33,
        "a b",
        "codex\n",
        "\ncodex",
        "codex ",
        "../x",
        "a.b",
        "a/b",
        "codéx",
        "ｃodex",
        "codex\x00",
        "codex\u3000",
        "x" * 1000000,
    ],
    ids=lambda text: ascii(text[:40]),
)
def test_a_runtime_that_is_no_name_is_denied(runtime):
    assert levels(runtime=runtime) == REFUSED


# -- the counts ----------------------------------------------------------------------------------------------------


@pytest.mark.acceptance("C12")
@pytest.mark.parametrize(("size", "found"), [(None, []), (0, []), (1, []), (-1, REFUSED), (-(2**63), REFUSED)])
def test_a_size_is_at_least_0(size, found):
    assert levels(est_chars=size) == found


@pytest.mark.acceptance("C03")
@pytest.mark.parametrize(("agents", "found"), [(1, []), (2**63 - 1, []), (0, REFUSED), (-1, REFUSED)])
def test_a_request_starts_at_least_one_agent(agents, found):
    assert levels(agents=agents) == found


def test_every_fault_is_told():
    assert codes(runtime="Codex", model=" x", agents=0, est_chars=-1, tier_override=" ") == [INVALID_REQUEST] * 5


def test_it_answers_for_each_of_the_request_s_own_facts_that_is_of_another_kind():
    assert set(request_shape.owns) >= {"runtime", "agents", "est_chars", "tier_override"}
