"""A moment: one point in time, in UTC, from RFC 3339 text or seconds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples

from gatewright.model import Moment

FIRST, LAST = -62_135_596_800, 253_402_300_799  # the years 1 to 9999


@pytest.mark.parametrize(
    ("text", "epoch"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-11-29T18:02:11Z", 1_795_975_331),
        ("2026-11-29T18:02:11+00:00", 1_795_975_331),
        ("2026-11-29T19:02:11+01:00", 1_795_975_331),
        ("2026-11-30T03:02:11+09:00", 1_795_975_331),
        ("2026-11-29T10:02:11-08:00", 1_795_975_331),
        ("2026-11-29T18:02:11.500Z", 1_795_975_331.5),
        ("2024-02-29T00:00:00Z", 1_709_164_800),
        ("0001-01-01T00:00:00Z", FIRST),
        ("9999-12-31T23:59:59Z", LAST),
        ("2026-11-29t18:02:11z", 1_795_975_331),
        ("2026-11-29 18:02:11Z", 1_795_975_331),
        ("2026-11-29T18:02:11-00:00", 1_795_975_331),
        ("2026-11-29T18:02:11.123456789Z", 1_795_975_331.123456),
        ("2016-12-31T23:59:60Z", 1_483_228_800),
        ("2016-12-31T23:59:60.75Z", 1_483_228_800),
        ("2017-01-01T08:59:60+09:00", 1_483_228_800),
        ("2015-06-30T16:59:60-07:00", 1_435_708_800),
    ],
)
def test_a_text_with_a_zone_is_one_point_in_time(text, epoch):
    assert Moment.parsed(text).epoch == epoch


def test_the_parts_of_a_moment_are_in_utc_whatever_zone_it_was_given_in():
    assert Moment.parsed("2026-11-30T03:02:11+09:00") == Moment(
        epoch=1_795_975_331.0, text="2026-11-29T18:02:11Z", date="2026-11-29", time="18:02", weekday="sun"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "now",
        "2026-11-29T18:02:11",
        "2026-11-29",
        "18:02",
        "2026-13-01T00:00:00Z",
        "2025-02-29T00:00:00Z",
        "2026-11-29T24:61:00Z",
        "2026-11-29T18:02:11+25:00",
        "1795975331",
        "10000-01-01T00:00:00Z",
        "２０２６-11-29T00:00:00Z",
        "2026-11-29T18:02Z",
        "2026-11-29T18Z",
        "20261129T180211Z",
        "2026-W48-7T18:02:11Z",
        "2026-11-29_18:02:11Z",
        "2026-11-29T18:02:11,5Z",
        "2026-11-29T18:02:11.Z",
        "2026-11-29T18:02:11+0900",
        "2026-11-29T18:02:11+09",
        "2026-11-29T18:02:11+09:00:30",
        "2026-11-29T18:02:11+24:00",
        "2026-11-29T18:02:11Z ",
        "2026-11-29T24:00:00Z",
        "2026-11-29T18:02:60Z",
        "2026-11-29T23:59:60Z",
        "2016-12-31T23:59:60+09:00",
        "2016-12-31T23:59:61Z",
    ],
)
def test_a_text_that_names_no_point_in_time_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        Moment.parsed(text)


@pytest.mark.parametrize(
    "text",
    ["0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "9999-12-31T23:59:60Z", "9999-12-31T22:59:60-01:00"],
)
def test_a_text_that_leaves_the_years_1_to_9999_in_utc_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        Moment.parsed(text)


@pytest.mark.parametrize(
    "epoch", [FIRST - 1, LAST + 1, 1e300, -1e300, float("inf"), float("-inf"), float("nan"), 10**400]
)
def test_seconds_beyond_the_years_1_to_9999_are_refused(epoch):
    with pytest.raises(ValueError, match="years 1 and 9999"):
        Moment.at(epoch)


@pytest.mark.parametrize(
    ("date", "weekday"),
    [
        ("2026-11-23", "mon"),
        ("2026-11-24", "tue"),
        ("2026-11-25", "wed"),
        ("2026-11-26", "thu"),
        ("2026-11-27", "fri"),
        ("2026-11-28", "sat"),
        ("2026-11-29", "sun"),
    ],
)
def test_days_have_names_of_three_letters(date, weekday):
    assert Moment.parsed(f"{date}T23:59:59Z").weekday == weekday


@given(st.integers(FIRST, LAST))
@examples(100)
def test_the_text_of_a_moment_names_that_moment(epoch):
    moment = Moment.at(epoch)
    assert moment.epoch == epoch
    assert Moment.parsed(moment.text) == moment
    assert moment.text.startswith(f"{moment.date}T{moment.time}:")
    assert moment.text.endswith("Z")
