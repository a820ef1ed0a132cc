"""The worktree as an agent sees it: its real path, and the root of the repository that it is linked to."""

import os
import stat

from msgspec import Struct

from gatewright.runtimes.pretrust.outcomes import TrustError
from gatewright.text import shown

_LINK_BYTES = 1 << 16  #: more than any path is long


class Worktree(Struct, frozen=True, kw_only=True):
    """A folder that a worker will stand in."""

    path: str  #: the real one
    main_root: str | None = None  #: of the repository, where this is a linked worktree of it
    notes: tuple[str, ...] = ()


def find(given: str, *, existing: bool = False) -> Worktree:
    """The worktree at an absolute path.

    existing: whether it has to be there.

    Raises TrustError for a path that no agent would look up, or that is no folder.
    """
    if not os.path.isabs(given):
        raise TrustError(given, "the worktree is no absolute path", f"did you mean `{os.path.abspath(given)}`?")
    _check_spelling(given)
    path = as_on_disk(os.path.realpath(given))
    _check_spelling(path)
    if os.path.lexists(path) and not os.path.isdir(path):
        raise TrustError(given, "the worktree is no folder")
    if existing and not os.path.isdir(path):
        raise TrustError(given, "there is no such folder", "make the worktree first")
    main_root, note = _main_root(path)
    return Worktree(path=path, main_root=main_root, notes=(note,) if note else ())


def _check_spelling(path: str) -> None:
    if "\x00" in path:
        raise TrustError(path.replace("\x00", "\\x00"), "a path holds no NUL character")
    if path.splitlines() != [path]:
        raise TrustError(shown(path), "a path with a line break is not written into a trust file", "rename the folder")
    try:
        path.encode()
    except UnicodeEncodeError:
        raise TrustError(shown(path), "the path is no text in UTF-8", "rename the folder") from None


def as_on_disk(path: str) -> str:
    """A real path with each name in the letters that its folder has for it, where a file system takes any case."""
    done = "/"
    for name in path.strip("/").split("/"):
        done = os.path.join(done, _as_listed(done, name))
    return done


def _as_listed(folder: str, name: str) -> str:
    try:
        names = os.listdir(folder)
        if name in names or not os.path.lexists(os.path.join(folder, name)):
            return name
        return next(
            each
            for each in names
            if each.casefold() == name.casefold()
            and os.path.samefile(os.path.join(folder, each), os.path.join(folder, name))
        )
    except (OSError, StopIteration):
        return name


def _main_root(path: str) -> tuple[str | None, str]:
    """The root of the repository that a linked worktree belongs to, and what there is to say about a broken link.

    Only a link that leads there and back counts: what a worker writes into its own `.git` file trusts nothing.
    """
    mark = os.path.join(path, ".git")
    if not os.path.isfile(mark):
        return None, ""
    words = _line_of(mark)
    if not words.startswith("gitdir:"):
        return None, f"{mark} names no folder of git: only the worktree itself is trusted"
    folder = os.path.realpath(os.path.join(path, words.removeprefix("gitdir:").strip()))
    common = _line_of(os.path.join(folder, "commondir"))
    if not common:
        return None, "" if os.path.isfile(
            os.path.join(folder, "HEAD")
        ) else f"{mark} leads nowhere: only the worktree itself is trusted"
    back = _line_of(os.path.join(folder, "gitdir"))
    if os.path.realpath(os.path.join(folder, back)) != os.path.realpath(mark):
        return None, f"the repository that {mark} names does not name it back: only the worktree itself is trusted"
    root, name = os.path.split(os.path.realpath(os.path.join(folder, common)))
    if name != ".git":
        return None, ""  # a bare repository has no root that anybody works in
    _check_spelling(root)
    return as_on_disk(root), ""


def _line_of(path: str) -> str:
    """The one line of a small file; empty when there is none that can be read."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return ""
            return os.fsdecode(file.read(_LINK_BYTES)).partition("\x00")[0].strip("\r\n")
    except (OSError, ValueError):
        return ""
