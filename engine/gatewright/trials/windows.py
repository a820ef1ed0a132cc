"""What allowed checks have used up while rows are replayed: counted as a ledger counts, with nothing but its rows."""

from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator

from gatewright.ledger.protocol import Usage
from gatewright.model import TierTable
from gatewright.model.tiers import UNKNOWN

_PART = 1024


class Windows:
    """The agents of allowed checks, by tier and time."""

    def __init__(self) -> None:
        self._counted: dict[str, _Counted] = {}

    def count(self, name: str, at: float, agents: int, wall: float | None) -> None:
        """Count an allowed check.

        name: what it is booked to, from `booked_to`.
        at: when, in the ledger's time.
        wall: the time that its row has.
        """
        self._counted.setdefault(name, _Counted()).add(at, agents, wall)

    def usage(self, tier: str, table: TierTable, agents: int, *, at: float, wall: float | None) -> Usage:
        """What a tier has used up at a moment within the window of a table, and when there is room for more."""
        names = (f"tier:{tier.casefold()}", f"model:{tier}")
        counted = [found for name in names if (found := self._counted.get(name)) is not None]
        since = at - table.window_seconds
        used = sum(each.since(since) for each in counted)
        cap = table.caps.get(tier)
        frees_at = None
        if cap is not None and agents <= cap < used + agents:
            left = _freed(counted, since, used + agents - cap)
            frees_at = None if left is None else left + table.window_seconds - at + (at if wall is None else wall)
        odd = sum(each.odd_since(since, at if wall is None else wall) for each in counted)
        return Usage(agents=used, frees_at=frees_at, odd_times=odd)


class Running:
    """The agents of one tier while time goes on: little to do for each check, as long as times hardly go back."""

    def __init__(self) -> None:
        self._times = array("d")
        self._agents = array("q")
        self._head = self._sum = 0

    def add(self, at: float, agents: int) -> None:
        """Count an allowed check."""
        if not self._times or at >= self._times[-1]:
            self._times.append(at)
            self._agents.append(agents)
            self._sum += agents
            return
        place = bisect_right(self._times, at)
        self._times.insert(place, at)
        self._agents.insert(place, agents)
        if place < self._head:
            self._head += 1
        else:
            self._sum += agents

    def since(self, since: float) -> int:
        """What counts since a moment."""
        times, agents, head = self._times, self._agents, self._head
        while head < len(times) and times[head] < since:
            self._sum -= agents[head]
            head += 1
        while head and times[head - 1] >= since:
            head -= 1
            self._sum += agents[head]
        self._head = head
        return self._sum


def booked_to(tier: object, model: object, table: TierTable | None) -> str:
    """What a check counts for: its tier, or without one the tier that its model has in the table."""
    if isinstance(tier, str) and tier:
        return f"tier:{tier.casefold()}"
    name = model.strip().casefold() if isinstance(model, str) else ""
    found = table.match(name).tier if table is not None and name else UNKNOWN
    return f"model:{found}"


def _freed(counted: list["_Counted"], since: float, agents: int) -> float | None:
    for at, held in sorted(pair for each in counted for pair in each.from_(since)):
        agents -= held
        if agents <= 0:
            return at
    return None


class _Counted:
    """Numbers in the order of their times, in parts of which each knows its sum: rows may come in any order."""

    def __init__(self) -> None:
        self._firsts: list[float] = []
        self._times: list[array[float]] = []
        self._agents: list[array[int]] = []
        self._sums: list[int] = []
        self._timeless: _Counted | None = None
        self._ahead: list[tuple[float, float]] = []  #: of rows whose own time is later: that time, and when they count

    def add(self, at: float, agents: int, wall: float | None) -> None:
        if wall is None:
            self._timeless = self._timeless or _Counted()
            self._timeless.add(at, 1, at)
        elif wall > at:
            insort(self._ahead, (wall, at))
        part = max(bisect_right(self._firsts, at) - 1, 0)
        if not self._times:
            self._open(0, array("d"), array("q"))
        times, held = self._times[part], self._agents[part]
        place = bisect_right(times, at)
        times.insert(place, at)
        held.insert(place, agents)
        self._firsts[part] = times[0]
        self._sums[part] += agents
        if len(times) > _PART:
            half = _PART // 2
            self._open(part + 1, times[half:], held[half:])
            del times[half:], held[half:]
            self._sums[part] = sum(held)

    def _open(self, part: int, times: "array[float]", held: "array[int]") -> None:
        self._firsts.insert(part, times[0] if times else 0.0)
        self._times.insert(part, times)
        self._agents.insert(part, held)
        self._sums.insert(part, sum(held))

    def _place(self, since: float) -> tuple[int, int]:
        part = max(bisect_left(self._firsts, since) - 1, 0)
        return part, bisect_left(self._times[part], since)

    def since(self, since: float) -> int:
        """The sum of those at that time or later."""
        part, place = self._place(since)
        return sum(self._agents[part][place:]) + sum(self._sums[part + 1 :])

    def odd_since(self, since: float, wall: float) -> int:
        """How many of them have a time of their own that lies ahead, or none."""
        timeless = self._timeless.since(since) if self._timeless is not None else 0
        ahead = self._ahead[bisect_right(self._ahead, (wall, float("inf"))) :]
        return timeless + sum(at >= since for _, at in ahead)

    def from_(self, since: float) -> Iterator[tuple[float, int]]:
        """Those at that time or later, each with its number."""
        first, place = self._place(since)
        for part in range(first, len(self._times)):
            start = place if part == first else 0
            yield from zip(self._times[part][start:], self._agents[part][start:], strict=True)
