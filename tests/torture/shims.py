"""The shim that watches what a process does to its files, compiled, and its log read."""

import functools
import json
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

from msgspec import Struct
from tests.torture.stations import ROOT, environment

SOURCE = Path(__file__).with_name("shim.c")
_HEAD = struct.Struct("=IIIIQq")


class Kind(Enum):
    """What a process did, by the shim's numbers."""

    CREATED = 1
    WROTE = 2
    CUT = 3
    SYNCED = 4
    RENAMED = 5
    REMOVED = 6
    MADE_FOLDER = 7
    MARK = 8


class Step(Struct, frozen=True):
    """One thing that a process did below the watched folder."""

    kind: Kind
    path: str
    second: str
    data: bytes
    inode: int
    offset: int  #: of what was written; the length after a cut; the number of a mark


def missing() -> str:
    """Why there is no shim on this machine; empty where there is one."""
    if not sys.platform.startswith("linux"):
        return "the shim is for Linux"
    return "" if shutil.which("cc") else "there is no C compiler"


@functools.cache
def shim() -> str:
    """The compiled shim."""
    folder = Path(tempfile.gettempdir()) / f"gatewright-shim-{SOURCE.stat().st_mtime_ns}"
    folder.mkdir(exist_ok=True, mode=0o700)
    made = folder / "shim.so"
    if not made.exists():
        new = Path(tempfile.mkdtemp(dir=folder)) / "shim.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-o", new, SOURCE, "-ldl"], check=True)
        new.replace(made)
    return str(made)


def watched(root: Path, log: Path | None = None) -> dict[str, str]:
    """The environment of a process that is watched below a folder."""
    found = environment(LD_PRELOAD=shim(), TORTURE_ROOT=str(root))
    return found if log is None else {**found, "TORTURE_LOG": str(log)}


def figures_of(module: str, *words: str) -> dict[str, object]:
    """The figures that a program of these tests prints, run under the shim in a place that it is told of."""
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", module, "--place", place, *words]
        done = subprocess.run(
            command, env=watched(Path(place)), cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
        )
    if done.returncode:
        raise AssertionError(done.stderr)
    found: dict[str, object] = json.loads(done.stdout)
    return {**found, "said": done.stderr}


def steps(log: Path) -> Iterator[Step]:
    """What was logged, in order."""
    data, at = log.read_bytes(), 0
    while at < len(data):
        kind, *lengths, inode, offset = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        parts = []
        for length in lengths:
            parts.append(data[at : at + length])
            at += length
        yield Step(Kind(kind), parts[0].decode(), parts[1].decode(), parts[2], inode, offset)
