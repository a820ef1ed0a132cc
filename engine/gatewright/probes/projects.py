"""The project that a command runs in, and whether what it says may be trusted.

A worker must not be able to rewrite its own gate. So a project file counts only when it is named, or when the nearest
parent folder that has one is owned by the operator and is no worker's worktree.
"""

import os
from collections.abc import Iterator, Mapping

from msgspec import Struct

from gatewright.errors import FileError, Place, PolicyError, Problem
from gatewright.model import Stage
from gatewright.policy.checks import wrong_level
from gatewright.probes.files import read_file
from gatewright.text import did_you_mean, shown

FILE = "gatewright.toml"
STATE = ".gatewright"


class Settings(Struct, frozen=True, kw_only=True):
    """What a project file may say; paths are relative to it."""

    policies: Mapping[str, str] = {}  #: by stage
    tiers: str | None = None
    known_roots: str | None = None
    plugins: tuple[str, ...] = ()
    rules: str | None = None  #: folder with the project's own rules
    ledger: str | None = None
    orchestrator: str | None = None
    runtimes: str | None = None  #: a list of runtimes that is merged with the shipped one
    markers: str | None = None  #: file with screens that the project knows beside those that ship
    lint_levels: Mapping[str, str] = {}  #: by check of `lint`


class Project(Struct, frozen=True, kw_only=True):
    """A folder with what its project file says."""

    root: str
    trusted: bool
    settings: Settings = Settings()
    file: str | None = None

    def path(self, name: str) -> str:
        """A path of the project file, from its folder."""
        return near(os.path.join(self.root, os.path.expanduser(name)))

    @property
    def ledger(self) -> str | None:
        """The ledger that the project file names; a URL stays as it is."""
        named = self.settings.ledger
        return named if named is None or "://" in named else self.path(named)


def find(named: str | None, folder: str) -> Project:
    """The project of a folder.

    named: a folder or project file that the operator names; it is trusted as it is.

    Raises FileError or PolicyError when a project file that counts cannot be read.
    """
    if named is not None:
        file = _project_file(named) if os.path.isdir(named) else named
        root = named if os.path.isdir(named) else os.path.dirname(named) or "."
        if file is None:
            raise FileError(named, f"there is no {FILE} in it", "name a folder that has one, or the file itself")
        return Project(root=os.path.abspath(root), trusted=True, settings=read_settings(file), file=file)
    for current in _upwards(folder):
        file = _project_file(current)
        if file is not None and is_trusted(current) and _is_own(file):
            return Project(root=current, trusted=True, settings=read_settings(file), file=file)
    return Project(root=os.path.abspath(folder), trusted=is_trusted(folder))


def _upwards(folder: str) -> Iterator[str]:
    current = os.path.abspath(folder)
    while True:
        yield current
        parent = os.path.dirname(current)
        if parent == current:
            return
        current = parent


def state_root(project: Project, folder: str) -> str:
    """Where a project keeps its state: the nearest trusted parent that has it or a project file, else the folder."""
    if project.file is not None:
        return project.root
    for current in _upwards(folder):
        if os.path.isdir(os.path.join(current, STATE)) and is_trusted(current):
            return current
    return project.root


def _project_file(folder: str) -> str | None:
    path = os.path.join(folder, FILE)
    return path if os.path.isfile(path) else None


def is_trusted(folder: str) -> bool:
    """Whether a folder is the operator's own and no worker's worktree."""
    return _is_own(folder) and not is_worktree(folder)


def _is_own(path: str) -> bool:
    try:
        return os.stat(path).st_uid == os.getuid()
    except OSError:
        return False


def is_worktree(folder: str) -> bool:
    """Whether a folder lies in a linked worktree of git, or in one that an orchestrator keeps for its workers."""
    if "/.orca/worktrees/" in os.path.abspath(folder) + "/":
        return True
    marks = (os.path.join(current, ".git") for current in _upwards(folder))
    found = next((mark for mark in marks if os.path.lexists(mark)), None)
    return found is not None and not os.path.isdir(found)


def near(path: str) -> str:
    """A path below the working directory from there, any other as it is: how people would write it."""
    here = os.getcwd()
    return os.path.relpath(path, here) if os.path.abspath(path).startswith(here + os.sep) else path


def exists(path: str) -> bool:
    """Whether anything stands at a path, be it a dangling link."""
    return os.path.lexists(path)


def is_file(path: str) -> bool:
    """Whether a plain file stands at a path."""
    return os.path.isfile(path)


_TEXTS = ("tiers", "known_roots", "rules", "ledger", "orchestrator", "runtimes", "markers")
_KEYS = ("policies", "plugins", "lint", *_TEXTS)


def read_settings(file: str) -> Settings:
    """What a project file says. Raises FileError or PolicyError with every mistake."""
    import tomllib

    data = read_file(file)
    try:
        text = data.decode("utf-8")
        found = tomllib.loads(text)
    except UnicodeDecodeError:
        raise PolicyError((_problem(file, "", "", "the file is not UTF-8"),)) from None
    except RecursionError:
        raise PolicyError((_problem(file, "", "", "nested too deep to be read"),)) from None
    except tomllib.TOMLDecodeError as error:
        raise PolicyError((_problem(file, "", "", f"the file is not TOML: {error}"),)) from None
    problems = list(_problems(file, text, found))
    if problems:
        raise PolicyError(tuple(problems))
    return Settings(
        policies=found.get("policies", {}),
        plugins=tuple(found.get("plugins", ())),
        lint_levels=found.get("lint", {}).get("levels", {}),
        **{name: found.get(name) for name in _TEXTS},
    )


def _problems(file: str, text: str, found: Mapping[str, object]) -> list[Problem]:
    problems: list[Problem] = []
    for name, value in found.items():
        if name not in _KEYS:
            problems.append(_problem(file, text, name, f"unknown key `{name}`", did_you_mean(name, _KEYS)))
        elif name in _TEXTS and not isinstance(value, str):
            problems.append(_problem(file, text, name, f"`{name}` is a path, and this is {shown(value)}"))
        elif name == "plugins" and not (isinstance(value, list) and all(isinstance(each, str) for each in value)):
            problems.append(_problem(file, text, name, "`plugins` is a list of module names"))
        elif name == "policies":
            problems += _policy_problems(file, text, value)
        elif name == "lint":
            problems += _lint_problems(file, text, value)
    return problems


def _policy_problems(file: str, text: str, value: object) -> list[Problem]:
    if not isinstance(value, dict):
        return [_problem(file, text, "policies", "`policies` is a table of stages, each with a path")]
    stages = [stage.value for stage in Stage]
    problems = [
        _problem(file, text, name, f"unknown stage `{name}`", did_you_mean(name, stages))
        for name in value
        if name not in stages
    ]
    problems += [
        _problem(file, text, name, f"the policy of `{name}` is a path, and this is {shown(path)}")
        for name, path in value.items()
        if not isinstance(path, str)
    ]
    return problems


def _lint_problems(file: str, text: str, value: object) -> list[Problem]:
    if not isinstance(value, dict) or not isinstance(value.get("levels", {}), dict):
        return [
            _problem(file, text, "lint", "`lint` is a table whose `levels` are a table of checks, each with a level")
        ]
    unknown = [name for name in value if name != "levels"]
    problems = [_problem(file, text, name, f"unknown key `{name}`", "there is only `levels`") for name in unknown]
    wrong = ((name, wrong_level(name, level)) for name, level in value.get("levels", {}).items())
    return [*problems, *(_problem(file, text, name, *said) for name, said in wrong if said is not None)]


def _problem(file: str, text: str, key: str, message: str, hint: str = "") -> Problem:
    lines = text.splitlines()
    at = next((number for number, line in enumerate(lines, 1) if key and line.lstrip(" [\"'").startswith(key)), 1)
    return Problem(place=Place(file, at, 1), message=message, hint=hint, path=key, check="project")
