"""The files that a command line names: files as they are, folders for the YAML below them."""

import os
from collections.abc import Iterator, Sequence

from gatewright.errors import UsageError


def named(paths: Sequence[str], what: str = "files or folders") -> Iterator[str]:
    """The files, in the order of the command line; those of a folder in the order of their paths."""
    for path in paths:
        if os.path.isdir(path):
            yield from below(path)
        elif os.path.lexists(path):
            yield path
        else:
            raise UsageError(f"there is no `{path}`", f"give {what}")


def below(folder: str) -> Iterator[str]:
    """Every YAML file below a folder."""
    for place, _, names in sorted(os.walk(folder)):
        yield from (os.path.join(place, name) for name in sorted(names) if name.endswith((".yaml", ".yml")))
