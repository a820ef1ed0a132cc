"""The home folder of the user that this process runs as."""

import os
import pwd
from collections.abc import Mapping


def home_of(environ: Mapping[str, str]) -> str:
    """The home folder.

    `$HOME` counts only where it names a place: one that is empty or relative would be wherever the process happens to
    stand, and a worker may have that folder to itself. Then it is the home that the system knows of the user.
    """
    named = environ.get("HOME", "")
    if os.path.isabs(named):
        return named
    try:
        return pwd.getpwuid(os.geteuid()).pw_dir
    except KeyError:  # a user whom the system does not know
        return os.sep
