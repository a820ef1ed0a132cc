"""The fixtures that a command line names."""

import os
from collections.abc import Sequence

from gatewright.app import App
from gatewright.errors import FileError, UsageError
from gatewright.probes import projects
from gatewright.shipped import shipped
from gatewright.trials.collecting import cases_of, is_fixture
from gatewright.trials.fixtures import Case


def cases_named(paths: Sequence[str], app: App) -> list[Case]:
    """The cases of the fixtures that the paths name; without any, those of the project, else the shipped ones.

    Raises PolicyError with every mistake of a file, UsageError for a path that leads nowhere.
    """
    return [case for file in _files(paths, app) for case in _read(file, app)]


def _files(paths: Sequence[str], app: App) -> list[str]:
    """The fixture files that the paths name; a folder stands for all below it but policies and tier tables."""
    found: list[str] = []
    for path in paths or [_default_folder(app)]:
        if os.path.isdir(path):
            files = sorted(
                os.path.join(folder, name)
                for folder, _, names in os.walk(path)
                for name in names
                if name.endswith((".yaml", ".yml"))
            )
            found += [file for file in files if is_fixture(file)]
        elif os.path.exists(path):
            found.append(path)
        else:
            raise UsageError(f"there is no `{path}`", "give fixture files or folders")
    return found


def _default_folder(app: App) -> str:
    own = app.project.path("fixtures")
    if app.project.file is not None and os.path.isdir(own):
        return own
    return projects.near(shipped("fixtures"))


def _read(file: str, app: App) -> Sequence[Case]:
    try:
        return cases_of(file, app.catalog)
    except FileError as error:
        raise UsageError(str(error)) from None
