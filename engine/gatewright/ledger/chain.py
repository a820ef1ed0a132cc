"""Evidence over lines: a hash chain, and the Merkle tree of RFC 6962 kept as its frontier."""

from gatewright.digests import sha256

START = b""  #: the head before the first row
_SIZE = 32


def leaf_of(line: bytes) -> bytes:
    """The leaf hash of a line (RFC 6962, section 2.1)."""
    return sha256(b"\x00" + line)


def head_of(before: bytes, leaf: bytes) -> bytes:
    """The head of the chain after a leaf."""
    return sha256(b"\x01" + before + leaf)


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
