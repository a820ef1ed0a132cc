"""Which promise is shown by which tests: `python -m tests.acceptance`.

Reads the rows of `acceptance_rows.toml`, collects the tests without running them, and prints the table. Exits 1 when a
row is shown by no test, or a test claims a row that does not exist.
"""

import contextlib
import io
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from tabulate import tabulate

ROOT = Path(__file__).resolve().parents[1]
ROWS = Path(__file__).with_name("acceptance_rows.toml")


@dataclass(frozen=True)
class Row:
    """One promise."""

    id: str
    area: str
    says: str
    later: bool


class CollectionError(Exception):
    """Tests that pytest cannot collect, in pytest's words."""


class Marks:
    """A plugin of pytest that notes which collected tests claim which rows."""

    def __init__(self) -> None:
        self.claims: dict[str, list[str]] = defaultdict(list)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note the claims of every test; the cases of one test are one claim."""
        for item in items:
            test = item.nodeid.partition("[")[0]
            for mark in item.iter_markers("acceptance"):
                for name in mark.args:
                    if test not in self.claims[name]:
                        self.claims[name].append(test)


def rows() -> dict[str, Row]:
    """All rows by id, in the order of the file."""
    found: dict[str, Row] = {}
    for area, held in tomllib.loads(ROWS.read_text(encoding="utf-8")).items():
        for name, said in held.items():
            says, later = (said, False) if isinstance(said, str) else (said["says"], said.get("later", False))
            assert name not in found, f"row {name} stands twice"
            found[name] = Row(name, area, says, later)
    return found


def claims() -> Mapping[str, list[str]]:
    """The tests that claim each row. Raises CollectionError when the tests cannot be collected."""
    marks, told = Marks(), io.StringIO()
    with contextlib.redirect_stdout(told):
        code = pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", str(ROOT / "tests")], plugins=[marks])
    if code != pytest.ExitCode.OK:
        _, sign, wrong = told.getvalue().partition("= ERRORS =")
        raise CollectionError(f"the tests cannot be collected\n{wrong if sign else told.getvalue()}")
    return marks.claims


def state(row: Row, tests: list[str]) -> str:
    """Whether a row is shown, in a word or two; one that comes later is not called shown by a part of it."""
    if row.later:
        return "later"
    return "shown" if tests else "NOT SHOWN"


def table(known: Mapping[str, Row], claimed: Mapping[str, list[str]]) -> str:
    """One line a row, and one a test below it."""
    cells = []
    for row in known.values():
        tests = claimed.get(row.id, [])
        cells.append([row.area, row.id, state(row, tests), row.says, "\n".join(tests)])
    return tabulate(cells, ["AREA", "ROW", "STATE", "WHAT", "TESTS"], tablefmt="simple", disable_numparse=True)


def main() -> int:
    """Print the table; 1 when something is amiss."""
    try:
        known, claimed = rows(), claims()
    except CollectionError as error:
        print(error, file=sys.stderr)
        return 1
    strange = {name: tests for name, tests in claimed.items() if name not in known}
    print(table(known, claimed))
    counts = Counter(state(row, claimed.get(row.id, [])) for row in known.values())
    print(f"\n{len(known)} rows: {counts['shown']} shown, {counts['NOT SHOWN']} not shown, {counts['later']} later")
    for name, tests in strange.items():
        print(f"no such row: {name}, claimed by {', '.join(tests)}", file=sys.stderr)
    return 1 if counts["NOT SHOWN"] or strange else 0


if __name__ == "__main__":
    sys.exit(main())
