"""Codex: `projects."PATH".trust_level` in the `config.toml` of every home."""

import os
from collections.abc import Iterator

from gatewright.runtimes.pretrust.homes import Homes
from gatewright.runtimes.pretrust.outcomes import TrustError
from gatewright.runtimes.pretrust.worktrees import Worktree

CONFIG = "config.toml"


def files(homes: Homes) -> list[str]:
    """The configuration of every home that there is, each file once however many links lead to it."""
    found = [os.path.join(home, CONFIG) for home in _homes(homes) if os.path.isdir(home)]
    return list({os.path.realpath(file): file for file in reversed(found)}.values())[::-1]


def _homes(homes: Homes) -> Iterator[str]:
    for accounts in homes.codex_accounts:
        yield from (os.path.join(accounts, name, "home") for name in _names(accounts))
    yield from homes.codex_homes


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise TrustError(folder, (error.strerror or type(error).__name__).lower()) from None


def keys(worktree: Worktree) -> tuple[str, ...]:
    """The worktree, and the repository that it is linked to: Codex looks for both."""
    return (worktree.path,) if worktree.main_root is None else (worktree.path, worktree.main_root)
