"""Small files of the operator: policies, tables, lists."""

import os
import stat
import tempfile
from typing import BinaryIO

from gatewright.errors import FileError

MAX_BYTES = 16 * 1024 * 1024


def read_file(path: str) -> bytes:
    """The bytes of a plain file. Raises FileError with a sentence for anything that is none, or is very large."""
    with open_plain(path) as file:
        try:
            data = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise FileError(path, (error.strerror or type(error).__name__).lower()) from None
    if len(data) > MAX_BYTES:
        raise FileError(path, f"it is larger than {MAX_BYTES // 1024 // 1024} MiB")
    return data


def open_plain(path: str, *, buffer: int = -1) -> BinaryIO:
    """A plain file, open for reading; nothing waits for a pipe's other end. Raises FileError for anything else."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        raise FileError(path, "there is no such file") from None
    except OSError as error:
        raise FileError(path, (error.strerror or type(error).__name__).lower()) from None
    except ValueError:
        raise FileError(path, "a path holds no NUL character") from None
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return open(handle, "rb", buffering=buffer)
    os.close(handle)
    raise FileError(path, "it is a folder" if stat.S_ISDIR(mode) else "it is not a plain file")


def replace_file(path: str, data: bytes) -> None:
    """Put bytes into the place of a file that exists, all of them or none; its mode stays, and a link stays a link.

    Raises FileError when that cannot be.
    """
    target = os.path.realpath(path)
    try:
        before = os.stat(target)
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=f".{os.path.basename(target)[:50]}.")
    except OSError as error:
        raise FileError(path, (error.strerror or type(error).__name__).lower()) from None
    try:
        with open(handle, "wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), stat.S_IMODE(before.st_mode))
            if os.geteuid() == 0:  # nobody else may give a file away
                os.fchown(file.fileno(), before.st_uid, before.st_gid)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        os.unlink(temporary)
        raise FileError(path, (error.strerror or type(error).__name__).lower()) from None
    except BaseException:
        os.unlink(temporary)
        raise
