"""Every case of the corpora judged by the whole command, each in a process with 512 MB of memory and 5 s of CPU.

A case that needs more is killed, and the script fails. Limits on memory are those of the operating system: macOS sets
none, so that there only the CPU is held.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.expressions import corpus

MEMORY, SECONDS = 512 * 1024 * 1024, 5
ENDINGS = (0, 1, 64)  #: judged, without or with a fault; refused for its size
SHOWN = 3


class Job(NamedTuple):
    """A case, and the words that have the command judge it."""

    name: str
    words: list[str]


class Spent(NamedTuple):
    """What the judging of a case took."""

    name: str
    seconds: float
    megabytes: float
    status: int


def _expressions(folder: Path) -> Iterator[Job]:
    for case in corpus.cases():
        text = corpus.text_of(case)
        if text is None or "context_py" in case:
            continue  # YAML alone, which is judged as such, or objects that no file holds
        file = folder / f"{case['id']}.jsonl"
        file.write_text(json.dumps({"expr": text, "context": corpus.context_of(case)}) + "\n", encoding="utf-8")
        yield Job(case["id"], ["eval", "--batch", str(file)])


def _files() -> Iterator[Job]:
    for file in sorted((corpus.CASES / "yaml").iterdir()):
        yield Job(file.name, ["lint", str(file)])


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _run(job: Job) -> Spent:
    command = [sys.executable, "-m", "gatewright", *job.words]
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere, preexec_fn=_limit)  # noqa: PLW1509  it only sets limits
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024
    return Spent(job.name, used.ru_utime + used.ru_stime, used.ru_maxrss * unit / 1e6, process.returncode)


def main() -> None:
    """Print the dearest cases; fail where one did not end by itself."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        done = list(pool.map(_run, [*_expressions(Path(folder)), *_files()]))
    print(f"{len(done)} cases, each within {SECONDS} s of CPU and {MEMORY // 1024**2} MB")
    for title, by in (("most CPU", lambda each: each.seconds), ("most memory", lambda each: each.megabytes)):
        for spent in sorted(done, key=by, reverse=True)[:SHOWN]:
            print(f"  {title:12} {spent.name:34} {spent.seconds:5.2f} s {spent.megabytes:7.1f} MB")
    broken = [spent for spent in done if spent.status not in ENDINGS]
    for spent in broken:
        print(f"  did not end by itself: {spent.name}, status {spent.status}")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
