"""Checkpoints: how many rows a ledger had, and the root of the tree over their lines, to be kept out of its reach.

The text of a checkpoint is that of transparency logs: the origin, the size, and the root in base64, a line each. A
fourth line of ours holds the head of the chain, which covers what no line says: ledger time, and who wrote the row.
"""

import re
from base64 import b64decode, b64encode

from msgspec import Struct

from gatewright.ledger.errors import LedgerError
from gatewright.ledger.faults import Tally

_HEAD = "chain "
_SIZE = re.compile(r"0|[1-9][0-9]{0,18}")


class Checkpoint(Struct, frozen=True, kw_only=True):
    """What was true of a ledger at one time."""

    name: str  #: what it is called by, such as its file
    origin: str
    size: int
    root: bytes
    head: bytes | None = None  #: None in one that something else has made

    def text(self) -> str:
        """The lines that are signed."""
        lines = [self.origin, str(self.size), b64encode(self.root).decode()]
        if self.head is not None:
            lines.append(_HEAD + b64encode(self.head).decode())
        return "".join(f"{line}\n" for line in lines)


def checkpoint_of(tally: Tally) -> Checkpoint:
    """The checkpoint of a ledger that was gone through."""
    return Checkpoint(name="", origin=tally.origin, size=tally.size, root=tally.root, head=tally.head or None)


def read_checkpoint(text: str, name: str) -> Checkpoint:
    """The checkpoint of the lines that were signed. Raises LedgerError for a text that is none."""
    origin, size, root, *more = [*text.split("\n"), "", "", ""]
    hashed = _hash_of(root)
    if not origin or not _SIZE.fullmatch(size) or hashed is None:
        problem = "it is no checkpoint: origin, size and root are wanted, a line each"
        raise LedgerError(name, problem, "`gatewright ledger checkpoint` makes one")
    heads = [_hash_of(line.removeprefix(_HEAD)) for line in more if line.startswith(_HEAD)]
    return Checkpoint(name=name, origin=origin, size=int(size), root=hashed, head=heads[0] if heads else None)


def _hash_of(text: str) -> bytes | None:
    try:
        found = b64decode(text, validate=True)
    except ValueError:
        return None
    return found if len(found) == 32 else None  # noqa: PLR2004  the length of a SHA-256
