"""One `gatewright check --no-record` as a whole process, beside Python importing the same four libraries."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.timing import side_by_side, table

IMPORTS = "import click, msgspec, pluggy, ruamel.yaml"


def main() -> None:
    """Print the ratio."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        contract = Path(folder) / "contract.md"
        contract.write_text("# Do the work\n", encoding="utf-8")
        request = ["check", "--runtime", "codex", "--contract", str(contract), "--agents", "1", "--no-record"]
        request += ["--model", "gpt-5.5", "--completion-channel", "orchestration"]
        program = [sys.executable, "-c", "from gatewright.__main__ import main; main()"]

        def run(*command: str) -> None:
            subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)

        run(*program, *request)
        times = side_by_side(
            {
                "python, the four imports": lambda: run(sys.executable, "-c", IMPORTS),
                "gatewright check --no-record": lambda: run(*program, *request),
            },
            rounds=25,
            calls=1,
        )
    print(table(times, "python, the four imports", {"gatewright check --no-record": "at most 1.6x"}))


if __name__ == "__main__":
    main()
