"""A worker for trying a dispatch out: it behaves as a coding agent does, and needs no account and no network.

It shows a prompt, takes one task, writes a transcript as Claude Code does, writes the file that the task names, and
ends. Started as `python3 agent.py --model ID` within a worktree.
"""

import json
import os
import pathlib
import re
import sys
import termios
import time
import tty
import uuid

PASTE = re.compile(rb"\x1b\[20[01]~")


def main(model: str) -> None:
    """Take one task, and do it."""
    print("\x1b[?2004h❯ ", end="", flush=True)
    task = read_task()
    print("\x1b[?2004l\r\n✻ Working… (0s · esc to interrupt)\r\n", end="", flush=True)
    transcript = Transcript(model)
    transcript.add("user", task)
    time.sleep(1.0)
    transcript.add("assistant", "I am reading the contract.")
    time.sleep(3.0)
    work(task)
    transcript.add("assistant", "Done.")
    print("in_expected_worktree: yes\r\nis_master_checkout: no\r\nDone.\r", flush=True)


def read_task() -> str:
    """What is typed or pasted, up to the return key."""
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    tty.setraw(descriptor)
    typed = b""
    try:
        while not typed.endswith(b"\r"):
            typed += os.read(descriptor, 4096) or b"\r"
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
    return PASTE.sub(b"", typed).decode("utf-8", "replace").strip()


def work(task: str) -> None:
    """Write the file that the task names, with the words that it gives."""
    found = re.search(r"write `([^`]+)` with the line `([^`]+)`", task)
    if found is not None:
        path = pathlib.Path(found[1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found[2] + "\n")


class Transcript:
    """A session's file, in the folder and the form of Claude Code."""

    def __init__(self, model: str) -> None:
        self.model, self.session = model, str(uuid.uuid4())
        home = pathlib.Path(os.environ.get("CLAUDE_CONFIG_DIR") or pathlib.Path.home() / ".claude")
        self.cwd = os.getcwd()
        folder = home / "projects" / re.sub(r"[^A-Za-z0-9]", "-", self.cwd)
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / f"{self.session}.jsonl"

    def add(self, role: str, text: str) -> None:
        """One message."""
        message = {"role": role, "content": [{"type": "text", "text": text}]}
        row = {
            "type": role,
            "sessionId": self.session,
            "cwd": self.cwd,
            "isSidechain": False,
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
            "message": message | ({"model": self.model} if role == "assistant" else {}),
        }
        with self.file.open("a") as file:
            file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main(sys.argv[sys.argv.index("--model") + 1])
