"""Patterns of paths: what may be edited, and what may not.

A pattern is matched from the root of the repository. `*` stands for any characters but `/`, `?` for one of them, `**`
as a whole part for any number of folders, none included. Everything else stands for itself. A pattern that matches a
folder matches all that is below it.
"""

from collections.abc import Iterable, Sequence
from unicodedata import normalize


def wrong(pattern: str) -> tuple[str, str] | None:
    """Message and hint for a pattern that can match nothing, or not what it seems to; None for one that is fine."""
    if pattern.startswith("!"):
        return "`!` takes nothing back", "list what may not be edited under `forbid`"
    if "\\" in pattern:
        return "a backslash is no part of a pattern", "write `/` between folders"
    if pattern.startswith(("/", "~")):
        return "it is no path within the repository", "write it from the root of the repository, without a `/` in front"
    parts = pattern.rstrip("/").split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "it has a part that is empty, `.` or `..`", "write the path as `git ls-files` shows it"
    if any("**" in part and part != "**" for part in parts):
        return "`**` stands for whole folders only", "write `/**/`, or a single `*`"
    return None


def covers(patterns: Iterable[str], path: str, *, letter_case: bool = True) -> str | None:
    """The first pattern that matches a path; None for none.

    letter_case: whether letter case counts; where it does not, spellings of one name with combined characters are one.
    """
    names = _form(path, letter_case=letter_case).split("/")
    for pattern in patterns:
        if _matches(_form(pattern, letter_case=letter_case).rstrip("/").split("/"), names):
            return pattern
    return None


def _form(text: str, *, letter_case: bool) -> str:
    return text if letter_case else normalize("NFC", normalize("NFC", text).casefold())


def _matches(parts: Sequence[str], names: Sequence[str]) -> bool:
    """Whether the parts match the names or the first of them.

    Kept is every part that the next name may be up to, so that no pattern takes more than parts times names.
    """
    places = _with_skipped(parts, {0})
    for name in names:
        if len(parts) in places:
            return True
        after = {at + 1 for at in places if _is_last_stars(parts, at) or _part_matches(parts[at], name)}
        places = _with_skipped(parts, after | {at for at in places if parts[at] == "**"})
    return len(parts) in places


def _is_last_stars(parts: Sequence[str], at: int) -> bool:
    return parts[at] == "**" and at == len(parts) - 1


def _with_skipped(parts: Sequence[str], places: set[int]) -> set[int]:
    """The places, and those that are reached where `**` stands for no folder; at the end it stands for some."""
    found = set(places)
    for at in range(len(parts) - 1):
        if at in found and parts[at] == "**":
            found.add(at + 1)
    return found


def _part_matches(pattern: str, name: str) -> bool:
    """Whether one part matches one name: of several stars only the last can be meant to take more."""
    at = seen = 0
    star, resumed = -1, 0
    while seen < len(name):
        if at < len(pattern) and pattern[at] == "*":
            star, resumed = at, seen
            at += 1
        elif at < len(pattern) and pattern[at] in ("?", name[seen]):
            at, seen = at + 1, seen + 1
        elif star >= 0:
            resumed += 1
            at, seen = star + 1, resumed
        else:
            return False
    return not pattern[at:].strip("*")
