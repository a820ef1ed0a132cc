"""Back-tests by DuckDB find what back-tests row by row find, whatever the policy and the rows."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.ledger.desks import START
from tests.trials.replays import CAPPED, denied, older, side, tiers_of

from gatewright.app import App, Options
from gatewright.model import Stage
from gatewright.trials import columns, histories, rule_columns, tables
from gatewright.trials import grouped as grouping
from gatewright.trials.backtest import backtest
from gatewright.trials.columns import OtherwiseReadError
from gatewright.trials.grouped import grouped
from gatewright.trials.replaying import Side

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

QUOTED = ("codex", "fable", "O'Brien", 'a"b', "Ünï", "", "\u2028", "; DROP", "No Name")
RULES = (
    "  - use: contract-size\n",
    "  - use: completion-channel\n",
    "  - use: model-named\n",
    "  - use: request-shape\n",
    "  - use: fan-out-cap\n",
    CAPPED,
    "  - use: unknown-model\n",
    "  - use: model-tier\n",
    "  - use: contract-readable\n",
    "  - use: mcp-trust\n",
    "  - use: known-roots\n",
    "  - use: ticket-confined\n",
    "  - use: dispatch-budget\n    with: {max_chars: 300}\n",
    "  - use: runtime-routing\n    level: warn\n",
    "  - use: ledger-clock\n",
    "  - {id: a, when: 'est_chars is not None', deny: est_chars > 300 and agents * 2 > 4, code: A_CODE}\n",
    '  - {id: b, warn: \'default(model, "") != "gpt-5.5" and contains(runtime, "e")\', code: B_CODE}\n',
    "  - {id: c, deny: 'runtime in [\"codex\", \"O''Brien\"] and agents > 3', code: C_CODE, override: tier_override}\n",
    "  - {id: d, deny: 'tier == \"low\" and window.used + agents > 5', code: D_CODE}\n",
    '  - {id: e, warn: \'default(labels.team, "") == "x"\', code: E_CODE}\n',
    "  - {id: f, require: cost_proxy < 900, code: F_CODE}\n",
    "  - {id: g, deny: 'matches(runtime, \"^[a-z]+$\") and agents == 5', code: G_CODE}\n",
    '  - {id: h, deny: labels.owner == "me", code: H_CODE}\n',
    "  - {id: i, warn: 'lower(runtime) == \"ünï\"', code: I_CODE}\n",
    "  - {id: j, when: window.cap is not None, warn: window.used > 2, code: J_CODE}\n",
    "  - {id: m, warn: 'default(window.used, 0) > 1 and has(window.cap)', code: M_CODE}\n",
    "  - {id: k, deny: contract.mentions.mcp and agents > 1, code: K_CODE}\n",
    "  - use: fan-out-cap\n    level: warn\n",
    "  - {id: n, warn: agents > 1, code: N_CODE, message: '{agents} of `{runtime}`'}\n",
    "  - {id: l, warn: now.epoch > 1795960000.0, code: L_CODE}\n",
    '  - {id: t, deny: \'now.time >= "18:00" or now.weekday in ["sat", "sun"]\', code: T_CODE}\n',
    "  - {id: u, warn: 'now.date == \"2026-11-30\" and agents > 1', code: U_CODE}\n",
    "  - {id: v, warn: 'ends_with(now.text, \"00Z\")', code: V_CODE}\n",
)
#: Exceptions of the codes of some of these rules, by the beginnings of the rules, and freezes.
EXCEPTIONS = {
    "  - use: fan-out-cap": ["TIER_FANOUT_CAP", "TIER_FANOUT_CAP, when: agents < 3"],
    "  - use: request-shape": ["INVALID_REQUEST"],
    "  - {id: a,": ["A_CODE", 'A_CODE, when: \'default(labels.team, "") == "x"\'', "A_CODE, when: est_chars > 200"],
    "  - {id: c,": ["C_CODE, when: contract.mentions.mcp", "C_CODE, when: 'now.time < \"13:00\"'"],
}
DAYS = st.sampled_from(["2026-11-28", "2026-11-29", "2026-11-30", "2026-12-24"])
FREEZES = st.sampled_from(["", "", "", "2026-11-30T00:00:00Z", "2026-11-29T15:30:00+01:00", "2036-01-01T00:00:00Z"])


@st.composite
def policies(draw):
    """Rules, some with exceptions, and seldom a freeze."""
    rules = draw(POLICIES)
    told = []
    for start, codes in EXCEPTIONS.items():
        if any(rule.startswith(start) for rule in rules) and draw(st.booleans()):
            code = draw(st.sampled_from(codes))
            told.append(f"  - {{id: e{len(told)}, code: {code}, until: {draw(DAYS)}, owner: o, reason: r}}\n")
    until = draw(FREEZES)
    exceptions = f"exceptions:\n{''.join(told)}" if told else ""
    return "".join(rules) + exceptions + (f"freeze: {{until: {until}, reason: r}}\n" if until else "")


POLICIES = st.lists(st.sampled_from(RULES), min_size=1, max_size=7, unique_by=lambda rule: rule.split("\n")[0])
NUMBERS = st.sampled_from([0, 1, 2, 3, 5, -1, 2**40, 2**62, 2**63 - 1])


def row(draw, hours):
    asked = {
        "runtime": draw(st.sampled_from(QUOTED)),
        "model": draw(st.sampled_from(["gpt-5.5", "claude-opus-5", "new-one", None, " x", "O'M"])),
        "n_agents": draw(NUMBERS),
        "est_chars": draw(st.none() | st.sampled_from([0, 200, 400, 600_000, 2**40, 2**62])),
        "completion_channel": draw(st.sampled_from(["orchestration", "sentinel-log", None, "x"])),
        "contract_sha": draw(st.sampled_from(["a1" * 32, None])),
        "tier": draw(st.sampled_from(["low", "top", "unknown"])),
    }
    reason = draw(st.sampled_from(["", "", "TIER_FANOUT_CAP", "NO_MODEL", "INVALID_REQUEST", "A_CODE"]))
    found = denied(hours, reason, **asked) if reason else older(hours, **asked)
    if draw(st.booleans()):
        found["warnings"] = draw(st.sampled_from([["B_CODE"], ["E_CODE", "J_CODE"]]))
    return (
        found | draw(st.sampled_from([{}, OWN])) | {name: draw(value) for name, value in SELDOM.items() if draw(RARE)}
    )


OWN = {"policy": "p", "policy_path": "p.yaml", "policy_digest": "d" * 64}
OWN |= {"facts": {"contract": {"path": "c.md", "chars": 5}, "known_roots": []}}
RARE = st.sampled_from([False, False, False, True])
MENTIONS = st.sampled_from([{"mcp": True}, {"paths": ["/home/a"]}, {"paths": None}])
FACTS = st.builds(
    lambda mentions, more: {"contract": {"path": "c", "mentions": mentions}, "known_roots": ["/srv"], **more},
    MENTIONS,
    st.sampled_from([{}, {"tier_override": "because"}, {"ticket_inside": False}, {"actor": ""}]),
)
SELDOM = {
    "labels": st.sampled_from([{"team": "x"}, {"team": "y", "owner": "me"}]),
    "facts": FACTS,
    "rule": st.sampled_from(["engine", "a"]),
    "reasons": st.just(["A_CODE", "NO_MODEL"]),
    "tier_override": st.just("the owner said so"),
    "request_id": st.sampled_from(["one", "two"]),
}


@st.composite
def rows(draw):
    found, hours = [], 0.0
    for _ in range(draw(st.integers(1, 14))):
        hours += draw(st.sampled_from([0.0, 0.5, 3.0, 23.0, -0.25]))
        found.append(row(draw, hours))
    return found


#: Spans of histories that begin at the start: whole ones, and such as begin or end at a row or between two.
SPANS = st.tuples(
    *[st.none() | st.sampled_from([START + hours * 3600 for hours in (0, 0.5, 3, 3.25, 12, 26, 60, -1)])] * 2
)


def both_ways(path, sides, span=(None, None)):
    """What is found row by row, and what is found the quick way; nothing where that way cannot be gone."""
    slow = backtest(str(path), histories.entries(str(path)), *sides(), span=span)
    with columns.opened(str(path)) as source:
        return slow, at_once(source, sides, span)


def at_once(source, sides, span=(None, None)):
    """What is found the quick way; nothing where that way cannot be gone."""
    try:
        return grouped(source, *sides(), span) if source is not None else None
    except OtherwiseReadError:
        return None


def written(found, folder, name):
    path = folder / name
    if name.endswith(".parquet"):
        names = dict.fromkeys(key for each in found for key in each)
        table = pa.Table.from_pylist([{key: each.get(key) for key in names} for each in found])
        parquet.write_table(table, path)
    else:
        path.write_text("".join(f"{json.dumps(each)}\n" for each in found))
    return path


@pytest.mark.acceptance("IDEA-05")
@examples(60)
@given(
    text=policies(),
    found=rows(),
    other=st.booleans(),
    name=st.sampled_from(["h.jsonl", "h.parquet"]),
    listed=st.sampled_from([0, 1_500_000]),
    span=SPANS,
)
def test_the_quick_way_finds_what_is_found_row_by_row(tmp_path_factory, text, found, other, name, listed, span):
    folder = tmp_path_factory.mktemp("history")
    path = written(found, folder, name)

    def sides():
        return side(text, folder, low=4), side(text, folder, low=9, top=2) if other else None

    with pytest.MonkeyPatch.context() as patched:  # many rows are gone through in other ways than few
        patched.setattr(grouping, "_MOST_LISTED", listed)
        patched.setattr(tables, "_FEW", listed)
        slow, quick = both_ways(path, sides, span)
    assert quick == slow


@pytest.mark.parametrize(
    "condition",
    [
        "default(window.used, 0) > 2",
        "has(window.used) and window.used + agents > 4",
        "not has(window.cap) or default(window.cap, 9) < window.used + agents",
        "window.used + 1 == window.cap",
        "window.seconds in [86400, 5] and window.used in [3, 4]",
        "window.cap != 8 and est_chars is not null and est_chars > 150",
        "window.used > 2 or tier == 'low' and contains(runtime, 'e')",
    ],
)
def test_conditions_on_the_window_are_answered_alike(tmp_path, condition):
    found = [
        older(hour, n_agents=hour % 3, est_chars=hour * 40, model=["gpt-5.5", "new"][hour % 2]) for hour in range(9)
    ]
    path = written([each | OWN for each in found], tmp_path, "h.jsonl")
    slow, quick = both_ways(
        path, lambda: (side(f'  - {{id: a, warn: "{condition}", code: A_CODE}}\n', tmp_path, low=4), None)
    )
    assert quick == slow
    assert 0 < sum(each.count for each in slow.flips) < len(found)


@pytest.mark.acceptance("IDEA-05")
@pytest.mark.parametrize("others", [{}, {"model": "new", "tier": "unknown"}])
@pytest.mark.parametrize("name", ["h.jsonl", "h.parquet"])
def test_checks_before_a_span_count_as_they_were_recorded(tmp_path, name, others):
    hours = [0, 1, 20, 22, 23, 25, 30, 47]
    found = [older(hour, n_agents=3, **others) | OWN for hour in hours]
    found[1] = denied(1, "NO_MODEL", n_agents=3, **others) | OWN  # it did not start, so it counts for nothing
    span = (START + 22.5 * 3600, START + 47 * 3600)
    path = written(found, tmp_path, name)
    slow, quick = both_ways(path, lambda: (side(CAPPED, tmp_path, low=9, unknown=9), None), span)
    assert quick == slow
    assert (quick.checks, quick.since, quick.until) == (3, *span)
    # At 23 h those of 0, 20 and 22 h are in the window; at 25 h the first is not, and at 30 h the one of 25 h is.
    assert [one.row for flips in quick.flips for one in flips.examples] == [5, 7]


@pytest.mark.parametrize("name", ["h.jsonl", "h.parquet"])
def test_the_shipped_policy_goes_the_quick_way(tmp_path, name):
    found = [older(hour / 4, n_agents=hour % 4 + 1, model=["gpt-5.5", "new"][hour % 2]) | OWN for hour in range(60)]
    gate = App(Options(), environ={}).gate(Stage.CHECK)
    slow, quick = both_ways(written(found, tmp_path, name), lambda: (Side(gate, tiers_of(low=3)), None))
    assert quick == slow
    assert len(slow.flips) > 0


def test_a_ledger_gives_the_same_however_it_is_gone_through(post, tmp_path):
    for number in range(40):
        post.clock.pass_(3000)
        post.check(agents=number % 5, model=["gpt-5.5", "claude-opus-5", None][number % 3], est_chars=number * 40_000)
    entries = list(post.ledger.rows())
    path = tmp_path / "h.jsonl"
    path.write_text("".join(f"{json.dumps(dict(entry.row.data))}\n" for entry in entries))
    slow, quick = both_ways(path, lambda: (Side(post.gate, tiers_of(low=3)), None))
    by_ledger = backtest(str(path), entries, Side(post.gate, tiers_of(low=3)))
    assert slow == quick == by_ledger
    assert len(slow.flips) > 0


@pytest.mark.parametrize(("runtime", "is_quick"), [(None, True), (5, False)])
def test_a_column_of_another_kind_is_taken_if_it_holds_nothing(tmp_path, runtime, is_quick):
    path = written([older(hour, contract_sha=None, runtime=runtime) for hour in range(3)], tmp_path, "h.parquet")
    slow, quick = both_ways(path, lambda: (side("  - use: contract-readable\n", tmp_path), None))
    assert quick == (slow if is_quick else None)


@pytest.mark.parametrize("rule", sorted(rule_columns.WHENEVER))
def test_a_rule_of_one_finding_gives_it_whenever_its_plain_form_is_true(rule):
    catalog = App(Options(), environ={}).catalog
    (found,) = [each for each in catalog.rules.values() if each.function.__module__ == rule]
    assert found.fires is not None
    assert len(found.codes) == 1


@pytest.mark.parametrize(
    "rules",
    [
        "  - {id: a, deny: window.frees_at is not None, code: A_CODE}\n",
        "  - {id: a, deny: window.odd_times > 1, code: A_CODE}\n",
        "  - {id: a, deny: agents > 1, message: 'used {window.used}'}\n",
    ],
)
def test_a_policy_that_needs_more_of_the_window_is_left_to_the_slower_way(tmp_path, rules):
    slow, quick = both_ways(written([older(0)], tmp_path, "h.jsonl"), lambda: (side(rules, tmp_path), None))
    assert quick is None
    assert slow.replayed == 1


@pytest.mark.parametrize("ending", [".jsonl", ".parquet"])
@pytest.mark.parametrize("name", ["h*", "h[1]", "{h}", "decision=DENY/tier=top/h", "o'h"])
def test_a_path_is_the_path_of_one_file_and_tells_nothing_of_its_rows(tmp_path, name, ending):
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    written([older(0)] * 3, tmp_path, "h1" + ending)
    path = written([older(0, n_agents=5) | OWN], tmp_path, name + ending)
    slow, quick = both_ways(path, lambda: (side("  - use: fan-out-cap\n", tmp_path, low=4), None))
    assert quick in (None, slow)
    assert (slow.checks, slow.before.allowed, slow.after.denied) == (1, 1, 1)
