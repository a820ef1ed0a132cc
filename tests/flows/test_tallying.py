"""Periods of a report: as short as their number allows, and nothing is lost when they become longer."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples

from gatewright.flows.tallying import MAX_PERIODS, Times

HOUR, DAY, WEEK = 3_600, 86_400, 604_800
MONDAY = datetime(2026, 11, 30, tzinfo=UTC).timestamp()


def periods_of(*times):
    """The length of a period and the periods, of denials at these times."""
    found = Times()
    for ts in times:
        found.add(ts, "NO_MODEL")
    return found.periods()


@pytest.mark.parametrize(
    ("span", "length"),
    [
        (0, HOUR),
        (59 * HOUR, HOUR),
        (60 * HOUR, 6 * HOUR),
        (14 * DAY, 6 * HOUR),
        (15 * DAY, DAY),
        (59 * DAY, DAY),
        (60 * DAY, WEEK),
        (59 * WEEK, WEEK),
        (60 * WEEK, 4 * WEEK),
        (5_000 * DAY, 16 * WEEK),
        (9e11, 4**7 * 4 * WEEK),
    ],
)
def test_a_period_is_as_short_as_their_number_allows(span, length):
    found, periods = periods_of(MONDAY, MONDAY + span)
    assert found == length
    assert (periods[-1].start - periods[0].start) / length < MAX_PERIODS


def test_weeks_start_on_monday_and_days_at_midnight_in_utc():
    assert periods_of(MONDAY + 6.9 * DAY, MONDAY + 70 * DAY)[1][0].start == MONDAY
    assert periods_of(MONDAY + 0.9 * DAY, MONDAY + 20 * DAY)[1][0].start == MONDAY


def test_a_row_at_the_start_of_a_period_belongs_to_it_and_one_before_does_not():
    _, periods = periods_of(MONDAY - 0.001, MONDAY, MONDAY + HOUR - 0.001, MONDAY + HOUR)
    assert [(each.start - MONDAY, each.denials) for each in periods] == [(-HOUR, 1), (0, 2), (HOUR, 1)]


def test_periods_without_a_decision_are_left_out_and_rows_without_a_time_come_last():
    found = Times()
    found.add(MONDAY + 5 * HOUR, None)
    found.add(MONDAY, "A")
    found.add(None, "")
    found.add(None, None)
    _, periods = found.periods()
    assert [(each.start, each.dispatches, each.denials, each.codes) for each in periods] == [
        (MONDAY, 0, 1, {"A": 1}),
        (MONDAY + 5 * HOUR, 1, 0, {}),
        (None, 1, 1, {"": 1}),
    ]


def test_nothing_at_all_has_no_period():
    assert Times().periods() == (HOUR, ())


times = st.none() | st.floats(-1e12, 1e12) | st.floats(MONDAY, MONDAY + 100 * DAY)


@examples(200)
@given(st.lists(st.tuples(times, st.sampled_from([None, "A", "B", ""])), max_size=40))
def test_every_row_is_in_one_period_and_in_the_right_one(rows):
    found = Times()
    for ts, code in rows:
        found.add(ts, code)
    length, periods = found.periods()
    assert sum(each.dispatches + each.denials for each in periods) == len(rows)
    assert [sum(each.codes.values()) for each in periods] == [each.denials for each in periods]
    for each in periods:
        inside = [code for ts, code in rows if _in(ts, each.start, length)]
        assert (each.dispatches, each.denials) == (inside.count(None), len(inside) - inside.count(None))


def _in(ts, start, length):
    if ts is None or start is None:
        return ts is start
    return start <= ts < start + length


def test_times_that_lie_far_apart_do_not_fill_the_memory():
    found = Times()
    for number in range(30_000):
        found.add(MONDAY + number * 7 * HOUR, "A")
    assert len(found._held) <= 20_000
    assert sum(each.denials for each in found.periods()[1]) == 30_000
