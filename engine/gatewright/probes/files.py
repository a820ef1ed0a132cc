"""Small files of the operator: policies, tables, lists."""

import os
import stat

from gatewright.errors import FileError

MAX_BYTES = 16 * 1024 * 1024


def read_file(path: str) -> bytes:
    """The bytes of a plain file. Raises FileError with a sentence for anything that is none, or is very large."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(handle, "rb") as file:
            mode = os.fstat(handle).st_mode
            if not stat.S_ISREG(mode):
                raise FileError(path, "is a folder" if stat.S_ISDIR(mode) else "is no plain file")
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise FileError(path, "there is no such file") from None
    except OSError as error:
        raise FileError(path, (error.strerror or type(error).__name__).lower()) from None
    except ValueError:
        raise FileError(path, "is no path") from None
    if len(data) > MAX_BYTES:
        raise FileError(path, f"is larger than {MAX_BYTES // 1024 // 1024} MiB")
    return data
