"""What has become of a worktree since a base: paths, commits, branch."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from typing import NoReturn

from msgspec import Struct

from gatewright.probes.git import Git, GitError

_PLAIN = ("--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "--name-only", "-z")
_DEFAULT_BASES = ("refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/master")
_UNTRACKED = ("ls-files", "--others", "--exclude-per-directory=.gitignore", "-z")


class Changes(Struct, frozen=True, kw_only=True):
    """What was found; `problem` says why nothing could be."""

    problem: str | None = None
    base: str = ""
    base_name: str = ""  #: by which it was found, and which a worker can move; empty where its id was given
    changed: tuple[str, ...] = ()
    links_out: tuple[str, ...] = ()  #: links among them that lead out of the worktree
    ignored: tuple[str, ...] = ()  #: what git was told to ignore, and was not looked at
    submodules: tuple[str, ...] = ()  #: whose content was not looked at
    commits: int = 0
    pushed: int = 0  #: of those commits, as far as this repository knows
    follows: bool = True  #: whether the work stands on its base
    branch: str = ""  #: empty where no branch is checked out


def look_over(folder: str, base: str | None, environ: Mapping[str, str]) -> Changes:
    """Find everything that differs from the base: committed, staged, in the files, and files that were never added.

    A rename is a path that is gone and a path that is new. The files are compared by content, with an index and
    settings of our own, so that no note in the repository can hide a change. Never raises for what the worktree is.
    """
    try:
        git = Git(folder, environ)
        if not git.is_top():
            return Changes(problem="it is not the top of a git worktree")
        return _looked_over(git, *_base(git, base))
    except GitError as error:
        return Changes(problem=str(error))


def _base(git: Git, wanted: str | None) -> tuple[str, str]:
    """The base, and the name by which it was found."""
    if wanted is not None:
        found = git.commit(wanted)
        if not found:
            raise GitError(f"`{wanted}` is no commit here")
        return found, "" if found.startswith(wanted.lower()) else wanted
    for name in _DEFAULT_BASES:
        other = git.commit(name)
        found = git.line("merge-base", other, "HEAD") if other else ""
        if found:
            return found, name
    raise GitError("there is no branch that the work could be compared with: name the base")


def _looked_over(git: Git, base: str, name: str) -> Changes:
    head = git.commit("HEAD")
    since = f"{base}..{head}"
    with tempfile.TemporaryDirectory() as place:
        files = git.apart(place, base)
        ignored = list(files.names(*_UNTRACKED, "--ignored", "--directory"))
        changed = dict.fromkeys(
            [
                *files.names("diff", *_PLAIN),
                *_untracked(files),
                # One that a worker has put there itself could hide anything that stands beside it.
                *(name for name in ignored if os.path.basename(name) == ".gitignore"),
                *git.names("diff", "--cached", *_PLAIN, base),
                *git.names("diff", *_PLAIN, base, head),
                *git.names("log", "--format=", *_PLAIN, since),
            ]
        )
        submodules = list(_submodules(files))
    commits = int(git.line("rev-list", "--count", since))
    unpushed = int(git.line("rev-list", "--count", since, "--not", "--remotes"))
    return Changes(
        base=base,
        base_name=name,
        changed=tuple(sorted(changed)),
        links_out=tuple(name for name in sorted(changed) if leads_out(git.folder, name)),
        ignored=tuple(sorted(name for name in ignored if name not in changed)),
        submodules=tuple(submodules),
        commits=commits,
        pushed=commits - unpushed,
        follows=git.line("merge-base", base, head) == base,
        branch=git.line("symbolic-ref", "--short", "--quiet", "HEAD"),
    )


def _untracked(git: Git) -> Iterator[str]:
    """What was never added. Of a repository within the worktree git tells the folder alone, so it is gone through."""
    for name in git.names(*_UNTRACKED):
        yield name.rstrip("/")
        if name.endswith("/"):
            for folder, inner, files in os.walk(os.path.join(git.folder, name), onerror=_unread):
                inner[:] = [each for each in inner if each != ".git"]
                links = [each for each in inner if os.path.islink(os.path.join(folder, each))]
                yield from (os.path.relpath(os.path.join(folder, each), git.folder) for each in (*files, *links))


def _unread(error: OSError) -> NoReturn:
    raise GitError(f"{error.filename} cannot be read: {(error.strerror or '').lower()}")


def _submodules(git: Git) -> Iterator[str]:
    for entry in git.names("ls-files", "--stage", "-z"):
        if entry.startswith("160000 "):
            yield entry.partition("\t")[2]


def leads_out(folder: str, name: str) -> bool:
    """Whether a path of a worktree is a link, or lies behind one, that leads out of it."""
    top = os.path.realpath(folder)
    try:
        real = os.path.realpath(os.path.join(top, name))
    except (OSError, ValueError):
        return True
    return real != top and not real.startswith(top.rstrip("/") + "/")
