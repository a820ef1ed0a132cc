"""Where agents keep their transcripts, and which of them is a worker's.

A pattern of paths finds candidates; what stands in them says whose they are. The newest that fits is taken, and none
is better than another worker's.
"""

import glob
import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import islice

from msgspec import Struct

from gatewright.errors import FileError
from gatewright.probes.transcripts.headers import Header, header_of

_MAX_NAME = 200  #: characters of a folder's name, from which on Claude Code cuts it and adds a hash
_BASE = 36
_MAX_HELPERS = 500  #: transcripts of sub-agents that are read


class Sought(Struct, frozen=True, kw_only=True):
    """Which transcript is meant."""

    transcript: str | None = None  #: the file itself
    glob: str | None = None  #: a pattern of paths; of what it finds, the newest
    found_by: str = ""  #: who gave the file or the pattern, for the record
    worktree: str | None = None  #: the folder that the worker stands in
    since: float | None = None  #: what began before is not this worker's, seconds since the epoch
    runtime: str | None = None
    writes: str | None = None  #: whose transcripts the runtime writes, where those are not its own
    homes: Mapping[str, str] = {}  #: where agents keep their files, by runtime: `claude`, `codex`

    @property
    def format(self) -> str:
        """The format that the runtime's transcripts have; empty where that is not known."""
        found = self.writes or self.runtime
        return found if found in ("claude", "codex") else ""


class Candidate(Struct, frozen=True, kw_only=True):
    """A transcript that may be the worker's."""

    path: str
    header: Header


def patterns(sought: Sought) -> tuple[str, ...]:
    """The patterns of paths that a transcript is looked for by, where no file is named."""
    if sought.glob is not None:
        return (os.path.expanduser(sought.glob),)
    if sought.worktree is None:
        return ()
    found: list[str] = []
    for runtime in (sought.format,) if sought.runtime else ("claude", "codex"):
        home = glob.escape(sought.homes[runtime]) if runtime in sought.homes else None
        if home is not None and runtime == "claude":
            found += [os.path.join(home, "projects", name, "*.jsonl") for name in _folders(sought.worktree)]
        elif home is not None:
            found.append(os.path.join(home, "sessions", "*", "*", "*", "rollout-*.jsonl"))
    return tuple(found)


def candidates(sought: Sought) -> Iterator[Candidate]:
    """The transcripts that fit, the newest first. Raises FileError where the one that was named cannot be read."""
    if sought.transcript is not None:
        yield Candidate(path=sought.transcript, header=header_of(sought.transcript))
        return
    for path in _newest_first(patterns(sought), sought.since):
        try:
            header = header_of(path)
        except FileError:
            continue  # gone meanwhile, or nothing that an agent writes
        if not header.is_aside and misfit(sought, header) is None:
            yield Candidate(path=path, header=header)


def misfit(sought: Sought, header: Header) -> str | None:
    """Why a transcript is not the worker's; None where nothing speaks against it."""
    if sought.format and header.format and header.format != sought.format:
        return f"it is a transcript of {header.format}, not of {sought.format}"
    if sought.worktree is not None and header.cwd is None:
        return "it does not say in which folder it was written"
    if sought.worktree is not None and _real(header.cwd or "") != _real(sought.worktree):
        return f"it was written in another folder, {header.cwd}"
    if sought.since is not None and header.began is None:
        return "it does not say when it began"
    if sought.since is not None and (header.began or 0.0) < sought.since:
        return "it began before the time that was given, so it is another worker's"
    return None


def _real(path: str) -> str:
    return unicodedata.normalize("NFC", os.path.realpath(os.path.expanduser(path)))


def _newest_first(wanted: tuple[str, ...], since: float | None) -> list[str]:
    found: dict[str, float] = {}
    for pattern in wanted:
        for path in glob.iglob(pattern, recursive=True):
            try:
                changed = os.stat(path).st_mtime
            except OSError:
                continue
            if os.path.isfile(path) and (since is None or changed >= since - 1):
                found[path] = changed
    return sorted(found, key=lambda path: (-found[path], path))


def helpers(candidate: Candidate) -> Iterator[str]:
    """The transcripts of the sub-agents of a session."""
    folder, name = os.path.split(candidate.path)
    if candidate.header.format == "codex":
        days, depth = _days_of(folder)
        wanted = os.path.join(glob.escape(days), *["*"] * depth, "rollout-*.jsonl")
    else:
        below = os.path.join(folder, name.removesuffix(".jsonl"), "subagents")
        yield from islice(_below(below), _MAX_HELPERS)
        wanted = os.path.join(glob.escape(folder), "agent-*.jsonl")
    for path in _newest_first((wanted,), candidate.header.began)[:_MAX_HELPERS]:
        if path != candidate.path and _is_helper(path, candidate.header):
            yield path


def _days_of(folder: str) -> tuple[str, int]:
    """The folder above those of years, months and days, and how far: a sub-agent may begin on the next day."""
    found = re.fullmatch(r"(.+)/[0-9]{4}/[0-9]{2}/[0-9]{2}", folder)
    return (found[1], 3) if found else (folder, 0)


def _below(folder: str) -> Iterator[str]:
    """The transcripts below a folder; links to folders are not followed, since they may lead round and round."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(place, name) for name in sorted(names) if name.endswith(".jsonl"))


def _is_helper(path: str, of: Header) -> bool:
    try:
        header = header_of(path)
    except FileError:
        return False
    return header.is_aside and header.parent is not None and header.parent == of.session


def claude_folder(path: str) -> str:
    """The name of the folder in which Claude Code keeps the sessions of a working directory."""
    name = _plain(path)
    return name if len(name) <= _MAX_NAME else f"{name[:_MAX_NAME]}-{_hashed(path)}"


def _folders(worktree: str) -> list[str]:
    """Patterns of that name: of a long one, its beginning; the folder that a session says itself decides."""
    real = os.path.realpath(os.path.expanduser(worktree))
    names = dict.fromkeys(_plain(each) for each in (unicodedata.normalize("NFC", real), real))
    return [name if len(name) <= _MAX_NAME else f"{name[:_MAX_NAME]}-*" for name in names]


def _plain(path: str) -> str:
    """The path with a dash for each UTF-16 unit that is no ASCII letter or digit."""
    return re.sub(r"[^A-Za-z0-9]", lambda found: "--" if ord(found.group()) > 0xFFFF else "-", path)  # noqa: PLR2004


def _hashed(path: str) -> str:
    """A 32-bit hash over the UTF-16 units of a path, in base 36."""
    units = path.encode("utf-16-le", "surrogatepass")
    value = 0
    for at in range(0, len(units), 2):
        value = (value * 31 + int.from_bytes(units[at : at + 2], "little")) & 0xFFFFFFFF
    value = abs(value - (1 << 32) if value >> 31 else value)
    digits = ""
    while value:
        value, digit = divmod(value, _BASE)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits or "0"
