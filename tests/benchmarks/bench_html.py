"""A report as a page of HTML, beside the same report as JSON, each a whole command in a process of its own.

`python -m tests.benchmarks.bench_html [ROWS]`, by default 50,000.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.bench_report import rows
from tests.benchmarks.timing import side_by_side, table

SECONDS = 10  #: that a page of a million rows may take


def written(folder: Path, number: int) -> str:
    """A ledger of so many rows; its path."""
    path = folder / "ledger.jsonl"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, sort_keys=True, separators=(",", ":")) + "\n" for row in rows(number))
    return str(path)


def report(ledger: str, wanted: str) -> None:
    """Run the command."""
    words = ["report", "--ledger", ledger, "-f", wanted]
    subprocess.run([sys.executable, "-m", "gatewright", *words], stdout=subprocess.DEVNULL, check=True)


def main() -> None:
    """Print times and ratios."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    with tempfile.TemporaryDirectory() as name:
        ledger, page = written(Path(name), number), Path(name, "page.html")
        base = f"report -f json of {number:,} rows"
        times = side_by_side(
            {base: lambda: report(ledger, "json"), "report -f html": lambda: report(ledger, f"html:{page}")},
            rounds=3,
            calls=1,
        )
        print(table(times, base, {"report -f html": f"of a million rows less than {SECONDS} s"}))
        print(f"the page has {page.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
