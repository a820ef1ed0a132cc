"""Known roots: a contract that names a folder nobody has heard of was perhaps written for another machine."""

import posixpath

from gatewright.model import PATH_OUTSIDE_KNOWN_ROOTS, Contract, Findings, warn
from gatewright.spec import rule


@rule(codes=[PATH_OUTSIDE_KNOWN_ROOTS], fires="len(known_roots) > 0 and len(contract.mentions.paths) > 0")
def known_roots(
    contract: Contract, known_roots: list[str], *, home_roots: tuple[str, ...] = ("/Users/", "/home/")
) -> Findings:
    """Warn of a contract that names a path under a home folder and outside all known roots.

    What: looks at the absolute paths that the contract names, those under `home_roots`.
    Why: a path of another user or machine sends the worker looking, or worse, writing.
    Warns: `PATH_OUTSIDE_KNOWN_ROOTS` when at least one root is known and a path is under none of them.
    Options: `home_roots`, the folders whose paths are looked at.
    """
    roots = [posixpath.normpath(root) for root in known_roots if root.startswith("/")]
    homes = [home.rstrip("/") + "/" for home in home_roots]
    if not roots:
        return
    outside = [
        path
        for path in contract.mentions.paths
        if path.startswith(tuple(homes)) and not _under_any(posixpath.normpath(path), roots)
    ]
    if outside:
        more = f" and {len(outside) - 1} more" if len(outside) > 1 else ""
        yield warn(
            PATH_OUTSIDE_KNOWN_ROOTS,
            f"the contract names `{outside[0]}`{more}, outside all known roots",
            hint="mend the path, or add its root to the known roots",
        )


def _under_any(path: str, roots: list[str]) -> bool:
    return any(root in (path, "/") or path.startswith(root + "/") for root in roots)
