"""What a change of a policy means: found by asking both versions, and told with a request that shows it."""

from pathlib import Path

import pytest
from tests.trials.replays import tiers_of

from gatewright.app import App, Options, shipped_path
from gatewright.model.diffs import Meaning
from gatewright.policy.loader import load
from gatewright.probes.tiers import read_tier_policy
from gatewright.runner import Gate
from gatewright.trials.diffing import diff
from gatewright.trials.pasting import Bench

APP = App(Options(), environ={})
HEAD = "gatewright: 1\npolicy: p\nstage: check\nrules:\n"


def gate(text, path):
    path.write_text(text)
    return Gate(load(text.encode(), str(path), APP.catalog), APP.catalog)


def changed(folder, old, new, stage="check"):
    """What became of everything between two lists of rules."""
    head = HEAD.replace("check", stage)
    gates = [gate(head + rules, folder / f"{name}.yaml") for name, rules in (("old", old), ("new", new))]
    path = shipped_path("tiers.yaml")
    return diff(*gates, read_tier_policy(path), Bench(APP.catalog, path, named=False))


def told(found):
    return [(each.what, each.meaning, each.parts) for each in found.changes]


A = "  - id: a\n    deny: {}\n"


@pytest.mark.parametrize(
    ("old", "new", "meaning", "parts"),
    [
        ("agents > 8", "agents > 9", Meaning.LOOSENED, ("deny",)),
        ("agents > 8", "agents >= 8", Meaning.TIGHTENED, ("deny",)),
        ("agents > 8", "agents > 9 or agents == 3", Meaning.BOTH, ("deny",)),
        ("agents > 8", "not agents <= 8", Meaning.ALIKE, ("deny",)),
        ('runtime in ["a", "b"]', 'runtime in ["a", "c"]', Meaning.BOTH, ("deny",)),
        ("window.used + agents > 8", "window.used + agents > 7", Meaning.TIGHTENED, ("deny",)),
        ("cost_proxy > 1000000", "cost_proxy > 2000000", Meaning.LOOSENED, ("deny",)),
        ('tier == "unknown"', 'tier == "unknown" and agents > 1', Meaning.LOOSENED, ("deny",)),
        ('default(labels.team, "") == "x"', 'default(labels.team, "") == "y"', Meaning.BOTH, ("deny",)),
        ('now.weekday == "sun"', 'now.weekday in ["sat", "sun"]', Meaning.TIGHTENED, ("deny",)),
        ("contract.mentions.mcp", "contract.mentions.mcp and not contract.mentions.trust", Meaning.LOOSENED, ("deny",)),
        ("agents > 8 # note", "agents > 8", None, ()),
        ("agents > 8", "agents > 8\n    code: B_CODE", Meaning.WORDS, ("code",)),
        ("agents > 8", "agents > 8\n    message: too many", Meaning.WORDS, ("message",)),
        ("agents > 8", "agents > 8\n    level: warn", Meaning.LOOSENED, ("level",)),
        ("agents > 8\n    level: warn", "agents > 8\n    level: note", Meaning.WORDS, ("level",)),
        ("agents > 8", "agents > 8\n    when: agents > 10", Meaning.LOOSENED, ("when",)),
        ("agents > 8", "agents > 8\n    override: tier_override", Meaning.LOOSENED, ("override",)),
        ("agents > 8", "agents > 8\n    locked: true", Meaning.ALIKE, ("locked",)),
    ],
)
def test_a_rule_is_compared_by_what_it_denies(tmp_path, old, new, meaning, parts):
    found = changed(tmp_path, A.format(old), A.format(new))
    assert told(found) == ([("rule a", meaning, parts)] if meaning else [])
    for change in found.changes:
        assert (change.loosened is not None) is (meaning in (Meaning.LOOSENED, Meaning.BOTH))
        assert (change.tightened is not None) is (meaning in (Meaning.TIGHTENED, Meaning.BOTH))


def test_rules_that_came_and_went_are_shown_by_a_request(tmp_path):
    found = changed(
        tmp_path, "  - use: mcp-trust\n" + A.format("agents > 8"), "  - use: mcp-trust\n  - use: model-named\n"
    )
    assert told(found) == [("rule model-named", Meaning.ADDED, ()), ("rule a", Meaning.DROPPED, ())]
    assert found.changes[0].tightened.request == 'model ""'
    assert found.changes[1].loosened.request == "agents 9"


def test_options_and_params_are_compared_by_their_values(tmp_path):
    rules = "  - use: dispatch-budget\n    with: {max_chars: params.most}\nparams: {most: %d}\n"
    (change,) = changed(tmp_path, rules % 1500, rules % 2500).changes
    assert (change.meaning, change.parts, change.loosened.request) == (Meaning.LOOSENED, ("with",), "est_chars 1501")
    (change,) = changed(
        tmp_path, A.format("agents > params.n\nparams: {n: 3}"), A.format("agents > params.n\nparams: {n: 2}")
    ).changes
    assert (change.meaning, change.parts) == (Meaning.TIGHTENED, ("params",))


def test_an_exception_lets_through_and_its_end_denies_again(tmp_path):
    pilot = "exceptions:\n  - {id: pilot, code: A, until: 2027-01-01, reason: r, owner: o, when: 'agents < 20'}\n"
    rules = A.format("agents > 8")
    (change,) = changed(tmp_path, rules, rules + pilot).changes
    assert (change.what, change.meaning, change.loosened.request) == ("exception pilot", Meaning.ADDED, "agents 9")
    (change,) = changed(tmp_path, rules + pilot, rules + pilot.replace("20", "15")).changes
    assert (change.meaning, change.tightened.after) == (Meaning.TIGHTENED, "deny A")
    (change,) = changed(tmp_path, rules + pilot, rules).changes
    assert (change.meaning, change.tightened.whole) == (Meaning.DROPPED, True)


def test_a_freeze_and_the_order_of_rules_are_told(tmp_path):
    one, other = A.format("agents > 8"), "  - use: model-named\n"
    freeze = "freeze: {until: 2027-01-01T00:00:00Z, reason: r}\n"
    found = changed(tmp_path, one + other, other + one + freeze)
    assert told(found) == [("freeze", Meaning.ADDED, ())]
    assert found.moved


def test_a_rule_that_something_else_backs_is_shown_where_the_verdict_differs_if_that_can_be(tmp_path):
    backed = A.format("agents > 8") + "  - {id: b, deny: agents == 9}\n"
    (change,) = changed(tmp_path, backed, backed.replace("> 8", "> 10")).changes
    assert (change.loosened.request, change.loosened.whole) == ("agents 10", True)


@pytest.mark.parametrize(
    ("stage", "condition"), [("register", "job.proven"), ("deliver", "worker.alive"), ("accept", "terms.readable")]
)
def test_policies_of_every_stage_are_compared(stage, condition):
    path = shipped_path(f"{stage}.yaml")
    text = Path(path).read_text()
    added = text.replace("rules:", f"rules:\n  - {{id: shut, deny: {condition}}}", 1)
    gates = [Gate(load(each.encode(), path, APP.catalog), APP.catalog) for each in (text, added)]
    (change,) = diff(*gates, tiers_of(), Bench(APP.catalog, shipped_path("tiers.yaml"), named=False)).changes
    assert (change.what, change.meaning, change.tightened.request) == ("rule shut", Meaning.ADDED, "the usual request")
    assert change.tightened.before == "allow"


@pytest.mark.parametrize(
    ("old", "new", "meaning", "shown"),
    [
        ("agents > 8", "agents > 9", Meaning.TOLD, ("agents 9", "allow, warn A", "allow")),
        (
            'now.time > "22:00"',
            'now.time > "22:30"',
            Meaning.TOLD,
            ("now 2026-01-01T22:01:00Z", "allow, warn A", "allow"),
        ),
        ('now.date < "2028-03-01"', 'now.date < "2028-02-29"', Meaning.TOLD, None),
        ("agents > 8", "not agents <= 8", Meaning.ALIKE, None),
        ("agents > 8", "agents > 8\n    message: many", Meaning.WORDS, None),
    ],
)
def test_a_rule_that_only_warns_is_compared_by_what_it_warns_of(tmp_path, old, new, meaning, shown):
    (change,) = changed(tmp_path, *(A.replace("deny", "warn").format(each) for each in (old, new))).changes
    assert (change.meaning, change.loosened, change.tightened) == (meaning, None, None)
    assert (change.told is not None) is (meaning is Meaning.TOLD)
    if shown is not None:
        assert (change.told.request, change.told.before, change.told.after) == shown


def test_a_rule_that_came_to_warn_is_shown_by_a_request(tmp_path):
    (change,) = changed(
        tmp_path, "  - use: model-named\n", "  - use: model-named\n  - {id: a, warn: agents > 3}\n"
    ).changes
    assert (change.meaning, change.told.after) == (Meaning.ADDED, "allow, warn A")


def test_a_renamed_exception_is_told_by_its_name(tmp_path):
    pilot = "exceptions:\n  - {id: pilot, code: A, until: 2027-01-01, reason: r, owner: o}\n"
    rules = A.format("agents > 8")
    added, dropped = changed(tmp_path, rules + pilot, rules + pilot.replace("pilot", "trial")).changes
    assert (added.loosened.before, added.loosened.after) == ("allow, excepted A by pilot", "allow, excepted A by trial")
    assert dropped.meaning is Meaning.DROPPED
