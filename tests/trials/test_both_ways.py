"""Back-tests in both ways under conditions and tier tables of every kind: the same is found, or nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.trials.replays import denied, gate_of, older
from tests.trials.test_grouped import OWN, SPANS, both_ways, written

from gatewright.errors import GatewrightError
from gatewright.policy.tier_tables import load
from gatewright.probes.tiers import TierPolicy
from gatewright.trials import grouped as grouping
from gatewright.trials.replaying import Side

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

V1 = {
    "version": 1,
    "worker_allowed": ["gpt-5.5", "m1"],
    "worker_denied_tiers": ["claude-opus-5"],
    "unknown_model": "warn",
}
MODELS = ("gpt-5.5", "claude-opus-5", "m1")


def of(*choices):
    return st.sampled_from(choices)


def table_of(placed, caps, seconds):
    tiers = {name: [model for model, tier in zip(MODELS, placed, strict=True) if tier == name] for name in TIERS}
    return {"version": 2, "tiers": tiers, "fanout_caps": dict(caps), "window_seconds": seconds}


TIERS = ("Top", "low", "O'Tier")
TABLES = of(V1) | st.builds(
    table_of,
    st.tuples(*[of(*TIERS, "")] * 3),
    st.dictionaries(of(*TIERS, "unknown"), of(0, 3, 5, 2**40), max_size=4),
    of(3600, 86_400, 10**6),
)
WINDOW = ("window.used", "window.cap", "window.seconds", "default(window.used, 0)", "default(window.cap, 5)")
NUMBERS = of(*WINDOW, "window.used + agents", "agents", "est_chars", "cost_proxy", "3", "5", "len(runtime)")
TEXTS = of("runtime", "tier", "vendor", "model_listing", '"low"', '"codex"', 'default(model, "none")', "lower(runtime)")
ASKED = (
    st.builds("{} {} {}".format, NUMBERS, of("<", ">=", "==", "!="), NUMBERS)
    | st.builds("{} {} {}".format, TEXTS, of("==", "!="), TEXTS)
    | st.builds("{} is {}null".format, of("window.cap", "window.used", "model", "tier", "est_chars"), of("", "not "))
    | of("has(window.cap)", "tier_ambiguous", 'tier in ["low", "Top"]', "agents in [1, 3]", "contract.readable")
)
CONDITIONS = st.recursive(
    ASKED,
    lambda inner: (
        st.builds("({}) and ({})".format, inner, inner)
        | st.builds("({}) or ({})".format, inner, inner)
        | st.builds("not ({})".format, inner)
        | st.builds("window.cap is not null and ({})".format, inner)
    ),
    max_leaves=4,
)
RULES = of("use: fan-out-cap", "use: ledger-clock", "use: unknown-model", "use: model-tier") | st.builds(
    "{}: '{}'\n    code: X_CODE".format, of("deny", "deny", "warn", "require"), CONDITIONS
)
WHENS = st.none() | st.none() | CONDITIONS


@st.composite
def policies(draw):
    text = ""
    for at, rule in enumerate(draw(st.lists(RULES, min_size=1, max_size=4, unique_by=lambda rule: rule[:16]))):
        when = draw(WHENS)
        own = "" if rule.startswith("use") else f"id: r{at}\n    "
        text += f"  - {own}{rule}\n".replace("X_CODE", f"C{at}_CODE") + (f"    when: '{when}'\n" if when else "")
    return text.replace("O'Tier", "O''Tier")


@st.composite
def histories(draw):
    found, hours = [], 0.0
    kinds = draw(st.lists(st.tuples(of(*MODELS, "new", None), of("low", "LOW", "top", "", "O'Tier")), min_size=1))
    for _ in range(draw(st.integers(1, 40))):
        hours += draw(of(0.0, 0.1, 1.0, 7.0, 23.0, -0.5, -30.0))
        model, tier = draw(of(*kinds))
        asked = {"model": model, "tier": tier, "n_agents": draw(of(1, 2, 3, 0)), "est_chars": draw(of(100, 5, None))}
        asked["contract_sha"] = draw(of("a1" * 32, "a1" * 32, None))
        row = denied(hours, draw(of("TIER_FANOUT_CAP", "C0_CODE")), **asked) if draw(st.booleans()) else None
        found.append((row or older(hours, **asked)) | draw(of(OWN, OWN, OWN, {})))
    return found


def tiers_of(table):
    loaded = load(json.dumps(table).encode(), "tiers.json")
    more = {"unknown_model": table["unknown_model"]} if table["version"] == 1 else {}
    version = table["version"]
    return TierPolicy(path="tiers.json", loaded=True, version=version, sha256=loaded.sha256, table=loaded.table, **more)


@pytest.mark.acceptance("IDEA-05")
@examples(150)
@given(
    rules=st.lists(policies(), min_size=1, max_size=2),
    tables=st.lists(TABLES, min_size=2, max_size=2),
    found=histories(),
    name=of("h.jsonl", "h.parquet"),
    listed=of(0, 1_500_000),
    span=SPANS,
)
def test_any_condition_under_any_table_finds_the_same_in_both_ways(
    tmp_path_factory, rules, tables, found, name, listed, span
):
    folder = tmp_path_factory.mktemp("history")
    try:
        gates = [gate_of(text, folder) for text in rules]
    except GatewrightError:  # a condition that is always so, or can never be
        return

    def sides():
        made = [Side(gate, tiers_of(table)) for gate, table in zip(gates, tables, strict=False)]
        return made[0], made[1] if len(made) > 1 else None

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(grouping, "_MOST_LISTED", listed)
        slow, quick = both_ways(written(found, folder, name), sides, span)
    assert quick in (None, slow)


@pytest.mark.parametrize("odd", [{"model": 5}, {"n_agents": 2.0}, {"est_chars": "9"}, {"runtime": ["codex"]}])
def test_an_odd_row_counts_in_the_window_as_what_it_is(tmp_path, odd):
    found = [older(0, model="new", tier="unknown") | OWN | odd, older(1, model="new", tier="unknown", n_agents=2) | OWN]
    condition = (
        'window.used + agents > 2 and default(model, "") != "x" and default(est_chars, 0) < 500 and runtime != "y"'
    )
    gate = gate_of(f"  - {{id: a, warn: '{condition}', code: A_CODE}}\n", tmp_path)
    table = table_of(("low", "", ""), {"low": 3}, 86_400)
    slow, quick = both_ways(written(found, tmp_path, "h.jsonl"), lambda: (Side(gate, tiers_of(table)), None))
    assert quick in (None, slow)
    assert slow.checks == 2


@pytest.mark.parametrize("kind", ["deny", "warn", "require"])
@pytest.mark.parametrize(
    "condition",
    [
        "window.cap is null and agents > 2",
        "agents > 2 or window.used > 5",
        "not (window.cap is not null and window.used > 1) and agents > 2",
        "tier is null and default(window.cap, 0) < agents",
    ],
)
def test_rules_that_read_the_window_see_more_than_the_window_where_there_are_no_tiers(tmp_path, kind, condition):
    found = [older(hour, n_agents=hour % 4, model="gpt-5.5") | OWN for hour in range(8)]
    gate = gate_of(f"  - {{id: a, {kind}: '{condition}'}}\n", tmp_path)
    slow, quick = both_ways(written(found, tmp_path, "h.jsonl"), lambda: (Side(gate, tiers_of(V1)), None))
    assert quick in (None, slow)
    assert slow.flips


@pytest.mark.parametrize("table", [V1, table_of(("low", "", ""), {"low": 3}, 3600)])
def test_the_cap_of_a_tier_goes_the_quick_way_whatever_the_table(tmp_path, table):
    found = [older(hour / 4, n_agents=hour % 4) | OWN for hour in range(8)]
    gate = gate_of("  - use: fan-out-cap\n", tmp_path)
    slow, quick = both_ways(written(found, tmp_path, "h.jsonl"), lambda: (Side(gate, tiers_of(table)), None))
    assert quick == slow
    assert bool(slow.flips) is (table is not V1)
