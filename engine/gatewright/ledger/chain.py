"""Evidence over lines: a hash chain, and the Merkle tree of RFC 6962 kept as its frontier."""

import struct
from collections.abc import Iterable, Sequence

from msgspec import Struct

from gatewright.digests import sha256

START = b""  #: the head before the first row
_SIZE = 32


def leaf_of(line: bytes, more: str | None = None) -> bytes:
    """The leaf hash of a line (RFC 6962, section 2.1), and of what is kept beside it, behind a line feed."""
    return sha256(b"\x00" + beside(line, more))


def beside(line: bytes, more: str | None) -> bytes:
    """A line with what is kept beside it, as both are hashed."""
    return line if more is None else line + b"\n" + more.encode()


def head_of(before: bytes, leaf: bytes, stamp: bytes = b"") -> bytes:
    """The head of the chain after a leaf. stamp: what the ledger itself says of the row, which no line holds."""
    return sha256(b"\x01" + before + leaf + stamp)


#: Ledger time as eight bytes, and as one whether something else has written the line.
stamp_of = struct.Struct(">dB").pack


def stamps_of(times: Sequence[float], marks: Sequence[int]) -> bytes:
    """The stamps of many rows, one behind the other."""
    pairs: list[float] = [0] * (2 * len(times))
    pairs[::2], pairs[1::2] = times, marks
    return struct.pack(">" + "dB" * len(times), *pairs)


class Frontier:
    """The full subtrees that a Merkle tree of `size` leaves consists of, largest first: all that adding one needs."""

    def __init__(self, size: int = 0, hashes: bytes = b"") -> None:
        self.size = size
        self.hashes = [hashes[at : at + _SIZE] for at in range(0, len(hashes), _SIZE)]

    def add(self, leaf: bytes) -> None:
        """Add a leaf: two subtrees of one size become one, as a carry goes through a sum."""
        node, left = leaf, self.size
        while left & 1:
            node = sha256(b"\x01" + self.hashes.pop() + node)
            left >>= 1
        self.hashes.append(node)
        self.size += 1

    def add_all(self, leaves: Sequence[bytes]) -> None:
        """Add many leaves: whole subtrees are hashed level by level, and only then added as one."""
        at, end = 0, len(leaves)
        while at < end:
            left = self.size & -self.size or 1 << 62
            width = min(left, 1 << (end - at).bit_length() - 1)
            self._add_subtree(subtree(leaves[at : at + width]), width)
            at += width

    def _add_subtree(self, node: bytes, width: int) -> None:
        left = self.size // width
        while left & 1:
            node = sha256(b"\x01" + self.hashes.pop() + node)
            left >>= 1
        self.hashes.append(node)
        self.size += width

    def root(self) -> bytes:
        """The root hash of the tree; that of the empty tree is the hash of nothing."""
        if not self.hashes:
            return sha256(b"")
        root = self.hashes[-1]
        for node in reversed(self.hashes[:-1]):
            root = sha256(b"\x01" + node + root)
        return root

    def stored(self) -> bytes:
        """The hashes one after the other, at most 64 of them."""
        return b"".join(self.hashes)


def subtree(nodes: Sequence[bytes]) -> bytes:
    """The root over a power of two of leaves."""
    from hashlib import sha256 as hasher  # loads slowly, hashes fast

    while len(nodes) > 1:
        pairs = iter(nodes)
        nodes = [hasher(b"\x01" + left + right).digest() for left, right in zip(pairs, pairs, strict=True)]
    return nodes[0]


class ChainEnd(Struct, frozen=True):
    """How far one of several chains goes, and its head there."""

    name: bytes
    size: int
    head: bytes


def over(ends: Iterable[ChainEnd]) -> tuple[bytes, bytes]:
    """Root and head over the ends of several chains, in the order of their names; those without a row do not count."""
    tree, head = Frontier(), START
    for end in sorted((end for end in ends if end.size), key=lambda end: end.name):
        leaf = leaf_of(end.name + b" %d " % end.size + end.head)
        tree.add(leaf)
        head = head_of(head, leaf)
    return tree.root(), head
