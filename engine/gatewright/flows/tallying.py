"""Sums by group, by spelling and by time: what a report needs to hold of rows that it has seen."""

from collections.abc import Iterable
from math import floor

from gatewright.ledger.rows import MAX_AGENTS, Row
from gatewright.model.audits import Period

_MONDAY = 4 * 86_400  #: the first one after the epoch; weeks start on it
_STEPS = (3_600, 21_600, 86_400, 604_800, 2_419_200)  #: each is a multiple of the one before
_LONGER = 4  #: times, for each step beyond
MAX_PERIODS = 60  #: that a report has
_MESSAGE = 200  #: characters of an example's message
_HELD = 20_000  #: figures that are held before periods become longer


class Groups:
    """Sums by group."""

    def __init__(self, sums: int = 1) -> None:
        self.zero = (0,) * sums
        self.held: dict[tuple[str | None, ...], list[int]] = {}

    def add(self, key: tuple[str | None, ...], *amounts: int) -> None:
        """Add to the sums of a group."""
        sums = self.held.get(key)
        if sums is None:
            sums = self.held[key] = list(self.zero)
        for at, amount in enumerate(amounts):
            sums[at] += amount

    def sorted(self) -> Iterable[tuple[tuple[str | None, ...], list[int]]]:
        """The groups in the order of their names, those without one last."""
        return sorted(self.held.items(), key=lambda each: [(part is None, part or "") for part in each[0]])


class Spellings:
    """Names that differ in letter case or blanks around them only are one; the first spelling stands for all."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def of(self, name: str) -> str | None:
        """The name's first spelling; None for one of blanks."""
        folded = name.strip().casefold()
        return self._first.setdefault(folded, name.strip()) if folded else None


class Times:
    """Dispatches and denials by time, in periods that are as short as their number allows."""

    def __init__(self) -> None:
        self.step = _STEPS[0]
        #: By period and code; dispatches have None for a code, rows without a time for a period.
        self._held: dict[tuple[int | None, str | None], int] = {}

    def add(self, ts: float | None, code: str | None) -> None:
        """Count a denial with its code, or a dispatch, which has none."""
        key = (None if ts is None else (floor(ts) - _MONDAY) // self.step, code)
        self._held[key] = self._held.get(key, 0) + 1
        if len(self._held) > _HELD:
            self._widen()

    def periods(self) -> tuple[int, tuple[Period, ...]]:
        """The length of a period, and the periods in their order, those without a time last."""
        while self._number() > MAX_PERIODS:
            self._widen()
        codes: dict[int | None, dict[str, int]] = {}
        dispatches: dict[int | None, int] = {}
        for (period, code), number in self._held.items():
            codes.setdefault(period, {})
            if code is None:
                dispatches[period] = number
            else:
                codes[period][code] = number
        return self.step, tuple(
            Period(
                start=None if period is None else float(period * self.step + _MONDAY),
                dispatches=dispatches.get(period, 0),
                denials=sum(codes[period].values()),
                codes=dict(sorted(codes[period].items())),
            )
            for period in sorted(codes, key=lambda each: (each is None, each or 0))
        )

    def _number(self) -> int:
        found = [period for period, _ in self._held if period is not None]
        return max(found) - min(found) + 1 if found else 0

    def _widen(self) -> None:
        """Take the next longer period; figures of those that fall together are added up."""
        longer = next((step for step in _STEPS if step > self.step), self.step * _LONGER)
        times = longer // self.step
        before, self._held, self.step = self._held, {}, longer
        for (period, code), number in before.items():
            key = (None if period is None else period // times, code)
            self._held[key] = self._held.get(key, 0) + number


class Kind:
    """Checks that belong to the same groups: how many, what they add up to, and the last one."""

    __slots__ = ("agents", "computed", "cost", "last", "newest", "number", "without_agents")

    def __init__(self, row: Row) -> None:
        self.number = self.agents = self.cost = self.computed = self.without_agents = 0
        self.newest = row.ts
        self.last = (0, row)


def name_in(row: Row, key: str) -> str | None:
    """The text that a row has for a key; None for none, an empty one, and what is no text."""
    value = row.data.get(key)
    return value if isinstance(value, str) and value else None


def _whole(value: object) -> int | None:
    return min(max(0, value), MAX_AGENTS) if type(value) is int else None


def cost_of(row: Row) -> tuple[int, bool]:
    """The estimated cost of a row, and whether it had to be computed, as rows of old had none."""
    if "cost_proxy" in row.data:
        return _whole(row.data["cost_proxy"]) or 0, False
    return min((_whole(row.data.get("est_chars")) or 0) * (row.agents or 0), MAX_AGENTS), True


def example_of(row: Row) -> str:
    """What the row is about, and what it says of itself."""
    about = f"contract {row.contract_sha[:12]}" if row.contract_sha else f"job {row.job_id}" if row.job_id else ""
    message = next((found for key in ("message", "detail") if (found := name_in(row, key)) is not None), "")
    return ": ".join(part for part in (about, message[:_MESSAGE]) if part)
