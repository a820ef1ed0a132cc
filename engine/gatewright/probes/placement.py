"""The block in which a worker says where it stands, before it does anything: three lines, in one form."""

import re

from gatewright.errors import FileError
from gatewright.model.acceptance import Placement
from gatewright.probes.files import read_file

_FORM = re.compile(
    r"in_expected_worktree: (?P<expected>yes|no)\n"
    r"is_master_checkout: (?P<master>yes|no)\n"
    r"branch: (?P<branch>\S+)\n?"
)


def parsed(text: str) -> Placement:
    """The placement that a block states; one of another form states none."""
    match = _FORM.fullmatch(text)
    if match is None:
        return Placement(given=True, problem="it is not the three lines that it should be")
    return Placement(
        given=True,
        in_expected_worktree=match["expected"] == "yes",
        is_master_checkout=match["master"] == "yes",
        branch=match["branch"],
    )


def read_placement(path: str | None) -> Placement:
    """The placement in a file; none is given without a path."""
    if path is None:
        return Placement()
    try:
        return parsed(read_file(path).decode("utf-8", "replace"))
    except FileError as error:
        return Placement(given=True, problem=error.problem)
