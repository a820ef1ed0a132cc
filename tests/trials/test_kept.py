"""Back-tests by DuckDB read what rows keep of contracts as the reader of rows does, with no group for each of them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.trials.replays import older, side, tiers_of
from tests.trials.test_grouped import both_ways

from gatewright.app import App, Options
from gatewright.ledger.rows import line_of, read_line
from gatewright.model import Stage
from gatewright.trials import grouped as grouping
from gatewright.trials import kept
from gatewright.trials.recorded import facts_of
from gatewright.trials.replaying import Side

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

OWN = {"policy": "p", "policy_path": "p.yaml", "policy_digest": "d" * 64}
MENTIONS = "contract.mentions."
RULES = (
    "  - use: mcp-trust\n",
    "  - use: known-roots\n",
    "  - use: known-roots\n    with: {home_roots: [/home, /Users/, /srv/it's]}\n    when: agents > 1\n",
    "  - use: worktree-root\n    when: not contract.mentions.trust\n",
    f"  - {{id: a, deny: {MENTIONS}mcp and agents > 1, code: A_CODE}}\n",
    f"  - {{id: b, warn: agents > 2 or {MENTIONS}trust and est_chars > 150, code: B_CODE}}\n",
    f"  - {{id: c, require: not {MENTIONS}worktree_as_root, code: C_CODE}}\n",
    f"  - {{id: d, warn: len({MENTIONS}paths) > 1, code: D_CODE}}\n",
    "  - {id: e, warn: 'default(contract.chars, 0) > 40', code: E_CODE}\n",
    '  - {id: f, deny: \'default(labels.team, "") == "x" and agents > 1\', code: F_CODE}\n',
    "  - {id: g, warn: has(labels.owner), code: G_CODE}\n",
    '  - {id: h, deny: \'default(actor, "") == "me" and agents > 1\', code: H_CODE}\n',
    "  - {id: i, deny: top_approved is null and agents > 2, code: I_CODE}\n",
    f"  - {{id: j, warn: '{MENTIONS}mcp and lower(runtime) == \"ünï\"', code: J_CODE}}\n",
    "  - use: request-shape\n    override: tier_override\n",
)
POLICIES = st.lists(st.sampled_from(RULES), min_size=1, max_size=6, unique_by=lambda rule: rule.split("\n")[0])


def of(*choices):
    return st.sampled_from(choices)


PATHS = of(
    *(
        "/home/me/x",
        "/home/me",
        "/home/me/",
        "/home/you/x",
        "/Users/a",
        "/srv/it's/x",
        "/home/me/../you",
        "/home//me/x",
    ),
    *(
        "/home/me/.x",
        "/home",
        '/home/"q"',
        "/home/me]/x",
        "/home/\\x",
        "/home/ü",
        '","',
        "",
        "]",
        "/home/me/\n",
        "home/me",
    ),
)
ROOTS = st.lists(
    of("/home/me", "/home/me/", "/", "", "home", "/home/me]", "/home/ü", "/home/./me", "//home"), max_size=3
)
FOUND = st.fixed_dictionaries(
    {},
    optional={
        "mcp": of(True, True, False, None),
        "trust": of(True, True, 1),
        "worktree_as_root": of(True),
        "paths": st.lists(PATHS, max_size=3) | of(None, "x", [5]),
        "more": of(True),
    },
)
CONTRACTS = st.fixed_dictionaries(
    {},
    optional={
        "path": of("c.md", "", 'a"b', "ü"),
        "chars": of(5, 0, 80, -1, 2**70, 1.0, None),
        "mentions": FOUND | of([]),
    },
)
FACTS = st.fixed_dictionaries(
    {},
    optional={
        "contract": CONTRACTS,
        "known_roots": ROOTS | of(None, [5]),
        "labels": of({"team": "x"}),
        "actor": of("", "me"),
        "tier_override": of("because", None),
        "ticket_inside": of(False),
    },
)
USUAL = st.builds(
    lambda mentions, roots: {"contract": {"path": "c.md", "chars": 9, "mentions": mentions}, "known_roots": roots},
    st.fixed_dictionaries({}, optional={"mcp": of(True), "trust": of(True), "paths": st.lists(PATHS, min_size=1)}),
    ROOTS,
)


@st.composite
def rows(draw):
    found = []
    for hour in range(draw(st.integers(1, 10))):
        asked = {
            "n_agents": draw(of(1, 2, 3)),
            "est_chars": draw(of(100, 200, None)),
            "runtime": draw(of("codex", "Ünï")),
        }
        asked["contract_sha"] = draw(of("a1" * 32, "b2" * 32, None))
        more = {"facts": draw(USUAL | USUAL | FACTS)} if draw(of(True, True, True, False)) else {}
        more |= draw(of({}, {}, {"labels": {"team": "x"}}, {"labels": {"owner": "a", "team": "y"}}, {"labels": {}}))
        more |= draw(of({}, {}, {"actor": "me"}, {"actor": "you"}, {"top_approved": "the owner"}))
        found.append(older(hour / 8, **asked) | draw(of(OWN, OWN, {})) | more)
    return found


def written(found, folder, name, *, spelled):
    """A file of these rows, whose objects are spelled as the ledger does, or with blanks and in another order."""
    path = folder / name
    if name.endswith(".jsonl"):
        path.write_text("".join(f"{line_of(each) if spelled else json.dumps(each)}\n" for each in found))
        return path
    names = dict.fromkeys(["decision", *(key for each in found for key in each)])
    told = line_of if spelled else json.dumps
    table = {
        key: [told(each[key]) if isinstance(each.get(key), dict) else each.get(key) for each in found] for key in names
    }
    parquet.write_table(pa.table(table), path)
    return path


@pytest.mark.acceptance("IDEA-05")
@examples(120)
@given(
    rules=POLICIES, found=rows(), other=st.booleans(), name=of("h.jsonl", "h.parquet"), spelled=of(True, True, False)
)
def test_the_quick_way_finds_what_is_found_row_by_row(tmp_path_factory, rules, found, other, name, spelled):
    folder = tmp_path_factory.mktemp("history")
    path = written(found, folder, name, spelled=spelled)
    texts = ["".join(rules), "".join(rules[::2])]

    def sides():
        return side(texts[0], folder), side(texts[1], folder) if other else None

    slow, quick = both_ways(path, sides)
    assert quick == slow


def sql_of(text, sha, *tests):
    query = f'SELECT {", ".join(tests)} FROM (SELECT $1::VARCHAR AS "facts", $2::VARCHAR AS "contract_sha")'
    return duckdb.execute(query, [text, sha]).fetchone()


@pytest.mark.acceptance("IDEA-05")
@examples(200)
@given(facts=USUAL | FACTS, sha=of("a1" * 32, None), home=of("/home", "/Users/"))
def test_what_is_understood_is_what_the_reader_of_rows_reads(facts, sha, home):
    row = older(0, contract_sha=sha, facts=facts) | OWN
    text = line_of(facts)
    understood, outside, *mentioned = sql_of(
        text, sha, kept.UNDERSTOOD, kept.outside_known_roots([home]), *kept.MENTIONED.values()
    )
    if not understood:
        return
    read, blanks = facts_of(read_line(line_of(row).encode()))
    seen = read["contract"].mentions
    assert mentioned == [seen.mcp, seen.trust, seen.worktree_as_root]
    assert not blanks & {"contract.mentions", "contract.chars"}
    rule = App(Options(), environ={}).catalog.rules["known-roots"]
    assert outside or not list(rule.function(read["contract"], read["known_roots"], home_roots=(home,)))


USUAL_TEXT = (
    '{"contract":{"chars":57,"mentions":{"mcp":true,"paths":["/home/x"],"trust":true},"path":"c"},"known_roots":["/a"]}'
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"mcp":true,', '"mcp":true'),
        ('"trust":true', '"trust":true,'),
        ('"trust":true', '"trust":false'),
        ('"trust":true', '"mcp":true'),
        ('"trust":true', '"trust":true,"more":1'),
        ("57", "057"),
        ("57", "-1"),
        ("57", "5.0"),
        ("57", "9" * 19),
        ('"path":"c"', '"path":"a\\u0022"'),
        ('"path":"c"', '"path":"a\nb"'),
        ('"path":"c"', '"path":null'),
        ('["/home/x"]', "[]"),
        ('["/home/x"]', "null"),
        ('["/home/x"]', '["a" "b"]'),
        ('["/a"]', "[null]"),
        ('"known_roots"', '"contract":{},"known_roots"'),
        ('{"contract"', ' {"contract"'),
        ('["/a"]}', '["/a"]} '),
        ('"contract":', '"contract" :'),
    ],
)
def test_any_other_spelling_is_not_understood(old, new):
    assert sql_of(USUAL_TEXT, "a", kept.UNDERSTOOD) == (True,)
    assert USUAL_TEXT.replace(old, new) != USUAL_TEXT
    assert sql_of(USUAL_TEXT.replace(old, new), "a", kept.UNDERSTOOD) == (False,)


MIDNIGHT = 1_796_083_200.0  #: 2026-12-01T00:00:00Z
BY_THE_CLOCK = """\
  - {id: a, deny: agents > 1, code: A_CODE}
  - {id: b, deny: 'now.time == "00:00" and agents == 1', code: B_CODE}
  - {id: c, warn: 'now.date >= "2026-12-01"', code: C_CODE}
  - {id: d, warn: 'now.weekday == "tue"', code: D_CODE}
  - {id: e, warn: now.epoch >= 1796083200.0, code: E_CODE}
  - {id: f, warn: 'now.text == "2026-12-01T00:00:00Z"', code: F_CODE}
exceptions:
  - {id: x, code: A_CODE, until: 2026-11-30, owner: o, reason: r}
"""


@pytest.mark.acceptance("IDEA-05")
@pytest.mark.parametrize("freeze", ["", "freeze: {until: 2026-12-01T00:00:00Z, reason: r}\n"])
@pytest.mark.parametrize("name", ["h.jsonl", "h.parquet"])
def test_a_moment_is_the_same_in_both_ways_at_the_turn_of_a_day_and_of_all_time(tmp_path, name, freeze):
    behind = (0.0, 1e-7, 4e-7, 6e-7, 0.5, 1.0, 59.999_999_9, 60.0)
    times = [MIDNIGHT + sign * seconds for seconds in behind for sign in (-1, 1)]
    times += [0.0, 0.5, -0.5, -1.0, -62_135_596_801.0, 4e9, 4e9 + 1, 253_402_300_799.0, 1_790_000_000, 951_782_400.5]
    times = [ts for ts in times if abs(ts) < 200_000_000_000]
    found = [older(0, n_agents=1 + at % 2) | OWN | {"ts": float(ts)} for at, ts in enumerate([*times, *times[1:]])]
    path = written(found, tmp_path, name, spelled=True)
    slow, quick = both_ways(path, lambda: (side(BY_THE_CLOCK + freeze, tmp_path), None))
    assert quick == slow
    assert {flips.code for flips in slow.flips} >= {"A_CODE", "B_CODE", "C_CODE", "D_CODE", "E_CODE", "F_CODE"}


@pytest.mark.acceptance("IDEA-05")
@pytest.mark.parametrize("name", ["h.jsonl", "h.parquet"])
def test_checks_by_the_clock_under_exceptions_need_few_groups(tmp_path, monkeypatch, name):
    found = [older(hour / 7, n_agents=1 + hour % 4) | OWN for hour in range(400)]
    monkeypatch.setattr(grouping, "_MOST_GROUPS", 60)
    text = BY_THE_CLOCK.replace("  - {id: f", "  - {id: f, level: off").replace(
        "e, warn: now.epoch", "e, level: off, warn: now.epoch"
    )
    slow, quick = both_ways(written(found, tmp_path, name, spelled=True), lambda: (side(text, tmp_path), None))
    assert quick == slow
    assert {flips.code for flips in slow.flips} == {"A_CODE", "B_CODE", "C_CODE", "D_CODE"}


@pytest.mark.acceptance("IDEA-05")
@pytest.mark.parametrize("name", ["h.jsonl", "h.parquet"])
def test_checks_of_ever_other_contracts_under_the_shipped_policy_need_few_groups(tmp_path, monkeypatch, name):
    found = []
    for number in range(300):
        mentions = {"mcp": True, "trust": True, "paths": [f"/home/me/{number}"]} if number % 3 else {}
        contract = {"path": f"{number}.md", "chars": 10 + number} | ({"mentions": mentions} if mentions else {})
        own = {"facts": {"contract": contract, "known_roots": ["/home/me"]}, "request_id": f"r{number}"}
        asked = {"contract_sha": f"{number:064}", "est_chars": 1000 + number, "n_agents": 1 + number % 4}
        found.append(older(number / 60, **asked) | OWN | own)
    monkeypatch.setattr(grouping, "_MOST_GROUPS", 20)
    gate = App(Options(), environ={}).gate(Stage.CHECK)
    path = written(found, tmp_path, name, spelled=True)
    slow, quick = both_ways(path, lambda: (Side(gate, tiers_of(low=60)), None))
    assert quick == slow
    assert len(slow.flips) > 0
