"""Allowed checks that wait: which of them a later row settles, by rows alone."""

from collections.abc import Iterator
from typing import Generic, TypeVar

from gatewright.ledger.rows import Row

Kept = TypeVar("Kept")


class Unsettled(Generic[Kept]):
    """Allowed checks that nothing has settled yet, each with what is kept of it."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, str], dict[int, Kept]] = {}

    def add(self, row: Row, kept: Kept) -> None:
        """An allowed check waits."""
        waiting = self._held.setdefault(_key(row), {})
        attempt = attempt_of(row)
        # One without a number of its own gets one that no other has.
        waiting[-len(waiting) - 1 if attempt is None or attempt in waiting else attempt] = kept

    def settle(self, row: Row) -> Kept | None:
        """What is kept of the check that a row settles: that of its attempt, else the newest of contract and runtime.

        Older gates count a registration as an attempt of its own, so that its number may be none of a check.
        """
        waiting = self._held.get(_key(row))
        if not waiting:
            return None
        attempt = attempt_of(row)
        found = waiting.pop(attempt) if attempt is not None and attempt in waiting else waiting.popitem()[1]
        if not waiting:
            del self._held[_key(row)]
        return found

    def __iter__(self) -> Iterator[Kept]:
        """What is kept of those that wait."""
        for waiting in self._held.values():
            yield from waiting.values()

    def __len__(self) -> int:
        """How many wait."""
        return sum(map(len, self._held.values()))


def attempt_of(row: Row) -> int | None:
    """The number of a row's start among those of its contract."""
    found = row.data.get("attempt")
    return found if type(found) is int else None


def _key(row: Row) -> tuple[str, str]:
    return row.contract_sha or "", row.runtime
