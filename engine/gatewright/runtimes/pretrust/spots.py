"""Files that other programs write as well: read, and put into place whole, only over what was read."""

import errno
import fcntl
import os
import secrets
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from msgspec import Struct

from gatewright.probes.files import MAX_BYTES
from gatewright.runtimes.pretrust.outcomes import Edit, TrustError

_TRIES = 20  #: how often a file may change under us before we give up
_WAIT_SECONDS = 10.0  #: for another of our own kind
_POLL_SECONDS = 0.02
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_MODE = 0o600  #: of what we make


class Spot(Struct, frozen=True, kw_only=True):
    """A name in an open folder."""

    folder: int
    name: str
    path: str  #: as it is told


class Found(Struct, frozen=True):
    """What lies at a spot, and how to know it again."""

    data: bytes | None
    mode: int = _MODE
    group: int = -1
    identity: tuple[int, ...] = ()


@contextmanager
def at(path: str) -> Iterator[Spot]:
    """The spot of a path, behind all of its links."""
    target = os.path.realpath(path)
    with _told(path):
        folder = os.open(os.path.dirname(target), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield Spot(folder=folder, name=os.path.basename(target), path=path)
    finally:
        os.close(folder)


def edit(spot: Spot, change: Callable[[bytes | None], Edit], *, dry_run: bool) -> Edit:
    """Put what `change` makes of a file into its place.

    What another program has written in between is never overwritten: the change is made anew, of what is there then.
    Raises TrustError, and then nothing has changed.
    """
    with _alone(spot):
        for _ in range(_TRIES):
            before = _found(spot)
            wanted = change(before.data)
            if dry_run or not wanted.changes or _put(spot, before, wanted.after):
                return wanted
    raise TrustError(spot.path, "another program keeps changing it", "try again")


def read(spot: Spot) -> bytes | None:
    """The bytes of a plain file; None when there is none. Raises TrustError."""
    return _found(spot).data


def _found(spot: Spot) -> Found:
    with _told(spot.path):
        try:
            flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
            handle = os.open(spot.name, flags, dir_fd=spot.folder)
        except FileNotFoundError:
            return Found(None)
        try:
            status = os.fstat(handle)
            _check_kind(spot, status)
            with open(handle, "rb", closefd=False) as file:
                data = file.read(MAX_BYTES + 1)
        finally:
            os.close(handle)
    if len(data) > MAX_BYTES:
        raise TrustError(spot.path, f"it is larger than {MAX_BYTES // 1024 // 1024} MiB")
    identity = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_mode)
    return Found(data, stat.S_IMODE(status.st_mode), status.st_gid, identity)


def _check_kind(spot: Spot, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise TrustError(spot.path, "it is a folder" if stat.S_ISDIR(status.st_mode) else "it is not a plain file")


def _check_writable(spot: Spot, before: Found) -> None:
    """Refuse what its owner has closed. Root may write anything, and a rename asks for no leave of the file."""
    folder = os.fstat(spot.folder)
    if not folder.st_mode & _WRITABLE:
        raise TrustError(spot.path, "its folder is read-only")
    if before.data is None:
        return
    if not before.mode & _WRITABLE:
        raise TrustError(spot.path, "it is read-only", "whatever generates it has to name the worktree")
    if os.stat(spot.name, dir_fd=spot.folder, follow_symlinks=False).st_uid != os.geteuid():
        raise TrustError(spot.path, "it belongs to another user")


def _put(spot: Spot, before: Found, data: bytes | None) -> bool:
    """Put bytes in the place of what was found, or remove it; whether it was still what was found."""
    with _told(spot.path):
        _check_writable(spot, before)
        if data is None:
            return _removed(spot, before)
        temporary = _written(spot, before, data)
        try:
            if not _placed(spot, before, temporary):
                return False
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=spot.folder)
        _settle(spot)
    return True


def _removed(spot: Spot, before: Found) -> bool:
    if _found(spot) != before:
        return False
    os.unlink(spot.name, dir_fd=spot.folder)
    _settle(spot)
    return True


def _written(spot: Spot, before: Found, data: bytes) -> str:
    """A file beside the spot with these bytes, all of them on the disk; its name."""
    name = f".{spot.name[:50]}.{secrets.token_hex(8)}"
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _MODE, dir_fd=spot.folder)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            if before.data is not None and os.fstat(handle).st_gid != before.group:
                os.fchown(handle, -1, before.group)
            os.fchmod(handle, before.mode)
            os.fsync(handle)
    except BaseException:
        os.unlink(name, dir_fd=spot.folder)
        raise
    return name


def _placed(spot: Spot, before: Found, temporary: str) -> bool:
    if _found(spot) != before:
        return False
    if before.data is not None:
        os.rename(temporary, spot.name, src_dir_fd=spot.folder, dst_dir_fd=spot.folder)
        return True
    try:  # a link, unlike a rename, does not replace what another has made meanwhile
        os.link(temporary, spot.name, src_dir_fd=spot.folder, dst_dir_fd=spot.folder, follow_symlinks=False)
    except FileExistsError:
        return False
    return True


def _settle(spot: Spot) -> None:
    with suppress(OSError):  # some file systems sync no folders
        os.fsync(spot.folder)


@contextmanager
def _alone(spot: Spot) -> Iterator[None]:
    """Keep others of our kind out of a folder meanwhile; the lock is the folder's own and leaves nothing behind."""
    patience = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            fcntl.flock(spot.folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.monotonic() > patience:
                raise TrustError(spot.path, "another process holds its folder's lock", "try again") from None
            time.sleep(_POLL_SECONDS)
        except OSError:
            break  # without locks what is compared before it is replaced has to do
    try:
        yield
    finally:
        with suppress(OSError):
            fcntl.flock(spot.folder, fcntl.LOCK_UN)


@contextmanager
def _told(path: str) -> Iterator[None]:
    """What the system refuses, in a sentence."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise TrustError(path, "it is a symbolic link") from None
        raise TrustError(path, (error.strerror or type(error).__name__).lower()) from None
