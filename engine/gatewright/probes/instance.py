"""The instance configuration: what an installation has written down of its own runtimes."""

import json

from msgspec import Struct

from gatewright.errors import FileError
from gatewright.probes.files import read_file
from gatewright.text import shown

FILE = "config/instance-runtime.json"


class Instance(Struct, frozen=True, kw_only=True):
    """What the file says, as far as it is asked for."""

    master_host_runtime: str | None = None
    transcript_globs: dict[str, str] = {}  #: patterns of paths, by runtime


def read_instance(path: str) -> Instance:
    """The configuration in a file. Raises FileError for one that cannot be read, or says something else."""
    try:
        found = json.loads(read_file(path).decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise FileError(path, "it is no JSON") from None
    if not isinstance(found, dict):
        raise FileError(path, "it holds no JSON object")
    host, globs = found.get("master_host_runtime"), found.get("transcript_globs") or {}
    if not isinstance(globs, dict) or not all(isinstance(each, str) for each in globs.values()):
        raise FileError(path, f"`transcript_globs` is a pattern of paths by runtime, and this is {shown(globs)}")
    if host is not None and not isinstance(host, str):
        raise FileError(path, f"`master_host_runtime` is the name of a runtime, and this is {shown(host)}")
    return Instance(master_host_runtime=host, transcript_globs=globs)
