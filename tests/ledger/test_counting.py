"""What the window counts, on every kind of ledger."""

import pytest
from tests.ledger.desks import TABLE

DAY = 86_400


@pytest.mark.acceptance("P12", "P13")
def test_agents_add_up_to_the_cap_and_no_further(post):
    assert post.reasons(5, 3, 1) == ["OK", "OK", "TIER_FANOUT_CAP"]
    assert post.reasons(*[1] * 5, model="claude-opus-5") == ["OK"] * 4 + ["TIER_FANOUT_CAP"]


@pytest.mark.acceptance("P09", "P14", "WI-01")
@pytest.mark.parametrize(
    ("seconds", "reason"), [(DAY - 1, "TIER_FANOUT_CAP"), (DAY, "TIER_FANOUT_CAP"), (DAY + 1, "OK")]
)
def test_a_row_counts_until_it_is_older_than_the_window(post, seconds, reason):
    assert post.reasons(8) == ["OK"]
    post.clock.pass_(seconds)
    assert post.reasons(1) == [reason]


@pytest.mark.parametrize("seconds", [60, 3600])
def test_the_window_is_as_long_as_the_table_says(post, seconds):
    post.table({**TABLE, "window_seconds": seconds})
    assert post.reasons(8) == ["OK"]
    post.clock.pass_(seconds)
    assert post.reasons(1) == ["TIER_FANOUT_CAP"]
    post.clock.pass_(1)
    assert post.reasons(8) == ["OK"]


@pytest.mark.acceptance("BU-05")
def test_a_denial_uses_nothing_up(post):
    assert post.reasons(9, 9, 8) == ["TIER_FANOUT_CAP", "TIER_FANOUT_CAP", "OK"]


@pytest.mark.acceptance("C17", "C29")
def test_a_dry_run_uses_nothing_up(post):
    for _ in range(10):
        assert post.look(agents=8).allow
    assert post.reasons(8, 1) == ["OK", "TIER_FANOUT_CAP"]
    assert not post.look(agents=1).allow


@pytest.mark.acceptance("C14", "P15")
def test_an_override_lets_one_request_through_and_what_it_starts_counts(post):
    assert post.reasons(8) == ["OK"]
    let_through = post.check(agents=3, tier_override="the owner agreed")
    assert (let_through.allow, let_through.override) == (True, "the owner agreed")
    denied = post.check(agents=1)
    assert (denied.reason, denied.denial.data["used"]) == ("TIER_FANOUT_CAP", 11)


def test_when_there_is_room_again_is_told(post):
    assert post.reasons(3) == ["OK"]
    post.clock.pass_(3600)
    assert post.reasons(4) == ["OK"]
    data = post.check(agents=3).denial.data
    assert (data["used"], data["frees_at"]) == (7, post.clock.now - 3600 + DAY)
    data = post.check(agents=6).denial.data
    assert data["frees_at"] == post.clock.now + DAY
    assert post.check(agents=9).denial.data["frees_at"] is None


@pytest.mark.acceptance("P29", "WI-03")
@pytest.mark.parametrize("step", [-3 * 3600, -30 * 3600])
def test_a_wall_clock_that_is_set_back_gives_no_second_cap(post, step):
    assert post.reasons(8) == ["OK"]
    post.clock.set_wall(step)
    assert post.reasons(1) == ["TIER_FANOUT_CAP"]
    post.clock.set_wall(-step)
    assert post.reasons(1) == ["TIER_FANOUT_CAP"]


@pytest.mark.acceptance("P29", "WI-03")
@pytest.mark.parametrize("step", [30 * 3600, 400 * DAY])
def test_a_wall_clock_that_is_set_forward_gives_no_second_cap_on_one_machine(file_post, step):
    assert file_post.reasons(8) == ["OK"]
    file_post.clock.set_wall(step)
    assert file_post.reasons(1) == ["TIER_FANOUT_CAP"]
    file_post.clock.set_wall(-step)
    assert file_post.reasons(1) == ["TIER_FANOUT_CAP"]


def test_a_clock_that_runs_backwards_across_a_boot_frees_nothing(file_post):
    assert file_post.reasons(8) == ["OK"]
    file_post.clock.reboot(-10 * DAY)
    assert file_post.reasons(1) == ["TIER_FANOUT_CAP"]
    file_post.clock.pass_(DAY + 1)
    assert file_post.reasons(1) == ["OK"]


def test_each_tier_is_counted_apart(post):
    assert post.reasons(8) == ["OK"]
    assert post.reasons(4, model="claude-opus-5") == ["OK"]
    assert post.reasons(8, model="never-heard-of") == ["OK"]
    assert post.reasons(1, model="gpt-5.5-high") == ["TIER_FANOUT_CAP"]


@pytest.mark.acceptance("P06")
def test_rows_from_before_there_were_tiers_count_for_the_tier_of_their_model(post):
    post.table({"version": 1, "worker_allowed": ["gpt-5.5"], "worker_denied_tiers": [], "unknown_model": "warn"})
    assert post.reasons(5, model="GPT-5.5") == ["OK"]
    assert post.reasons(4, model="claude-opus-5") == ["OK"]
    post.table(TABLE)
    assert post.reasons(4) == ["TIER_FANOUT_CAP"]
    assert post.reasons(3) == ["OK"]
    assert post.reasons(1, model="claude-opus-5") == ["TIER_FANOUT_CAP"]


@pytest.mark.acceptance("P10")
def test_a_tier_without_a_cap_is_not_limited(post):
    post.table({**TABLE, "fanout_caps": {}})
    assert post.reasons(10_000, 10_000, est_chars=1) == ["OK", "OK"]


def test_numbers_that_no_machine_starts_do_not_upset_the_sums(post):
    post.table({**TABLE, "fanout_caps": {}})
    assert post.reasons(*[2**63 - 1] * 3, est_chars=0) == ["OK"] * 3
    post.table(TABLE)
    assert post.reasons(1) == ["TIER_FANOUT_CAP"]


@pytest.mark.acceptance("IDEA-15")
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"agents": 3},
        {"agents": 4},
        {"agents": 4, "tier_override": "agreed"},
        {"model": "claude-opus-5", "agents": 4},
        {"model": "brand-new"},
        {"model": None},
        {"contract": "nowhere.md"},
    ],
)
def test_a_dry_run_changes_no_byte_and_says_what_a_recorded_check_says_at_that_moment(post, given):
    post.check(agents=5)
    tickets = {path.name: path.read_bytes() for path in (post.folder / "tickets").glob("*")}
    before = post.kept()
    looked = post.look(**given)
    assert (post.kept(), {path.name: path.read_bytes() for path in (post.folder / "tickets").glob("*")}) == (
        before,
        tickets,
    )
    assert looked.to_dict() == post.check(**given).to_dict()
