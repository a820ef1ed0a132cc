"""Time as the ledger keeps it: never backwards, and not led astray by a wall clock that is set."""

import sys
import time
from typing import Protocol

from msgspec import Struct


class Clock(Protocol):
    """Where the ledger's time comes from."""

    def wall(self) -> float:
        """Seconds since the epoch, as the wall clock has them."""

    def boot(self) -> tuple[str, float]:
        """Which boot of the machine this is, and seconds since some moment of it; an empty name where not known."""


class SystemClock:
    """The clocks of this machine."""

    def wall(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    def boot(self) -> tuple[str, float]:
        """The kernel's boot id and the time since boot, suspended time included."""
        try:
            with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
                return file.read().strip(), time.clock_gettime(time.CLOCK_BOOTTIME)
        except (OSError, AttributeError):
            return _darwin_boot() if sys.platform == "darwin" else ("", 0.0)


def _darwin_boot() -> tuple[str, float]:
    # A boot of macOS is told apart by the moment at which its uptime clock was zero, rounded past the wall's jitter;
    # a wall clock that is set looks like another boot, and the larger of last and wall then holds.
    uptime = time.clock_gettime(getattr(time, "CLOCK_UPTIME_RAW", time.CLOCK_MONOTONIC))
    return f"since-{round((time.time() - uptime) / 60)}", uptime


class TimeBase(Struct, frozen=True, kw_only=True):
    """The ledger time of the last writing, and the boot and boot clock at which it was."""

    time: float
    boot: str = ""
    at: float = 0.0


def ledger_time(base: TimeBase | None, wall: float, boot: tuple[str, float]) -> TimeBase:
    """The ledger time of this moment, by the wall clock and the boot clock.

    Within the boot of the last writing it is the time of that plus what the boot clock has gone on since, whatever the
    wall clock says; across boots, and where boots are not known, the larger of that time and the wall clock.
    """
    name, at = boot
    if base is None:
        return TimeBase(time=wall, boot=name, at=at)
    if name and name == base.boot and at >= base.at:
        return TimeBase(time=base.time + (at - base.at), boot=name, at=at)
    return TimeBase(time=max(base.time, wall), boot=name, at=at)
