"""Files of a ledger: made for their owner alone, on file systems whose locks hold."""

import contextlib
import os
import stat

from gatewright.ledger.errors import LedgerError

FILE_MODE, FOLDER_MODE = 0o600, 0o700
#: File systems that are shared between machines; SQLite's and our own locks do not hold on them.
_NETWORK = frozenset(
    ["nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "glusterfs", "lustre", "fuse.sshfs", "fuse.rclone", "davfs"]
)


def made_folder(path: str) -> None:
    """Make the folder of a file where it is missing, for its owner alone. Raises LedgerError."""
    folder = os.path.dirname(os.path.abspath(path))
    try:
        os.makedirs(folder, FOLDER_MODE, exist_ok=True)
    except OSError as error:
        raise LedgerError(path, f"its folder cannot be made: {said(error)}", "check the path and permissions") from None


def sync_folder(path: str) -> None:
    """Make what is in a folder, and what is not any more, outlive a loss of power. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def made_ledger(path: str) -> None:
    """Make the file of a ledger where it is missing, and the way to it for good. Raises LedgerError.

    A row that is on disk is lost all the same when a loss of power leaves no folder that leads to it. While nothing
    is in the file, nobody can tell whether the way to it has been synced.
    """
    made_file(path)
    if os.path.getsize(path):
        return
    folder = os.path.dirname(os.path.realpath(path))
    while True:
        with contextlib.suppress(PermissionError):  # a folder that may not be read is none that we have made
            sync_folder(folder)
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def made_file(path: str) -> None:
    """Make a file where it is missing, readable and writable by its owner alone. Raises LedgerError."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE))
    except OSError as error:
        raise LedgerError(path, f"it cannot be written: {said(error)}", "check the path and permissions") from None


def is_there(path: str) -> bool:
    """Whether there is a file. Raises LedgerError where that cannot be told, and for what is no plain file."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        if os.path.islink(path):
            raise LedgerError(path, "it is a link that leads nowhere", "mend or remove the link") from None
        return False
    except OSError as error:
        raise LedgerError(path, f"it cannot be looked at: {said(error)}", "check the path and permissions") from None
    if not stat.S_ISREG(mode):
        raise LedgerError(path, "it is no plain file", "name a file with --ledger")
    return True


def said(error: OSError) -> str:
    """What the system says of a failure, in lower case."""
    return (error.strerror or type(error).__name__).lower()


def refuse_network(path: str, mounts: str | None = None) -> None:
    """Raise LedgerError for a path on a file system that is shared between machines.

    mounts: the text of the kernel's list of mounts; by default that of this process. Where there is none, nothing is
    known and nothing refused.
    """
    kind = file_system(path, mounts_of_process() if mounts is None else mounts)
    if kind in _NETWORK:
        problem = f"it is on a network file system ({kind}), where locks do not hold"
        raise LedgerError(path, problem, "keep it on a local disk, or use --ledger postgresql://… for many hosts")


def file_system(path: str, mounts: str) -> str:
    """The kind of the file system that a path is on, by the mount that is nearest above it; empty if unknown."""
    real = os.path.realpath(path)
    best, kind = "", ""
    for line in mounts.splitlines():
        before, _, behind = line.partition(" - ")
        fields = before.split()
        if len(fields) < 5 or not behind:  # noqa: PLR2004  the fifth field is the place of the mount
            continue
        place = fields[4].encode().decode("unicode_escape")
        if (real == place or real.startswith(place.rstrip("/") + "/")) and len(place) >= len(best):
            best, kind = place, behind.split()[0]
    return kind


def mounts_of_process() -> str:
    """The kernel's list of mounts, as this process sees them; empty where there is none."""
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""
