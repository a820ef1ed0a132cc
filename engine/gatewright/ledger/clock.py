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
    # What a shell gets from `sysctl kern.bootsessionuuid`, and the clock that nobody sets and that sleep does not stop.
    import ctypes

    found, size = ctypes.create_string_buffer(64), ctypes.c_size_t(64)
    if ctypes.CDLL(None).sysctlbyname(b"kern.bootsessionuuid", found, ctypes.byref(size), None, 0):
        return "", 0.0
    return found.value.decode("ascii", "replace"), time.clock_gettime(time.CLOCK_MONOTONIC_RAW)


class TimeBase(Struct, frozen=True, kw_only=True):
    """The ledger time of the last writing, and what the clocks said then."""

    time: float
    wall: float = 0.0
    boot: str = ""
    at: float = 0.0


def ledger_time(base: TimeBase | None, wall: float, boot: tuple[str, float]) -> TimeBase:
    """The ledger time of this moment, by the wall clock and the boot clock.

    Within the boot of the last writing it is the time of that plus what the boot clock has gone on since, whatever the
    wall clock says. Across boots, and where boots are not known, it goes on as far as the wall clock has, but neither
    back nor past it: a wall clock that was wrong at one of the two moments must not let a day go by in a minute.
    """
    name, at = boot
    if base is None:
        return TimeBase(time=wall, wall=wall, boot=name, at=at)
    if name and name == base.boot and at >= base.at:
        return TimeBase(time=base.time + (at - base.at), wall=wall, boot=name, at=at)
    gone_on = max(0.0, min(wall - base.wall, wall - base.time))
    return TimeBase(time=base.time + gone_on, wall=wall, boot=name, at=at)
