"""A repository with a worktree of it, made by real git."""

import os
import subprocess
from pathlib import Path

ENVIRON = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_GLOBAL": "/dev/null"}


def git(folder: Path, *words: str) -> str:
    """What git prints there."""
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always")
    done = subprocess.run(
        ["git", *who, *words], cwd=folder, env=ENVIRON, check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout


def repository(folder: Path) -> Path:
    """A repository with `src/a.py`, `src/b.py` and a `.gitignore`; its worktree on the branch `job/17`."""
    main = folder / "main"
    (main / "src").mkdir(parents=True)
    git(main, "init", "-q", "-b", "main")
    for name in ("src/a.py", "src/b.py"):
        (main / name).write_text(f"{name}\n")
    (main / ".gitignore").write_text("build/\n")
    git(main, "add", "-A")
    git(main, "commit", "-qm", "first")
    git(main, "worktree", "add", "-q", "-b", "job/17", "../work")
    return folder / "work"


def put(folder: Path, name: str, text: str = "new\n") -> None:
    """Write a file of the worktree."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def commit(folder: Path) -> None:
    """Commit everything there is."""
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "more")
