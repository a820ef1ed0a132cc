"""Asking git about a worktree that may mean ill: nothing that is configured there is run, nothing there is written."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy

from gatewright.errors import GatewrightError
from gatewright.probes.commands import End, run

SECONDS = 120.0
_KEPT = 64 << 20
#: Settings of the worktree that would run a program, or hide that a file was changed.
_SETTINGS: Mapping[str, str] = {
    "core.fsmonitor": "false",
    "core.hooksPath": "/dev/null",
    "core.attributesFile": "/dev/null",
    "core.fileMode": "true",
    "core.symlinks": "true",
    "core.autocrlf": "false",
    "core.ignoreCase": "false",
    "core.sparseCheckout": "false",
    "core.untrackedCache": "false",
    "core.splitIndex": "false",
    "core.checkStat": "default",
    "diff.autoRefreshIndex": "true",
    "diff.relative": "false",
    "log.showSignature": "false",
    "protocol.allow": "never",
}
_ENVIRON: Mapping[str, str] = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "LC_ALL": "C",
}
#: What git only warns of, and goes on as if there was nothing.
_UNREAD = re.compile(r"^warning: (?:could not open directory|unable to access) (?P<what>.*)", re.MULTILINE)
#: Of a repository of our own: it says no more than how objects are named, by SHA-1 or by SHA-256.
_CONFIG = (
    "[core]\n\trepositoryformatversion = 0\n",
    "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n",
)


class GitError(GatewrightError):
    """Something that git could not tell."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem

    def __str__(self) -> str:
        return self.problem


class Git:
    """A worktree, to be asked."""

    def __init__(self, folder: str, environ: Mapping[str, str]) -> None:
        self.folder = folder
        kept = {name: value for name, value in environ.items() if not name.startswith("GIT_")}
        self.environ = {**kept, **_ENVIRON}
        self.settings = dict(_SETTINGS)
        # Filters are programs that a file's content goes through whenever it is compared.
        for name in self.names("config", "--name-only", "-z", "--get-regexp", r"^filter\.", statuses=(0, 1)):
            self.settings[name] = "false" if name.lower().endswith(".required") else ""

    def apart(self, place: str, commit: str) -> "Git":
        """The same files and objects in a repository of our own, empty but for that, with an index of a commit.

        So no setting and no private attribute of the worktree's repository plays a part: both can make git take a file
        for unchanged that is not.
        """
        inner = os.path.join(place, "git")
        objects = os.path.join(self.folder, self.line("rev-parse", "--git-path", "objects"))
        for name in ("objects", "refs"):
            os.makedirs(os.path.join(inner, name))
        with open(os.path.join(inner, "HEAD"), "w") as head:
            head.write("ref: refs/heads/none\n")
        with open(os.path.join(inner, "config"), "w") as config:
            config.write(_CONFIG[self.line("rev-parse", "--show-object-format") == "sha256"])
        git = copy(self)
        git.environ = {
            **self.environ,
            "GIT_DIR": inner,
            "GIT_WORK_TREE": os.path.abspath(self.folder),
            "GIT_OBJECT_DIRECTORY": os.path.abspath(objects),
            "GIT_INDEX_FILE": os.path.join(place, "index"),
        }
        git.asked("read-tree", commit)
        return git

    def asked(self, *words: str, statuses: Sequence[int] = (0,)) -> str:
        """What git prints. Raises GitError."""
        settings = [word for name, value in self.settings.items() for word in ("-c", f"{name}={value}")]
        line = ["git", "--no-pager", *settings, *words]
        ran = run(line, seconds=SECONDS, kept=_KEPT, environ=self.environ, folder=self.folder)
        if ran.end is End.NOT_STARTED:
            raise GitError(f"git cannot be started here: {ran.problem}")
        if ran.end is End.TIMED_OUT:
            raise GitError(f"git was over its {SECONDS:g} s")
        if ran.cut:
            raise GitError("git has more to say than is read")
        if ran.status not in statuses:
            said = ran.errors.strip().splitlines()
            raise GitError(said[-1].removeprefix("fatal: ") if said else f"`git {words[0]}` exited with {ran.status}")
        unread = _UNREAD.search(ran.errors)
        if unread is not None:
            raise GitError(f"git cannot read all of it: {unread['what']}")
        return ran.output

    def names(self, *words: str, statuses: Sequence[int] = (0,)) -> Iterator[str]:
        """The names that git prints, each ended by a NUL."""
        return filter(None, (name.strip("\n") for name in self.asked(*words, statuses=statuses).split("\0")))

    def line(self, *words: str) -> str:
        """The one line that git prints; empty where it has no answer."""
        return self.asked(*words, statuses=(0, 1)).rstrip("\n")

    def commit(self, revision: str) -> str:
        """The id of a commit; empty for a revision that is none."""
        return self.line("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")

    def is_top(self) -> bool:
        """Whether the folder is the top of a worktree, and git looks at this one."""
        return os.path.realpath(self.line("rev-parse", "--show-toplevel")) == os.path.realpath(self.folder)
