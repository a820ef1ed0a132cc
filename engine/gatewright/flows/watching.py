"""Watching a worker's log: whether it moves, has stalled, is missing, or says that the work is done."""

import re
from collections.abc import Callable
from enum import Enum
from typing import Protocol

from msgspec import Struct

from gatewright.expressions.patterns import MAX_MATCHED, Matcher
from gatewright.ledger.rows import time_of
from gatewright.probes.logs import Tail, changed_at

MAX_IDLE = 360.0
POLL_SECONDS = 0.5
_TIME = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)|(?<![\d.])1\d{9}(?:\.\d+)?(?![\d.])"
)
_OFFSET = re.compile(r"([+-]\d\d)(\d\d)$")  #: of a zone, as loggers write it: without the colon of RFC 3339


class Standing(Enum):
    """How it stands with a log."""

    OK = "OK"
    STALLED = "STALLED"
    MISSING = "MISSING"


class Reason(Enum):
    """Why it stands so."""

    OK = "OK"
    STALLED = "STALLED"
    LOG_MISSING = "LOG_MISSING"
    SENTINEL = "SENTINEL"  #: a line said that the work is done


class Watched(Struct, frozen=True, kw_only=True):
    """What looking at a log has shown."""

    standing: Standing
    reason: Reason
    idle_seconds: float | None = None  #: since the last progress; None where there is no log
    last_progress_at: float | None = None  #: seconds since the epoch
    sentinel: str | None = None  #: the line that said so
    lines: int = 0  #: how many lines were read
    newest: str = ""  #: the last of them

    @property
    def ended(self) -> bool:
        """Whether there is nothing left to wait for."""
        return self.reason is not Reason.OK

    def to_dict(self) -> dict[str, object]:
        """The answer with the keys of the older gate, and with the sentinel line when there is one."""
        plain: dict[str, object] = {
            "status": self.standing.value,
            "idle_seconds": self.idle_seconds,
            "last_progress_at": self.last_progress_at,
            "reason": self.reason.value,
        }
        return plain if self.sentinel is None else plain | {"sentinel": self.sentinel}


class Hands(Protocol):
    """The clocks that watching goes by."""

    def wall(self) -> float:
        """Seconds since the epoch, as files have them."""

    def steady(self) -> float:
        """Seconds of a clock that nobody sets."""

    def sleep(self, seconds: float) -> None:
        """Let time go by."""


class Watch(Struct, frozen=True, kw_only=True):
    """What to watch, and for what."""

    log: str
    max_idle: float = MAX_IDLE  #: seconds without progress; exactly so many are still well
    sentinel: Matcher | None = None  #: finds what a line says when the work is done
    progress: Matcher | None = None  #: finds lines whose time is progress; without it, every change of the log is


def look(watch: Watch, hands: Hands) -> Watched:
    """How it stands with a log at this moment. Raises FileError."""
    watcher = _Watcher(watch, hands)
    try:
        return watcher.look()
    finally:
        watcher.tail.close()


def follow(watch: Watch, hands: Hands, shown: Callable[[Watched], None]) -> Watched:
    """Wait until a log stalls, or a line of it says that the work is done; how it stands then.

    A log that is not there yet, or not any more, is waited for as long as one that does not move. shown: is told what
    each look has shown. Raises FileError.
    """
    watcher = _Watcher(watch, hands)
    try:
        while not (watched := watcher.look()).ended or watcher.still_waits_for_log:
            shown(watched)
            hands.sleep(POLL_SECONDS)
        return watched
    finally:
        watcher.tail.close()


class _Watcher:
    """What is known of a log from one look to the next."""

    def __init__(self, watch: Watch, hands: Hands) -> None:
        self.watch, self.hands = watch, hands
        self.tail = Tail(watch.log)
        self.lines, self.newest = 0, ""
        self.sentinel: str | None = None
        self._told: float | None = None  #: the newest time of progress that a line tells
        self._untold = False  #: whether lines without a time were progress since the last look
        self._last: float | None = None  #: the last progress, by the wall clock
        self._looked = hands.steady()  #: when it was looked last; what is told of a look is of one moment
        self._seen, self._idle_then = self._looked, 0.0  #: when that was seen, and how long ago it was then

    @property
    def still_waits_for_log(self) -> bool:
        """Whether there is no log, and it may yet come."""
        return self._last is None and self.hands.steady() - self._seen <= self.watch.max_idle

    def look(self) -> Watched:
        """Look once."""
        if self.watch.sentinel is not None or self.watch.progress is not None:
            self._read()
        changed = changed_at(self.watch.log)
        self._looked = self.hands.steady()
        if self._untold and changed is not None:
            self._told, self._untold = max(changed, self._told or changed), False
        self._note(changed if changed is None or self._told is None else self._told)
        if self.sentinel is not None:
            return self._watched(Standing.OK, Reason.SENTINEL)
        if self._last is None:
            return self._watched(Standing.MISSING, Reason.LOG_MISSING)
        stalled = self._idle() > self.watch.max_idle
        return self._watched(*(Standing.STALLED, Reason.STALLED) if stalled else (Standing.OK, Reason.OK))

    def _note(self, last: float | None) -> None:
        """Note the last progress; from then on a clock that nobody sets says how long ago it was."""
        if last != self._last:
            self._last, self._seen = last, self._looked
            self._idle_then = 0.0 if last is None else max(0.0, self.hands.wall() - last)

    def _idle(self) -> float:
        return self._idle_then + self._looked - self._seen

    def _watched(self, standing: Standing, reason: Reason) -> Watched:
        return Watched(
            standing=standing,
            reason=reason,
            idle_seconds=None if self._last is None else self._idle(),
            last_progress_at=self._last,
            sentinel=self.sentinel,
            lines=self.lines,
            newest=self.newest,
        )

    def _read(self) -> None:
        for line in self.tail.lines():
            self.lines, self.newest = self.lines + 1, line
            if self.watch.progress is not None and _found(self.watch.progress, line):
                self._progress(line)
            if self.watch.sentinel is not None and _found(self.watch.sentinel, line):
                self.sentinel = line
                return

    def _progress(self, line: str) -> None:
        found = _TIME.search(line)
        ts = None if found is None else _seconds(found.group())
        if ts is None:
            self._untold = True
        elif ts <= self.hands.wall():  # a time that has not come yet shows nothing
            self._told = max(ts, self._told or ts)


def _found(matcher: Matcher, line: str) -> bool:
    """Whether a line matches; of a very long one, its beginning."""
    try:
        return matcher(line[:MAX_MATCHED]) is not None
    except OverflowError as error:
        return matcher(line[: error.args[0]]) is not None


def _seconds(text: str) -> float | None:
    if text.replace(".", "").isdigit():
        return float(text)
    return time_of(_OFFSET.sub(r"\1:\2", text.replace(",", ".")))
