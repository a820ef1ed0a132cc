"""The known-roots file: a JSON list of folders that contracts may name."""

from gatewright.errors import FileError
from gatewright.probes.files import read_file


def read_known_roots(path: str) -> list[str]:
    """The roots in the file; none when it is missing or malformed, which means that nothing is checked."""
    try:
        data = read_file(path)
    except FileError:
        return []
    import json

    try:
        found = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return []
    if not isinstance(found, list):
        return []
    return [root for root in found if isinstance(root, str) and root]
