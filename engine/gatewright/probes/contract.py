"""The contract file: read once, so that hash, length and lint speak of the same bytes."""

import os
import re
import stat

from gatewright.digests import sha256_hex
from gatewright.model import Contract, Mentions
from gatewright.policy.front_matter import opening

MAX_BYTES = 64 * 1024 * 1024
_MAX_PATHS = 500

_MCP = r"(?i)(?<![a-z0-9_])mcp(?![a-z0-9_])|mcp__|code-review-graph"
_TRUST = ("trust", "신뢰", "다이얼로그")
_WORKTREE = "/.orca/worktrees/"
_ROOT_WORDS = ("repo_root", "repo root", "repo-root", "graph")
#: A path starts at a slash with nothing of a path in front, and ends at white space, quotes, brackets or separators.
_PATH = r"(?<![\w.~$-])/+[^\s\"'`<>{}\[\](),;:|*]+"


def read_contract(path: str) -> Contract:
    """What is known of the contract at `path`: its hash, length and what lint found, or why it cannot be read."""
    try:
        data = _bytes(path)
    except (OSError, ValueError) as error:
        return Contract(path=path, readable=False, error=_reason(error))
    return contract_of(path, data)


def has_front_matter(path: str) -> bool:
    """Whether a contract begins with a front matter; one that cannot be read does not."""
    try:
        return opening(_bytes(path)) is not None
    except (OSError, ValueError):
        return False


def contract_of(path: str, data: bytes) -> Contract:
    """What is known of a contract with these bytes."""
    text = data.decode("utf-8", errors="replace")
    return Contract(
        path=path,
        readable=True,
        sha256=sha256_hex(data),
        chars=len(text),
        mentions=mentions_of(text),
    )


def mentions_of(text: str) -> Mentions:
    """What contract lint finds in a text."""
    lowered = text.casefold()
    return Mentions(
        # Only a text that holds the letters at all is worth the pattern.
        mcp=any(word in lowered for word in ("mcp", "code-review-graph")) and re.search(_MCP, text) is not None,
        trust=any(word in lowered for word in _TRUST),
        worktree_as_root=any(_names_worktree_as_root(line) for line in text.splitlines() if _WORKTREE in line),
        paths=_paths(text),
    )


def _names_worktree_as_root(line: str) -> bool:
    lowered = line.lower()
    return any(word in lowered for word in _ROOT_WORDS)


def _paths(text: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for match in re.finditer(_PATH, text):
        path = "/" + match.group().lstrip("/").rstrip(".")
        if len(path) > 1:
            found[path] = None
        if len(found) >= _MAX_PATHS:
            break
    return tuple(found)


def _bytes(path: str) -> bytes:
    if not path:
        raise ValueError("no path was given")
    # Opened without waiting: a pipe with nobody at the other end must not stop the gate.
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        if stat.S_ISDIR(found.st_mode):
            raise ValueError("it is a folder")
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("it is no plain file")
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES // 1024 // 1024} MiB")
    return data


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[:1].lower() + error.strerror[1:]
    return str(error)
