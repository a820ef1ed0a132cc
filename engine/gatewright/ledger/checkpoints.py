"""Checkpoints: how many rows a ledger had, and the root of the tree over their lines, to be kept out of its reach.

The text of a checkpoint is that of transparency logs: the origin, the size, and the root in base64, a line each. A
fourth line of ours holds the head of the chain, which covers what no line says: ledger time, and who wrote the row.
Where a ledger has a chain for each tier, root and head are over the ends of these, and a line each says what they were.
"""

import re
from base64 import b64decode, b64encode
from urllib.parse import quote_from_bytes, unquote_to_bytes

from msgspec import Struct

from gatewright.ledger.chain import ChainEnd, over
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.faults import Tally

_HEAD, _END = "chain ", "end "
_MADE = "`gatewright ledger checkpoint` makes one"
_SIZE = re.compile(r"0|[1-9][0-9]{0,18}")


class Checkpoint(Struct, frozen=True, kw_only=True):
    """What was true of a ledger at one time."""

    name: str  #: what it is called by, such as its file
    origin: str
    size: int
    root: bytes
    head: bytes | None = None  #: None in one that something else has made
    ends: tuple[ChainEnd, ...] = ()  #: of chains with rows, by name, where there are several

    def text(self) -> str:
        """The lines that are signed."""
        lines = [self.origin, str(self.size), b64encode(self.root).decode()]
        if self.head is not None:
            lines.append(_HEAD + b64encode(self.head).decode())
        lines += [
            f"{_END}{end.size} {b64encode(end.head).decode()} {quote_from_bytes(end.name, safe=':')}"
            for end in self.ends
        ]
        return "".join(f"{line}\n" for line in lines)


def checkpoint_of(tally: Tally) -> Checkpoint:
    """The checkpoint of a ledger that was gone through."""
    head, ends = tally.head or None, tuple(end for end in tally.ends if end.size)
    return Checkpoint(name="", origin=tally.origin, size=tally.size, root=tally.root, head=head, ends=ends)


def read_checkpoint(text: str, name: str) -> Checkpoint:
    """The checkpoint of the lines that were signed. Raises LedgerError for a text that is none."""
    origin, size, root, *more = [*text.split("\n"), "", "", ""]
    hashed = _hash_of(root)
    if not origin or not _SIZE.fullmatch(size) or hashed is None:
        problem = "it is no checkpoint: origin, size and root are wanted, a line each"
        raise LedgerError(name, problem, _MADE)
    heads = [_hash_of(line.removeprefix(_HEAD)) for line in more if line.startswith(_HEAD)]
    ends = tuple(_end_of(line, name) for line in more if line.startswith(_END))
    found = Checkpoint(
        name=name, origin=origin, size=int(size), root=hashed, head=heads[0] if heads else None, ends=ends
    )
    if ends and (sum(end.size for end in ends), *over(ends)) != (found.size, found.root, found.head):
        raise LedgerError(name, "size and root are not those of the chains that it names", _MADE)
    return found


def _end_of(line: str, name: str) -> ChainEnd:
    size, head, quoted = [*line.removeprefix(_END).split(" ", 2), "", ""][:3]
    hashed = _hash_of(head)
    if not _SIZE.fullmatch(size) or hashed is None:
        raise LedgerError(name, f"`{line}` is not the end of a chain", _MADE)
    return ChainEnd(unquote_to_bytes(quoted), int(size), hashed)


def _hash_of(text: str) -> bytes | None:
    try:
        found = b64decode(text, validate=True)
    except ValueError:
        return None
    return found if len(found) == 32 else None  # noqa: PLR2004  the length of a SHA-256
