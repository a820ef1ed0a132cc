"""A decision on a request of 20,000 values, of which the rules read a few, beside one on a request of those few alone.

The policy never looks at the rest, so it should cost nothing. Taking in the whole request is a matter of its own, and
is timed apart.
"""

from tests.benchmarks.timing import side_by_side, table
from tests.runner.gates import gate_of

from gatewright.expressions.admission import MAX_VALUES, admitted_map

RULES = """
- {id: a, deny: agents > 8}
- {id: b, deny: "runtime == 'fable'"}
- {id: c, deny: "completion_channel not in ['orchestration', 'sentinel-log']"}
- {id: d, when: model is not None, deny: "starts_with(model, 'retired-')"}
- {id: e, when: est_chars is not None, deny: est_chars > 500000}
"""
SMALL: dict[str, object] = {
    "runtime": "codex",
    "model": "gpt-5.5",
    "agents": 2,
    "est_chars": 3000,
    "completion_channel": "orchestration",
}


def main() -> None:
    """Print the ratios."""
    gate = gate_of(RULES)
    # 150 rows of 132 values each, in names that no rule reads and in one that the catalog knows.
    row = {f"key_{number}": number for number in range(131)}
    large = {**SMALL, "labels": {"team": "core"}, **{f"extra_{number}": dict(row) for number in range(150)}}
    assert 1 + len(large) + sum(len(each) for each in large.values() if isinstance(each, dict)) > MAX_VALUES - 500
    admitted_map(large)
    assert gate.decide(SMALL).allow
    assert gate.decide(large).allow
    kept_small, kept_large = gate.admit(SMALL), gate.admit(large)
    times = side_by_side(
        {
            "admit and decide, small": lambda: gate.decide(SMALL),
            "admit and decide, 20,000 values": lambda: gate.decide(large),
            "decide, small, admitted": lambda: gate.decide(kept_small),
            "decide, 20,000 values, admitted": lambda: gate.decide(kept_large),
        },
        rounds=9,
    )
    times |= side_by_side({"admission of all 20,000 values": lambda: admitted_map(large)}, rounds=5, calls=10)
    print(table(times, "admit and decide, small", {"admit and decide, 20,000 values": "at most 2x"}))


if __name__ == "__main__":
    main()
