"""A long transcript: megabytes a second beside reading each line as JSON, and memory beside that of a tenth of it.

`python -m tests.benchmarks.bench_transcript [MEGABYTES]`, by default 200; 1000 is a gigabyte.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gatewright.probes.transcripts.measuring import measure
from gatewright.probes.transcripts.places import Sought

MODEL = "claude-sonnet-5"
#: Started in between, since a process counts what its parent held before it became itself.
MEASURE = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
print(os.wait4(process.pid, 0)[2].ru_maxrss)
"""


def written(path: Path, megabytes: int) -> str:
    """A session of so many megabytes: answers of some lines, tools' results of many, now and then a picture."""
    kinds = [("assistant", 900), ("user", 2_500), ("assistant", 400), ("user", 30_000), ("assistant", 1_500)]
    size, number = 0, 0
    with path.open("wb") as file:
        while size < megabytes << 20:
            kind, length = ("user", 600_000) if number % 500 == 499 else kinds[number % len(kinds)]
            size += file.write(row(kind, length, number))
            number += 1
    return str(path)


def row(kind: str, length: int, number: int) -> bytes:
    """One row, with text of that length."""
    text = ('word "quoted" and\n a line more; ' * (length // 30 + 1))[:length]
    message: dict[str, object] = {"role": kind, "content": [{"type": "text", "text": text}]}
    if kind == "assistant":
        message |= {"id": f"msg_{number}", "model": MODEL, "usage": {"input_tokens": 12, "output_tokens": 34}}
    whole = {
        "parentUuid": f"{number - 1:036x}",
        "isSidechain": False,
        "cwd": "/yard/blue",
        "sessionId": "s1",
        "timestamp": "2026-11-20T08:00:00Z",
        "type": kind,
        "message": message,
        "uuid": f"{number:036x}",
    }
    return json.dumps(whole).encode() + b"\n"


def with_json(path: str) -> int:
    """The answers of a session, each line read whole by `json`."""
    with open(path, "rb") as file:
        return sum(1 for line in file if json.loads(line)["type"] == "assistant")


def speed(path: str, read: object) -> float:
    """Megabytes a second of our own time, whatever else the machine does."""
    start = time.process_time()
    assert callable(read)
    read(path)
    return os.path.getsize(path) / (1 << 20) / (time.process_time() - start)


def peak(path: str) -> int:
    """Kilobytes that the whole command takes at most."""
    words = ["-c", "from gatewright.__main__ import main; main()", "probe", "model", "--transcript", path]
    command = [sys.executable, "-c", MEASURE, sys.executable, *words]
    return int(subprocess.run(command, capture_output=True, check=True).stdout)


def main() -> None:
    """Print speeds, their ratio and memory."""
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as name:
        few, many = written(Path(name) / "few.jsonl", megabytes // 10), written(Path(name) / "many.jsonl", megabytes)
        assert measure(Sought(transcript=many), declared=MODEL).verified
        readers = {"json.loads of each line": with_json, "probe": lambda path: measure(Sought(transcript=path))}
        found = {label: max(speed(many, read) for _ in range(3)) for label, read in readers.items()}
        for label, each in found.items():
            print(f"{label:26}{each:>8.0f} MB/s{each / found['json.loads of each line']:>8.2f}x   (at least 2x)")
        less, more = peak(few), peak(many)
        ratio = more / less
        print(
            f"memory: {less:,} KB for {megabytes // 10} MB, {more:,} KB for {megabytes} MB, {ratio:.2f}x (at most 1.2x)"
        )


if __name__ == "__main__":
    main()
