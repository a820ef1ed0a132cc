"""Back-tests: recorded checks judged again, with windows as the new verdicts would have left them."""

import random

import pytest
from tests.trials.replays import CAPPED, denied, entries, older, side, tiers_of

from gatewright.model.backtests import Change, Tally
from gatewright.probes.tiers import read_tier_policy
from gatewright.report.backtests import remarks
from gatewright.trials.backtest import backtest
from gatewright.trials.replaying import Side

NO_OVERRIDE = "  - use: fan-out-cap\n"


def run(rows, new, old=None, **more):
    return backtest("rows", entries(*rows), new, old, **more)


def told(found):
    """Change, rule, code and the rows of the examples."""
    return [(each.change, each.rule, each.code, [one.row for one in each.examples]) for each in found.flips]


def ask(post, number):
    """A number of checks of every kind, some denied for their shape, some for the window, some let through."""
    pick = random.Random(number)
    for _ in range(number):
        post.clock.pass_(pick.randrange(60, 14_400))
        post.check(
            agents=pick.randrange(0, 6),
            model=pick.choice(["gpt-5.5", "gpt-5.5", "claude-opus-5", "new-one", "", None]),
            runtime=pick.choice(["codex", "codex", "fable", "No Name"]),
            est_chars=pick.choice([0, 1000, 400_000, 600_000, None]),
            completion_channel=pick.choice(["orchestration", "orchestration", "sentinel-log", None]),
            tier_override=pick.choice([None, None, None, None, "the owner said so", " "]),
            labels=pick.choice([{}, {"project": "pilot"}]),
        )


# -- the same policy ---------------------------------------------------------------------------------------------------


@pytest.mark.acceptance("IDEA-05")
def test_the_same_policy_gives_no_difference_whatever_was_asked(post):
    ask(post, 150)
    new = Side(post.gate, read_tier_policy(str(post.folder / "tiers.json")))
    found = backtest("ledger", post.ledger.rows(), new)
    assert (found.checks, found.replayed, found.flips, found.unreplayable) == (150, 150, (), ())
    assert found.before == found.after
    assert found.before.allowed > 15
    assert found.before.denied > 15


def test_a_clock_that_was_set_back_and_forth_changes_nothing(file_post):
    post = file_post
    for step in (0, 7200, -7200, 86_400, -90_000, 3600):
        post.clock.set_wall(step)
        post.clock.pass_(30_000)
        post.check(agents=3)
    new = Side(post.gate, read_tier_policy(str(post.folder / "tiers.json")))
    assert backtest("ledger", post.ledger.rows(), new).flips == ()


def test_two_policies_that_say_the_same_differ_in_nothing(tmp_path):
    rows = [older(0, n_agents=8), older(1), older(25, n_agents=8)]
    found = run(rows, side(NO_OVERRIDE, tmp_path), side(NO_OVERRIDE, tmp_path))
    assert (found.flips, found.replayed) == ((), 3)
    assert found.old is not None


# -- windows -----------------------------------------------------------------------------------------------------------


@pytest.mark.acceptance("IDEA-05")
def test_a_cap_that_is_lowered_by_one_gives_the_differences_that_a_hand_computes(tmp_path):
    # With a cap of 8: 5, 3, and full for the third. With 7: 5 fit, 3 do not, so that the 2 of the third fit.
    rows = [
        older(0, n_agents=5),
        older(1, n_agents=3),
        denied(2, "TIER_FANOUT_CAP", n_agents=2),
        older(24.5, n_agents=5),
        denied(24.9, "TIER_FANOUT_CAP", n_agents=1),
    ]
    found = run(rows, side(NO_OVERRIDE, tmp_path, low=7))
    assert told(found) == [
        (Change.DENIED, "fan-out-cap", "TIER_FANOUT_CAP", [2]),
        (Change.ALLOWED, "", "TIER_FANOUT_CAP", [3]),
    ]
    assert found.before == Tally(allowed=3, denied=2, agents=13)
    assert found.after == Tally(allowed=3, denied=2, agents=12)
    example = found.flips[0].examples[0]
    assert (example.before, example.after, example.agents) == ("ALLOW", "DENY TIER_FANOUT_CAP", 3)
    assert example.message == "tier=low agents=3 used=5 cap=7 window_seconds=86400"


@pytest.mark.parametrize(("hours", "flips"), [(24, 0), (24.001, 1)])
def test_a_check_as_old_as_the_window_still_counts(tmp_path, hours, flips):
    rows = [older(0, n_agents=8), denied(hours, "TIER_FANOUT_CAP")]
    assert len(run(rows, side(NO_OVERRIDE, tmp_path)).flips) == flips


def test_a_denied_check_leaves_room_even_where_it_was_denied_for_something_else(tmp_path):
    rules = '  - id: no-fable\n    deny: runtime == "fable"\n    code: TIER_POLICY\n' + NO_OVERRIDE
    rows = [older(0, n_agents=8, runtime="fable"), denied(1, "TIER_FANOUT_CAP", n_agents=8)]
    found = run(rows, side(rules, tmp_path))
    assert told(found) == [
        (Change.DENIED, "no-fable", "TIER_POLICY", [1]),
        (Change.ALLOWED, "", "TIER_FANOUT_CAP", [2]),
    ]


def test_the_other_policy_has_windows_of_its_own(tmp_path):
    rows = [older(hour, n_agents=4) for hour in range(4)]
    found = run(rows, side(NO_OVERRIDE, tmp_path, low=4), side(NO_OVERRIDE, tmp_path, low=12))
    assert told(found) == [(Change.DENIED, "fan-out-cap", "TIER_FANOUT_CAP", [2, 3])]
    assert (found.before.agents, found.after.agents) == (12, 4)


def test_rows_before_the_span_count_as_they_were_recorded(tmp_path):
    start = older(0)["ts"]
    rows = [older(0, n_agents=8), older(1, n_agents=8), denied(2, "TIER_FANOUT_CAP"), older(26, n_agents=9)]
    found = run(rows, side(NO_OVERRIDE, tmp_path), span=(start + 5000, None))
    assert (found.checks, told(found)) == (2, [(Change.DENIED, "fan-out-cap", "TIER_FANOUT_CAP", [4])])


def test_rows_without_a_tier_count_for_that_of_their_model(tmp_path):
    row = older(0, n_agents=8)
    del row["tier"]
    found = run([row, older(1)], side(NO_OVERRIDE, tmp_path))
    assert told(found) == [(Change.DENIED, "fan-out-cap", "TIER_FANOUT_CAP", [2])]


# -- reasons and warnings ----------------------------------------------------------------------------------------------


def test_a_denial_for_something_else_and_a_new_warning_are_differences_too(tmp_path):
    rules = """\
  - {id: dear, deny: agents > 4, code: BUDGET_EXCEEDED}
  - {id: odd, warn: 'runtime == "codex"', code: HIGH_COST_RUNTIME}
"""
    rows = [denied(0, "TIER_FANOUT_CAP", n_agents=5, warnings=["TIER_UNKNOWN_MODEL"])]
    found = run(rows, side(rules, tmp_path))
    assert [(each.change, each.rule, each.code, each.gone) for each in found.flips] == [
        (Change.REASONS, "", "TIER_FANOUT_CAP", True),
        (Change.REASONS, "dear", "BUDGET_EXCEEDED", False),
        (Change.WARNINGS, "", "TIER_UNKNOWN_MODEL", True),
        (Change.WARNINGS, "odd", "HIGH_COST_RUNTIME", False),
    ]


ODD = "  - {id: odd, warn: agents > 1, code: ODD, message: '{agents} at once'}\n"
DEAR = "  - {id: dear, deny: agents > 2, code: DEAR, message: '{agents} is dear'}\n"
MANY = "  - {id: many, deny: agents > 3, code: MANY, message: '{agents} is many'}\n"
QUIET = "  - use: model-named\n"


@pytest.mark.acceptance("IDEA-05")
@pytest.mark.parametrize(
    ("old", "new", "agents", "examples"),
    [
        (QUIET, ODD, 2, [("ALLOW", "ALLOW with warning ODD", "2 at once")]),
        (ODD, QUIET, 2, [("ALLOW with warning ODD", "ALLOW without warning ODD", "")]),
        (QUIET, DEAR, 3, [("ALLOW", "DENY DEAR", "3 is dear")]),
        (DEAR, QUIET, 3, [("DENY DEAR", "ALLOW", "")]),
        (DEAR, DEAR + ODD, 3, [("DENY DEAR", "DENY DEAR with warning ODD", "3 at once")]),
        (DEAR + ODD, DEAR, 3, [("DENY DEAR with warning ODD", "DENY DEAR without warning ODD", "")]),
        (DEAR, DEAR + MANY, 4, [("DENY DEAR", "DENY DEAR with reason MANY", "4 is many")]),
        (DEAR + MANY, DEAR, 4, [("DENY DEAR with reason MANY", "DENY DEAR without reason MANY", "4 is dear")]),
        (DEAR, MANY, 4, [("DENY DEAR", "DENY MANY", "4 is many")] * 2),
        (
            ODD + MANY,
            DEAR + MANY,
            4,
            [
                ("DENY MANY", "DENY DEAR", "4 is dear"),
                ("DENY MANY with warning ODD", "DENY DEAR without warning ODD", ""),
            ],
        ),
    ],
)
def test_an_example_names_what_only_one_of_the_policies_says(tmp_path, old, new, agents, examples):
    found = run([older(0, n_agents=agents)], side(new, tmp_path), side(old, tmp_path))
    told = [(each.before, each.after, each.message) for flips in found.flips for each in flips.examples]
    assert told == examples


def test_of_a_code_of_any_length_that_an_old_row_holds_an_example_tells_the_beginning(tmp_path):
    found = run([older(0, warnings=["X" * 5000])], side(QUIET, tmp_path))
    ((example,),) = [each.examples for each in found.flips]
    assert example.before == f"ALLOW with warning {'X' * 200}… (5,000 characters)"


# -- rows that cannot tell ---------------------------------------------------------------------------------------------


@pytest.mark.acceptance("IDEA-05")
@pytest.mark.parametrize(
    ("rule", "facts"),
    [
        ('deny: default(labels.project, "") == "pilot"', ("labels",)),
        ("deny: actor is None", ("actor",)),
        ("deny: contract.mentions.mcp", ("contract.mentions",)),
        ("deny: len(known_roots) > 0", ("known_roots",)),
        ("deny: contract.mentions.mcp and actor is None", ("actor", "contract.mentions")),
        ("require: tier_override is not None", ("tier_override",)),
    ],
)
def test_what_a_row_of_the_older_gate_does_not_tell_is_named_and_not_guessed(tmp_path, rule, facts):
    rules = f"  - id: r\n    {rule}\n    code: TIER_POLICY\n"
    found = run([older(0), older(1)], side(rules, tmp_path))
    assert (found.checks, found.replayed, found.flips) == (2, 0, ())
    assert [(each.facts, each.count, each.rows) for each in found.unreplayable] == [(facts, 2, (1, 2))]


def test_a_row_that_lacks_a_key_is_named(tmp_path):
    row = older(0)
    del row["n_agents"]
    (lacking,) = run([row, older(1)], side(NO_OVERRIDE, tmp_path)).unreplayable
    assert (lacking.facts, lacking.rows) == (("agents",), (1,))


def test_a_denial_that_an_override_may_have_let_through_is_not_guessed(tmp_path):
    rows = [older(0, n_agents=5), older(1, n_agents=3), denied(2, "TIER_FANOUT_CAP", n_agents=2)]
    found = run(rows, side(CAPPED, tmp_path, low=4))
    assert [(each.facts, each.rows) for each in found.unreplayable] == [(("tier_override",), (1, 2))]
    assert (found.replayed, found.flips) == (1, ())


def test_a_warning_that_a_row_cannot_tell_of_is_not_compared(tmp_path):
    found = run([older(0, warnings=["MCP_TRUST_UNHANDLED"])], side("  - use: mcp-trust\n", tmp_path))
    assert (found.replayed, found.flips, found.untold) == (1, (), ("MCP_TRUST_UNHANDLED",))


def test_the_engine_s_own_refusals_are_no_verdict_to_compare_with(post):
    post.check(request_id="one")
    post.check(request_id="one", agents=2)
    found = backtest("ledger", post.ledger.rows(), Side(post.gate, tiers_of()))
    assert [(each.facts, each.count) for each in found.unreplayable] == [((), 1)]


def test_unreplayable_checks_count_in_windows_as_they_were_recorded(tmp_path):
    silent = older(0, n_agents=8)
    del silent["completion_channel"]
    rules = "  - use: completion-channel\n" + NO_OVERRIDE
    found = run([silent, older(1)], side(rules, tmp_path))
    assert told(found) == [(Change.DENIED, "fan-out-cap", "TIER_FANOUT_CAP", [2])]


def test_lines_that_are_no_rows_and_rows_that_are_no_checks_are_counted_apart(tmp_path):
    registration = {"kind": "registration", "job_id": "j", "decision": "ALLOW", "ts": 1.0}
    found = run(["{torn", older(0), registration], side(NO_OVERRIDE, tmp_path))
    assert (found.checks, found.skipped, found.others) == (1, 1, 1)


def test_checks_of_several_policies_or_tables_are_told_of(tmp_path):
    rows = [older(0, policy_path="p", policy=each, policy_digest=each, tier_policy_sha256=each) for each in "ab"]
    assert remarks(run(rows, side(NO_OVERRIDE, tmp_path)))[:2] == [
        "the checks were made under 2 policies, 2 under another one",
        "the checks were made under 2 tier tables, 2 under another one",
    ]
