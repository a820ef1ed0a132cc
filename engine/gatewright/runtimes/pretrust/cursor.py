"""Cursor: a marker file of its own for each worktree, `PROJECTS/KEY/.workspace-trusted`.

The key cannot be read back into a path, so what counts is the path inside the marker. No link is followed on the way:
whoever can put one there could have any file of the operator's overwritten.
"""

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

from gatewright.model import Moment
from gatewright.runtimes.pretrust import json_spans, spots
from gatewright.runtimes.pretrust.homes import Homes
from gatewright.runtimes.pretrust.outcomes import Edit, Entry, Status, TrustError
from gatewright.runtimes.pretrust.spots import Spot
from gatewright.text import shown

MARKER = ".workspace-trusted"
TRUSTED_AT, WORKSPACE = "trustedAt", "workspacePath"
_KEY_LENGTH = 84  #: longer ones are cut and told apart by a hash
_HASH_LENGTH = 7
_MODE = 0o700  #: of the folders that we make
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def key(path: str) -> str:
    """The name of the folder that Cursor keeps for a worktree."""
    name = _collapsed(path)
    if len(name) <= _KEY_LENGTH:
        return name
    return f"{name[:_KEY_LENGTH]}-{hashlib.sha256(path.encode()).hexdigest()[:_HASH_LENGTH]}"


def older_keys(path: str) -> list[str]:
    """The names that other builds and other programs have used for the same folder."""
    whole = [
        re.sub(r'[\\/:*?"<>|]', "-", path),
        path.replace("/", "-").replace(".", ""),
        re.sub(r"[^a-zA-Z0-9_]+", "-", path),
    ]
    # The slash in front is a dash to some, and nothing to others.
    names = [_collapsed(path), _collapsed(path).lower(), *(name.strip("-") for name in whole), *whole]
    return [name for name in dict.fromkeys(names) if name not in ("", key(path))]


def _collapsed(path: str) -> str:
    return re.sub(r"[^a-zA-Z0-9]+", "-", path).strip("-")


def projects(homes: Homes) -> str:
    """The folder of Cursor's projects. The home itself may be reached over links, what lies below it may not."""
    if homes.cursor_projects is not None:
        return os.path.abspath(homes.cursor_projects)
    return os.path.join(os.path.realpath(homes.home), ".cursor", "projects")


def trust(path: str, homes: Homes, now: Moment, *, dry_run: bool) -> Entry:
    """Have Cursor start in a worktree without a question. Raises TrustError, and then nothing has changed."""
    folder, name = projects(homes), key(path)
    if not name:  # its marker would be everybody's whose path has none either
        raise TrustError(
            path, "Cursor has no folder for it: no letter and no digit is in its path", "rename the folder"
        )
    file = os.path.join(folder, name, MARKER)
    if not os.path.lexists(file):
        known = next((older for older in older_keys(path) if _names(os.path.join(folder, older), path)), None)
        if known is not None:
            return Entry(file=os.path.join(folder, known, MARKER), status=Status.ALREADY, keys=(known,))
    with _opened(os.path.join(folder, name), make=not dry_run) as opened:
        if opened is None:
            edit = _marked(None, path, now, file)
        else:
            spot = Spot(folder=opened, name=MARKER, path=file)
            edit = spots.edit(spot, lambda data: _marked(data, path, now, file), dry_run=dry_run)
    return Entry(file=file, status=edit.status, keys=(name,), edit=edit)


def distrust(path: str, homes: Homes, *, dry_run: bool) -> Entry:
    """Take back what `trust` has added. Raises TrustError for a marker that says more than that."""
    folder = os.path.join(projects(homes), key(path))
    file = os.path.join(folder, MARKER)
    with _opened(folder, make=False) as opened:
        if opened is None or not key(path):
            return Entry(file=file, status=Status.ABSENT, keys=(key(path),))
        spot = Spot(folder=opened, name=MARKER, path=file)
        edit = spots.edit(spot, lambda data: _unmarked(data, path, file), dry_run=dry_run)
    if edit.changes and edit.after is None and not dry_run:
        with suppress(OSError):  # the agent may have put more into its folder
            os.rmdir(folder)
    return Entry(file=file, status=edit.status, keys=(key(path),), edit=edit)


def _marked(data: bytes | None, path: str, now: Moment, file: str) -> Edit:
    if data is None:
        return Edit(Status.ADDED, None, _marker(path, _instant(now)))
    found = json_spans.read(data, file)
    if WORKSPACE in found.document:
        if found.document[WORKSPACE] == path:
            return Edit(Status.ALREADY, data, data)
        raise TrustError(file, "it is the marker of another workspace", f"it names {shown(found.document[WORKSPACE])}")
    if TRUSTED_AT not in found.document:
        raise TrustError(file, "it is no marker of Cursor", "move it away")
    after = found.with_member(found.top, _added(path))
    return Edit(Status.UPDATED, data, (found.mark + after).encode())


def _unmarked(data: bytes | None, path: str, file: str) -> Edit:
    if data is None:
        return Edit(Status.ABSENT, None, None)
    found = json_spans.read(data, file)
    if found.document.get(WORKSPACE) != path:
        return Edit(Status.ABSENT, data, data)
    if data == _marker(path, found.document.get(TRUSTED_AT)):
        return Edit(Status.REVOKED, data, None)
    member = found.member(found.top, WORKSPACE)
    assert member is not None
    if found.text[member.start : member.end] != _added(path):
        raise TrustError(file, "Cursor has written it, not this command", "delete it to be asked again")
    return Edit(Status.REVOKED, data, (found.mark + found.without_member(found.top, member)).encode())


def _marker(path: str, instant: object) -> bytes:
    fields = {TRUSTED_AT: instant, WORKSPACE: path}
    return json.dumps(fields, ensure_ascii=False, indent=2).encode() + b"\n"


def _added(path: str) -> str:
    """The name of the workspace, for a marker without one; the blank in front of the colon says who wrote it."""
    return f'"{WORKSPACE}" : {json_spans.quoted(path)}'


def _instant(now: Moment) -> str:
    """A moment as JavaScript writes it, with milliseconds."""
    return datetime.fromtimestamp(now.epoch, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _names(folder: str, path: str) -> bool:
    """Whether the marker in a folder is a plain file that names a worktree."""
    file = os.path.join(folder, MARKER)
    try:
        with _opened(folder, make=False) as opened:
            if opened is None:
                return False
            data = spots.read(Spot(folder=opened, name=MARKER, path=file))
        return data is not None and json_spans.read(data, file).document.get(WORKSPACE) == path
    except TrustError:
        return False


@contextmanager
def _opened(path: str, *, make: bool) -> Iterator[int | None]:
    """A folder, opened step by step so that no link is followed; None when it is not there and is not to be made."""
    current: int | None = os.open("/", _FOLDER_FLAGS)
    done = "/"
    try:
        for name in path.strip("/").split("/"):
            done = os.path.join(done, name)
            assert current is not None
            inner = _inner(current, name, done, make=make)
            os.close(current)
            current = inner
            if current is None:
                break
        yield current
    finally:
        if current is not None:
            os.close(current)


def _inner(folder: int, name: str, path: str, *, make: bool) -> int | None:
    """A folder within an open one. Raises TrustError for a link and for what is no folder."""
    try:
        if make:
            with suppress(FileExistsError):
                os.mkdir(name, _MODE, dir_fd=folder)
        return os.open(name, _FOLDER_FLAGS, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        problem = (error.strerror or type(error).__name__).lower()
    try:
        linked = stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        linked = False
    if linked:
        raise TrustError(path, "it is a symbolic link, and no link is followed to a marker", "name the real folder")
    raise TrustError(path, problem)
