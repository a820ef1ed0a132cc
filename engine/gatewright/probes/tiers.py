"""The tier table in force: found in the documented order, read, and told as a fact."""

import os

from gatewright.errors import FileError, PolicyError
from gatewright.model import TierPolicy
from gatewright.policy import tier_tables
from gatewright.probes.files import read_file

_MAX_TOLD = 5  #: mistakes that a denial lists; `gatewright lint` lists all


def read_tier_policy(path: str) -> TierPolicy:
    """What is known of the tier table at `path`: the table itself, or why it cannot be used."""
    try:
        loaded = tier_tables.load(read_file(path), path)
    except FileError as error:
        return TierPolicy(path=path, loaded=False, error=error.problem)
    except PolicyError as error:
        return TierPolicy(path=path, loaded=False, error=_in_one_line(error))
    table = loaded.table
    return TierPolicy(
        path=path,
        loaded=True,
        version=table.version,
        sha256=loaded.sha256,
        unknown_model=table.unknown_model if table.version == 1 else None,
        table=table,
    )


def _in_one_line(error: PolicyError) -> str:
    told = [
        f"line {problem.place.line}, column {problem.place.column}: {problem.message}"
        + (f" ({problem.hint})" if problem.hint else "")
        for problem in error.problems[:_MAX_TOLD]
    ]
    more = len(error.problems) - _MAX_TOLD
    return "; ".join([*told, f"and {more} more"] if more > 0 else told)


def is_file(path: str) -> bool:
    """Whether a plain file stands at a path."""
    return os.path.isfile(path)
