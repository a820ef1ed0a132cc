"""Rules and facts that cannot be used are refused in a sentence that names plugin, rule and fault."""

from collections.abc import Mapping

import msgspec
import pytest
from tests.plugins.offers import catalog_of_offers

from gatewright.errors import PluginError
from gatewright.model import Contract, deny
from gatewright.model.codes import ENGINE_CODES
from gatewright.spec import collected, derived, given, rule


def sentence_of(make):
    """The sentence by which what `make` makes is refused, when it is made or when the catalog is built."""

    def both():
        made = make()
        catalog_of_offers(*(made if isinstance(made, tuple) else (made,)))

    with pytest.raises(PluginError) as caught:
        both()
    return str(caught.value)


def ruled(function, **said):
    function.__doc__ = said.pop("doc", "Deny what the test wants denied.")
    return rule(**{"codes": ["MINE"], **said})(function)


# -- signatures ----------------------------------------------------------------------------------------------------


def star(*facts: int): ...
def stars(**facts: int): ...
def bare(agents): ...
def half(agents: int, runtime): ...
def bare_option(agents: int, *, limit=5): ...
def default(agents: int = 5): ...
def unreadable(agents: "no_such_name"): ...  # noqa: F821  that is what is refused
def strange(agents: set[int]): ...
def stranger(agents: complex): ...
def strange_option(agents: int, *, limit: object = 5, other: bytes = b""): ...


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (star, "`*facts`"),
        (stars, "`*facts`"),
        (bare, "`agents`"),
        (half, "`runtime`"),
        (bare_option, "`limit`"),
        (default, "`agents`"),
        (unreadable, "no_such_name"),
        (strange, "`agents`"),
        (stranger, "`agents`"),
        (strange_option, "`other`"),
    ],
)
def test_a_signature_that_no_rule_can_have_is_refused(function, told):
    sentence = sentence_of(lambda: ruled(function))
    name = function.__name__.replace("_", "-")
    assert f"plugin `{__name__}`: rule `{name}`" in sentence
    assert told in sentence


def test_a_rule_may_ask_for_nothing_and_have_no_options():
    def nothing(): ...

    assert catalog_of_offers(ruled(nothing)).rules["nothing"].wants == ()


# -- facts that a rule asks for ------------------------------------------------------------------------------------


def typo(agnts: int): ...
def elsewhere(job_id: str): ...


@pytest.mark.parametrize(("function", "fact", "hint"), [(typo, "agnts", "`agents`"), (elsewhere, "job_id", "")])
def test_a_fact_that_nobody_offers_is_refused_and_the_nearest_is_named(function, fact, hint):
    sentence = sentence_of(lambda: ruled(function))
    assert f"plugin `mine`: rule `{function.__name__}`" in sentence
    assert f"`{fact}`" in sentence
    assert hint in sentence


def as_text(agents: str): ...
def as_flag(agents: bool): ...  # noqa: FBT001  a fact
def as_number(agents: float): ...
def as_list(labels: list[str]): ...
def as_map_of_numbers(labels: Mapping[str, int]): ...
def as_map(contract: Mapping[str, str]): ...
def as_other_noun(window: Contract): ...
def as_anything(agents: object): ...


@pytest.mark.parametrize(
    "function", [as_text, as_flag, as_number, as_list, as_map_of_numbers, as_map, as_other_noun, as_anything]
)
def test_a_fact_of_another_type_than_it_is_is_refused(function):
    sentence = sentence_of(lambda: ruled(function))
    assert f"plugin `mine`: rule `{function.__name__.replace('_', '-')}`" in sentence
    assert "`agents`" in sentence or "`labels`" in sentence or "`contract`" in sentence or "`window`" in sentence


def certain(model: str, est_chars: int): ...
def uncertain(agents: int | None): ...


@pytest.mark.parametrize("function", [certain, uncertain])
def test_whether_a_fact_may_be_null_is_the_rule_s_own_matter(function):
    assert function.__name__ in catalog_of_offers(ruled(function)).rules


def test_a_fact_of_another_stage_is_no_fact_of_this_one():
    job = given("job", str, "A job.", stages=("deliver",))

    def jobless(job: str): ...

    assert "stage `check`" in sentence_of(lambda: (ruled(jobless), job))
    assert "jobless" in catalog_of_offers(ruled(jobless, stage="deliver"), job).rules


# -- what a rule declares ------------------------------------------------------------------------------------------


def plain(agents: int): ...


@pytest.mark.parametrize("code", sorted(ENGINE_CODES))
def test_a_code_of_the_engine_is_refused(code):
    sentence = sentence_of(lambda: ruled(plain, codes=["MINE", code]))
    assert "plugin `mine`: rule `plain`" in sentence
    assert f"`{code}`" in sentence


@pytest.mark.parametrize("code", ["OK", "", " ", "late", "TOO LATE", "TOO-LATE", "É", 5, None])
def test_a_code_that_no_denial_can_have_is_refused(code):
    assert "rule `plain`" in sentence_of(lambda: ruled(plain, codes=[code]))


def test_codes_that_are_one_text_are_refused():
    assert "codes" in sentence_of(lambda: ruled(plain, codes="MINE"))


def test_a_rule_without_a_code_is_refused():
    assert "rule `plain`" in sentence_of(lambda: ruled(plain, codes=[]))


@pytest.mark.parametrize("doc", [None, "", "   ", "\n\n"])
def test_a_rule_without_a_docstring_is_refused(doc):
    sentence = sentence_of(lambda: ruled(plain, doc=doc))
    assert "plugin `mine`: rule `plain`" in sentence
    assert "docstring" in sentence


@pytest.mark.parametrize("stage", ["chek", "", "CHECK"])
def test_a_stage_that_does_not_exist_is_refused(stage):
    assert "rule `plain`" in sentence_of(lambda: ruled(plain, stage=stage))


def test_a_fact_that_a_rule_owns_and_nobody_offers_is_refused_and_the_nearest_is_named():
    sentence = sentence_of(lambda: ruled(plain, owns=["agnts"]))
    assert "plugin `mine`: rule `plain`" in sentence
    assert "`agents`" in sentence


def test_a_fact_that_a_rule_owns_and_does_not_ask_for_is_refused():
    assert "rule `plain`" in sentence_of(lambda: ruled(plain, owns=["runtime"]))


def like_a_fact(agents: int, *, runtime: str = "x"): ...
def like_params(agents: int, *, params: str = "x"): ...


@pytest.mark.parametrize(("function", "name"), [(like_a_fact, "runtime"), (like_params, "params")])
def test_an_option_that_has_the_name_of_a_fact_is_refused(function, name):
    sentence = sentence_of(lambda: ruled(function))
    assert f"plugin `mine`: rule `{function.__name__.replace('_', '-')}`" in sentence
    assert f"`{name}`" in sentence


def odd_default(agents: int, *, limit: int = "8"): ...  # type: ignore[assignment]  # that is what is refused


def test_an_option_whose_default_is_of_another_kind_is_refused():
    assert "rule `odd-default`" in sentence_of(lambda: ruled(odd_default))


@pytest.mark.parametrize(
    "fires",
    [
        *("", "agnts > 8", "runtime == 'x'", "agents", "agents + 1", "agents > 'x'", "agents = 8", "agents > 8 &&"),
        *("agents.x", "params.limit > 8", "now.epoch > 8", "limit > 8", "import os", "9 ** 9 > 1"),
    ],
)
def test_a_plain_form_that_is_no_condition_over_the_rule_s_own_facts_and_options_is_refused(fires):
    sentence = sentence_of(lambda: ruled(plain, fires=fires))
    assert "plugin `mine`: rule `plain`" in sentence
    assert "plain form" in sentence


def limited(agents: int, *, limit: int = 8): ...


def test_a_plain_form_over_facts_and_options_is_taken():
    assert catalog_of_offers(ruled(limited, fires="agents > limit")).rules["limited"].fires == "agents > limit"


# -- names that are taken ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["model-named", "dispatch-budget"])
def test_the_name_of_a_built_in_rule_is_taken(name):
    sentence = sentence_of(lambda: ruled(plain, id=name))
    assert f"plugin `mine`: rule `{name}`" in sentence
    assert "`gatewright_rules`" in sentence


def test_one_plugin_does_not_offer_two_rules_of_one_name():
    assert "rule `plain`" in sentence_of(lambda: (ruled(plain), ruled(limited, id="plain")))


@pytest.mark.parametrize("name", ["agents", "tier", "window", "params"])
def test_the_name_of_a_built_in_fact_is_taken(name):
    assert f"fact `{name}`" in sentence_of(lambda: given(name, int, "Another one.", stages=("check",)))


# -- facts ---------------------------------------------------------------------------------------------------------


def of_typo(agnts: int) -> int: ...
def of_wrong_type(agents: str) -> int: ...
def with_option(agents: int, *, limit: int = 5) -> int: ...
def with_default(agents: int = 5) -> int: ...
def with_star(*agents: int) -> int: ...
def without_annotation(agents) -> int: ...
def of_strange_type(agents: int) -> set[int]: ...


@pytest.mark.parametrize(
    "function", [of_typo, of_wrong_type, with_option, with_default, with_star, without_annotation, of_strange_type]
)
def test_a_derived_fact_that_cannot_be_made_is_refused(function):
    function.__doc__ = "A fact."
    assert f"fact `{function.__name__}`" in sentence_of(lambda: derived(stages=("check",))(function))


@pytest.mark.parametrize("annotation", [set[str], bytes, complex, type, "str"])
@pytest.mark.parametrize("make", [given, collected])
def test_a_fact_of_a_kind_that_the_language_does_not_have_is_refused(make, annotation):
    assert "fact `thing`" in sentence_of(lambda: make("thing", annotation, "A thing.", stages=("check",)))


def test_a_plugin_may_bring_a_noun_of_its_own():
    class Rack(msgspec.Struct, frozen=True, kw_only=True):
        """A rack."""

        slots: int

    rack = given("rack", Rack, "A rack.", stages=("check",))

    @rule(codes=["MINE"], fires="rack.slots < 1")
    def full(rack: Rack):
        """Deny a rack without room."""
        if rack.slots < 1:
            yield deny("MINE", "no room")

    assert "full" in catalog_of_offers(full, rack).rules
