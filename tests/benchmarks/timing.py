"""Timing side by side: the candidates take turns in one run, so that whatever else the machine does hits them alike."""

import statistics
import time
from collections.abc import Callable, Mapping


def side_by_side(
    candidates: Mapping[str, Callable[[], object]], *, rounds: int = 15, calls: int = 2_000
) -> dict[str, float]:
    """Seconds a call of each candidate: the median over rounds in which each one is called `calls` times in turn."""
    taken: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, call in candidates.items():
            start = time.perf_counter()
            for _ in range(calls):
                call()
            taken[name].append((time.perf_counter() - start) / calls)
    return {name: statistics.median(times) for name, times in taken.items()}


def table(times: Mapping[str, float], base: str, goals: Mapping[str, str] | None = None) -> str:
    """Times and their ratio to one of them, with the goal beside it."""
    lines = [f"{'':34}{'time':>12}{'ratio':>10}   goal"]
    for name, seconds in times.items():
        goal = (goals or {}).get(name, "")
        lines.append(f"{name:34}{shown(seconds):>12}{seconds / times[base]:>9.2f}x   {goal}")
    return "\n".join(lines)


def shown(seconds: float) -> str:
    """A duration in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds * 1e9:.0f} ns"
