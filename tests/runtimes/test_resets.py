"""When a limit ends, by its notice."""

from datetime import datetime

import pytest
from tests.runtimes.readers import read


def ends(notice, seen):
    pane = read(f"  ⎿  {notice}\n", now=datetime.fromisoformat(seen) if seen else None)
    assert pane.pane_class.value == "limit"
    return pane.reset_at


@pytest.mark.acceptance("D15")
@pytest.mark.parametrize(
    ("words", "seen", "moment"),
    [
        ("resets 6:30pm (Europe/Berlin)", "2026-05-04T10:00:00Z", "2026-05-04T16:30:00Z"),
        ("resets 6:30pm (Europe/Berlin)", "2026-05-04T17:00:00Z", "2026-05-05T16:30:00Z"),
        ("resets 12am (Asia/Tokyo)", "2026-05-04T10:00:00Z", "2026-05-04T15:00:00Z"),
        ("resets 12pm (Asia/Tokyo)", "2026-05-04T10:00:00Z", "2026-05-05T03:00:00Z"),
        ("resets 15:45 UTC", "2026-05-04T10:00:00Z", "2026-05-04T15:45:00Z"),
        ("resets at 3pm GMT+2", "2026-05-04T10:00:00Z", "2026-05-04T13:00:00Z"),
        ("resets at 3:00 PM PST", "2026-01-04T10:00:00Z", "2026-01-04T23:00:00Z"),
        ("resets tomorrow at 9am (UTC)", "2026-05-04T08:00:00Z", "2026-05-05T09:00:00Z"),
        ("resets Mon 9am (UTC)", "2026-05-06T08:00:00Z", "2026-05-11T09:00:00Z"),
        ("resets Mar 3, 9am (Europe/Paris)", "2026-03-01T08:00:00Z", "2026-03-03T08:00:00Z"),
        ("resets Mar 3 at 9:15 PM (UTC)", "2026-03-01T08:00:00Z", "2026-03-03T21:15:00Z"),
        ("resets Jan 3, 9am (UTC)", "2026-12-30T08:00:00Z", "2027-01-03T09:00:00Z"),
        ("try again at Jan 3rd, 2027 9:00 AM (UTC)", "2026-12-30T08:00:00Z", "2027-01-03T09:00:00Z"),
        ("try again in 3 days 4 hours 5 minutes.", "2026-05-04T10:00:00Z", "2026-05-07T14:05:00Z"),
        ("resets in 2h 30m", "2026-05-04T10:00:00Z", "2026-05-04T12:30:00Z"),
        ("reset after 1h0m30s.", "2026-05-04T10:00:00Z", "2026-05-04T11:00:30Z"),
        ("resets 2026-05-04T20:00:00Z", None, "2026-05-04T20:00:00Z"),
        ("resets 2026-05-04 20:00 +02:00", None, "2026-05-04T18:00:00Z"),
        ("reached|1777924800", None, "2026-05-04T20:00:00Z"),
    ],
)
def test_a_notice_tells_when_its_limit_ends(words, seen, moment):
    assert ends(f"You've hit your limit · {words}", seen) == moment


@pytest.mark.parametrize(
    ("seen", "moment"),
    [("2027-03-28T00:00:00Z", "2027-03-28T02:00:00Z"), ("2026-10-24T22:30:00Z", "2026-10-25T03:00:00Z")],
)
def test_the_night_on_which_clocks_change_is_as_long_as_it_is(seen, moment):
    assert ends("You've hit your limit · resets 4am (Europe/Berlin)", seen) == moment


@pytest.mark.parametrize(
    "words",
    [
        "",
        "resets soon",
        "resets 25:99 (UTC)",
        "resets 13pm (UTC)",
        "resets 3pm (Mars/Base)",
        "resets 3pm",
        "resets Feb 31, 3pm (UTC)",
    ],
)
def test_no_time_is_made_up(words):
    assert ends(f"You've hit your limit · {words}", "2026-05-04T10:00:00Z") is None


def test_a_time_of_day_needs_to_be_seen_at_a_time():
    assert ends("You've hit your limit · resets 3pm (UTC)", None) is None


def test_a_notice_that_is_broken_over_lines_tells_it_too():
    text = "■ You've hit your usage limit. Get more or try again in 4\n  days 6 hours 37\n  minutes.\n\n› Explain it\n"
    pane = read(text, now=datetime.fromisoformat("2026-05-04T00:00:00Z"))
    assert (pane.reset_text, pane.reset_at) == ("try again in 4 days 6 hours 37 minutes", "2026-05-08T06:37:00Z")
