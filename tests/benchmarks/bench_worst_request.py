"""The dearest requests that are let in at all, each on fifty rules that look at all of it.

A list has up to 20,000 texts, a text up to a million characters. Finding something costs more than finding nothing:
each finding is evaluated once more, to tell what was compared.
"""

from tests.benchmarks.timing import side_by_side, table
from tests.runner.gates import gate_of

from gatewright.expressions.admission import MAX_CHARACTERS, MAX_VALUES

RULES = 50
PATHS = [f"/r/{number}" for number in range(MAX_VALUES - 1)]
TEXT = "a" * (MAX_CHARACTERS - 1)
CASES: dict[str, tuple[str, dict[str, object]]] = {
    "in a list, nothing found": ("\"'/q/{0}' in known_roots\"", {"known_roots": PATHS}),
    "in a list, 50 findings": ("\"'/r/{0}' in known_roots\"", {"known_roots": PATHS}),
    "two lists, nothing found": (
        '"known_roots == known_roots and agents > {0}"',
        {"known_roots": PATHS, "agents": 0},
    ),
    "two lists, 50 findings": ('"known_roots == known_roots and agents > {0}"', {"known_roots": PATHS, "agents": 99}),
    "contains, nothing found": (f"\"contains(runtime, '{'a' * 20}b{{0}}')\"", {"runtime": TEXT}),
    "matches, nothing found": ("\"matches(runtime, '^a*b{0}')\"", {"runtime": TEXT}),
    "a message of a long text": ("\"agents > 1\", message: '{{runtime}} {0}'", {"runtime": TEXT, "agents": 2}),
}


def main() -> None:
    """Print the times."""
    calls = {}
    for name, (condition, request) in CASES.items():
        gate = gate_of("\n".join(f"- {{id: r{number}, deny: {condition.format(number)}}}" for number in range(RULES)))
        kept = gate.admit(request)
        assert gate.decide(kept).allow is not ("finding" in name or "message" in name)
        calls[name] = lambda gate=gate, kept=kept: gate.decide(kept)
    times = side_by_side(calls, rounds=5, calls=1)
    print(table(times, "in a list, nothing found", dict.fromkeys(calls, "50 ms")))


if __name__ == "__main__":
    main()
