"""What the commands `gatewright watch` and `dispatch-gate watch` have in common."""

import time
import traceback

from gatewright.cli.display import Display
from gatewright.cli.streams import emit, say
from gatewright.errors import FileError, UsageError
from gatewright.expressions.patterns import Matcher, PatternError, matcher
from gatewright.flows import watching
from gatewright.flows.watching import Standing, Watch, Watched
from gatewright.model.exits import WatchCode
from gatewright.report.formats import as_json

_CODES = {Standing.OK: WatchCode.OK, Standing.MISSING: WatchCode.MISSING, Standing.STALLED: WatchCode.STALLED}


class MachineHands:
    """The clocks of this machine."""

    def wall(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    def steady(self) -> float:
        """Seconds of a clock that nobody sets."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Let time go by."""
        time.sleep(seconds)


def run(program: str, watch: Watch, *, follow: bool = False) -> int:
    """Watch a log, print how it stands, and say so to people where it does not stand well; the exit status."""
    try:
        watched = _followed(watch) if follow else watching.look(watch, MachineHands())
    except FileError as error:
        say(program, str(error))
        return WatchCode.FAILED
    except Exception as error:  # noqa: BLE001  the status of a fault of ours is that of a stalled log elsewhere
        say(program, "".join(traceback.format_exception(error)))
        return WatchCode.FAILED
    emit(as_json(watched.to_dict()))
    if watched.standing is not Standing.OK:
        say(program, watched.reason.value)
    return _CODES[watched.standing]


def _followed(watch: Watch) -> Watched:
    with Display() as display:
        return watching.follow(watch, MachineHands(), lambda each: display.show(_line(watch, each)))


def _line(watch: Watch, watched: Watched) -> str:
    if watched.idle_seconds is None:
        return f"{watch.log}: waiting for it"
    parts = [watch.log, f"idle {watched.idle_seconds:.0f} s of {watch.max_idle:g} s"]
    if watched.lines:
        parts += [f"{watched.lines:,} lines", watched.newest]
    return ": ".join(parts[:2]) + "".join(f" | {part}" for part in parts[2:])


def pattern(option: str, given: str | None) -> Matcher | None:
    """The pattern that an option gives. Raises UsageError with the place of a mistake in it."""
    if given is None:
        return None
    try:
        return matcher(given)
    except PatternError as error:
        raise UsageError(f"{option}, character {error.at + 1}: {error.message}", error.hint) from None
