"""The files that a command line names: files as they are, folders for the YAML below them."""

import os
from collections.abc import Callable, Iterator, Sequence

from gatewright.errors import UsageError


def named(paths: Sequence[str], wanted: Callable[[str], bool]) -> Iterator[str]:
    """The files, in the order of the command line; of a folder those that are wanted, in the order of their paths."""
    for path in paths:
        if os.path.isdir(path):
            yield from filter(wanted, below(path))
        elif os.path.lexists(path):
            yield path
        else:
            raise UsageError(f"there is no `{path}`", "give files or folders")


def below(folder: str) -> Iterator[str]:
    """Every YAML file below a folder."""
    for place, _, names in sorted(os.walk(folder)):
        yield from (os.path.join(place, name) for name in sorted(names) if name.endswith((".yaml", ".yml")))
