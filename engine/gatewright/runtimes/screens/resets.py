"""When a limit ends, as notices write it: a time of day with its zone, a day, a span, seconds since 1970.

A time without a zone is no moment, and neither is one that does not exist; nothing is made up.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo

LINES = 6  #: of a notice, from the one with the marker on
MAX_CHARACTERS = 600

_TOLD = re.compile(
    r"(?:resets?|try\s*again|retry|available(?:\s*again)?|renews?|will\s*reset)\b.{0,120}|reached\|[0-9]{10}\b"
    r"|reset(?:s)?(?=[0-9]).{0,120}",
    re.IGNORECASE | re.DOTALL,
)
_EPOCH = re.compile(r"(?<![0-9])(1[0-9]{9}|2[0-9]{9})(?![0-9])")
_ISO = re.compile(
    r"(\d{4}-\d{2}-\d{2})[T ]?\s*(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|UTC|[+-]\d{2}:?\d{2})", re.IGNORECASE
)
_SPAN = re.compile(
    r"(\d{1,6})\s*(weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])", re.IGNORECASE
)
_UNITS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*(am|pm|a\.m\.|p\.m\.)?(?![\d:])", re.IGNORECASE)
_MONTH = re.compile(
    r"\b(" + "|".join(_MONTHS) + r")[a-z]*\.?\s*(\d{1,2})(?:st|nd|rd|th)?(?!\d|:)(?:,?\s*(\d{4})(?!\d))?", re.IGNORECASE
)
_WEEKDAY = re.compile(r"\b(" + "|".join(_DAYS) + r")[a-z]*\b", re.IGNORECASE)
_ZONE = re.compile(r"\(([A-Za-z][\w+./-]*)\)|\b(UTC|GMT|Z)\s*([+-]\d{1,2}(?::?\d{2})?)?\b|\b([ECMP][SD]T)\b")
_HOURS = {"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}
_NOON = 12


def told(lines: Sequence[str]) -> str | None:
    """The words of a notice that say when its limit ends; None when there are none."""
    text = " ".join(" ".join(lines).replace("\u00a0", " ").split())[:MAX_CHARACTERS]
    match = _TOLD.search(text)
    if match is None:
        return None
    words = re.split(r"(?<=[a-z0-9)])[.;!](?:\s|$)|\s[│|·∙]\s|\s[❯›⎿●•■]", match[0])[0]
    return words.strip(" .,|")


def moment(words: str, now: datetime | None) -> datetime | None:
    """The moment that such words name, in UTC; None where they name none.

    now: when the words were read. Without it only those that need no clock name one.
    """
    try:
        return _absolute(words) or (None if now is None else _relative(words, now.astimezone(UTC)))
    except (ValueError, OverflowError):
        return None


def rfc3339(moment: datetime) -> str:
    """A moment as it is written in JSON."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _absolute(words: str) -> datetime | None:
    epoch = _EPOCH.search(words)
    if epoch is not None:
        return datetime.fromtimestamp(int(epoch[1]), UTC)
    iso = _ISO.search(words)
    if iso is None:
        return None
    zone = "+00:00" if iso[3].upper() in ("Z", "UTC") else iso[3]
    return datetime.fromisoformat(f"{iso[1]}T{iso[2]}{zone}").astimezone(UTC)


def _relative(words: str, now: datetime) -> datetime | None:
    span = _SPAN.findall(words)
    if span and not re.search(r"\b[ap]\.?m\b|\d(?:am|pm)|\d:\d", words, re.IGNORECASE):
        seconds = sum(int(count) * _UNITS[unit[0].lower()] for count, unit in span)
        return now.replace(microsecond=0) + timedelta(seconds=seconds)
    zone = _zone(words)
    return None if zone is None else _on_a_day(words, now.astimezone(zone), zone)


def _on_a_day(words: str, now: datetime, zone: tzinfo) -> datetime | None:
    """The time of day on the day that is named, else on the next day on which it is still to come."""
    month = _MONTH.search(words)
    rest = words if month is None else words[: month.start()] + words[month.end() :]
    clock = _time(re.sub(r"\([^)]*\)|\b(?:UTC|GMT)\s*[+-]\d{1,2}(?::?\d{2})?", "", rest))
    if clock is None:
        return None
    hour, minute = clock
    if month is not None:
        return _dated(month, hour, minute, now, zone)
    today = datetime(now.year, now.month, now.day, hour, minute, tzinfo=zone)
    weekday = _WEEKDAY.search(rest)
    ahead = (_DAYS.index(weekday[1].lower()) - now.weekday()) % 7 if weekday is not None else 0
    ahead = 1 if weekday is None and re.search("tomorrow", rest, re.IGNORECASE) else ahead
    found = _days_later(today, ahead)
    return _later_than(now, found, _days_later(today, 7 if weekday is not None else ahead + 1))


def _dated(month: re.Match[str], hour: int, minute: int, now: datetime, zone: tzinfo) -> datetime | None:
    number, day = _MONTHS.index(month[1].lower()) + 1, int(month[2])
    if month[3] is not None:
        return datetime(int(month[3]), number, day, hour, minute, tzinfo=zone).astimezone(UTC)
    this = datetime(now.year, number, day, hour, minute, tzinfo=zone)
    return _later_than(now, this, this.replace(year=now.year + 1))


def _days_later(today: datetime, days: int) -> datetime:
    """The same time of day on a later day, whatever the clocks do in between."""
    return (today.replace(tzinfo=None) + timedelta(days=days)).replace(tzinfo=today.tzinfo)


def _later_than(now: datetime, first: datetime, otherwise: datetime) -> datetime:
    """The first in UTC, unless it has passed. Compared in UTC: within a zone, clocks are compared, not moments."""
    moment = first.astimezone(UTC)
    return moment if moment > now.astimezone(UTC) else otherwise.astimezone(UTC)


def _time(words: str) -> tuple[int, int] | None:
    """Hour and minute; None where there is none, or none that exists."""
    for match in _CLOCK.finditer(words):
        hour, minute, half = int(match[1]), int(match[2] or 0), (match[3] or "").replace(".", "").lower()
        if not half and match[2] is None:
            continue
        if half and not 1 <= hour <= _NOON:
            return None
        if half:
            hour = hour % _NOON + (_NOON if half == "pm" else 0)
        return (hour, minute) if hour < 24 and minute < 60 else None  # noqa: PLR2004  a day, an hour
    return None


def _zone(words: str) -> tzinfo | None:
    """The zone that is named; None where there is none, or none that is known."""
    match = _ZONE.search(words)
    if match is None:
        return None
    if match[4] is not None:
        return timezone(timedelta(hours=_HOURS[match[4].upper()]))
    if match[2] is not None or match[1] in ("UTC", "GMT", "Z"):
        return _offset(match[3]) if match[3] else UTC
    if match[1] in _HOURS:
        return timezone(timedelta(hours=_HOURS[match[1]]))
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(match[1])
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _offset(text: str) -> tzinfo:
    digits = text[1:].replace(":", "")
    hours, minutes = int(digits[:2]), int(digits[2:] or 0)
    size = timedelta(hours=hours, minutes=minutes)
    return timezone(-size if text[0] == "-" else size)
