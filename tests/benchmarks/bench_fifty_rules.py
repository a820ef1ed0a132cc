"""A decision of a policy of fifty rules, as a request passes it and as a request is denied by it."""

from tests.benchmarks.timing import side_by_side, table
from tests.runner.gates import gate_of

RULES = 50
REQUEST: dict[str, object] = {
    "runtime": "codex",
    "model": "gpt-5.5",
    "agents": 2,
    "est_chars": 3000,
    "completion_channel": "orchestration",
    "labels": {"team": "core", "project": "x"},
    "window": {"used": 1, "cap": 8},
}
KINDS = (
    "{{id: r{0}, deny: agents > {0} + 8}}",
    "{{id: r{0}, when: est_chars is not None, deny: est_chars > 500000 + {0} and runtime == 'codex'}}",
    "{{id: r{0}, deny: \"model in ['retired-{0}', 'old-{0}'] or starts_with(default(model, 'none'), 'test-{0}')\"}}",
    "{{id: r{0}, when: has(labels.team), deny: \"labels.team == 'team-{0}' and default(labels.kind, 'x') != 'y'\"}}",
    "{{id: r{0}, when: window.cap is not None, deny: window.used + agents > window.cap + {0}}}",
)


def main() -> None:
    """Print the times."""
    rules = "\n".join("- " + KINDS[number % len(KINDS)].format(number) for number in range(RULES))
    gate = gate_of(rules)
    denied = {**REQUEST, "agents": 9}
    assert gate.decide(REQUEST).allow
    assert gate.decide(denied).reason == "R0"
    kept, kept_denied = gate.admit(REQUEST), gate.admit(denied)
    times = side_by_side(
        {
            "decide, admitted": lambda: gate.decide(kept),
            "admit and decide": lambda: gate.decide(REQUEST),
            "decide, admitted, denied": lambda: gate.decide(kept_denied),
        },
        rounds=9,
        calls=300,
    )
    print(table(times, "decide, admitted", {"decide, admitted": "under 200 us", "admit and decide": "under 200 us"}))


if __name__ == "__main__":
    main()
