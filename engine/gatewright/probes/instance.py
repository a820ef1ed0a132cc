"""The instance configuration: what an installation has written down of its own runtimes."""

import json
from collections.abc import Mapping

from msgspec import Struct

from gatewright.errors import FileError
from gatewright.probes.files import read_file
from gatewright.probes.projects import Project, is_file
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


def instance_path(environ: Mapping[str, str], project: Project) -> str | None:
    """Where the configuration is: $MOGUI_INSTANCE_RUNTIME_CONFIG, else the file of a trusted project; None for none."""
    named = environ.get("MOGUI_INSTANCE_RUNTIME_CONFIG")
    if named:
        return named
    path = project.path(FILE)
    return path if project.trusted and is_file(path) else None


def transcript_glob(environ: Mapping[str, str], project: Project, runtime: str | None) -> tuple[str | None, str]:
    """The pattern of transcripts that $MOGUI_TRANSCRIPT_GLOB or the configuration gives, and which of them it was.

    runtime: whose; without one, that of the master's host. Raises FileError for a configuration that cannot be used.
    """
    named = environ.get("MOGUI_TRANSCRIPT_GLOB")
    if named:
        return named, "MOGUI_TRANSCRIPT_GLOB"
    path = instance_path(environ, project)
    if path is None:
        return None, ""
    instance = read_instance(path)
    found = instance.transcript_globs.get(runtime or instance.master_host_runtime or "")
    return found, path if found is not None else ""
