"""Loading a policy of 1,000 rules, beside ruamel's round-trip loader reading the same file."""

from io import StringIO

from ruamel.yaml import YAML
from tests.benchmarks.timing import side_by_side, table

from gatewright.app import catalog_of
from gatewright.policy.loader import load
from gatewright.runner import Gate

RULES = 1_000


def policy() -> str:
    """A policy of many rules, each with a guard, a condition, a code and a message."""
    lines = ["gatewright: 1", "policy: large", "stage: check", "rules:"]
    for number in range(RULES):
        lines += [
            f"  - id: rule-{number}",
            f"    when: agents > {number % 7}",
            f"    deny: est_chars is not None and est_chars > {1000 + number}",
            f'      and model in ["gpt-5.5", "gpt-5.{number}"]',
            "    code: BUDGET_EXCEEDED",
            f'    message: "{{agents}} agents are too many for rule {number}"',
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the times."""
    text = policy()
    catalog = catalog_of()
    times = side_by_side(
        {
            "ruamel, round trip": lambda: YAML().load(StringIO(text)),
            "ruamel, pure events": lambda: list(YAML(typ="safe", pure=True).parse(text)),
            "gatewright, checked": lambda: load(text.encode(), "large.yaml", catalog),
            "gatewright, ready to decide": lambda: Gate(load(text.encode(), "large.yaml", catalog), catalog),
        },
        rounds=3,
        calls=1,
    )
    print(table(times, "ruamel, pure events", {"gatewright, ready to decide": f"under 1.5 s for {RULES:,} rules"}))


if __name__ == "__main__":
    main()
