"""Times as texts: RFC 3339, which is narrower than what Python reads, and wider by leap seconds and small letters."""

import re
from calendar import monthrange
from datetime import UTC, datetime

_RFC_3339 = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)[Tt ](?P<minute>\d\d:\d\d):(?P<second>\d\d)"
    r"(?P<part>\.\d+)?(?:[Zz]|(?P<offset>[+-]\d\d:\d\d))",
    re.ASCII,
)
_LEAP = "60"


def seconds_of(text: str) -> float:
    """Seconds since the epoch of the point in time that an RFC 3339 text names. Raises ValueError for another form.

    A leap second is the first moment of the minute behind it, since the seconds of the epoch know of none; it stands
    at the end of a month in UTC, and nowhere else. Forms that only some versions of Python read, such as hour 24, are
    read by none.
    """
    found = _RFC_3339.fullmatch(text)
    if found is None or found["minute"].startswith("24"):
        raise ValueError("a time is a day, the time of day and a zone, such as 2026-11-29T18:02:11Z")
    leaps = found["second"] == _LEAP
    second, part = ("59", "") if leaps else (found["second"], found["part"] or "")
    when = datetime.fromisoformat(f"{found['day']}T{found['minute']}:{second}{part}{found['offset'] or 'Z'}")
    if leaps and not _ends_month(when):
        raise ValueError("a leap second ends a month in UTC")
    return when.timestamp() + leaps


def _ends_month(when: datetime) -> bool:
    try:
        last = when.astimezone(UTC)
    except OverflowError:
        return False
    return (last.day, last.hour, last.minute) == (monthrange(last.year, last.month)[1], 23, 59)
