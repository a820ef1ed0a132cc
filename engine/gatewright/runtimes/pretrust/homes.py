"""Where the agents of one operator keep what they trust: every account, and every program that starts them."""

import os
import sys
from collections.abc import Iterator, Mapping

from msgspec import Struct

from gatewright.probes.homes import home_of


class Homes(Struct, frozen=True, kw_only=True):
    """The folders in which trust files lie."""

    home: str
    codex_accounts: tuple[str, ...] = ()  #: folders with one folder an account
    codex_homes: tuple[str, ...] = ()
    claude_config: str | None = None
    cursor_projects: str | None = None


def find(
    environ: Mapping[str, str],
    *,
    home: str | None = None,
    accounts: str | None = None,
    projects: str | None = None,
    platform: str = sys.platform,
) -> Homes:
    """The homes of an operator.

    home: in the place of the operator's own; variables that name other folders do not count then.
    accounts: the folder of Codex accounts, in the place of Orca's.
    projects: Cursor's folder of projects.
    """
    names = environ if home is None else {}
    own = home or home_of(environ)
    shared = list(_user_data(names, own, platform))
    named = accounts or names.get("CODEX_ACCOUNTS_DIR")
    cursor_data = names.get("CURSOR_DATA_DIR")
    return Homes(
        home=own,
        codex_accounts=(named,) if named else tuple(os.path.join(each, "codex-accounts") for each in shared),
        codex_homes=(
            *(os.path.join(each, "codex-runtime-home", "home") for each in shared),
            *([names["CODEX_HOME"]] if names.get("CODEX_HOME") else []),
            os.path.join(own, ".codex"),
        ),
        claude_config=names.get("CLAUDE_CONFIG_DIR") or None,
        cursor_projects=projects
        or names.get("CURSOR_PROJECTS_DIR")
        or (os.path.join(cursor_data, "projects") if cursor_data else None),
    )


def _user_data(names: Mapping[str, str], home: str, platform: str) -> Iterator[str]:
    """The folders in which Orca keeps its user's data."""
    if names.get("ORCA_USER_DATA_PATH"):
        yield names["ORCA_USER_DATA_PATH"]
    if platform == "darwin":
        yield os.path.join(home, "Library", "Application Support", "orca")
        return
    yield os.path.join(names.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share"), "orca")
    yield os.path.join(names.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "orca")
