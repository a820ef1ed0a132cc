"""One expression made ready to run: read, checked and compiled; a usual one, and the longest that is read at all."""

from tests.benchmarks.timing import side_by_side, table
from tests.expressions.strategies import SCHEMA

from gatewright.expressions import checker, emit, parser
from gatewright.expressions.lexer import MAX_CHARACTERS

USUAL = 'has(labels.dev) and agents > 8 and model in ["gpt-5.5", "gpt-5.4"] or not ready and starts_with(runtime, "x")'
PART = "agents > 8 and score < 1.5 or "


def load(text: str) -> object:
    """The function of an expression."""
    tree, _ = checker.checked(text, SCHEMA)
    return emit.compiled(tree)


def main() -> None:
    """Print the times."""
    # As many operations as an expression may have, 300, and lists up to the last character that is read.
    many = PART * 40 + "ready"
    long = "model in [" + ", ".join(['"a-model-of-some-name"'] * 160) + "]"
    assert len(long) <= MAX_CHARACTERS
    times = side_by_side(
        {
            "Python's own compile": lambda: compile(USUAL, "<text>", "eval"),
            "read": lambda: parser.parse(USUAL),
            "read, checked, compiled": lambda: load(USUAL),
            "the same, 280 operations": lambda: load(many),
            "the same, 4,000 characters": lambda: load(long),
        },
        rounds=7,
        calls=50,
    )
    print(table(times, "Python's own compile", {"read, checked, compiled": "under 1 ms"}))


if __name__ == "__main__":
    main()
