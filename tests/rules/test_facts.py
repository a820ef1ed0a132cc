"""The facts of the stage `check`: what follows from a request, and how each fact is described."""

import pytest

from gatewright.expressions.kinds import Kind
from gatewright.model import Stage, TierPolicy
from gatewright.model.tiers import TierTable
from gatewright.spec import REQUIRED, FactSource, FactUnavailableError
from gatewright_rules.facts import FACTS

FACT = {fact.name: fact for fact in FACTS}
V2 = TierTable(
    version=2,
    index={"claude-opus-5": "top", "gpt-5.5": "low", "gpt-5.4": "top", "gpt-5.4-low": "low"},
    order=("top", "low"),
)
V1 = TierTable(version=1, index={"claude-opus-5": "denied", "gpt-5.5": "allowed"})
UNLOADED = TierPolicy(path="t", loaded=False)


def called(name, *arguments):
    function = FACT[name].function
    assert function is not None
    return function(*arguments)


def loaded(table):
    return TierPolicy(path="t", loaded=True, version=table.version if table else None, table=table)


@pytest.mark.acceptance("C04")
@pytest.mark.parametrize(
    ("agents", "chars", "cost"),
    [
        *[(3, 3000, 9000), (1, 0, 0), (0, 5, 0), (5, None, None), (2**31, 2**31, 2**62), (1, 2**63 - 1, 2**63 - 1)],
        *[(3, 2**62, 2**63 - 1), (2**63 - 1, 2**63 - 1, 2**63 - 1), (-3, 2**62, -(2**63))],
    ],
)
def test_the_cost_is_agents_times_characters_and_null_while_the_size_is_not_known(agents, chars, cost):
    assert called("cost_proxy", agents, chars) == cost


@pytest.mark.acceptance("P05", "P06")
@pytest.mark.parametrize(
    ("model", "table", "tier"),
    [
        ("claude-opus-5", V2, "top"),
        ("CLAUDE-OPUS-5", V2, "top"),
        ("brand-new-1", V2, "unknown"),
        ("", V2, "unknown"),
        (None, V2, None),
        ("claude-opus-5", V1, None),
    ],
)
def test_the_tier_is_that_of_a_version_2_table(model, table, tier):
    assert called("tier", model, loaded(table)) == tier


@pytest.mark.parametrize("model", ["claude-opus-5", None])
def test_without_a_loaded_table_there_is_no_tier_no_listing_and_no_ambiguity(model):
    assert called("tier", model, UNLOADED) is None
    assert called("model_listing", model, UNLOADED) is None
    assert called("tier_ambiguous", model, UNLOADED) is False


@pytest.mark.parametrize("name", ["tier", "model_listing", "tier_ambiguous"])
def test_a_table_that_is_said_to_be_loaded_and_is_not_there_makes_no_fact(name):
    with pytest.raises(FactUnavailableError):
        called(name, "claude-opus-5", loaded(None))


@pytest.mark.parametrize(
    ("model", "table", "listing"),
    [
        ("gpt-5.5", V1, "allowed"),
        ("Claude-Opus-5", V1, "denied"),
        ("brand-new-1", V1, "unlisted"),
        ("", V1, "unlisted"),
        (None, V1, None),
        ("gpt-5.5", V2, None),
    ],
)
def test_the_listing_is_that_of_a_version_1_table(model, table, listing):
    assert called("model_listing", model, loaded(table)) == listing


@pytest.mark.parametrize(("model", "ambiguous"), [("gpt-5.4-low-latest", True), ("gpt-5.4-low", False), (None, False)])
def test_an_id_is_ambiguous_where_it_leads_to_several_tiers(model, ambiguous):
    assert called("tier_ambiguous", model, loaded(V2)) is ambiguous


@pytest.mark.parametrize(
    ("model", "vendor"), [("claude-opus-5", "claude"), ("brand-new-1", "unknown"), (None, "unknown")]
)
def test_the_vendor_is_told_by_the_start_of_the_id(model, vendor):
    assert called("vendor", model) == vendor


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.name)
def test_every_fact_is_described_in_a_sentence_and_has_a_known_kind(fact):
    assert fact.doc.split("\n")[0].strip()
    assert fact.doc.endswith((".", "null when they cannot be counted."))
    assert fact.type.kind is not Kind.ANY
    assert Stage.CHECK in fact.stages


def test_the_facts_that_a_request_must_give_are_runtime_agents_and_the_time():
    given = [fact for fact in FACTS if fact.source is FactSource.REQUEST]
    assert [fact.name for fact in given if fact.default is REQUIRED] == ["runtime", "agents", "now"]


@pytest.mark.parametrize(
    ("names", "source"),
    [
        (["runtime", "model", "agents", "est_chars", "completion_channel", "tier_override"], FactSource.REQUEST),
        (["top_approved", "request_id", "actor", "labels", "now"], FactSource.REQUEST),
        (["cost_proxy", "tier", "tier_ambiguous", "model_listing", "vendor"], FactSource.DERIVED),
        (["contract", "tier_policy", "window", "ticket_path", "known_roots"], FactSource.COLLECTED),
    ],
)
def test_where_each_fact_comes_from(names, source):
    assert {FACT[name].source for name in names} == {source}


@pytest.mark.parametrize(
    "name",
    ["model", "est_chars", "completion_channel", "tier_override", "top_approved", "request_id", "cost_proxy", "tier"],
)
def test_facts_that_may_be_null_say_so(name):
    assert FACT[name].type.optional


@pytest.mark.parametrize("name", ["runtime", "agents", "now", "vendor", "contract", "tier_policy", "window", "labels"])
def test_facts_that_may_not_be_null_say_so(name):
    assert not FACT[name].type.optional
