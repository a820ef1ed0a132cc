"""Where the front matter of a contract begins: what is read of it needs more, and a gate asks for no more."""

import re

_OPEN = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?(?:\n|\Z)")


def opening(data: bytes) -> re.Match[bytes] | None:
    """The line that opens it, at the very beginning; None where there is no front matter."""
    return _OPEN.match(data)
