"""The programs as other programs meet them: started, fed, and judged by what they print and how they exit."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

GATEWRIGHT, DISPATCH_GATE = "gatewright", "dispatch-gate"
_START = {
    GATEWRIGHT: ["-m", "gatewright"],
    DISPATCH_GATE: ["-c", "from gatewright.__main__ import dispatch_gate; dispatch_gate()"],
}
#: Root may read everything; without these two capabilities it is held to the modes of files as everybody is.
_HELD_TO_MODES = """
import ctypes, os, sys
for capability in (1, 2):
    ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
_TIMEOUT = 60
CONTRACT = "# Contract\n\nAdd the missing test.\n"


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a program left behind."""

    program: str
    stdout: str
    stderr: str
    code: int

    @property
    def json(self) -> dict:
        """Standard output as the one JSON document that it has to be, ending in a line feed."""
        assert self.stdout.endswith("\n"), self
        assert self.stdout.count("\n") == 1, self
        return json.loads(self.stdout)

    @property
    def codes(self) -> tuple[list[str], list[str]]:
        """The denials and the warnings of the decision on standard output."""
        return self.json["reasons"], self.json["warnings"]


@dataclass(frozen=True)
class Place:
    """A working directory and a home, both empty and neither in a repository, in which programs are started."""

    cwd: Path
    home: Path

    def write(self, name: str, content: str | bytes) -> str:
        """A file in the working directory; its name."""
        path = self.cwd / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def environment(self, more: Mapping[str, str]) -> dict[str, str]:
        """The environment of a program: nothing of ours gets in."""
        return {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **more}

    def command(self, program: str, args: Iterable[str | bytes], *, held_to_modes: bool = False) -> list[str | bytes]:
        """The words that start a program."""
        launcher = ["-c", _HELD_TO_MODES] if held_to_modes and os.geteuid() == 0 else []
        return [sys.executable, *launcher, *_START[program], *args]

    def run(
        self,
        *args: str | bytes,
        program: str = GATEWRIGHT,
        stdin: bytes = b"",
        folder: str = ".",
        held_to_modes: bool = False,
        strays: tuple[str, ...] = (),
        **env: str,
    ) -> Result:
        """Start a program and wait for it. Whatever happens, there is no traceback and every line says who speaks.

        strays: lines that a plugin prints by itself.
        """
        done = subprocess.run(
            self.command(program, args, held_to_modes=held_to_modes),
            cwd=self.cwd / folder,
            env=self.environment(env),
            input=stdin,
            capture_output=True,
            timeout=_TIMEOUT,
            check=False,
        )
        result = Result(program=program, stdout=done.stdout.decode(), stderr=done.stderr.decode(), code=done.returncode)
        assert "Traceback" not in result.stderr, result.stderr[-1500:]
        ours = [line for line in result.stderr.splitlines() if line not in strays]
        assert all(line.startswith(f"{program}: ") for line in ours), result.stderr[-1500:]
        return result

    def check(self, *more: str | bytes, program: str = GATEWRIGHT, **flags: str | None) -> Result:
        """`check` of a request that is allowed, but for the flags that are given; None leaves one out."""
        return self.run(*self.request(**flags), *more, program=program)

    def request(self, **flags: str | None) -> list[str]:
        """The words of a `check` that is allowed, but for these flags."""
        if "contract" not in flags:
            self.write("contract.md", CONTRACT)
        given = {
            "runtime": "codex",
            "contract": "contract.md",
            "agents": "1",
            "model": "gpt-5.5",
            "completion_channel": "orchestration",
            **flags,
        }
        words = [
            word
            for name, value in given.items()
            if value is not None
            for word in (f"--{name.replace('_', '-')}", value)
        ]
        return ["check", "--no-record", *words]

    def tree(self) -> dict[str, str]:
        """Every file, folder and link below both folders with a hash of what it holds."""
        found: dict[str, str] = {}
        for top in (self.cwd, self.home):
            for path in sorted(top.rglob("*")):
                status = path.lstat()
                held = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
                what = f"{status.st_mode:o} {status.st_size} {status.st_mtime_ns} {hashlib.sha256(held).hexdigest()}"
                found[str(path)] = what
        return found
